"""Kontor as a library: the rules, computer players, words and pictures of its games.

The names in `__all__` are stable; the modules of `bot` behind them may change. See docs/library.md.

A state includes all secrets. A view (`Game.view`) includes only what one observer, a seat or a
spectator, may know. Functions that describe or draw a table take a view, and show only the events
that its observer may see. `kontor.exports` reads games from files.
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
"""An observer's view of a table: the observer, and in `known` a state with blanks."""


def games() -> Mapping[str, tuple[int, ...]]:
    """Return the names of all games, with the versions of their rules, the newest last."""
    return {name: TITLES.games.versions(name) for name in sorted(TITLES)}


def game(name: str, version: int | None = None) -> AnyGame:
    """Return the rules of a game, by default the newest version. Raise UnknownTitle."""
    return TITLES.games[name] if version is None else TITLES.games.of(name, version)


def actions(rules: AnyGame, state: Any, seat: Seat, prefix: Action = ()) -> Iterator[Action]:
    """Yield all legal actions of a seat that start with `prefix`, in a fixed order.

    There may be very many, as an offer can exchange any pieces. Raise IllegalAction if the prefix
    is illegal.
    """
    choices = rules.legal(state, seat, prefix)
    if isinstance(choices, Done):
        yield prefix
        return
    for word in choices.each():
        yield from actions(rules, state, seat, (*prefix, word))


def players(rules: AnyGame) -> Mapping[str, Policy]:
    """Return the computer players of a game by name. They get only a view."""
    return TITLES.of(rules.name, rules.version).players


def answer(rules: AnyGame, state: Any, decision: Decision, player: Policy, rng: Random) -> Action:
    """Return a computer player's action for a decision."""
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
    """Draw the table, or an enlarged one of its `parts`, as a PNG. Highlight visible `events`.

    `names` are those of the players by seat. An unknown language falls back to English. `palette`
    is one of `PALETTES`. Raise ValueError for an unknown part or palette.
    """
    if palette not in PALETTES:
        raise ValueError(f"there is no palette {palette!r}, only {PALETTES}")
    title, words = TITLES.of(rules.name, rules.version), words_for(language)
    pictures = title.pictures
    shown = shown_names(words, names or [""] * len(view.known.players))
    labels, visible = plain(shown), _visible(rules, view, events)
    if part is None:
        picture = pictures.draw(view, labels, visible, None, words.drawn)
    elif part not in pictures.parts(view):
        raise ValueError(f"there is no part {part!r} of this table; `parts` lists those there are")
    else:
        close_up = title.text(words, shown, view).close_up(part)
        legend = {} if close_up is None else close_up.legend
        picture = pictures.draw_part(view, labels, visible, part, legend, None, words.drawn)
    return pictures.colours.of(picture, palette)


def parts(rules: AnyGame, view: AnyView) -> tuple[str, ...]:
    """Return the parts of the table that can be enlarged: seats by number, others by name."""
    return TITLES.of(rules.name, rules.version).pictures.parts(view)


def describe(
    rules: AnyGame, view: AnyView, *, names: Sequence[str] = (), language: str = "en"
) -> str:
    """Describe the table in Discord markdown of at most 1900 characters."""
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
    """Describe the events that the observer may see, in lines of Discord markdown."""
    words = words_for(language)
    shown = shown_names(words, names or [""] * len(view.known.players))
    text = TITLES.of(rules.name, rules.version).text(words, shown, view)
    return text.story(_visible(rules, view, events))


def _visible(rules: AnyGame, view: AnyView, events: Iterable[Event]) -> list[Event]:
    # The texts of a game do not cover events of the table, such as a pause.
    return [each for each in events if each.visible_to(view.observer) and each.kind in rules.events]
