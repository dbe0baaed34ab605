"""Whatever several processes write to one database at once: nothing is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from itertools import count
from typing import Literal

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.store import LeaseLost, StaleWrite, Store, Unavailable, WriteBatch
from bot.store.notices import NoticeListener
from bot.store.sharing import FENCE, Fence, Notice
from tests.store.database import SERVER_ALONE, Database
from tests.store.samples import add_table

MEMBERS = ("one", "two", "three")
WORKERS = 2
"""Tasks of each member; what they write at the same time goes into one transaction."""
TABLES, PEOPLE = 3, 2
TIMEOUT_S = 60

_numbers = count(1)
"""Of people, leases and changes: each example has its own."""


class Change(msgspec.Struct, frozen=True):
    """One batch: tables and people that it counts up, and whether for the sake of the lease."""

    tables: frozenset[int]
    people: frozenset[int]
    is_fenced: bool


Disturbance = Literal["kill", "hand over"]
Step = Change | Disturbance
CHANGES = st.builds(
    Change,
    st.frozensets(st.integers(0, TABLES - 1), min_size=1),
    st.frozensets(st.integers(0, PEOPLE - 1)),
    st.booleans(),
)
STEPS = st.lists(st.one_of(CHANGES, CHANGES, st.sampled_from(["kill", "hand over"])), max_size=4)
SCRIPTS = st.lists(STEPS, min_size=len(MEMBERS) * WORKERS, max_size=len(MEMBERS) * WORKERS)


class Shared:
    """One database and those who share it."""

    def __init__(self, database: Database, stores: Sequence[Store]) -> None:
        self.database = database
        self.stores = stores
        self.heard: dict[int, int] = {}
        self.names: Counter[str] = Counter()
        self.changed = asyncio.Event()

    def hear(self, notice: Notice) -> None:
        for table, revision in notice.tables.items():
            self.heard[table] = max(revision, self.heard.get(table, 0))
        self.names.update(notice.names)
        self.changed.set()


@pytest.fixture
async def shared(database: Database) -> AsyncIterator[Shared]:
    """All of them, open."""
    async with AsyncExitStack() as stack:
        stores = [await database.open(member) for member in MEMBERS]
        for store in stores:
            stack.push_async_callback(store.close)
        found = Shared(database, stores)
        listener = NoticeListener(database.url, "listener")
        listener.on_notice = found.hear
        await stack.enter_async_context(listener)
        yield found


class Example:
    """A script carried out, and what became of each change."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._tables: list[int] = []
        self._ledger = 0
        self._people = [next(_numbers) for _ in range(PEOPLE)]
        self._fence = Fence(f"shard:{next(_numbers)}", 1)
        self._handing_over = asyncio.Lock()
        self._done: dict[str, Change] = {}
        self._refused: set[str] = set()
        self._frozen: dict[int, set[str]] = {}

    async def begin(self) -> None:
        store = self._shared.stores[0]
        self._tables = [await add_table(store) for _ in range(TABLES)]
        self._ledger = await add_table(store)
        await self._shared.database.execute(
            "INSERT INTO leases (name, fence, ready) VALUES (:name, 1, true)",
            name=self._fence.lease,
        )

    async def work(self, worker: int, steps: Sequence[Step]) -> None:
        """What one task does, one after the other."""
        member = worker % len(MEMBERS)
        for step in steps:
            if isinstance(step, Change):
                await self._change(self._shared.stores[member], step)
            elif step == "kill":
                await self._shared.database.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = :member AND datname = current_database()",
                    member=MEMBERS[member],
                )
            else:
                await self._hand_over()

    async def _hand_over(self) -> None:
        async with self._handing_over:
            old = self._fence
            taken = await self._shared.database.execute(
                "UPDATE leases SET fence = fence + 1 WHERE name = :name", name=old.lease
            )
            assert taken == 1
            self._fence = Fence(old.lease, old.number + 1)
            # From now on there must be no more of them.
            self._frozen[old.number] = await self._stored(self._shared.stores[0], old.number)

    async def _change(self, store: Store, change: Change) -> None:
        sign, is_unknown = f"change {next(_numbers)}", False
        fence = self._fence if change.is_fenced else None
        while True:
            try:
                batch = await self._batch(store, change, sign, fence)
                # Read before: what is stored after this has made the batch stale.
                if is_unknown and sign in await self._stored(store):
                    break
                token = FENCE.set(fence)
                try:
                    await store.commit(batch)
                finally:
                    FENCE.reset(token)
                break
            except LeaseLost:
                if not is_unknown:
                    self._refused.add(sign)
                    return
                fence = self._fence
            except StaleWrite:
                pass
            except Unavailable:
                is_unknown = True
        self._done[sign] = change

    async def _batch(
        self, store: Store, change: Change, sign: str, fence: Fence | None
    ) -> WriteBatch:
        batch = WriteBatch()
        for table in change.tables:
            stored = await store.load(self._tables[table])
            assert stored is not None
            row = stored.table
            batch.guard_table(row.id, row.revision)
            batch.save_table(msgspec.structs.replace(row, posted_seq=row.posted_seq + 1))
        for person in change.people:
            user = self._people[person]
            batch.guard(f"person:{user}", await store.revision(f"person:{user}"))
            batch.save_person(
                user, {"count": (await store.person(user) or {"count": 0})["count"] + 1}
            )
        batch.enqueue(self._ledger, sign, None, 0 if fence is None else fence.number)
        return batch

    async def _stored(self, store: Store, number: int | None = None) -> set[str]:
        """The signs of the changes that are stored, for the sake of that lease or all."""
        while True:
            try:
                found = await store.outbox(self._ledger)
            except Unavailable:
                continue
            signs = [row.kind for row in found if number in (None, row.seq)]
            assert len(signs) == len(set(signs)), "a change is stored twice"
            return set(signs)

    async def check(self) -> None:
        """All that was said to be stored is, once, and nothing else."""
        store = self._shared.stores[0]
        assert await self._stored(store) == set(self._done)
        assert not self._refused & set(self._done)
        for number, signs in self._frozen.items():
            assert await self._stored(store, number) == signs
        for place, table in enumerate(self._tables):
            wanted = sum(place in change.tables for change in self._done.values())
            stored = await store.load(table)
            assert stored is not None
            assert (stored.table.revision, stored.table.posted_seq + 1) == (wanted, wanted)
            while self._shared.heard.get(table, 0) < wanted:
                self._shared.changed.clear()
                await self._shared.changed.wait()
            assert self._shared.heard.get(table, 0) == wanted
        for place, user in enumerate(self._people):
            wanted = sum(place in change.people for change in self._done.values())
            assert await store.revision(f"person:{user}") == wanted
            assert await _counted(store, user) == wanted
            assert (self._shared.names[f"person:{user}"] > 0) == (wanted > 0)


async def _counted(store: Store, user: int) -> int:
    found = await store.person(user) or {}
    return int(found.get("count", 0))


@SERVER_ALONE
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(script=SCRIPTS)
async def test_nothing_is_lost_and_nothing_is_doubled(
    shared: Shared, script: list[list[Step]]
) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        example = Example(shared)
        await example.begin()
        await asyncio.gather(*(example.work(*each) for each in enumerate(script)))
        await example.check()
