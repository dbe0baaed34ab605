"""Leases of shards: advisory locks in PostgreSQL.

One session holds all leases of this process and runs a query every second. The server ends the
session if the connection is lost or silent, which frees its leases. Without an answer, this process
trusts its leases for a fixed time by its own clock.
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

from bot.cluster.members import NONE, Member, ShardIds, agreed_count, assignment
from bot.cluster.roster import ADVISORY, MEMBERS_QUERY, SILENT_S, Roster, now
from bot.store.errors import LeaseLost, StoreError, Unavailable
from bot.store.postgres import CHANNEL, IDENTIFY, JOINING, READY, SHARD, WRITING
from bot.store.server_lock import ServerLock
from bot.store.sharing import Announcement, Fence, Shards, shard_of
from bot.tables import NotOurs, Rejected
from bot.tables.core.unit_of_work import Ownership

log = logging.getLogger(__name__)

TRUSTED_S = 11.0
"""Seconds after a successful poll for which the leases are trusted."""
POLL_S = 1.0
"""Seconds between two polls."""
ANSWER_S = 5.0
"""Seconds that the server may take to answer a poll."""
CLAIM_S = 1.0
"""Seconds that the server may take to answer a claim."""
CLAIMED_S = 30.0
"""Seconds that a claim lasts. Another process receives the interaction within three."""
LINGER_S = 1.0
"""Seconds to stay connected once another member is connected, as earlier events still arrive here.
"""
LEAVE_S = 20.0
"""Seconds that a stopping member waits for another member to connect the next of its shards.

Discord lets shards identify one by one.
"""
SETTLE_S = 120.0
"""Seconds after which no other member is connected to a shard.

By then Discord has closed the connection of a member that hangs.
"""
IDENTIFY_EVERY_S = 5.5
"""Seconds between identifies in a bucket: Discord's five, and some for slower connections."""
TURN_S = 0.25
"""Seconds between two checks whether we may identify."""
UNCONNECTED_S = 60.0
"""Seconds that a member may keep its shards without any connection to Discord."""
UNCONNECTED_SHARD_S = 6.0
"""Additional seconds for each shard, as they identify one by one."""
REST_S = 300.0
"""Seconds without shards before it then tries again."""

# A shard with a write still running in another process is left for the next poll.
TAKE = f"""
    SELECT shard FROM unnest($1::int[]) AS shard WHERE CASE
        WHEN NOT pg_try_advisory_lock({SHARD}, shard) THEN false
        WHEN pg_try_advisory_lock({WRITING}, shard) THEN pg_advisory_unlock({WRITING}, shard)
        ELSE NOT pg_advisory_unlock({SHARD}, shard)
    END
"""
LOCK = "SELECT pg_try_advisory_lock($1, number) FROM unnest($2::int[]) AS number"
UNLOCK = "SELECT pg_advisory_unlock($1, number) FROM unnest($2::int[]) AS number"
# A session can take a lock twice, but must not get a turn twice.
TURN = f"""
    SELECT pg_try_advisory_lock({IDENTIFY}, $1::int) WHERE NOT EXISTS (
        SELECT FROM pg_locks WHERE {ADVISORY}
        AND (classid, objid, objsubid) = ({IDENTIFY}::oid, $1::int::oid, 2)
    )
"""
# Fails if another holder is connected, as that one answers without a claim.
CLAIM = f"""
    SELECT CASE WHEN $3 OR NOT EXISTS (
        SELECT FROM pg_locks WHERE {ADVISORY} AND pid <> pg_backend_pid()
        AND (classid, objid, objsubid) = ({READY}::oid, $2::int::oid, 2)
    ) THEN pg_try_advisory_lock($1) ELSE false END
"""


class HeldShard(msgspec.Struct):
    """A shard that this process holds."""

    fence: Fence
    connected: float = inf
    """When it was first connected to Discord."""
    is_announced: bool = False
    """Whether the other members can see that it is connected."""
    is_notified: bool = False
    """Whether `on_taken` has completed."""


async def _nothing(_: frozenset[int]) -> None: ...


class Leases(ServerLock, Ownership):
    """The leases of this process. A table belongs to the holder of its server's shard.

    `take` makes this process a member; it runs shards from `begin` until `leave`. `count` is the
    number of shards; with `is_auto`, the count of running members takes precedence. `take` and
    `maintain` also raise CannotRun, and `maintain` the errors of `on_taken`.
    """

    is_shared = True
    answer_s = ANSWER_S

    def __init__(
        self, url: str, name: str, shard_ids: ShardIds, count: int, *, is_auto: bool = False
    ) -> None:
        super().__init__(url, name)
        self.name = name
        self.count = count
        self.takeovers = 0
        """How many shards were taken from another member."""
        self.on_taken: Callable[[frozenset[int]], Awaitable[None]] = _nothing
        """Called with new shards, perhaps before they are connected to Discord."""
        self.on_lost: Callable[[frozenset[int]], None] = lambda _: None
        """Called with lost shards. Like `on_taken`, it may be called twice for a shard."""
        self.on_left: Callable[[frozenset[int]], None] = lambda _: None
        """Called with lost shards once another member is connected to them."""
        self.connected: Callable[[], Set[int]] = frozenset
        """The shards that are connected to Discord."""
        self.on_announcement: Callable[[Announcement], None] = lambda _: None
        """Called with the announcement of another member's write."""
        self.on_missed: Callable[[], None] = lambda: None
        """Called if announcements may have been missed."""
        self._shard_ids = shard_ids
        self._active_ids = NONE
        """Its shard ids while it runs shards, else none."""
        self._announced = NONE
        self._is_auto = is_auto
        self._deadline = 0.0
        self._numbers = count_from(1)
        self._held: dict[int, HeldShard] = {}
        self._leaving: dict[int, float] = {}
        """Lost shards, and when another member was first seen connected to each."""
        self.roster = Roster(name)
        self._reached = self._rests_until = 0.0
        self._unlock_at: dict[tuple[int, ...], float] = {}
        """When to release the advisory locks of claims and turns."""
        self._notifying: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start to run shards."""
        self._active_ids = self._shard_ids

    async def leave(self) -> None:
        """Give up all shards, and wait until other members are connected to them.

        Until then interactions still arrive here. Stop waiting if no shard is connected for
        `LEAVE_S`.
        """
        self._active_ids = NONE
        left, since = inf, now()
        while remaining := len(self._held) + len(self._leaving.keys() & self.roster.plan.keys()):
            if remaining < left:
                left, since = remaining, now()
            elif now() - since > LEAVE_S:
                break
            await asyncio.sleep(POLL_S)

    # Held shards

    @property
    def is_held(self) -> bool:
        """Whether this process is a member, by its own clock."""
        return super().is_held and now() < self._deadline

    def check(self, fences: Collection[Fence] = ()) -> None:
        """Raise Unavailable if this process is no member, or LeaseLost if a shard was lost."""
        super().check()
        if not all(map(self.holds, fences)):
            raise LeaseLost("The shard belongs to another process.")

    def shards(self) -> Shards:
        return Shards(self.count, frozenset(self._held) if self.is_held else frozenset())

    def owns(self, guild: int | None) -> bool:
        """Return whether this process owns the tables of a server, or of direct messages (None)."""
        return self.shards().has(guild)

    def fence(self, guild: int | None) -> Fence:
        """Return the fence for work on their tables. Raise NotOurs."""
        if not self.owns(guild):
            raise NotOurs
        return self._held[shard_of(guild, self.count)].fence

    def holds(self, fence: Fence) -> bool:
        """Return whether the shard is still held without a break."""
        held = self._held.get(fence.shard)
        return held is not None and held.fence == fence and self.is_held

    def is_settled(self, shard: int) -> bool:
        """Return whether a held shard has been connected so long that no other member is."""
        return now() - self._held[shard].connected >= SETTLE_S

    def is_leaving(self, shard: int) -> bool:
        """Return whether a shard is lost, but perhaps no other member is connected yet."""
        return self.is_held and shard in self._leaving

    @property
    def is_resting(self) -> bool:
        """Whether it runs no shards for now, because it cannot reach Discord."""
        return now() < self._rests_until

    # Claims and turns

    async def claim(self, interaction: int, shard: int, *, alone: bool) -> bool:
        """Claim an interaction; return whether this process answers it. Raise StoreError.

        The first claim wins, but not if another holder is connected to the shard, unless only this
        process was connected (`alone`).
        """
        try:
            async with asyncio.timeout(CLAIM_S):
                values = interaction, shard, alone
                return await self._has_locked((interaction,), CLAIMED_S, CLAIM, *values)
        except TimeoutError as error:
            raise Unavailable("The database did not answer.") from error

    async def identify_turn(self, bucket: int) -> None:
        """Wait until a shard of that bucket may identify, one at a time over all members."""
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
            # Also if the caller was cancelled, as the lock may have been taken.
            if is_ours:
                self._unlock_at.setdefault(key, now() + for_s)
        return is_ours

    # The session

    async def _begin(self, connection: Any) -> None:
        sent = now()
        await super()._begin(connection)
        # PostgreSQL before version 14 does not have the first of them.
        await connection.fetch(
            "SELECT set_config(name, $1, false) FROM pg_settings"
            " WHERE name IN ('idle_session_timeout', 'tcp_user_timeout')",
            str(round(SILENT_S * 1000)),
        )
        async with connection.transaction():
            # One process at a time, so that all agree on the count.
            await connection.fetch(f"SELECT pg_advisory_xact_lock({JOINING}, 0)")
            others = {row[0]: row[1] for row in await connection.fetch(MEMBERS_QUERY)}
            others.pop(self.name, None)
            follows = self._is_auto and not self.roster.members
            self.count = agreed_count(self.count, self._shard_ids, others, follows=follows)
            await connection.execute(
                "DELETE FROM members WHERE pid = pg_backend_pid()"
                " OR pid NOT IN (SELECT pid FROM pg_stat_activity)"
            )
            self._announced = self._current_ids()
            await connection.execute(
                "INSERT INTO members (pid, name, shards, may)"
                " VALUES (pg_backend_pid(), $1, $2, $3)",
                *(self.name, self.count, self._announced.text),
            )
        await connection.add_listener(CHANNEL, self._on_notify)
        self.on_missed()
        self._deadline = sent + TRUSTED_S

    async def close(self) -> None:
        """Leave the members and lose all shards."""
        await super().close()
        self._unlock_at.clear()
        self._lose(self._held)

    def _on_notify(self, _: object, __: int, ___: str, payload: str) -> None:
        try:
            announcement = msgspec.json.decode(payload, type=Announcement)
        except msgspec.DecodeError as error:
            log.warning("unknown announcement ignored error=%s", error)
            return
        if announcement.by != self.name:
            self.on_announcement(announcement)

    async def _pause(self) -> None:
        await asyncio.sleep(POLL_S)

    async def _poll(self) -> None:
        """Update the roster, give up surplus shards, and take free ones."""
        sent = now()
        self.roster.update(
            await self.ask(MEMBERS_QUERY), Member(self.name, self.count, self._current_ids())
        )
        self._deadline = sent + TRUSTED_S
        self._update_rest()
        if (ids := self._current_ids()) != self._announced:
            # Before shards are given up, so that others do not leave them to this process.
            await self.ask("UPDATE members SET may = $1 WHERE pid = pg_backend_pid()", ids.text)
            self._announced = ids
        due = {shard for shard, name in self.roster.plan.items() if name == self.name}
        if surplus := self._held.keys() - due:
            await self._give_up(surplus)
        if free := due - self._held.keys() - self.roster.holders.keys():
            await self._take(free)
        await self._announce_connected()
        self._hand_over()
        for key in [key for key, at in self._unlock_at.items() if now() >= at]:
            del self._unlock_at[key]
            keys = ", ".join(f"${number}" for number, _ in enumerate(key, 1))
            await self.ask(f"SELECT pg_advisory_unlock({keys})", *key)
        self._notify_taken()

    def _current_ids(self) -> ShardIds:
        return NONE if self.is_resting else self._active_ids

    async def _take(self, shards: Collection[int]) -> None:
        assert self._session is not None
        for (shard,) in await self.ask(TAKE, sorted(shards)):
            log.info("shard taken shard=%s", shard)
            self._held[shard] = HeldShard(Fence(shard, next(self._numbers), *self._session))
            self._leaving.pop(shard, None)
            self.takeovers += self.roster.before.get(shard, self.name) != self.name

    async def _give_up(self, shards: Collection[int]) -> None:
        announced = [shard for shard in shards if self._held[shard].is_announced]
        self._lose(shards)
        await self.ask(UNLOCK, READY, announced)
        await self.ask(UNLOCK, SHARD, [*shards])

    def _lose(self, shards: Collection[int]) -> None:
        if lost := frozenset(shards):
            log.info("shards given up shards=%s", sorted(lost))
            for shard in lost:
                del self._held[shard]
                self._leaving[shard] = inf
            self.on_lost(lost)

    async def _announce_connected(self) -> None:
        connected = self.connected()
        for shard, held in self._held.items():
            is_connected = shard in connected
            if held.is_announced is not is_connected:
                ((is_done,),) = await self.ask(LOCK if is_connected else UNLOCK, READY, [shard])
                held.is_announced = is_connected and is_done
                held.connected = min(held.connected, now())

    def _hand_over(self) -> None:
        for shard, since in self._leaving.items():
            is_elsewhere = self.roster.ready.get(shard, self.name) != self.name
            self._leaving[shard] = min(since, now()) if is_elsewhere else inf
        if left := {n for n, since in self._leaving.items() if now() - since >= LINGER_S}:
            for shard in left:
                del self._leaving[shard]
            self.on_left(frozenset(left))

    def _update_rest(self) -> None:
        """Start to rest if only other members can connect to Discord; stop if there are none.

        A process that reaches the database but not Discord would otherwise keep its shards, and no
        one would answer their servers. If no member reaches Discord, all keep their shards.
        """
        others = [
            m for m in self.roster.members.values() if m.name != self.name and m.shard_ids != NONE
        ]
        if not others:
            self._rests_until = 0.0
        can_go = self._held.keys() <= assignment(self.count, others).keys()
        is_reached = any(each.is_announced for each in self._held.values())
        if is_reached or not self._held or not self.roster.ready or not can_go:
            self._reached = now()
        elif now() - self._reached > UNCONNECTED_S + UNCONNECTED_SHARD_S * self.count:
            self._rests_until = now() + REST_S

    # Callbacks

    def _notify_taken(self) -> None:
        """Call `on_taken` with new shards, one call at a time, in the background."""
        if self._notifying is not None and self._notifying.done():
            self._notifying.result()
            self._notifying = None
        new = {n: each.fence for n, each in self._held.items() if not each.is_notified}
        if new and self._notifying is None:
            self._notifying = asyncio.create_task(self._call_on_taken(new))

    async def _call_on_taken(self, new: Mapping[int, Fence]) -> None:
        is_notified = False
        try:
            await self.on_taken(frozenset(new))
            is_notified = True
        except (NotOurs, StoreError, Rejected) as error:
            # The next poll tries again.
            log.debug("shards waiting shards=%s error=%s", sorted(new), error)
        for shard, fence in new.items():
            if self.holds(fence):
                self._held[shard].is_notified = is_notified
            else:
                # Stop the work that has just been started for it.
                self.on_lost(frozenset({shard}))
