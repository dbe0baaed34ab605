"""Which kinds of action are open to a seat, and which actions are confirmed first."""

from __future__ import annotations

from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import OneOf
from bot.game.contract import END, Action, Seat
from bot.text.contract import Style


def open_kinds(
    services: Services, snapshot: Snapshot, seat: Seat
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The kinds of action open to the seat: answers to what it is asked, and free moves."""
    choices = snapshot.legal(seat, ())
    moves = services.rules(snapshot.table).moves
    values = choices.values if isinstance(choices, OneOf) else ()
    return (
        tuple(kind for kind in values if not moves[kind].free),
        tuple(kind for kind in values if moves[kind].free),
    )


async def is_weighty(services: Services, snapshot: Snapshot, seat: Seat, action: Action) -> bool:
    """Whether to ask for confirmation: a danger, or an offer that promises may go with."""
    return may_promise(services, snapshot, action) or await is_dangerous(
        services, snapshot, seat, action
    )


def may_promise(services: Services, snapshot: Snapshot, action: Action) -> bool:
    """Whether promises may go with the action: an offer that may go to a person."""
    move = services.rules(snapshot.table).moves[action[0]]
    return move.offers and len(snapshot.table.humans) > 1


async def is_dangerous(services: Services, snapshot: Snapshot, seat: Seat, action: Action) -> bool:
    """Whether an accidental press would be regretted: a raid, or ending a turn with much left to
    do."""
    asked, _free = open_kinds(services, snapshot, seat)
    choices = OneOf("kind", asked)
    styles = {kind: snapshot.label((), choices, kind).style for kind in asked}
    if action[0] == END:
        user = snapshot.table.players[seat].user
        is_asked = user is None or (await services.tables.people.get(user)).confirm_end
        return is_asked and Style.SUCCESS in styles.values()
    return styles.get(action[0]) is Style.DANGER
