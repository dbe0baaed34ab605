"""Tables on the web, next to the status page of a running bot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest

from bot.cogs import tables_api
from bot.cogs.ui.services import Services
from bot.local import Standin
from tests.host.conftest import Hosted, settings_in
from tests.host.test_hosting import online
from tests.waiting import until
from tests.wire.players import RandomPlayer, sit_down
from tests.wire.stored import StoredTable


@asynccontextmanager
async def hosted(standin: Standin, folder: Path, api: str = "on") -> AsyncIterator[Hosted]:
    bot = Hosted(settings_in(folder, standin.url, tables_api=api))
    async with bot.running(standin.token):
        await until(lambda: online(bot))
        yield bot


async def get(bot: Hosted, path: str) -> tuple[int, bytes]:
    """Return the status and the content."""
    address = f"http://127.0.0.1:{bot.settings.health_port}{path}"
    async with aiohttp.ClientSession() as session, session.get(address) as answer:
        return answer.status, await answer.read()


async def test_a_table_is_readable_only_if_host_and_server_allow_it(
    standin: Standin, tmp_path: Path
) -> None:
    anna, bert = (
        RandomPlayer(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert")
    )
    async with hosted(standin, tmp_path) as bot:
        await sit_down(standin, anna.person, bert.person)
        await StoredTable(tmp_path).until_outbox_empty()
        assert (await get(bot, "/tables/1.json"))[0] == 404
        await anna.person.slash("the-harbour", "server set", web="on")

        status, content = await get(bot, "/tables/1.json")
        state = json.loads(content)
        assert (status, state["table"], state["status"]) == (200, 1, "playing")
        assert {each["name"] for each in state["seats"]} == {"Anna", "Bert"}
        for each in (anna, bert):
            assert str(each.person.id).encode() not in content
        # A changed secret choice changes nothing: not the content, and so not what is drawn.
        chosen = []
        for marker in ("4", "5"):
            await anna.person.slash(anna.place, "kogge found", marker=marker)
            await StoredTable(tmp_path).until_outbox_empty()
            chosen.append([await get(bot, f"/tables/1.{form}") for form in ("json", "png")])
        assert len(StoredTable(tmp_path).log()) > 2
        assert chosen[0] == chosen[1]
        status, picture = await get(bot, "/tables/1.png")
        assert (status, picture[:4]) == (200, b"\x89PNG")
        for path in ("/tables/2.json", "/tables/999999999.png", "/tables/0.json"):
            assert (await get(bot, path))[0] == 404
        await anna.person.slash("the-harbour", "game new", game="kogge")
        assert (await get(bot, "/tables/2.json"))[0] == 404
        assert (await get(bot, "/healthz"))[0] == 200

    async with hosted(standin, tmp_path, api="off") as bot:
        assert (await get(bot, "/tables/1.json"))[0] == 404


async def test_few_requests_are_answered_at_a_time_and_the_others_after_it_or_refused(
    standin: Standin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert = (
        RandomPlayer(standin, standin.person(name), Random(name)) for name in ("Anna", "Bert")
    )
    drawing = most = 0
    release = asyncio.Event()
    draw = Services.picture

    async def slow(self: Services, *args: Any) -> Any:
        nonlocal drawing, most
        drawing += 1
        most = max(most, drawing)
        try:
            await release.wait()
        finally:
            drawing -= 1
        return await draw(self, *args)

    async def get_all() -> list[int]:
        got = await asyncio.gather(*(get(bot, "/tables/1.png") for _ in range(5)))
        return [status for status, _ in got]

    async with hosted(standin, tmp_path) as bot:
        await sit_down(standin, anna.person, bert.person)
        await StoredTable(tmp_path).until_outbox_empty()
        await anna.person.slash("the-harbour", "server set", web="on")
        monkeypatch.setattr(Services, "picture", slow)
        with monkeypatch.context() as impatient:
            impatient.setattr(tables_api, "TIMEOUT_S", 0.2)
            assert await get_all() == [503] * 5
        requests = asyncio.create_task(get_all())
        await until(lambda: drawing == 2)
        release.set()
        assert await requests == [200] * 5
    assert most == 2
