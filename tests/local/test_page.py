"""The page's server side, without a browser."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from bot.local import Channel, NewGuild, Person, Standin
from tests.local.bots import PATIENCE_S, SampleBot, running


class Tab:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._last_id = 0

    async def until(self, kind: str) -> dict[str, Any]:
        while True:
            event: dict[str, Any] = await self.socket.receive_json(timeout=PATIENCE_S)
            if event["t"] == kind:
                return event

    async def all_until(self, kind: str) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = []
        while not events or events[-1]["t"] != kind:
            events.append(await self.socket.receive_json(timeout=PATIENCE_S))
        return events

    async def act(self, action: str, **values: object) -> dict[str, Any]:
        self._last_id += 1
        await self.socket.send_json({**values, "id": self._last_id, "do": action})
        return await self.until("done")


async def open_tab(
    http: aiohttp.ClientSession, standin: Standin, person: str, server: int | None = None
) -> Tab:
    query = f"as={person}&server={server or ''}"
    return Tab(await http.ws_connect(f"{standin.url}/page/ws?{query}"))


async def test_a_tab_gets_the_state_and_later_the_messages_that_its_person_may_see(
    http: aiohttp.ClientSession, standin: Standin, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    annas, berts = await open_tab(http, standin, "anna"), await open_tab(http, standin, "bert")
    hello = await berts.until("hello")
    assert hello["me"] == str(standin.person("Bert").id)
    assert hello["online"] is True
    assert {c["name"] for c in hello["channels"]} == {"the-harbour", "the-market", "Kontor"}
    names = [c["command"] for c in hello["commands"]]
    assert names == sorted(names)
    assert "game new" in names
    async with http.post(f"{standin.url}/page/upload?name=a.json", data=b"{}") as answer:
        upload = await answer.json()
    place = str(harbour.id)
    done = await annas.act("slash", channel=place, command="paint", values={"colour": "red"})
    assert done["result"]["kind"] == "message"
    await annas.act("slash", channel=place, command="import", values={"file": upload})
    assert (await berts.until("message"))["message"]["content"] == "a.json: {}"
    seen = await annas.act("history", channel=place)
    assert [m["private"] for m in seen["result"]["messages"]] == [True, False]
    for tab in (annas, berts):
        await tab.socket.close()


async def test_a_tab_gets_changed_ping_counts_once_and_no_dismissals_of_others(
    http: aiohttp.ClientSession, standin: Standin, bot: SampleBot, anna: Person, harbour: Channel
) -> None:
    annas, berts = await open_tab(http, standin, "anna"), await open_tab(http, standin, "bert")
    secret = (await anna.slash(harbour, "paint", colour="red")).message
    assert secret is not None
    anna.dismiss(secret)
    anna.say(harbour, "to all")
    bert = standin.person("Bert").id
    anna.say(harbour, f"and to <@{bert}>")
    for tab, deleted in ((annas, [str(secret.id)]), (berts, [])):
        events = await tab.all_until("mentions")
        assert [event["id"] for event in events if event["t"] == "message_deleted"] == deleted
        assert events[-1]["mentions"][str(bert)] == 1
        assert [event["t"] for event in events].count("message") == 2 + len(deleted)
        await tab.socket.close()


async def test_other_sites_are_blocked(http: aiohttp.ClientSession, standin: Standin) -> None:
    for headers in (
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
    ):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await http.ws_connect(f"{standin.url}/page/ws?as=anna", headers=headers)
        assert refused.value.status == 403, headers
        async with http.post(f"{standin.url}/page/upload", data=b"x", headers=headers) as answer:
            assert answer.status == 403, headers
    async with http.get(f"{standin.url}/") as page:
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]


async def test_nothing_outside_the_page_folder_is_served(
    http: aiohttp.ClientSession, standin: Standin
) -> None:
    async with http.get(f"{standin.url}/page/static/app.js") as answer:
        assert answer.content_type == "text/javascript"
    for name in ("..%2Fpage.py", "nothing.js"):
        async with http.get(f"{standin.url}/page/static/{name}") as answer:
            assert answer.status == 404


async def test_a_tab_shows_the_requested_server_only_to_its_members(
    http: aiohttp.ClientSession,
) -> None:
    guilds = [NewGuild("Home"), NewGuild("Away", people=["Bert"])]
    async with Standin(guilds=guilds) as standin, running(SampleBot(), standin):
        away, anna = standin.model.guild_named("Away"), standin.person("Anna")
        berts = await open_tab(http, standin, "bert", away.id)
        annas = await open_tab(http, standin, "anna", away.id)
        hello = await annas.until("hello")
        assert hello["server"] == "Home"
        hello = await berts.until("hello")
        assert hello["server"] == "Away"
        assert [server["name"] for server in hello["servers"]] == ["Home", "Away"]
        place = standin.channel("the-market", "Away")
        standin.person("Bert").say(place, "unseen")
        anna.say(standin.channel("the-market", "Home"), "seen")
        events = await annas.all_until("message")
        assert [event["t"] for event in events] == ["message"]
        assert events[0]["message"]["content"] == "seen"
        done = await annas.act("say", channel=str(place.id), text="x")
        assert done["error"]["message"] == "you can't look in there"
        done = await berts.act("slash", channel=str(place.id), command="where", values={})
        assert done["result"]["kind"] == "message"
        assert standin.person("Bert").sees(place)[-1].text == "en-US in Away"
        for tab in (annas, berts):
            await tab.socket.close()
