"""What a change makes the program send; it is written with the change before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bot.game.contract import ANSWER, Action, Event, Seat
from bot.game.game import AnyGame
from bot.store import OutboxItem, OutboxKind, WriteBatch
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import GOING, Table
from bot.tables.core.position import Position

NEWEST_ONLY = (
    OutboxKind.LOBBY,
    OutboxKind.BOARD,
    OutboxKind.NOTIFY,
    OutboxKind.ANSWERED,
    OutboxKind.VOTE,
)
"""A new item of these kinds replaces an older one not yet sent: they show the table as it is."""


class OutboxDraft(msgspec.Struct, frozen=True):
    """An outbox item before it is written with the change that causes it."""

    kind: OutboxKind
    seat: Seat | None = None


def in_lobby(table: Table) -> list[OutboxDraft]:
    """The lobby's post shows what was changed there; a game that goes on has other posts."""
    return [] if table.status in GOING else [OutboxDraft(OutboxKind.LOBBY)]


def at_start(table: Table) -> list[OutboxDraft]:
    """The lobby closes, the board is shown, everybody gets a hand."""
    hands = [OutboxDraft(OutboxKind.HAND, player.seat) for player in table.owners]
    return [OutboxDraft(OutboxKind.LOBBY), OutboxDraft(OutboxKind.BOARD), *hands]


def at_action(
    game: AnyGame,
    table: Table,
    seat: Seat,
    action: Action,
    before: Position,
    after: Position,
    events: Sequence[Event],
) -> list[OutboxDraft]:
    """Secrets to those who heard them, offers to those who may answer them, hands to those whose
    hands were changed; the board where others are awaited now; the end, if it is that.

    Whoever acts openly sees in the answer what became of their own hand; whoever makes or answers
    an offer sees all of it.
    """
    free = game.moves[action[0]].free
    openly = free or not any(asked.sealed and asked.seat == seat for asked in before.pending)
    heard = {other for event in events for other in event.only if other not in event.but}
    reached = {other for other in heard if table.players[other].user is not None}
    known = {asked.id for asked in before.pending}
    offered = {each.seat for each in after.pending if each.kind == ANSWER and each.id not in known}
    reached = reached - ({seat} if free else set()) | {
        other for other in offered if table.players[other].is_human
    }
    drafts = [OutboxDraft(OutboxKind.PRIVATE, other) for other in sorted(reached)]
    drafts += _hands(game, table, before, after, but=seat if openly else None)
    if after.outcome is not None:
        drafts += [
            OutboxDraft(kind)
            for kind in (OutboxKind.BOARD, OutboxKind.END, OutboxKind.STORY, OutboxKind.FILM)
        ]
    elif before.to_act() != after.to_act():
        drafts.append(OutboxDraft(OutboxKind.BOARD))
    return drafts


def at_undo(game: AnyGame, table: Table, before: Position, after: Position) -> list[OutboxDraft]:
    """The board as it was, and hands to those whose hands were changed."""
    return [OutboxDraft(OutboxKind.BOARD), *_hands(game, table, before, after)]


def _hands(
    game: AnyGame, table: Table, before: Position, after: Position, *, but: Seat | None = None
) -> list[OutboxDraft]:
    return [
        OutboxDraft(OutboxKind.HAND, player.seat)
        for player in table.owners
        if player.seat != but
        and game.hand(before.state, player.seat) != game.hand(after.state, player.seat)
    ]


def in_passing(before: LoadedTable, after: LoadedTable) -> list[OutboxDraft]:
    """What any change may cause: the lobby's game is over, an offer is no longer open, nobody plays
    for themselves any more."""
    drafts = []
    if after.table.is_unattended and not before.table.is_unattended:
        drafts += [OutboxDraft(OutboxKind.RING, player.seat) for player in after.table.owners]
    if after.table.is_over and not before.table.is_over:
        drafts.append(OutboxDraft(OutboxKind.LOBBY))
    if _offers(before) - _offers(after):
        drafts.append(OutboxDraft(OutboxKind.ANSWERED))
    return drafts


def _offers(loaded: LoadedTable) -> set[str]:
    if loaded.now is None or loaded.table.is_over:
        return set()
    return {decision.id for decision in loaded.now.pending if decision.kind == ANSWER}


def write(batch: WriteBatch, table: int, seq: int, drafts: Iterable[OutboxDraft]) -> None:
    """Adds the items to the batch of the change that causes them."""
    for draft in drafts:
        if draft.kind in NEWEST_ONLY:
            batch.delete(OutboxItem, table=table, kind=draft.kind)
        batch.enqueue(table, draft.kind, draft.seat, seq)
