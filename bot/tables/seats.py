"""Seats that a computer player keeps: autopilot, taking the wheel back, taking a seat over.

A person's seat stays theirs while a computer player acts for them: its secrets still go to them,
and by one press, or by acting, they play themselves again. A vacant seat is anybody's who sits
nowhere else at the table, with all that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from bot.game.contract import Seat
from bot.store import DueRow, ProposalRow, Unit
from bot.tables import errors, lobby, record
from bot.tables.desk import Desk, kept
from bot.tables.due import WHOLE_TABLE
from bot.tables.model import OwedKind, Status, Table
from bot.tables.owing import Debt
from bot.tables.proposals import DUE, Proposal, Proposals
from bot.tables.shelf import Loaded

AUTOPILOT = "autopilot"
REPLACE = "replace"
"""The kinds of proposals about a seat: that a computer player acts for its owner; and that
besides anybody may take it over."""

LASTING = timedelta(days=5)
"""How long the others have to agree."""

PATIENCE = timedelta(days=2)
"""For how long somebody must have been awaited before others may propose that."""

NOBODY = 0
"""The user by whom the table itself proposes something."""


class Seats:
    """Who, or what, plays on a seat while a game goes on."""

    def __init__(self, desk: Desk, proposals: Proposals, stand_in: str) -> None:
        self._desk = desk
        self._proposals = proposals
        self._stand_in = stand_in
        for kind in (AUTOPILOT, REPLACE):
            proposals.on(kind, self._agreed, of_seat=True)

    async def autopilot(
        self, table_id: int, user: int, *, on: bool = True, delivery: str | None = None
    ) -> Table:
        """A computer player acts for the user from now on, or no longer.

        Raises NotSeated, NotStarted, TablePaused, TableAsleep or TableOver.
        """

        async def work() -> Table:
            loaded = await self._desk.shelf.load(table_id)
            lobby.check_playing(loaded.table)
            seat = lobby.seated(loaded.table, user)
            if loaded.table.players[seat].is_autopiloted is on:
                return loaded.table
            unit = Unit()
            if on:
                after = self.hand_over(unit, loaded, seat, user)
            else:
                table = lobby.take_back(loaded.table, seat)
                after = self._desk.note(unit, loaded, table, seat, user, record.MANUAL)
            await self._desk.commit(unit, after, [Debt(OwedKind.BOARD)], delivery)
            return after.table

        return await self._desk.once(table_id, delivery, work, self._desk.table_again)

    async def claim(
        self,
        table_id: int,
        user: int,
        name: str,
        seat: Seat | None = None,
        *,
        delivery: str | None = None,
    ) -> Table:
        """The user takes over a vacant seat, or that of a computer player; its hand becomes theirs.

        Raises AlreadySeated or SeatTaken, and like `autopilot`.
        """

        async def work() -> Table:
            loaded = await self._desk.shelf.load(table_id)
            if loaded.table.status is not Status.PAUSED:
                # At a game that was imported people sit down before it goes on.
                lobby.check_playing(loaded.table)
            free = lobby.free_seat(loaded.table, user, seat)
            unit = Unit()
            table = lobby.claim(loaded.table, free, user, name)
            # What was owed to whoever sat there is none of the new one's business.
            unit.drop_owed_seat(table_id, free)
            after = self._desk.note(unit, loaded, table, free, user, record.CLAIM)
            debts = [Debt(OwedKind.BOARD), Debt(OwedKind.HAND, free)]
            await self._desk.commit(unit, after, debts, delivery)
            return after.table

        return await self._desk.once(table_id, delivery, work, self._desk.table_again)

    async def propose(
        self, table_id: int, user: int, kind: str, seat: Seat, *, delivery: str | None = None
    ) -> Proposal:
        """Asks all others whether a computer player is to act for somebody who keeps them waiting.

        Raises NotLate where that has not been for long, and what `Proposals.make` raises.
        """
        table = (await self._desk.shelf.look(table_id)).table
        lobby.seated(table, user)
        if not 0 <= seat < len(table.players) or table.players[seat].user is None:
            raise errors.SeatTaken(seat=seat)
        calls = await kept(self._desk.store.calls(table_id))
        since = [call.since for call in calls if call.seat == seat and not call.over]
        late = any(self._now() - each >= PATIENCE for each in since)
        if not late and not table.players[seat].is_autopiloted:
            raise errors.NotLate(
                name=table.players[seat].name, hours=PATIENCE // timedelta(hours=1)
            )
        return await self._proposals.make(
            table_id, user, kind, str(seat), LASTING, delivery=delivery
        )

    def hand_over(
        self, unit: Unit, loaded: Loaded, seat: Seat, user: int | None, *, vacant: bool = False
    ) -> Loaded:
        """Adds to the unit that a computer player acts for the seat's owner."""
        table = lobby.autopilot(loaded.table, seat, self._stand_in, vacant=vacant)
        return self._desk.note(unit, loaded, table, seat, user, record.AUTO)

    def drop_vote(self, unit: Unit, table_id: int) -> None:
        """Adds to the unit that nobody need agree any more: who was waited for has acted."""
        unit.drop_proposal(table_id, AUTOPILOT)
        unit.drop_due(table_id, WHOLE_TABLE, DUE + AUTOPILOT)

    def out_of_time(
        self, unit: Unit, loaded: Loaded, seat: Seat, at_zero: str
    ) -> tuple[Loaded, list[Debt]]:
        """Adds to the unit what the table has agreed on for a seat whose time is up."""
        if at_zero == "autopilot":
            return self.hand_over(unit, loaded, seat, None), [Debt(OwedKind.BOARD)]
        others = [player for player in loaded.table.humans if player.seat != seat]
        if at_zero == "vote" and others:
            now = self._now()
            row = ProposalRow(loaded.table.id, AUTOPILOT, str(seat), NOBODY, now, now + LASTING)
            unit.save_proposal(row)
            unit.set_due(DueRow(row.table, WHOLE_TABLE, DUE + AUTOPILOT, row.until))
            return loaded, [Debt(OwedKind.VOTE, seat)]
        return loaded, []

    async def _agreed(
        self, loaded: Loaded, row: ProposalRow, unit: Unit
    ) -> tuple[Loaded, Iterable[Debt]]:
        seat = int(row.word)
        player = loaded.table.players[seat]
        is_new = row.kind == REPLACE or player.is_human
        if player.user is None or not is_new:
            raise errors.NoProposal(kind=row.kind)
        vacant = row.kind == REPLACE
        after = self.hand_over(unit, loaded, seat, row.by or None, vacant=vacant)
        return after, [Debt(OwedKind.BOARD)]

    def _now(self) -> datetime:
        return self._desk.clock.now()
