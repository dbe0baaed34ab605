"""Who shares a database, and who holds which lease: in PostgreSQL, whose clock alone decides.

A lease is held for as long as its holder's row among the members is renewed. So a renewal touches
one row, and waits for no work that is done under a lease.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store.failures import failure

CONNECTIONS = 3
"""One that keeps the leases, two for what is asked in between."""
LOCK_WAIT_MS = 1000
"""Milliseconds that a change of leases waits for work that is being stored under them."""
CLAIMED_S = 900
"""Seconds for which a claim is kept: as long as Discord takes answers to an interaction."""
JOINING = int.from_bytes(b"Members", "big")
"""The advisory lock under which members join one by one."""

_NOW = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"
_LATER = f"{_NOW} + :microseconds"

_LOCK = sa.text("SELECT pg_advisory_xact_lock(:key)")
_OTHERS = sa.text(f"SELECT name, shards FROM members WHERE until > {_NOW} AND name <> :name")
_JOIN = sa.text(
    "INSERT INTO members (name, shards, may, version, until)"
    f" VALUES (:name, :shards, :may, :version, {_LATER})"
    " ON CONFLICT (name) DO UPDATE SET shards = excluded.shards, may = excluded.may,"
    " until = excluded.until"
)
_RENEW = sa.text(
    f"UPDATE members SET until = {_LATER} WHERE name = :name AND until > {_NOW} RETURNING name"
)
_CHANGE = sa.text("UPDATE members SET may = :may WHERE name = :name")
_END = sa.text("DELETE FROM members WHERE name = :name")

_MAKE = sa.text(
    "INSERT INTO leases (name, fence, ready) SELECT unnest(cast(:names AS text[])), 0, false"
    " ON CONFLICT (name) DO NOTHING"
)
_MEMBERS = sa.text(
    f"SELECT name, shards, may, version FROM members WHERE until > {_NOW} ORDER BY name"
)
_LEASES = sa.text("SELECT name, holder, fence, left_by, ready FROM leases")

# A member that takes leases must not be given up for dead at the same time: hence its lock.
_ALIVE = sa.text(f"SELECT name FROM members WHERE name = :name AND until > {_NOW} FOR SHARE")
# A lease on which work is still being stored is left for the next time, not waited for.
_TAKE = sa.text(
    "UPDATE leases SET holder = :name, fence = fence + 1, ready = false WHERE name IN"
    " (SELECT name FROM leases WHERE name = ANY(:names) AND holder IS NULL FOR UPDATE SKIP LOCKED)"
    " RETURNING name, fence"
)
_RELEASE = sa.text(
    "UPDATE leases SET holder = NULL, left_by = :name, ready = false"
    " WHERE holder = :name AND name = ANY(:names)"
)
_RELEASE_ALL = sa.text(
    "UPDATE leases SET holder = NULL, left_by = :name, ready = false WHERE holder = :name"
)
_READY = sa.text("UPDATE leases SET ready = :ready WHERE holder = :name AND name = ANY(:names)")

# Whoever renews just now has its row locked, and lives.
_DEAD = sa.text(f"SELECT name FROM members WHERE until <= {_NOW} FOR UPDATE SKIP LOCKED")
_FREE = sa.text(
    "UPDATE leases SET holder = NULL, left_by = holder, ready = false WHERE name IN"
    " (SELECT name FROM leases WHERE holder = ANY(:names) FOR UPDATE SKIP LOCKED)"
)
_BURY = sa.text(
    "DELETE FROM members WHERE name = ANY(:names)"
    " AND NOT EXISTS (SELECT FROM leases WHERE holder = members.name)"
)

_CLAIM = sa.text(
    f"INSERT INTO claims (interaction, member, at) SELECT :interaction, :name, {_NOW}"
    " WHERE cast(:alone AS boolean) OR NOT EXISTS"
    " (SELECT FROM leases JOIN members ON members.name = holder"
    f" WHERE leases.name = :lease AND ready AND holder <> :name AND until > {_NOW})"
    " ON CONFLICT (interaction) DO NOTHING"
)
_CLAIMED_BY = sa.text("SELECT member FROM claims WHERE interaction = :interaction")
_PRUNE = sa.text(f"DELETE FROM claims WHERE at < {_NOW} - :microseconds")
_SLOT = sa.text(
    "INSERT INTO identifies AS slot (bucket, next)"
    f" VALUES (:bucket, {_LATER}) ON CONFLICT (bucket) DO UPDATE"
    f" SET next = greatest(slot.next, {_NOW}) + :microseconds"
    f" RETURNING next - :microseconds - {_NOW}"
)


class MemberRow(msgspec.Struct, frozen=True):
    """A member that is alive; `may` says which shards it may run."""

    name: str
    shards: int
    may: str
    version: str


class LeaseRow(msgspec.Struct, frozen=True):
    """A lease: who holds it, if anybody, how often it changed hands, who held it before, and
    whether the holder is ready to be without them.
    """

    name: str
    holder: str | None
    fence: int
    left_by: str | None
    ready: bool


class LeaseSession:
    """The changes of members and leases, on a connection of its own. All raise StoreError."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def join(
        self,
        name: str,
        may: str,
        version: str,
        ttl_s: float,
        shards: Callable[[Mapping[str, int]], int],
    ) -> int:
        """Be a member for so long, one at a time; how many shards are counted.

        `shards` says that, from what those count that are alive; what it raises is raised.
        """
        async with self._connection.begin():
            await self._connection.execute(_LOCK, {"key": JOINING})
            others = await self._connection.execute(_OTHERS, {"name": name})
            count = shards({row.name: row.shards for row in others})
            values = {"name": name, "shards": count, "may": may, "version": version}
            await self._connection.execute(_JOIN, {**values, **_in(ttl_s)})
        return count

    async def make(self, names: Sequence[str]) -> None:
        """See to it that there are leases of these names."""
        await self._change(_MAKE, names=names)

    async def renew(self, name: str, ttl_s: float) -> bool:
        """Stay a member for so long; False for one that is none, or has been silent too long."""
        async with self._connection.begin():
            renewed = await self._connection.execute(_RENEW, {"name": name, **_in(ttl_s)})
            return renewed.first() is not None

    async def may_run(self, name: str, may: str) -> None:
        """Change what a member may run."""
        await self._change(_CHANGE, name=name, may=may)

    async def look(self) -> tuple[list[MemberRow], dict[str, LeaseRow]]:
        """The members that are alive, and all leases by their names."""
        async with self._connection.begin():
            members = [MemberRow(*row) for row in await self._connection.execute(_MEMBERS)]
            leases = [LeaseRow(*row) for row in await self._connection.execute(_LEASES)]
        return members, {lease.name: lease for lease in leases}

    async def take(self, names: Iterable[str], holder: str) -> dict[str, int]:
        """Take those leases that nobody holds, for a member that is alive; each with its fence."""
        async with self._connection.begin():
            if await self._connection.scalar(_ALIVE, {"name": holder}) is None:
                return {}
            taken = await self._connection.execute(_TAKE, {"names": sorted(names), "name": holder})
            return {row.name: row.fence for row in taken}

    async def release(self, names: Iterable[str], holder: str) -> None:
        """Let others have those of these leases that a member holds."""
        await self._change(_RELEASE, names=sorted(names), name=holder)

    async def say_ready(self, names: Iterable[str], holder: str, *, ready: bool = True) -> None:
        """Let it be known that who held these leases before is needed no longer; or that the holder
        is not `ready` any more."""
        await self._change(_READY, names=sorted(names), name=holder, ready=ready)

    async def bury(self) -> bool:
        """Free the leases of members that have been silent too long; whether there were any."""
        async with self._connection.begin():
            dead = list(await self._connection.scalars(_DEAD))
            if not dead:
                return False
            freed = await self._connection.execute(_FREE, {"names": dead})
            await self._connection.execute(_BURY, {"names": dead})
            return freed.rowcount > 0

    async def end(self, name: str) -> None:
        """Be a member no longer, and hold nothing."""
        async with self._connection.begin():
            await self._connection.execute(_RELEASE_ALL, {"name": name})
            await self._connection.execute(_END, {"name": name})

    async def prune(self) -> None:
        """Forget old claims."""
        await self._change(_PRUNE, **_in(CLAIMED_S))

    async def _change(self, statement: sa.TextClause, **values: object) -> None:
        async with self._connection.begin():
            await self._connection.execute(statement, values)


class LeaseStore:
    """The leases of a database; `answer_s` is how long it may take to answer."""

    def __init__(self, url: str, answer_s: float) -> None:
        self._engine: AsyncEngine = create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=answer_s,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={
                "timeout": answer_s,
                "command_timeout": answer_s,
                "server_settings": {
                    "lock_timeout": str(LOCK_WAIT_MS),
                    "idle_in_transaction_session_timeout": str(round(answer_s * 1000)),
                },
            },
        )

    async def close(self) -> None:
        """Closes all connections."""
        await self._engine.dispose()

    @asynccontextmanager
    async def session(self) -> AsyncIterator[LeaseSession]:
        """A connection for whoever keeps leases. Raises StoreError, also from within."""
        async with _told_apart(), self._engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            assert driver is not None
            try:
                yield LeaseSession(connection)
            except BaseException:
                # A server that has fallen silent would not answer a farewell either.
                driver.terminate()
                await connection.invalidate()
                raise

    async def claim(
        self, interaction: int, lease: str, member: str, within_s: float, *, alone: bool = False
    ) -> bool:
        """Whether it is for this member to answer an interaction: the first that asks, but nobody
        else where the holder of its lease is alive and ready, and answers without asking.

        Where this member was `alone` when it heard the interaction, a holder who is ready by now
        may not have heard it, and has not been for so long that they would not ask.

        Raises StoreError, also where that is not known within so many seconds.
        """
        async with _told_apart(), asyncio.timeout(within_s), self._engine.begin() as connection:
            values = {"interaction": interaction, "name": member, "lease": lease, "alone": alone}
            await connection.execute(_CLAIM, values)
            holder = await connection.scalar(_CLAIMED_BY, {"interaction": interaction})
            return bool(holder == member)

    async def wait_for_identify(self, bucket: int, every_s: float) -> float:
        """Take the next turn to identify, of which there is one in so many seconds for all members
        together; the seconds until it comes. Raises StoreError.
        """
        async with _told_apart(), self._engine.begin() as connection:
            wait = await connection.scalar(_SLOT, {"bucket": bucket, **_in(every_s)})
            return max(0.0, (wait or 0) / 1_000_000)


@asynccontextmanager
async def _told_apart() -> AsyncIterator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        raise failure(error) from error


def _in(seconds: float) -> dict[str, int]:
    return {"microseconds": round(seconds * 1_000_000)}
