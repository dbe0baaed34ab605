"""Posts as JSON to a web address that a server's managers have set."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from bot.cogs.posting import work_queue
from bot.cogs.ui import web
from bot.tables import OutboxKind, Table
from tests.cogs.conftest import Club, wording
from tests.waiting import until

ADDRESS = "https://93.184.216.34/hook/s3cret-token"


class Receiver:
    """A web server that answers with `status`. `received` has the bodies, oldest first."""

    def __init__(self) -> None:
        self.status = 204
        self.posts: list[tuple[str, bytes, str]] = []

    async def post(self, address: str, body: bytes, headers: Mapping[str, str]) -> int:
        self.posts.append((address, body, headers["X-Kontor-Signature"]))
        return self.status

    @property
    def received(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body, _ in self.posts]


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Receiver:
    receiver = Receiver()
    monkeypatch.setattr(web, "post", receiver.post)
    return receiver


async def set_webhook(club: Club, table: Table, url: str | None = ADDRESS) -> Any:
    """Set the address as the server's owner, and return the answer."""
    typed = {} if url is None else {"url": url}
    place = club.channel
    return (await club.owner().slash(place, "table webhook", table=table.id, **typed)).response


async def queued(club: Club, table: Table) -> list[OutboxKind]:
    return [each.kind for each in await club.tables.outbox.items(table.id)]


async def test_each_post_is_also_sent_as_signed_json(club: Club, receiver: Receiver) -> None:
    table = await club.lobby(club.people[1])
    answer = wording(await set_webhook(club, table))
    (key,) = re.findall(r"`([0-9a-f]{64})`", answer)
    assert receiver.posts == []

    table = await club.begin(table, club.people[0])
    (first,) = receiver.received
    assert first["id"] == f"{table.id}.webhook.1"
    assert (first["table"], first["game"], first["status"]) == (table.id, "kogge", "playing")
    assert [each["name"] for each in first["seats"]] == [
        club.person(table, seat).name for seat in (0, 1)
    ]
    assert first["url"].endswith(str(table.panel_message))
    assert {each["seat"] for each in first["to_act"]} == {0, 1}
    await club.play((0, "found 4"), (1, "found 5"))
    last = receiver.received[-1]
    assert "Riga" in " ".join(last["happened"])

    await club.finish(table.id)
    last = receiver.received[-1]
    assert last["status"] == "finished"
    assert (len(last["places"]), len(last["scores"])) == (2, 2)
    numbers = [each["id"] for each in receiver.received]
    assert numbers == list(dict.fromkeys(numbers))
    for address, body, sent in receiver.posts:
        assert address == ADDRESS
        assert sent == f"sha256={hmac.new(key.encode(), body, hashlib.sha256).hexdigest()}"
        assert abs(json.loads(body)["sent"] - club.clock.now().timestamp()) < 600
        for person in club.people:
            assert str(person.id).encode() not in body
    assert await queued(club, table) == []


@pytest.mark.parametrize("status", [204, 500])
async def test_a_secret_choice_reaches_no_receiver_not_even_one_that_refuses(
    club: Club, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 3600.0)
    table = await club.lobby(club.people[1])
    await set_webhook(club, table)
    receiver.status = status
    table = await club.begin(table, club.people[0])
    await club.play((0, "found 4"))
    before = len(receiver.posts)
    assert before > 0

    # He changes his mind in secret, again and again.
    for marker in ("5", "6", "4"):
        await club.play((0, f"found {marker}"))

    assert len(receiver.posts) == before
    assert not any("Riga" in str(each) for each in receiver.received)


async def test_a_refused_post_is_retried_with_its_id_after_a_restart_too(
    club: Club, receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 0.01)
    table = await club.lobby(club.people[1])
    await set_webhook(club, table)
    receiver.status = 503
    table = await club.begin(table, club.people[0])
    await until(lambda: len(receiver.posts) > 2)
    # The game goes on meanwhile: the board is posted, and nothing else waits.
    assert table.panel_message is not None
    assert await queued(club, table) == [OutboxKind.WEBHOOK]

    await club.restart()
    receiver.status = 200
    await until(lambda: receiver.posts)
    await until(lambda: len({each["id"] for each in receiver.received}) == 1)
    await club.settle()
    while await queued(club, table):
        await club.settle()
    assert {each["id"] for each in receiver.received} == {f"{table.id}.webhook.1"}
    await club.play((0, "found 4"), (1, "found 5"))
    assert receiver.received[-1]["id"] != f"{table.id}.webhook.1"
    assert "s3cret" not in caplog.text


async def test_a_post_is_dropped_after_a_day(
    club: Club, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work_queue, "MIN_RETRY_S", 3600.0)
    table = await club.lobby(club.people[1])
    await set_webhook(club, table)
    receiver.status = 500
    table = await club.begin(table, club.people[0])
    count = len(receiver.posts)
    assert await queued(club, table) == [OutboxKind.WEBHOOK]
    await club.restart(after=timedelta(days=2))
    assert len(receiver.posts) == count
    assert await queued(club, table) == []


async def test_only_managers_of_the_tables_server_see_or_set_the_address(
    club: Club, receiver: Receiver
) -> None:
    table = await club.game()
    anna = club.people[0]
    for typed in ({}, {"url": ADDRESS}, {"url": "off"}):
        refused = await anna.slash(club.place(table), "table webhook", table=table.id, **typed)
        assert "Only people who can manage this server" in wording(refused.response)
    assert ADDRESS not in wording((await anna.slash(club.place(table), "table options")).response)

    shown = wording(await set_webhook(club, table))
    assert ADDRESS in shown
    again = wording(await set_webhook(club, table, None))
    assert ADDRESS in again
    assert not re.search("[0-9a-f]{64}", again)
    await club.play((0, "found 4"))
    assert len(receiver.posts) == 1
    removed = wording(await set_webhook(club, table, "off"))
    assert "no longer sent" in removed
    await club.play((1, "found 5"))
    assert len(receiver.posts) == 1


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://93.184.216.34/", "begins with https"),
        ("https://me:secret@93.184.216.34/", "user name or password"),
        ("https://93.184.216.34/a b", "can't use that address"),
        ("https://93.184.216.34:99999/", "can't find that address"),
        ("https://[::1/", "can't find that address"),
        ("https:///hook", "can't find that address"),
        ("https://127.0.0.1/", "private network"),
        ("https://2130706433/", "private network"),
        ("https://0x7f.1/", "private network"),
        ("https://[::1]/", "private network"),
        ("https://[::ffff:93.184.216.34]/", "private network"),
        ("https://localhost:8080/", "private network"),
        ("https://no-such-name.invalid/", "can't find that address"),
    ],
)
async def test_an_address_is_refused_with_the_reason(club: Club, url: str, why: str) -> None:
    table = await club.lobby()
    assert why in wording(await set_webhook(club, table, url))
    assert not (await club.tables.reader.get(table.id)).webhook
