"""Kontor as a library: the rules, computer players, words and pictures of its games.

It is imported by the name under which it is installed. What this package lists in `__all__` is
meant to stay; the modules of `bot` behind it may move. docs/library.md shows its use.

A state holds everybody's secrets. Who looks as one seat, or as a spectator, is given a view of it
(`Game.view`), and whatever here tells or shows something takes such a view; of events it tells
those that the view's observer has heard. Games out of files are read by `kontor.exports`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from bot import __version__
from bot.game.chance import KeyedChance, RandomChance
from bot.game.choices import Amount, Bundle, Choices, Done, Grouping, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    Chance,
    Decision,
    Event,
    IllegalAction,
    Move,
    Observer,
    Option,
    Outcome,
    Refusal,
    Seat,
    canonical,
    parse_action,
)
from bot.game.game import AnyGame, Game
from bot.game.hidden import View
from bot.game.versions import UnknownTitle
from bot.policy.contract import Policy
from bot.render.palettes import NAMES as PALETTES
from bot.text.user_text import plain, shown_names
from bot.text.words import words_for
from bot.titles import TITLES

__all__ = [
    "PALETTES",
    "SPECTATOR",
    "Action",
    "Amount",
    "AnyGame",
    "AnyView",
    "Bundle",
    "Chance",
    "Choices",
    "Decision",
    "Done",
    "Event",
    "Game",
    "Grouping",
    "IllegalAction",
    "KeyedChance",
    "Move",
    "Observer",
    "OneOf",
    "Option",
    "Outcome",
    "Policy",
    "RandomChance",
    "Refusal",
    "Seat",
    "UnknownTitle",
    "__version__",
    "actions",
    "answer",
    "canonical",
    "describe",
    "draw",
    "game",
    "games",
    "parse_action",
    "parts",
    "players",
    "story",
]


AnyView = View[Any]
"""What an observer knows of a table: who looks, and in `known` a state with blanks."""


def games() -> Mapping[str, tuple[int, ...]]:
    """The names of all games, with the versions of their rules, the newest last."""
    return {name: TITLES.games.versions(name) for name in sorted(TITLES)}


def game(name: str, version: int | None = None) -> AnyGame:
    """The rules of a game, the newest unless a version is named. Raises UnknownTitle."""
    return TITLES.games[name] if version is None else TITLES.games.of(name, version)


def actions(rules: AnyGame, state: Any, seat: Seat, prefix: Action = ()) -> Iterator[Action]:
    """Every whole action that is open to a seat and begins with `prefix`, in a fixed order.

    There may be very many: an offer gives any pieces for any others. Raises IllegalAction where
    the prefix is not allowed.
    """
    choices = rules.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    for word in choices.each():
        yield from actions(rules, state, seat, (*prefix, word))


def players(rules: AnyGame) -> Mapping[str, Policy]:
    """The computer players of a game by name; each looks at a view alone."""
    return TITLES.of(rules.name, rules.version).players


def answer(rules: AnyGame, state: Any, decision: Decision, player: Policy, rng: Random) -> Action:
    """What a computer player answers to a decision: a legal action of the decision's seat."""
    legal = partial(rules.legal, state, decision.seat)
    return player(rules.view(state, decision.seat), decision, legal, rng)


def draw(
    rules: AnyGame,
    view: AnyView,
    events: Iterable[Event] = (),
    *,
    names: Sequence[str] = (),
    language: str = "en",
    part: str | None = None,
    palette: str = PALETTES[0],
) -> bytes:
    """The table as a PNG, or one of its `parts`, large. What happened in `events` is marked, as far
    as the observer heard of it.

    `names` are the players' by seat; a language that there is not is English. `palette` is one of
    `PALETTES`. Raises ValueError for an unknown part or palette.
    """
    if palette not in PALETTES:
        raise ValueError(f"there is no palette {palette!r}, only {PALETTES}")
    title, words = TITLES.of(rules.name, rules.version), words_for(language)
    pictures = title.pictures
    called = shown_names(words, names or [""] * len(view.known.players))
    shown, heard = plain(called), _heard(rules, view, events)
    if part is None:
        picture = pictures.draw(view, shown, heard, None, words.drawn)
    elif part not in pictures.parts(view):
        raise ValueError(f"there is no part {part!r} of this table; `parts` lists those there are")
    else:
        said = title.text(words, called, view).close_up(part)
        legend = {} if said is None else said.legend
        picture = pictures.draw_part(view, shown, heard, part, legend, None, words.drawn)
    return pictures.colours.of(picture, palette)


def parts(rules: AnyGame, view: AnyView) -> tuple[str, ...]:
    """The parts of the table that can be drawn large: a seat's by its number, others by a word."""
    return TITLES.of(rules.name, rules.version).pictures.parts(view)


def describe(
    rules: AnyGame, view: AnyView, *, names: Sequence[str] = (), language: str = "en"
) -> str:
    """The table in words, as Discord markdown of at most 1900 characters."""
    words = words_for(language)
    shown = shown_names(words, names or [""] * len(view.known.players))
    return TITLES.of(rules.name, rules.version).text(words, shown, view).board()


def story(
    rules: AnyGame,
    view: AnyView,
    events: Iterable[Event],
    *,
    names: Sequence[str] = (),
    language: str = "en",
) -> list[str]:
    """What happened, as far as the observer heard of it: lines of Discord markdown."""
    words = words_for(language)
    shown = shown_names(words, names or [""] * len(view.known.players))
    text = TITLES.of(rules.name, rules.version).text(words, shown, view)
    return text.story(_heard(rules, view, events))


def _heard(rules: AnyGame, view: AnyView, events: Iterable[Event]) -> list[Event]:
    # The game's words do not know table events, such as a pause.
    return [each for each in events if each.visible_to(view.observer) and each.kind in rules.events]
