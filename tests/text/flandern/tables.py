"""Whole games of Flandern 1302, step by step, for tests that look at every moment."""

from __future__ import annotations

from functools import partial

from bot.game.choices import Choices, Grouping, OneOf
from bot.game.contract import Seat
from bot.game.flandern import GAME
from bot.game.flandern.state import FlandernState
from bot.text.flandern.game_text import FlandernText
from bot.text.words import words_for
from tests.text.moments import moments_of
from tests.text.people import called

TEXT, EN = FlandernText(), words_for("en")
NAMES = called("Anna", "Bob", "Cleo", "Do_ra")

moments = partial(moments_of, GAME)


def labels(state: FlandernState, line: str = "", seat: Seat = 0) -> dict[str, str]:
    """What a seat's choices after a line say, by word."""
    prefix = tuple(line.split())
    choices: Choices = GAME.legal(state, seat, prefix)
    assert isinstance(choices, OneOf)
    view = GAME.view(state, seat)
    return {
        word: TEXT.label(EN, prefix, choices, word, view, NAMES).text for word in choices.values
    }


def group_labels(state: FlandernState, line: str, seat: Seat = 0) -> list[str]:
    """What the groups of a seat's choices after a line are called."""
    prefix = tuple(line.split())
    choices = GAME.legal(state, seat, prefix)
    assert isinstance(choices, OneOf)
    by: Grouping
    (by,) = choices.groups
    names = OneOf(by.param, tuple(dict.fromkeys(map(by.of, choices.values))))
    view = GAME.view(state, seat)
    return [TEXT.label(EN, prefix, names, word, view, NAMES).text for word in names.values]


def question(state: FlandernState, seat: Seat = 0) -> str:
    """What a seat is asked."""
    decision = next(each for each in GAME.pending(state) if each.seat == seat)
    return TEXT.question(EN, decision, GAME.view(state, seat), NAMES)
