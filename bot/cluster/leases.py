"""The shards that are this process's own, as PostgreSQL divides them.

Each is an advisory lock that one session holds. That session is asked something every second; one
that the server hears nothing of, or whose connection is lost, is over, and all that it held is
free. What may still be counted on without an answer is reckoned by a clock of our own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Set
from contextlib import suppress
from itertools import count as count_from
from math import inf
from typing import Any

import msgspec

from bot.cluster.members import NONE, May, Member, agreed_count, assignment
from bot.cluster.seen import ADVISORY, LOOK, SILENT_S, Roster, now
from bot.store.errors import LeaseLost, StoreError, Unavailable
from bot.store.postgres import CHANNEL, IDENTIFY, JOINING, READY, SHARD, WRITING
from bot.store.server_lock import ServerLock
from bot.store.sharing import Fence, Notice, Shards, shard_of
from bot.tables import NotOurs, Rejected
from bot.tables.core.unit_of_work import Ownership

log = logging.getLogger(__name__)

COUNTED_S = 11.0
"""Seconds after a question that was answered for which the locks are counted on."""
POLL_S = 1.0
"""Seconds between two questions."""
ANSWER_S = 5.0
"""Seconds that the server may take for an answer."""
CLAIM_S = 1.0
"""Seconds that it may take for one that somebody waits for."""
CLAIMED_S = 30.0
"""Seconds for which a press is claimed: whoever hears it besides does so within three."""
LINGER_S = 1.0
"""Seconds for which a connection to Discord is kept after somebody else has one: what was sent just
before is still on its way here, and to nobody else."""
LEAVE_S = 20.0
"""Seconds for which a member that ends waits for the next of its shards to be connected elsewhere:
Discord lets them identify themselves one by one."""
SETTLE_S = 120.0
"""Seconds after which nobody else is connected to a shard: by then Discord has closed the
connection of a member that stands still."""
IDENTIFY_EVERY_S = 5.5
"""Seconds between two shards of a bucket that identify themselves: Discord's five, and the time
that a connection may take more or less than another."""
TURN_S = 0.25
"""Seconds between two looks whether it is our turn to identify."""
UNCONNECTED_S = 60.0
"""Seconds for which a member may be without any connection to Discord."""
UNCONNECTED_SHARD_S = 6.0
"""Seconds more for each shard that there is: they identify themselves one by one."""
REST_S = 300.0
"""Seconds for which it then runs nothing, before it tries again."""

# A shard on which another one's write is under way is left for the next look.
TAKE = f"""
    SELECT shard FROM unnest($1::int[]) AS shard WHERE CASE
        WHEN NOT pg_try_advisory_lock({SHARD}, shard) THEN false
        WHEN pg_try_advisory_lock({WRITING}, shard) THEN pg_advisory_unlock({WRITING}, shard)
        ELSE NOT pg_advisory_unlock({SHARD}, shard)
    END
"""
LOCK = "SELECT pg_try_advisory_lock($1, number) FROM unnest($2::int[]) AS number"
UNLOCK = "SELECT pg_advisory_unlock($1, number) FROM unnest($2::int[]) AS number"
# A session may have a lock twice; nobody is to have a turn twice.
TURN = f"""
    SELECT pg_try_advisory_lock({IDENTIFY}, $1::int) WHERE NOT EXISTS (
        SELECT FROM pg_locks WHERE {ADVISORY}
        AND (classid, objid, objsubid) = ({IDENTIFY}::oid, $1::int::oid, 2)
    )
"""
# Nobody answers in the place of a holder who is connected, and answers without asking.
CLAIM = f"""
    SELECT CASE WHEN $3 OR NOT EXISTS (
        SELECT FROM pg_locks WHERE {ADVISORY} AND pid <> pg_backend_pid()
        AND (classid, objid, objsubid) = ({READY}::oid, $2::int::oid, 2)
    ) THEN pg_try_advisory_lock($1) ELSE false END
"""


class HeldShard(msgspec.Struct):
    """A shard of ours."""

    fence: Fence
    connected: float = inf
    """Since when it is connected to Discord, or was first."""
    is_said: bool = False
    """Whether the others know that it is connected."""
    is_told: bool = False
    """Whether `on_taken` has ended."""


async def _nothing(_: frozenset[int]) -> None: ...


class Leases(ServerLock, Ownership):
    """A table belongs to the process that holds the shard of its server.

    `take` makes this process a member; from `begin` on it runs shards, until it `leave`s. `count`
    is how many shards there are; with `is_auto` those that are alive already may know better.
    `take` and `keep` also raise CannotRun, and `keep` what `on_taken` does.
    """

    is_shared = True
    answer_s = ANSWER_S

    def __init__(self, url: str, name: str, may: May, count: int, *, is_auto: bool = False) -> None:
        super().__init__(url, name)
        self.name = name
        self.count = count
        self.takeovers = 0
        """How many shards were taken that another member had before."""
        self.on_taken: Callable[[frozenset[int]], Awaitable[None]] = _nothing
        """Called with shards that are ours now; it need not wait for a connection to Discord."""
        self.on_lost: Callable[[frozenset[int]], None] = lambda _: None
        """Called with those that are no longer. Both may be called twice with the same."""
        self.on_left: Callable[[frozenset[int]], None] = lambda _: None
        """Called with lost ones to which another member is connected by now."""
        self.connected: Callable[[], Set[int]] = frozenset
        """The shards that are connected to Discord."""
        self.on_notice: Callable[[Notice], None] = lambda _: None
        """Called with what another member has written."""
        self.on_deaf: Callable[[], None] = lambda: None
        """Called where anything may have been written without our hearing of it."""
        self._may = may
        self._runs = NONE
        """What it runs now of what it may."""
        self._said = NONE
        self._is_auto = is_auto
        self._deadline = 0.0
        self._numbers = count_from(1)
        self._held: dict[int, HeldShard] = {}
        self._leaving: dict[int, float] = {}
        """Lost shards, and since when another member is known to be connected to each."""
        self.seen = Roster(name)
        self._reached = self._rests_until = 0.0
        self._unlock_at: dict[tuple[int, ...], float] = {}
        """The advisory locks of claims and turns, and when they end."""
        self._telling: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Run shards from now on."""
        self._runs = self._may

    async def leave(self) -> None:
        """Give up all shards, and wait until others are connected to them, if there are others.

        Until then presses still arrive here. It ends as well where others are not ready for long.
        """
        self._runs = NONE
        left, since = inf, now()
        while waiting := len(self._held) + len(self._leaving.keys() & self.seen.plan.keys()):
            if waiting < left:
                left, since = waiting, now()
            elif now() - since > LEAVE_S:
                break
            await asyncio.sleep(POLL_S)

    # What is ours

    @property
    def is_held(self) -> bool:
        """Whether this process is a member, by its own reckoning."""
        return super().is_held and now() < self._deadline

    def check(self, fences: Collection[Fence] = ()) -> None:
        """Raises Unavailable where nothing may be written, LeaseLost where a fence is over."""
        super().check()
        if not all(map(self.holds, fences)):
            raise LeaseLost("The shard belongs to another process.")

    def shards(self) -> Shards:
        """The shards that are ours."""
        return Shards(self.count, frozenset(self._held) if self.is_held else frozenset())

    def owns(self, guild: int | None) -> bool:
        """Whether tables of that server, or of direct messages (None), are ours."""
        return self.shards().has(guild)

    def fence(self, guild: int | None) -> Fence:
        """What their work is fenced by. Raises NotOurs."""
        if not self.owns(guild):
            raise NotOurs
        return self._held[shard_of(guild, self.count)].fence

    def holds(self, fence: Fence) -> bool:
        """Whether that shard is ours, and has been since."""
        held = self._held.get(fence.shard)
        return held is not None and held.fence == fence and self.is_held

    def is_settled(self, shard: int) -> bool:
        """Whether it has been connected for so long that nobody else hears what arrives there."""
        return now() - self._held[shard].connected >= SETTLE_S

    def is_leaving(self, shard: int) -> bool:
        """Whether it is no longer ours, but what arrives there may be heard by nobody else."""
        return self.is_held and shard in self._leaving

    # What is seen of all

    @property
    def is_resting(self) -> bool:
        """Whether it runs nothing for now, because it cannot reach Discord."""
        return now() < self._rests_until

    # What is asked in between

    async def claim(self, interaction: int, shard: int, *, alone: bool) -> bool:
        """Whether it is for this process to answer an interaction of a shard, which it was `alone`
        to hear or not: the first that asks, where no other holder is connected. Raises StoreError.
        """
        try:
            async with asyncio.timeout(CLAIM_S):
                values = interaction, shard, alone
                return await self._has_locked((interaction,), CLAIMED_S, CLAIM, *values)
        except TimeoutError as error:
            raise Unavailable("The database did not answer.") from error

    async def identify_turn(self, bucket: int) -> None:
        """Returns when a shard of that bucket may identify itself, of all members' one by one."""
        turn, is_ours = (IDENTIFY, bucket), False
        while not is_ours:
            with suppress(StoreError):
                is_ours = await self._has_locked(turn, IDENTIFY_EVERY_S, TURN, bucket)
            if not is_ours:
                await asyncio.sleep(TURN_S)

    async def _has_locked(self, key: tuple[int, ...], for_s: float, sql: str, *values: Any) -> bool:
        is_ours = True
        try:
            is_ours = any(row[0] for row in await self.ask(sql, *values))
        finally:
            # Also where nobody knows, because whoever asked has been cancelled.
            if is_ours:
                self._unlock_at.setdefault(key, now() + for_s)
        return is_ours

    # The session

    async def _begin(self, connection: Any) -> None:
        sent = now()
        await super()._begin(connection)
        # Servers before 14 do not know the first of them.
        await connection.fetch(
            "SELECT set_config(name, $1, false) FROM pg_settings"
            " WHERE name IN ('idle_session_timeout', 'tcp_user_timeout')",
            str(round(SILENT_S * 1000)),
        )
        async with connection.transaction():
            # One by one, so that all agree.
            await connection.fetch(f"SELECT pg_advisory_xact_lock({JOINING}, 0)")
            others = {row[0]: row[1] for row in await connection.fetch(LOOK)}
            others.pop(self.name, None)
            follows = self._is_auto and not self.seen.members
            self.count = agreed_count(self.count, self._may, others, follows=follows)
            await connection.execute(
                "DELETE FROM members WHERE pid = pg_backend_pid()"
                " OR pid NOT IN (SELECT pid FROM pg_stat_activity)"
            )
            self._said = self._may_now()
            await connection.execute(
                "INSERT INTO members (pid, name, shards, may)"
                " VALUES (pg_backend_pid(), $1, $2, $3)",
                *(self.name, self.count, self._said.text),
            )
        await connection.add_listener(CHANNEL, self._hear)
        self.on_deaf()
        self._deadline = sent + COUNTED_S

    async def close(self) -> None:
        """Be a member no longer, and hold nothing."""
        await super().close()
        self._unlock_at.clear()
        self._lose(self._held)

    def _hear(self, _: object, __: int, ___: str, said: str) -> None:
        try:
            notice = msgspec.json.decode(said, type=Notice)
        except msgspec.DecodeError as error:
            log.warning("unknown notice ignored error=%s", error)
            return
        if notice.by != self.name:
            self.on_notice(notice)

    async def _pause(self) -> None:
        await asyncio.sleep(POLL_S)

    async def _look(self) -> None:
        """Look at everything, give up what another one is to run, take what is ours and free."""
        sent = now()
        self.seen.look(await self.ask(LOOK), Member(self.name, self.count, self._may_now()))
        self._deadline = sent + COUNTED_S
        self._look_whether_to_rest()
        if (may := self._may_now()) != self._said:
            # Before anything is given up: nobody is to wait until this process takes it again.
            await self.ask("UPDATE members SET may = $1 WHERE pid = pg_backend_pid()", may.text)
            self._said = may
        due = {shard for shard, name in self.seen.plan.items() if name == self.name}
        if surplus := self._held.keys() - due:
            await self._give_up(surplus)
        if free := due - self._held.keys() - self.seen.holders.keys():
            await self._take(free)
        await self._say_who_is_connected()
        self._leave_to_others()
        for key in [key for key, at in self._unlock_at.items() if now() >= at]:
            del self._unlock_at[key]
            keys = ", ".join(f"${number}" for number, _ in enumerate(key, 1))
            await self.ask(f"SELECT pg_advisory_unlock({keys})", *key)
        self._tell()

    def _may_now(self) -> May:
        return NONE if self.is_resting else self._runs

    async def _take(self, shards: Collection[int]) -> None:
        assert self._session is not None
        for (shard,) in await self.ask(TAKE, sorted(shards)):
            log.info("shard taken shard=%s", shard)
            self._held[shard] = HeldShard(Fence(shard, next(self._numbers), *self._session))
            self._leaving.pop(shard, None)
            self.takeovers += self.seen.before.get(shard, self.name) != self.name

    async def _give_up(self, shards: Collection[int]) -> None:
        said = [shard for shard in shards if self._held[shard].is_said]
        self._lose(shards)
        await self.ask(UNLOCK, READY, said)
        await self.ask(UNLOCK, SHARD, [*shards])

    def _lose(self, shards: Collection[int]) -> None:
        if lost := frozenset(shards):
            log.info("shards given up shards=%s", sorted(lost))
            for shard in lost:
                del self._held[shard]
                self._leaving[shard] = inf
            self.on_lost(lost)

    async def _say_who_is_connected(self) -> None:
        connected = self.connected()
        for shard, held in self._held.items():
            is_there = shard in connected
            if held.is_said is not is_there:
                ((is_done,),) = await self.ask(LOCK if is_there else UNLOCK, READY, [shard])
                held.is_said = is_there and is_done
                held.connected = min(held.connected, now())

    def _leave_to_others(self) -> None:
        for shard, since in self._leaving.items():
            is_elsewhere = self.seen.ready.get(shard, self.name) != self.name
            self._leaving[shard] = min(since, now()) if is_elsewhere else inf
        if left := {n for n, since in self._leaving.items() if now() - since >= LINGER_S}:
            for shard in left:
                del self._leaving[shard]
            self.on_left(frozenset(left))

    def _look_whether_to_rest(self) -> None:
        """Begin to leave all to members that are connected, or end it where there are none.

        The locks tell of the database alone: who reaches that, but not Discord's gateway, would
        keep them, and their servers be heard by nobody. While Discord is away from all, each keeps
        what it has.
        """
        others = [m for m in self.seen.members.values() if m.name != self.name and m.may != NONE]
        if not others:
            self._rests_until = 0.0
        can_go = self._held.keys() <= assignment(self.count, others).keys()
        is_reached = any(each.is_said for each in self._held.values())
        if is_reached or not self._held or not self.seen.ready or not can_go:
            self._reached = now()
        elif now() - self._reached > UNCONNECTED_S + UNCONNECTED_SHARD_S * self.count:
            self._rests_until = now() + REST_S

    # What is told here

    def _tell(self) -> None:
        """Tell of what is ours, one thing after another, while the locks are kept."""
        if self._telling is not None and self._telling.done():
            self._telling.result()
            self._telling = None
        new = {n: each.fence for n, each in self._held.items() if not each.is_told}
        if new and self._telling is None:
            self._telling = asyncio.create_task(self._tell_taken(new))

    async def _tell_taken(self, new: Mapping[int, Fence]) -> None:
        is_told = False
        try:
            await self.on_taken(frozenset(new))
            is_told = True
        except (NotOurs, StoreError, Rejected) as error:
            # It is told again at the next look.
            log.debug("shards waiting shards=%s error=%s", sorted(new), error)
        for shard, fence in new.items():
            if self.holds(fence):
                self._held[shard].is_told = is_told
            else:
                # What was begun for it just now has to end as well.
                self.on_lost(frozenset({shard}))
