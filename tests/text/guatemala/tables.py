"""Whole games of Guatemala Café, step by step, for tests that look at every moment."""

from __future__ import annotations

from functools import partial
from random import Random

from bot.game.choices import Choices, Domain, Grouping, OneOf
from bot.game.contract import Action, Seat
from bot.game.guatemala import GAME
from bot.game.guatemala.state import GuatemalaState
from bot.text.guatemala.game_text import GuatemalaText
from bot.text.words import words_for
from tests.text.moments import moments_of, sampled
from tests.text.people import called

TEXT, EN = GuatemalaText(), words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Do_ra")
EAGER = ("move", "buy", "take")
"""Kinds that are chosen more often, so that plantations grow and sacks are taken."""


def eager(domain: Domain, prefix: Action, rng: Random) -> str:
    """Any word, but often one of those kinds."""
    if prefix:
        return sampled(domain, prefix, rng)
    assert isinstance(domain, OneOf)
    wanted = [kind for kind in EAGER if kind in domain.values]
    return rng.choice(wanted) if wanted and rng.random() < 0.9 else rng.choice(domain.values)


moments = partial(moments_of, GAME, choose=eager)


def labels(state: GuatemalaState, line: str = "", seat: Seat = 0) -> dict[str, str]:
    """What a seat's choices after a line say, by word."""
    prefix = tuple(line.split())
    choices: Choices = GAME.legal(state, seat, prefix)
    assert isinstance(choices, OneOf)
    view = GAME.view(state, seat)
    return {
        word: TEXT.label(EN, prefix, choices, word, view, NAMES).text for word in choices.values
    }


def group_labels(state: GuatemalaState, line: str) -> list[str]:
    """What the groups of seat 0's choices after a line are called."""
    prefix = tuple(line.split())
    choices = GAME.legal(state, 0, prefix)
    assert isinstance(choices, OneOf)
    by: Grouping
    (by,) = choices.groups
    names = OneOf(by.param, tuple(dict.fromkeys(map(by.of, choices.values))))
    view = GAME.view(state, 0)
    return [TEXT.label(EN, prefix, names, word, view, NAMES).text for word in names.values]


def question(state: GuatemalaState, seat: Seat = 0) -> str:
    """What a seat is asked."""
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    return TEXT.question(EN, decision, GAME.view(state, seat), NAMES)
