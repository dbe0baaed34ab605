"""The messages that a change causes, stored with the change before any is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from bot.game.contract import ANSWER, Action, Event, Seat
from bot.game.game import AnyGame
from bot.store import OutboxItem, OutboxKind, WriteBatch
from bot.tables.core.cache import LoadedTable
from bot.tables.core.model import IN_PROGRESS, Table
from bot.tables.core.position import Position

NEWEST_ONLY = (
    OutboxKind.LOBBY,
    OutboxKind.BOARD,
    OutboxKind.NOTIFY,
    OutboxKind.ANSWERED,
    OutboxKind.VOTE,
    OutboxKind.WEBHOOK,
)
"""Kinds of which a new item replaces an unsent one, as they show the table's current state."""


class OutboxDraft(msgspec.Struct, frozen=True):
    """An outbox item that has not been stored yet."""

    kind: OutboxKind
    seat: Seat | None = None


def in_lobby(table: Table) -> list[OutboxDraft]:
    """Return an update of the lobby's post, unless the game has started: it has other posts."""
    return [] if table.status in IN_PROGRESS else [OutboxDraft(OutboxKind.LOBBY)]


def at_start(table: Table) -> list[OutboxDraft]:
    """Close the lobby's post, post the board, and send all players their hands."""
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
    """Return the messages after an action.

    These are secret events to the players who may see them, new offers to the players who may
    answer, changed hands, the board if other players are to act now, and the end of the game.

    The bot's reply shows the acting player the outcome, so they get no hand for an open action and
    no private message for a free one.
    """
    free = game.moves[action[0]].free
    openly = free or not any(each.sealed and each.seat == seat for each in before.pending)
    informed = {other for event in events for other in event.only if other not in event.but}
    to = {other for other in informed if table.players[other].user is not None}
    earlier = {each.id for each in before.pending}
    new = [each for each in after.pending if each.kind == ANSWER and each.id not in earlier]
    to = to - ({seat} if free else set()) | {
        each.seat for each in new if table.players[each.seat].is_human
    }
    drafts = [OutboxDraft(OutboxKind.PRIVATE, other) for other in sorted(to)]
    drafts += _hands(game, table, before, after, skipped=seat if openly else None)
    if after.outcome is not None:
        drafts += [
            OutboxDraft(kind)
            for kind in (OutboxKind.BOARD, OutboxKind.END, OutboxKind.STORY, OutboxKind.FILM)
        ]
    elif before.to_act() != after.to_act():
        drafts.append(OutboxDraft(OutboxKind.BOARD))
    return drafts


def at_undo(game: AnyGame, table: Table, before: Position, after: Position) -> list[OutboxDraft]:
    """Return the earlier board and all changed hands."""
    return [OutboxDraft(OutboxKind.BOARD), *_hands(game, table, before, after)]


def _hands(
    game: AnyGame, table: Table, before: Position, after: Position, *, skipped: Seat | None = None
) -> list[OutboxDraft]:
    return [
        OutboxDraft(OutboxKind.HAND, player.seat)
        for player in table.owners
        if player.seat != skipped
        and game.hand(before.state, player.seat) != game.hand(after.state, player.seat)
    ]


def at_any_change(before: LoadedTable, after: LoadedTable) -> list[OutboxDraft]:
    """Return the messages that any change may cause.

    These follow when computer players act for all people, when the table is over, and when an offer
    is no longer open.
    """
    drafts = []
    if after.table.is_unattended and not before.table.is_unattended:
        drafts += [OutboxDraft(OutboxKind.PING, player.seat) for player in after.table.owners]
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
    """Add the drafts as items to the batch of the change that causes them."""
    for draft in drafts:
        if draft.kind in NEWEST_ONLY:
            batch.delete(OutboxItem, table=table, kind=draft.kind)
        batch.enqueue(table, draft.kind, draft.seat, seq)
