"""Which kinds of action are open to a seat, and which actions are confirmed first."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bot.cogs.ui import action_builder
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import OneOf
from bot.game.contract import END, Action, Seat, in_turn
from bot.game.trial import NoChance
from bot.text import game_end
from bot.text.contract import Label, Style


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


def marked(snapshot: Snapshot, seat: Seat, words: Action, label: Label) -> Label:
    """The label of a press that leads to these words; it says so if that ends the game."""
    actions = in_turn(words)
    if len(actions) == 1:
        at = action_builder.forward(snapshot, seat, words)
        if not at.is_whole:
            return label
        actions = [at.action]
    end = snapshot.end_of(seat, actions)
    return label if end is None else game_end.marked(snapshot.words, label, end)


async def is_weighty(
    services: Services, snapshot: Snapshot, seat: Seat, actions: Sequence[Action]
) -> bool:
    """Whether to ask for confirmation before several actions: the end of the game, a danger of the
    first, or an offer that promises may go with."""
    return (
        snapshot.end_of(seat, actions) is not None
        or may_promise(services, snapshot, actions[0])
        or await is_dangerous(services, snapshot, seat, actions[0])
    )


def may_promise(services: Services, snapshot: Snapshot, action: Action) -> bool:
    """Whether promises may go with the action: an offer that goes to a person."""
    game = services.rules(snapshot.table)
    if not game.moves[action[0]].offers or len(snapshot.table.humans) < 2:
        return False
    # Who is asked by it is seen on a copy that is made of what the observer knows.
    copy = game.imagine(snapshot.view, Random(0))
    open_before = {each.id for each in game.pending(copy)}
    game.apply(copy, snapshot.observer, action, NoChance())
    asked = [each.seat for each in game.pending(copy) if each.id not in open_before]
    return any(snapshot.table.players[seat].is_human for seat in asked)


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
