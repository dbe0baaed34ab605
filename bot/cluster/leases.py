"""Keeps this process a member, and the leases of the shards that are for it to run.

It renews its membership, looks who else is alive, gives up what another one is to run and takes
what is its own and free. What it may still count on without an answer of the database is reckoned
by `Holdings`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from math import inf
from types import TracebackType
from typing import Self

from bot.cluster import handover
from bot.cluster.announcer import Announcer
from bot.cluster.background import Background
from bot.cluster.handover import Handover
from bot.cluster.holdings import Holdings, now
from bot.cluster.members import NONE, May, Member, agreed_count, assignment, namesakes, parse_may
from bot.cluster.overview import Overview, overview
from bot.cluster.reach import GatewayReach
from bot.store import StoreError
from bot.store.leases import LeaseRow, LeaseSession, LeaseStore
from bot.store.sharing import Fence, Shards, shard_of
from bot.tables.core.errors import NotOurs

log = logging.getLogger(__name__)

TTL_S = 15.0
"""Seconds after which a member that has not been heard of is taken for dead."""
RENEW_S = 5.0
"""Seconds between two signs of life."""
POLL_S = 1.0
"""Seconds between two looks at what others do."""
ANSWER_S = 5.0
"""Seconds that the database may take for an answer."""
CLAIM_S = 1.0
"""Seconds that it may take for one that somebody waits for."""
SETTLE_S = 120.0
"""Seconds after which nobody else is connected to a shard: by then Discord has closed the
connection of a member that stands still."""
PRUNE_S = 300.0
"""Seconds between two times that old claims are removed."""
SHARD = "shard:"
"""What the leases of shards begin with."""


def _nothing(_: frozenset[int]) -> None:
    pass


class Leases:
    """An `Ownership`: a table belongs to who holds the lease of its server's shard.

    As an async context it is a member, and from `begin` on it runs shards. `count` is how many
    shards there are; with `is_auto` those that are alive already may know better.

    Raises CannotJoin and StoreError at the beginning; CannotJoin also later, and what `on_taken`
    raises, both of which end the block.
    """

    def __init__(
        self,
        url: str,
        name: str,
        may: May,
        count: int,
        *,
        is_auto: bool = False,
        version: str = "",
    ) -> None:
        self.name = name
        self.count = count
        self.takeovers = 0
        """How many shards were taken that another member had before."""
        self._may = may
        self._is_auto = is_auto
        self._version = version
        self._store = LeaseStore(url, ANSWER_S)
        self._holdings = Holdings(self._lost)
        self._announcer = Announcer(self._hurry)
        self._on_lost: Callable[[frozenset[int]], None] = _nothing
        self._on_left: Callable[[frozenset[int]], None] = _nothing
        self._has_begun = self._is_ending = False
        self._members: tuple[Member, ...] = ()
        self._namesakes: dict[str, float] = {}
        """Others with the same MEMBER, and since when they are seen; infinite once that is said."""
        self._rows: Mapping[int, LeaseRow] = {}
        self._plan: Mapping[int, str] = {}
        self._handover = Handover(name)
        self.reach = GatewayReach(name)
        self._ready: set[int] = set()
        self._renew_at = self._bury_at = self._prune_at = 0.0
        self._wake, self._looked = asyncio.Event(), asyncio.Condition()
        self._said_may = ""
        self._background: Background

    async def __aenter__(self) -> Self:
        try:
            async with self._store.session() as session:
                await self._join(session)
        except BaseException:
            await self._store.close()
            raise
        work = asyncio.current_task()
        assert work is not None
        self._background = Background(work)
        self._background.start(self._keep())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._background.stop()
        self._holdings.end()
        try:
            async with asyncio.timeout(ANSWER_S), self._store.session() as session:
                await session.end(self.name)
        except (StoreError, TimeoutError) as unsaid:
            log.warning("the others are not told that this process ends: %s", unsaid)
        await self._store.close()
        self._background.raise_error(kind)

    def begin(
        self,
        on_taken: Callable[[frozenset[int]], Awaitable[None]],
        on_lost: Callable[[frozenset[int]], None] = _nothing,
        on_left: Callable[[frozenset[int]], None] = _nothing,
    ) -> None:
        """Run shards from now on.

        `on_taken` is called with those that are ours, one call at a time, while leases are kept; it
        need not wait for a connection to Discord. `on_lost` is called with those that are no longer
        ours, `on_left` with those whose connection to Discord another member does not need any
        more. All may be called twice with the same.
        """
        self._on_lost, self._on_left = on_lost, on_left
        self._background.start(self._announcer.run(on_taken, on_lost))
        self._has_begun = True
        self._hurry()

    async def leave(self) -> None:
        """Give up all shards, and wait until others are ready to go on with them, if there are any.

        Until then presses still arrive here. It ends as well where others are not ready for long.
        """
        self._is_ending = True
        self._hurry()
        with suppress(TimeoutError):
            async with self._looked:
                while not self._has_left():
                    before = set(self._handover.pending())
                    async with asyncio.timeout(handover.LEAVE_S + POLL_S + ANSWER_S):
                        await self._looked.wait_for(partial(self._has_moved_on, before))

    async def wait_until_taken(self) -> None:
        """Wait until all that is for this member to run is its own, and `on_taken` has ended."""
        async with self._looked:
            await self._looked.wait_for(self._has_taken)

    # What is ours

    def shards(self) -> Shards:
        """The shards that are ours."""
        return Shards(self.count, self._holdings.held())

    def owns(self, guild: int | None) -> bool:
        """Whether tables of that server, or of direct messages (None), are ours."""
        return self.is_held(shard_of(guild, self.count))

    def fence(self, guild: int | None) -> Fence:
        """The lease under which their work is done. Raises NotOurs."""
        shard = shard_of(guild, self.count)
        number = self._holdings.fence(shard)
        if number is None:
            raise NotOurs(f"shard {shard}")
        return Fence(_lease(shard), number)

    def holds(self, fence: Fence) -> bool:
        """Whether that lease is ours, and has been since it had that number."""
        shard = int(fence.lease.removeprefix(SHARD))
        return self._holdings.fence(shard) == fence.number

    def is_held(self, shard: int) -> bool:
        """Whether a shard is ours."""
        return self._holdings.fence(shard) is not None

    def is_settled(self, shard: int) -> bool:
        """Whether it has been connected for so long that nobody else hears what arrives there."""
        since = self.reach.since(shard)
        return self.is_held(shard) and since is not None and now() - since >= SETTLE_S

    def is_leaving(self, shard: int) -> bool:
        """Whether it is no longer ours, and nobody is known who heard what arrives there now."""
        return self._holdings.is_alive and shard in self._handover.pending()

    def connected(self, shard: int) -> None:
        """A shard of ours is connected to Discord: who had it before is needed no longer."""
        if self.is_held(shard):
            self.reach.connected(shard)
            self._ready.add(shard)
            self._hurry()

    def disconnected(self, shard: int) -> None:
        """A shard of ours has no connection to Discord yet, or none any more."""
        if self.is_held(shard):
            self._ready.discard(shard)
            self.reach.disconnected(shard)

    @property
    def is_working(self) -> bool:
        """Whether this process is a member, by its own reckoning."""
        return self._holdings.is_alive

    def members(self) -> tuple[Member, ...]:
        """Who was alive when that could last be seen, this process included."""
        return self._members

    def overview(self) -> Overview:
        """Who runs what, as it could last be seen."""
        return overview(
            self.name, self.count, self._holdings.held(), self._members, self._plan, self._rows
        )

    # What is asked of the database in between

    async def claim(self, interaction: int, shard: int, *, alone: bool) -> bool:
        """Whether it is for this process to answer an interaction of a shard, which it was `alone`
        to hear or not. Raises StoreError."""
        lease = _lease(shard)
        return await self._store.claim(interaction, lease, self.name, CLAIM_S, alone=alone)

    async def wait_for_identify(self, bucket: int, every_s: float) -> float:
        """Take the next turn to identify to Discord; seconds until it comes. Raises StoreError."""
        return await self._store.wait_for_identify(bucket, every_s)

    # The keeper

    async def _keep(self) -> None:
        is_failing = False
        while True:
            try:
                async with self._store.session() as session:
                    while True:
                        async with asyncio.timeout(ANSWER_S):
                            is_done = await self._round(session)
                        if is_failing:
                            log.warning("the leases are kept again")
                            is_failing = False
                        await self._pause(POLL_S if is_done else 0)
            except (StoreError, TimeoutError) as error:
                if not is_failing:
                    reason = f"{type(error).__name__} {error}"
                    log.warning("the leases cannot be kept, trying until they can: %s", reason)
                is_failing = True
                await self._pause(POLL_S)

    async def _round(self, session: LeaseSession) -> bool:
        """Look at everything, and change what is to be changed; whether it is all done."""
        await self._renew(session)
        await self._look(session)
        mine = {shard: row for shard, row in self._rows.items() if row.holder == self.name}
        self.reach.look(self.count, self._holdings.held(), self._members, self._rows)
        due = self._due()
        self._have(
            self._holdings.confirm({shard: mine[shard].fence for shard in due & mine.keys()})
        )
        if (may := str(self._may_now())) != self._said_may:
            # Before anything is given up: nobody is to wait until this process takes it again.
            await session.may_run(self.name, may)
            self._said_may = may
            return False
        if surplus := mine.keys() - due:
            await session.release(map(_lease, surplus), self.name)
            log.info("shards %s are released", sorted(surplus))
        await self._take(session, due - mine.keys())
        await self._say_ready(session)
        self._leave_to_others()
        async with self._looked:
            self._looked.notify_all()
        return not await self._clear(session)

    async def _renew(self, session: LeaseSession) -> None:
        sent = now()
        if sent < self._renew_at:
            return
        if not await session.renew(self.name, TTL_S):
            self._holdings.end()
            await self._join(session)
        self._holdings.extend(sent + TTL_S)
        self._renew_at = sent + RENEW_S

    async def _join(self, session: LeaseSession) -> None:
        self._said_may = str(self._may_now())
        self.count = await session.join(
            self.name, self._said_may, self._version, TTL_S, self._counted
        )
        # Where the database was away from all, the others get time to come back too.
        self._bury_at = now() + RENEW_S

    def _counted(self, others: Mapping[str, int]) -> int:
        return agreed_count(self.count, self._may, others, self._is_auto and not self._members)

    async def _look(self, session: LeaseSession) -> None:
        members, leases = await session.look()
        names = {_lease(shard): shard for shard in range(self.count)}
        if not names.keys() <= leases.keys():
            await session.make(list(names))
            members, leases = await session.look()
        self._rows = {shard: leases[name] for name, shard in names.items()}
        seen = tuple(
            Member(row.name, row.shards, parse_may(row.may), row.version) for row in members
        )
        if seen != self._members:
            may = (f"{member.name} ({str(member.may) or 'stands by'})" for member in seen)
            log.info("members: %s", ", ".join(may))
            self._members, self._plan = seen, assignment(self.count, seen)
        self._warn_of_namesakes()

    def _warn_of_namesakes(self) -> None:
        names = namesakes(self.name, (member.name for member in self._members))
        self._namesakes = {name: self._namesakes.get(name, now()) for name in names}
        for name, since in self._namesakes.items():
            # One that was killed and started again is seen twice for no longer than that.
            if now() - since > TTL_S:
                log.warning(
                    "another process has the same MEMBER: it is %s, this is %s."
                    " Give each its own, or their metrics and logs cannot be told apart",
                    name,
                    self.name,
                )
                self._namesakes[name] = inf

    def _may_now(self) -> May:
        runs = self._has_begun and not self._is_ending and not self.reach.is_resting
        return self._may if runs else NONE

    def _due(self) -> frozenset[int]:
        """The shards that are for this process to run."""
        if self._may_now() == NONE:
            return frozenset()
        return frozenset(shard for shard, name in self._plan.items() if name == self.name)

    async def _take(self, session: LeaseSession, wanted: frozenset[int]) -> None:
        free = {_lease(shard): shard for shard in wanted if self._rows[shard].holder is None}
        if not free:
            return
        fences = await session.take(free, self.name)
        taken = {free[name]: fence for name, fence in fences.items()}
        self.takeovers += sum(self._rows[shard].left_by is not None for shard in taken)
        self._have(self._holdings.add(taken))

    async def _say_ready(self, session: LeaseSession) -> None:
        ready = frozenset(self._ready) & self._holdings.held()
        if ready:
            await session.say_ready(map(_lease, ready), self.name)
        self._ready -= ready
        held = self._holdings.held()
        if gone := {shard for shard in self.reach.lacking() & held if self._rows[shard].ready}:
            await session.say_ready(map(_lease, gone), self.name, ready=False)

    async def _clear(self, session: LeaseSession) -> bool:
        """Free what the dead held; whether there was any."""
        if now() >= self._prune_at:
            await session.prune()
            self._prune_at = now() + PRUNE_S
        alive = {member.name for member in self._members}
        has_dead = any(row.holder and row.holder not in alive for row in self._rows.values())
        return has_dead and now() >= self._bury_at and await session.bury()

    def _have(self, new: frozenset[int]) -> None:
        if new:
            log.info("shards %s are ours", sorted(new))
            self._handover.take_back(new)
            self._announcer.tell(new)

    def _lost(self, shards: frozenset[int]) -> None:
        log.info("shards %s are no longer ours", sorted(shards))
        self._handover.give_up(shards)
        self._ready -= shards
        self.reach.forget(shards)
        self._announcer.untell(shards)
        self._on_lost(shards)

    def _leave_to_others(self) -> None:
        alive = {member.name for member in self._members}
        if left := self._handover.left(self._rows, alive, is_ending=self._is_ending):
            self._on_left(left)

    def _has_left(self) -> bool:
        return not self._holdings.held() and not (self._handover.pending() & self._plan.keys())

    def _has_moved_on(self, before: set[int]) -> bool:
        return self._has_left() or self._handover.pending() != before

    def _has_taken(self) -> bool:
        me = next((each for each in self._members if each.name == self.name), None)
        is_known = self._has_begun and me is not None and me.may == self._may_now()
        return is_known and self._due() <= self._holdings.held() & self._announcer.told

    def _hurry(self) -> None:
        self._wake.set()

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        self._wake.clear()


def _lease(shard: int) -> str:
    return f"{SHARD}{shard}"
