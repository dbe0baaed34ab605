"""What an entry of the log makes owed to the outside: nothing is sent that is not first written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bot.game.contract import ANSWER, Action, AnyGame, Event, Seat
from bot.store import OwedRow, Store, Unit
from bot.tables.model import Owed, OwedKind, Table
from bot.tables.position import Position
from bot.tables.shelf import Loaded

NEWEST_ONLY = (OwedKind.LOBBY, OwedKind.BOARD, OwedKind.CALL, OwedKind.ANSWERED)
"""Of these an unpaid older one is out of date; they show the table as it is now."""


class Debt(msgspec.Struct, frozen=True):
    """Something that comes to be owed."""

    kind: OwedKind
    seat: Seat | None = None


def at_start(table: Table) -> list[Debt]:
    """The lobby closes, the board is shown, everybody gets a hand."""
    hands = [Debt(OwedKind.HAND, player.seat) for player in table.owners]
    return [Debt(OwedKind.LOBBY), Debt(OwedKind.BOARD), *hands]


def at_action(
    game: AnyGame,
    table: Table,
    seat: Seat,
    action: Action,
    before: Position,
    after: Position,
    events: Sequence[Event],
) -> list[Debt]:
    """Secrets to those who heard them, offers to those who may answer them, hands to those whose
    hands were changed; the board where others are awaited now; the end, if it is that.

    Who acts openly sees in the answer what became of the own hand; who makes or answers an offer,
    all of it.
    """
    free = game.moves[action[0]].free
    openly = free or not any(asked.sealed and asked.seat == seat for asked in before.pending)
    told = _told_alone(table, events) - ({seat} if free else set())
    told |= _asked_beside(table, before, after)
    debts = [Debt(OwedKind.PRIVATE, other) for other in sorted(told)]
    debts += [
        Debt(OwedKind.HAND, player.seat)
        for player in table.owners
        if not (openly and player.seat == seat)
        and game.hand(before.state, player.seat) != game.hand(after.state, player.seat)
    ]
    if after.outcome is not None:
        debts += [
            Debt(kind) for kind in (OwedKind.BOARD, OwedKind.END, OwedKind.STORY, OwedKind.FILM)
        ]
    elif before.awaited() != after.awaited():
        debts.append(Debt(OwedKind.BOARD))
    return debts


def at_undo(game: AnyGame, table: Table, before: Position, after: Position) -> list[Debt]:
    """The board as it was, and hands to those whose hands were changed."""
    hands = [
        Debt(OwedKind.HAND, player.seat)
        for player in table.owners
        if game.hand(before.state, player.seat) != game.hand(after.state, player.seat)
    ]
    return [Debt(OwedKind.BOARD), *hands]


def at_resignation(table: Table) -> list[Debt]:
    """The board with its new player, or the end where nobody is left."""
    return [Debt(OwedKind.BOARD), *at_close(table)] if table.is_over else [Debt(OwedKind.BOARD)]


def at_close(table: Table) -> list[Debt]:
    """The table is abandoned."""
    return [Debt(OwedKind.END)] if table.is_over else []


def in_passing(before: Loaded, after: Loaded) -> list[Debt]:
    """What any change may bring about: the lobby's game is over, an offer is no longer open."""
    debts = []
    if after.table.is_over and not before.table.is_over:
        debts.append(Debt(OwedKind.LOBBY))
    if _offers(before) - _offers(after):
        debts.append(Debt(OwedKind.ANSWERED))
    return debts


def _offers(loaded: Loaded) -> set[str]:
    if loaded.now is None or loaded.table.is_over:
        return set()
    return {decision.id for decision in loaded.now.pending if decision.kind == ANSWER}


def write(store: Store, unit: Unit, table: int, seq: int, debts: Iterable[Debt]) -> None:
    """Puts debts into the unit of the change that makes them."""
    for debt in debts:
        if debt.kind in NEWEST_ONLY:
            unit.drop_owed_kind(table, debt.kind.value)
        unit.owe(OwedRow(store.new_owed_id(), table, debt.kind.value, debt.seat, seq))


def owed_of(row: OwedRow) -> Owed:
    """A debt as it was kept."""
    return Owed(row.id, row.table, OwedKind(row.kind), row.seat, row.seq)


def _told_alone(table: Table, events: Sequence[Event]) -> set[Seat]:
    told = {seat for event in events for seat in event.only if seat not in event.but}
    return {seat for seat in told if table.players[seat].user is not None}


def _asked_beside(table: Table, before: Position, after: Position) -> set[Seat]:
    """Whom an offer has reached that was not there before."""
    known = {decision.id for decision in before.pending}
    return {
        decision.seat
        for decision in after.pending
        if decision.kind == ANSWER
        and decision.id not in known
        and table.players[decision.seat].is_human
    }
