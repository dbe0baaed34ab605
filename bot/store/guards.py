"""What several processes must not overlook in one another's writes: revisions, leases, notices.

In a transaction, what a batch is guarded by is locked and compared before anything is written; a
batch that comes too late is left out. At its end the others are told what has changed.

A process that stops in the middle of a transaction keeps its locks for a while. Where one of them
is not to be had in time, the batches that need it are left out, and the others are written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store.batch import WriteBatch
from bot.store.errors import LeaseLost, StaleWrite, StoreError, Unavailable
from bot.store.failures import sql_state
from bot.store.server import carry_out, maybe_stored
from bot.store.sharing import Notice

log = logging.getLogger(__name__)

CHANNEL = "kontor"
"""Where members tell one another what they have changed."""
MOST_BYTES = 7900
"""The server takes no longer message."""
ATTEMPTS = 5
"""How often a transaction is carried out that others are in the way of."""
IN_THE_WAY = ("40P01", "40001")
"""The SQL states of transactions that may be carried out once more: deadlocks and the like."""
LOCKED = "55P03"
"""The SQL state of a transaction that has waited too long for a lock."""
STATUS_POLL_S = 0.1
"""Seconds between two questions whether a transaction was stored."""

_IDS = sa.bindparam("ids", type_=ARRAY(sa.BigInteger))
_NAMES = sa.bindparam("names", type_=ARRAY(sa.Text))
_NUMBERS = sa.bindparam("numbers", type_=ARRAY(sa.BigInteger))

# Everybody locks in the same order, so that nobody waits for one who waits for them. A table's key
# stays as it is: rows that refer to it may be written meanwhile.
LOCK_TABLES = sa.text(
    "SELECT id, revision FROM tables WHERE id = ANY(:ids) ORDER BY id FOR NO KEY UPDATE"
).bindparams(_IDS)
# A row that is not there yet cannot be locked: it is made.
LOCK_NAMES = sa.text(
    "INSERT INTO revisions (name, number) SELECT name, 0 FROM unnest(:names) AS name"
    " ON CONFLICT (name) DO UPDATE SET number = revisions.number RETURNING name, number"
).bindparams(_NAMES)
LOCK_LEASES = sa.text(
    "SELECT name, fence FROM leases WHERE name = ANY(:names) ORDER BY name FOR SHARE"
).bindparams(_NAMES)
# The same without waiting: what somebody else has locked is there, but has no number.
TRY_TABLES = sa.text(
    "WITH locked AS (SELECT id, revision FROM tables WHERE id = ANY(:ids) ORDER BY id"
    " FOR NO KEY UPDATE SKIP LOCKED)"
    " SELECT id, locked.revision FROM tables LEFT JOIN locked USING (id) WHERE id = ANY(:ids)"
).bindparams(_IDS)
TRY_NAMES = sa.text(
    "WITH locked AS (SELECT name, number FROM revisions WHERE name = ANY(:names) ORDER BY name"
    " FOR NO KEY UPDATE SKIP LOCKED) SELECT name, locked.number"
    " FROM revisions LEFT JOIN locked USING (name) WHERE name = ANY(:names)"
).bindparams(_NAMES)
TRY_LEASES = sa.text(
    "WITH locked AS (SELECT name, fence FROM leases WHERE name = ANY(:names) ORDER BY name"
    " FOR SHARE SKIP LOCKED)"
    " SELECT name, locked.fence FROM leases LEFT JOIN locked USING (name) WHERE name = ANY(:names)"
).bindparams(_NAMES)
COUNT_TABLES = sa.text(
    "UPDATE tables SET revision = found.number"
    " FROM unnest(:ids, :numbers) AS found (id, number) WHERE tables.id = found.id"
).bindparams(_IDS, _NUMBERS)
COUNT_NAMES = sa.text(
    "UPDATE revisions SET number = found.number"
    " FROM unnest(:names, :numbers) AS found (name, number) WHERE revisions.name = found.name"
).bindparams(_NAMES, _NUMBERS)
TELL = sa.text(
    "SELECT txid_current(), pg_notify(:channel, message) FROM unnest(:messages) AS message"
).bindparams(sa.bindparam("messages", type_=ARRAY(sa.Text)))
STATUS = sa.text("SELECT txid_status(:transaction)").bindparams(
    sa.bindparam("transaction", type_=sa.BigInteger)
)


K = TypeVar("K")


class GuardedWrites:
    """Carries out batches of one member, each unless its guards forbid it."""

    def __init__(self, engine: AsyncEngine, check: Callable[[], None], member: str) -> None:
        self._engine = engine
        self._check = check
        self._member = member

    async def write(self, batches: Sequence[WriteBatch]) -> Sequence[StoreError | None]:
        """Writes batches in one transaction, and says which were refused and why.

        Raises what the database does, and then nothing is stored; but that where it does not answer
        any more, nobody knows.
        """
        waits = True
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._write(batches, waits=waits)
            except DBAPIError as error:
                state = sql_state(error)
                is_in_the_way = state in IN_THE_WAY or (state == LOCKED and waits)
                if not is_in_the_way or attempt == ATTEMPTS:
                    raise
                waits = waits and state != LOCKED
                log.info("others are in the way of a transaction: %s", state)
        raise AssertionError("the last attempt returns or raises")

    async def _write(
        self, batches: Sequence[WriteBatch], *, waits: bool
    ) -> Sequence[StoreError | None]:
        transaction, is_committing = None, False
        found = Findings([None] * len(batches), {}, {})
        try:
            async with self._engine.begin() as connection:
                self._check()
                found = await judge(connection, batches, waits=waits)
                await carry_out(connection, found.accepted(batches))
                transaction = await conclude(connection, found, self._member)
                is_committing = True
        except (DBAPIError, OSError) as error:
            if not is_committing or sql_state(error) in IN_THE_WAY:
                raise
            kept = await self._is_kept(transaction)
            if kept is None:
                raise maybe_stored(error) from error
            if not kept:
                raise
        return found.errors

    async def _is_kept(self, transaction: int | None) -> bool | None:
        """As `is_kept`; None where that cannot be known."""
        if transaction is None:
            return None
        try:
            return await is_kept(self._engine, transaction)
        except (SQLAlchemyError, OSError):
            return None


class Told(msgspec.Struct, frozen=True):
    """What one member tells the others."""

    by: str
    tables: Mapping[int, int]
    names: Sequence[str]


class Findings(msgspec.Struct, frozen=True):
    """What becomes of batches: their `errors`, None for those to be written, and the revisions of
    tables and names once they are."""

    errors: Sequence[StoreError | None]
    tables: Mapping[int, int]
    names: Mapping[str, int]

    def accepted(self, batches: Sequence[WriteBatch]) -> list[WriteBatch]:
        """Those of the batches that are to be written."""
        found = zip(batches, self.errors, strict=True)
        return [batch for batch, error in found if error is None]


def findings(
    batches: Iterable[WriteBatch],
    tables: Mapping[int, int | None],
    names: Mapping[str, int | None],
    leases: Mapping[str, int | None],
) -> Findings:
    """Compares what guards the batches, in their order, with the revisions and leases as they are.

    What is not there has revision 0, what somebody else has locked has none. A batch sees what
    those before it change.
    """
    now_tables, now_names = dict(tables), dict(names)
    new_tables: dict[int, int] = {}
    new_names: dict[str, int] = {}
    errors: list[StoreError | None] = []
    for batch in batches:
        lost = [each for each in batch.fences if leases.get(each.lease) != each.number]
        if (
            _is_locked(batch.tables, tables)
            or _is_locked(batch.names, names)
            or _is_locked((each.lease for each in batch.fences), leases)
        ):
            errors.append(Unavailable("Another process has not ended what it writes there."))
        elif lost:
            errors.append(LeaseLost(f"The lease {lost[0].lease} is another's."))
        elif _is_stale(batch.tables, now_tables) or _is_stale(batch.names, now_names):
            errors.append(StaleWrite("Another process has written in the meantime."))
        else:
            errors.append(None)
            new_tables |= {table: revision + 1 for table, revision in batch.tables.items()}
            new_names |= {name: revision + 1 for name, revision in batch.names.items()}
            now_tables |= new_tables
            now_names |= new_names
    return Findings(errors, new_tables, new_names)


async def judge(
    connection: AsyncConnection, batches: Sequence[WriteBatch], *, waits: bool = True
) -> Findings:
    """Locks what guards the batches until the transaction ends, and compares.

    It `waits` for what others have locked, or refuses the batches that need it.
    """
    tables = sorted({table for batch in batches for table in batch.tables})
    names = sorted({name for batch in batches for name in batch.names})
    leases = sorted({fence.lease for batch in batches for fence in batch.fences})
    if waits:
        return findings(
            batches,
            await _locked(connection, LOCK_TABLES, "ids", tables),
            await _locked(connection, LOCK_NAMES, "names", names),
            await _locked(connection, LOCK_LEASES, "names", leases),
        )
    found_tables = await _locked(connection, TRY_TABLES, "ids", tables)
    found_names = await _locked(connection, TRY_NAMES, "names", names)
    new = [name for name in names if name not in found_names]
    found_names |= await _locked(connection, LOCK_NAMES, "names", new)
    found_leases = await _locked(connection, TRY_LEASES, "names", leases)
    return findings(batches, found_tables, found_names, found_leases)


async def conclude(connection: AsyncConnection, found: Findings, member: str) -> int | None:
    """Counts what has been written, and tells the others once the transaction ends.

    Returns the number of the transaction, None where there was nothing to count.
    """
    if found.tables:
        counted = {"ids": list(found.tables), "numbers": list(found.tables.values())}
        await connection.execute(COUNT_TABLES, counted)
    if found.names:
        named = {"names": list(found.names), "numbers": list(found.names.values())}
        await connection.execute(COUNT_NAMES, named)
    if not found.tables and not found.names:
        return None
    said = [*messages(Told(member, found.tables, tuple(found.names)))]
    told = await connection.execute(TELL, {"channel": CHANNEL, "messages": said})
    transaction: int = told.all()[0][0]
    return transaction


async def is_kept(engine: AsyncEngine, transaction: int) -> bool:
    """Whether a transaction was stored whose end nobody heard of, as the connection was lost.

    Raises SQLAlchemyError or OSError where the server cannot be asked.
    """
    while True:
        async with engine.connect() as connection:
            status = await connection.scalar(STATUS, {"transaction": transaction})
        if status != "in progress":
            return bool(status == "committed")
        # Its session need not know yet that nobody is there; it waits IDLE_MS at most.
        await asyncio.sleep(STATUS_POLL_S)


def messages(told: Told) -> Iterator[str]:
    """What is told, in as many messages as the server demands."""
    text = msgspec.json.encode(told)
    if len(text) <= MOST_BYTES or len(told.tables) + len(told.names) == 1:
        yield text.decode()
        return
    tables = [*told.tables.items()]
    for half in (slice(None, None, 2), slice(1, None, 2)):
        yield from messages(Told(told.by, dict(tables[half]), told.names[half]))


def heard(text: str, member: str) -> Notice | None:
    """What another member has told; None of what this one has itself.

    Raises msgspec.DecodeError where it is something else.
    """
    told = msgspec.json.decode(text, type=Told)
    return None if told.by == member else Notice(told.tables, tuple(told.names))


def _is_locked(guards: Iterable[K], now: Mapping[K, int | None]) -> bool:
    return any(each in now and now[each] is None for each in guards)


def _is_stale(guards: Mapping[K, int], now: Mapping[K, int | None]) -> bool:
    return any(now.get(each, 0) != revision for each, revision in guards.items())


async def _locked(
    connection: AsyncConnection, statement: sa.TextClause, parameter: str, values: Sequence[K]
) -> dict[K, int | None]:
    if not values:
        return {}
    rows = await connection.execute(statement, {parameter: values})
    return {row[0]: row[1] for row in rows}
