"""What one process writes the others hear, or they know that they may have missed it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import sqlalchemy as sa

from bot.store import StaleWrite, Store, Unavailable, WriteBatch, notices
from bot.store.notices import NoticeListener
from bot.store.sharing import Notice
from tests.store.database import SERVER_ALONE, Database
from tests.store.network import Network
from tests.store.samples import add_table, entry
from tests.waiting import until

pytestmark = SERVER_ALONE


@pytest.fixture
async def store(database: Database) -> AsyncIterator[Store]:
    """A store of one who shares its database."""
    store = await database.open("one")
    yield store
    await store.close()


Heard = list[Notice | str]
"""Everything that a member hears, in order."""


@asynccontextmanager
async def listening(url: str, member: str) -> AsyncIterator[Heard]:
    """Somebody who listens within the block."""
    heard, each = Heard(), NoticeListener(url, member)
    each.on_notice = heard.append
    each.on_lost = lambda: heard.append("lost")
    each.on_back = lambda: heard.append("back")
    async with each:
        yield heard


def change(table: int, seq: int, *names: str) -> WriteBatch:
    batch = entry(table, seq)
    batch.guard_table(table, seq)
    for name in names:
        batch.guard(name, seq)
    return batch


async def test_others_hear_what_was_written_and_nobody_hears_themselves(
    store: Store, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    table, *tables = [await add_table(store) for _ in range(4)]
    async with listening(database.url, "one") as own, listening(database.url, "other") as heard:
        await store.commit(change(table, 0, "person:7"))
        with pytest.raises(StaleWrite):
            await store.commit(change(table, 5))
        await store.commit(entry(table, 99))
        other = await database.open("other")
        await other.commit(change(table, 1))
        await until(lambda: own)
        await other.close()
        # What somebody else says on the channel is passed over.
        await database.execute("SELECT pg_notify('kontor', 'hello')")
        # What is written together is told together.
        await asyncio.gather(*(store.commit(change(each, 0)) for each in tables))
        await until(lambda: len(heard) > 1)
    together = Notice(dict.fromkeys(tables, 1), ())
    assert heard == [Notice({table: 1}, ("person:7",)), together]
    assert own == [Notice({table: 2}, ())]
    assert "something else was told" in caplog.text


async def test_a_connection_that_the_server_ends_is_known_to_be_lost_and_made_anew(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices, "RETRY_S", 0.01)
    table = await add_table(store)
    async with listening(database.url, "other") as heard:
        for turn in range(2):
            await database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'other' AND datname = current_database()"
            )
            await until(lambda: heard[-1:] == ["back"])
            await store.commit(change(table, turn))
            await until(lambda: isinstance(heard[-1], Notice))
    again = ["lost", "back"]
    assert heard == [*again, Notice({table: 1}, ()), *again, Notice({table: 2}, ())]


async def test_a_network_that_falls_silent_is_found_out(
    store: Store, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PING_S", "RETRY_S"):
        monkeypatch.setattr(notices, name, 0.01)
    table, network = await add_table(store), Network()
    async with network.to(database.url) as url, listening(url, "other") as heard:
        network.is_silent = True
        monkeypatch.setattr(notices, "ANSWER_S", 0.2)
        await until(lambda: heard)
        assert heard == ["lost"]
        await store.commit(change(table, 0))
        monkeypatch.setattr(notices, "ANSWER_S", 5)
        network.is_silent = False
        network.cut()
        await until(lambda: heard[-1] == "back")
        await store.commit(change(table, 1))
        await until(lambda: isinstance(heard[-1], Notice))
    assert heard == ["lost", "back", Notice({table: 2}, ())]


async def test_who_cannot_listen_at_the_beginning_is_told_so(database: Database) -> None:
    url = sa.make_url(database.url).set(port=1).render_as_string(hide_password=False)
    with pytest.raises(Unavailable, match="did not answer"):
        async with listening(url, "one"):
            pass
