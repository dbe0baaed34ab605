"""What one person proposes and all people at the table must agree on before a time.

One proposal of a kind is open at a table. One "no" ends it; the last "yes" has it done, in the
same unit of the store. Seats that a computer player plays have no voice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

import msgspec

from bot.game.contract import Seat
from bot.store import DueRow, HandledRow, ProposalRow, Unit
from bot.tables import errors, lobby
from bot.tables.desk import Desk, kept
from bot.tables.due import WHOLE_TABLE, Due
from bot.tables.model import Status, Table
from bot.tables.owing import Debt
from bot.tables.shelf import Loaded

Perform = Callable[[Loaded, ProposalRow, Unit], Awaitable[tuple[Loaded, Iterable[Debt]]]]
"""Adds to the unit what was agreed on; the table after it, and what is owed then."""

DUE = "proposal."
"""What the kind of a proposal's deadline begins with."""


class Verdict(StrEnum):
    """How a proposal stands."""

    OPEN = "open"
    PASSED = "passed"
    REFUSED = "refused"


class Proposal(msgspec.Struct, frozen=True):
    """A proposal as it stands: `word` says what of its kind is meant, `by` is the user's seat.

    `agreed` and `missing` are the seats of the people who have agreed, and who have not spoken.
    """

    table: Table
    kind: str
    word: str
    by: Seat
    until: datetime
    agreed: tuple[Seat, ...]
    missing: tuple[Seat, ...]
    verdict: Verdict = Verdict.OPEN


class _Kind(NamedTuple):
    perform: Perform
    during: Status
    of_seat: bool


class Proposals:
    """Opens proposals, hears voices, and has done what is agreed on."""

    def __init__(self, desk: Desk, due: Due) -> None:
        self._desk = desk
        self._due = due
        self._kinds: dict[str, _Kind] = {}

    def on(
        self,
        kind: str,
        perform: Perform,
        *,
        during: Status = Status.PLAYING,
        of_seat: bool = False,
    ) -> None:
        """Have what is agreed on done by `perform`; it is proposed `during` that state of a table.

        One that is `of_seat` has a seat as its word, and goes without the voice of that one.
        """
        self._kinds[kind] = _Kind(perform, during, of_seat)
        self._due.on(DUE + kind, self._lapse)

    async def open(self, table_id: int) -> list[Proposal]:
        """What is proposed at a table."""
        loaded = await self._desk.shelf.look(table_id)
        rows = await kept(self._desk.store.proposals(table_id))
        return [await self._standing(loaded.table, row) for row in rows if self._is_open(row)]

    async def make(
        self,
        table_id: int,
        user: int,
        kind: str,
        word: str,
        lasting: timedelta,
        *,
        delivery: str | None = None,
    ) -> Proposal:
        """The user proposes something; where nobody else has a voice, it is done at once.

        Made again, it is a voice for what is open. Raises NotSeated, NotStarted, TableOver, or
        AnotherProposal where something else of that kind is open.
        """
        desk = self._desk

        async def work() -> Proposal:
            loaded = await desk.shelf.load(table_id)
            self._check(loaded.table, kind)
            lobby.seated(loaded.table, user)
            loaded.position()
            row = await self._find(table_id, kind)
            unit = Unit()
            if row is None:
                now = desk.clock.now()
                row = ProposalRow(table_id, kind, word, user, now, now + lasting)
                unit.save_proposal(row)
                unit.set_due(DueRow(table_id, WHOLE_TABLE, DUE + kind, row.until))
            elif row.word != word:
                raise errors.AnotherProposal(kind=kind)
            return await self._agree(loaded, row, user, unit, delivery)

        return await desk.once(table_id, delivery, work, self._again(kind))

    async def answer(
        self,
        table_id: int,
        user: int,
        kind: str,
        *,
        agree: bool,
        word: str | None = None,
        delivery: str | None = None,
    ) -> Proposal:
        """The user's voice. With a `word`, that must be what is proposed.

        Raises NotSeated, NoProposal, and what doing it may raise.
        """
        desk = self._desk

        async def work() -> Proposal:
            loaded = await desk.shelf.load(table_id)
            self._check(loaded.table, kind)
            lobby.seated(loaded.table, user)
            row = await self._find(table_id, kind)
            if row is None or word not in (None, row.word):
                raise errors.NoProposal(kind=kind)
            unit = Unit()
            if agree:
                return await self._agree(loaded, row, user, unit, delivery)
            self._drop(unit, row)
            await desk.commit(unit, loaded, (), delivery)
            standing = await self._standing(loaded.table, row)
            return msgspec.structs.replace(standing, verdict=Verdict.REFUSED)

        return await desk.once(table_id, delivery, work, self._again(kind))

    async def _agree(
        self, loaded: Loaded, row: ProposalRow, user: int, unit: Unit, delivery: str | None
    ) -> Proposal:
        votes = await kept(self._desk.store.votes(row.table, row.kind)) | {user}
        unit.drop_vote(row.table, row.kind, user)
        unit.add_vote(row.table, row.kind, user, self._desk.clock.now())
        standing = self._standing_by(loaded.table, row, votes)
        debts: Iterable[Debt] = ()
        after = loaded
        if not standing.missing:
            self._drop(unit, row)
            after, debts = await self._kinds[row.kind].perform(loaded, row, unit)
            standing = msgspec.structs.replace(standing, table=after.table, verdict=Verdict.PASSED)
        await self._desk.commit(unit, after, debts, delivery)
        return standing

    def _again(self, kind: str) -> Callable[[HandledRow], Awaitable[Proposal]]:
        async def again(done: HandledRow) -> Proposal:
            # What came of it the first time was told then.
            row = await self._find(done.table, kind)
            if row is None:
                raise errors.NoProposal(kind=kind)
            return await self._standing((await self._desk.shelf.load(done.table)).table, row)

        return again

    async def _find(self, table_id: int, kind: str) -> ProposalRow | None:
        rows = await kept(self._desk.store.proposals(table_id))
        return next((row for row in rows if row.kind == kind and self._is_open(row)), None)

    def _is_open(self, row: ProposalRow) -> bool:
        return row.until > self._desk.clock.now()

    async def _standing(self, table: Table, row: ProposalRow) -> Proposal:
        votes = await kept(self._desk.store.votes(row.table, row.kind))
        return self._standing_by(table, row, votes)

    def _standing_by(self, table: Table, row: ProposalRow, votes: Iterable[int]) -> Proposal:
        known = self._kinds.get(row.kind)
        without = int(row.word) if known is not None and known.of_seat else None
        return _standing(table, row, votes, without)

    def _check(self, table: Table, kind: str) -> None:
        known = self._kinds.get(kind)
        if known is None or table.status is not known.during:
            lobby.check_playing(table)
            raise errors.NoProposal(kind=kind)

    def _drop(self, unit: Unit, row: ProposalRow) -> None:
        unit.drop_proposal(row.table, row.kind)
        unit.drop_due(row.table, WHOLE_TABLE, DUE + row.kind)

    async def _lapse(self, due: DueRow) -> None:
        kind = due.kind.removeprefix(DUE)

        async def work() -> None:
            loaded = await self._desk.shelf.load(due.table)
            unit = Unit()
            rows = await kept(self._desk.store.proposals(due.table))
            row = next((row for row in rows if row.kind == kind), None)
            if row is not None and self._is_open(row):
                return
            unit.drop_proposal(due.table, kind)
            unit.drop_due(due.table, WHOLE_TABLE, due.kind)
            await self._desk.commit(unit, loaded, (), None)

        await self._desk.shelf.alone(due.table, work)


def _standing(
    table: Table, row: ProposalRow, votes: Iterable[int], without: Seat | None
) -> Proposal:
    voices = set(votes)
    people = [player for player in table.humans if player.seat != without]
    by = table.seat_of(row.by)
    return Proposal(
        table,
        row.kind,
        row.word,
        -1 if by is None else by,
        row.until,
        tuple(player.seat for player in people if player.user in voices),
        tuple(player.seat for player in people if player.user not in voices),
    )
