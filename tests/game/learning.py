"""Whether an action taught somebody something: measured, where the games decide by rule."""

from __future__ import annotations

from random import Random

from bot.game.chance import ChanceMismatch, RecordedChance
from bot.game.choices import OneOf
from bot.game.contract import SPECTATOR, Action, AnyGame, IllegalAction, Observer, Seat

SAMPLES = 8
"""On how many other states each observer's knowledge is tried."""

OFFERED = 3
"""Words of an action that are looked at in what is offered to somebody."""


def gave_knowledge(
    game: AnyGame,
    seats: int,
    before: object,
    after: object,
    seat: Seat,
    action: Action,
    rng: Random,
) -> bool:
    """Whether an observer learnt something by an open action in which nothing was drawn.

    Nobody did where it was possible, and looked the same to each observer, with the same choices
    for them, in every state that this observer could not tell from the real one before it. Only
    found out by samples.
    """
    for observer in (SPECTATOR, *range(seats)):
        seen = game.view(after, observer), offered(game, after, observer)
        for _ in range(SAMPLES):
            twin = game.resample(before, observer, rng)
            try:
                game.apply(twin, seat, action, RecordedChance(()))
            except (IllegalAction, ChanceMismatch):
                return True
            if (game.view(twin, observer), offered(game, twin, observer)) != seen:
                return True
    return False


def offered(game: AnyGame, state: object, observer: Observer) -> dict[Action, tuple[str, ...]]:
    """The words that the observer may choose from as they begin to act, by what comes before."""
    found: dict[Action, tuple[str, ...]] = {}
    prefixes: list[Action] = [()] if observer != SPECTATOR else []
    for prefix in prefixes:
        choices = game.legal(state, observer, prefix)
        if isinstance(choices, OneOf) and len(prefix) < OFFERED:
            found[prefix] = choices.values
            prefixes += [(*prefix, word) for word in choices.values]
    return found
