"""A random game in which, at each step, every observer is shown the table and a resampled one.

The resampled state is one that the observer cannot tell from the real one (`Game.resample`).
Whatever observers are given of the two must be the same, and so must what they hear and see of the
same action in both, unless a secret comes out by the rules. Where words of the action are not for
them, they must hear the same of others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import product
from random import Random
from typing import Any, NamedTuple

import msgspec

from bot.game.chance import ChanceMismatch, RecordedChance
from bot.game.choices import Domain, Done
from bot.game.contract import (
    SPECTATOR,
    Action,
    AnyGame,
    Event,
    IllegalAction,
    Observer,
    Seat,
)
from bot.policy.random import BLIND, random_policy
from bot.tables.core.table_lines import NOBODY
from bot.titles.title import Title
from bot.tools.noninterference.computers import computers
from bot.tools.noninterference.shown import Kind, shown
from bot.tools.playing import ComputerPlayer, Played, play

CHATTY = 0.15
"""How often somebody makes a free move, such as an offer."""
IMAGE_EVERY = 5
"""Pictures are expensive: one is drawn for each this many resampled states."""
UNTOLD = "?"
"""What replaces each digit of a word of which only part is told."""
TRIED = 20
"""Words tried to find another of which the same is told."""
AROUND = 60
"""Characters shown on either side of where two outputs differ."""


class GameSetting(NamedTuple):
    """A table to play at; the version of its rules, where known, is for the report."""

    seats: int
    options: Mapping[str, str]
    seed: str
    version: int | None = None

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        rules = "" if self.version is None else f", rules version {self.version}"
        return f"{self.seats} players, {options}, seed {self.seed}{rules}"


class Leak(NamedTuple):
    """What gave a secret away, to whom and when. `step` counts the actions before."""

    where: str
    step: int
    observer: Observer
    kind: Kind
    difference: str

    def __str__(self) -> str:
        who = "a spectator" if self.observer == SPECTATOR else f"seat {self.observer}"
        return f"{self.where}, step {self.step}: {self.kind} of {who}\n{self.difference}"


class CheckedGame(NamedTuple):
    """How many outputs were compared, of each kind; and the first leak, which ends a game.

    `revealed` counts the actions that told an observer something new by the rules.
    """

    checks: Mapping[str, int]
    revealed: int
    leak: Leak | None


def settings(game: AnyGame, seed: int) -> Iterator[GameSetting]:
    """Every combination of options and players once, in an order that the seed decides."""
    names = [option.name for option in game.options]
    chosen = product(*(option.values for option in game.options))
    tables = [
        (seats, dict(zip(names, each, strict=True))) for each in chosen for seats in game.seats
    ]
    Random(seed).shuffle(tables)
    for number, (seats, options) in enumerate(tables):
        yield GameSetting(seats, options, f"{seed}.{number}", game.version)


def check_game(title: Title, setting: GameSetting, most: int | None = None) -> CheckedGame:
    """A whole game, or until `most` outputs have been compared."""
    return _Comparison(title, setting).run(most)


class _Comparison:
    """Watches one game."""

    def __init__(self, title: Title, setting: GameSetting) -> None:
        self._title = title
        self._game = title.game
        self._setting = setting
        self._checks: Counter[str] = Counter()
        self._revealed = self._comparisons = self._step = 0

    def run(self, most: int | None) -> CheckedGame:
        """Plays and compares."""
        game, setting = self._game, self._setting
        rng = Random(setting.seed)
        before = b""
        heard: Sequence[Event] = ()
        leak = None
        for played in play(game, _players(self._title, setting, rng), setting.options, rng):
            if played.seat != NOBODY:
                leak = self._compare_observers(before, heard, played)
                self._step += 1
            if leak is not None or (most is not None and self._checks.total() >= most):
                break
            before, heard = game.encode(played.state), played.events
        return CheckedGame(dict(self._checks), self._revealed, leak)

    def _compare_observers(
        self, before: bytes, heard: Sequence[Event], played: Played
    ) -> Leak | None:
        """Every observer of the state before an action, and of the action."""
        for observer in (SPECTATOR, *range(self._setting.seats)):
            real = self._game.decode(before)
            rng = Random(f"{self._setting.seed}:{self._step}:{observer}")
            resampled = self._game.resample(real, observer, rng)
            if self._game.encode(resampled) == before:
                # Nothing is hidden from them: comparing would prove nothing.
                continue
            self._comparisons += 1
            observed = heard_by(heard, observer)
            for kind, one, other in (
                *self._states(real, resampled, observer, observed),
                *self._actions(real, resampled, observer, played),
            ):
                self._checks[kind] += 1
                if one != other:
                    where = f"{self._game.name}, {self._setting}"
                    return Leak(where, self._step, observer, kind, difference(one, other))
        return None

    def _states(
        self, real: Any, resampled: Any, observer: Observer, heard: Sequence[Event]
    ) -> Iterator[tuple[Kind, str | bytes, str | bytes]]:
        seats = self._setting.seats
        with_image = self._comparisons % IMAGE_EVERY == 0
        one, other = (
            shown(
                self._title,
                state,
                observer,
                heard,
                Random(self._step),
                seats=seats,
                with_image=with_image,
            )
            for state in (real, resampled)
        )
        for kind in one:
            yield kind, one[kind], other[kind]

    def _actions(
        self, real: Any, resampled: Any, observer: Observer, played: Played
    ) -> Iterator[tuple[Kind, str, str]]:
        """What the observer hears of the action in the resampled state; and of another one
        in the real state, where they are not told which it was."""
        game, seat, action = self._game, played.seat, played.action
        sealed = next((d for d in game.pending(real) if d.seat == seat and d.sealed), None)
        after = game.decode(game.encode(real))
        heard = heard_by(game.apply(after, seat, action, RecordedChance(played.drawn)), observer)
        if sealed is not None and sealed.id not in _ids(game, after, seat):
            self._revealed += 1
            return
        cases = [(resampled, action)]
        if not (played.events and played.events[0].heard_by(observer)):
            told = set() if sealed is not None else said(heard)
            untold = set(action) if sealed is not None else said(played.events) - told
            cases.append((real, self._otherwise(real, seat, action, told, untold)))
        for state, otherwise in cases:
            then = game.decode(game.encode(state))
            chance = RecordedChance(played.drawn)
            try:
                observed = heard_by(game.apply(then, seat, otherwise, chance), observer)
                chance.finish()
            except (IllegalAction, ChanceMismatch):
                # Then the action itself, or what was drawn, tells the two apart.
                continue
            if revealed(self._title, observed) != revealed(self._title, heard):
                self._revealed += 1
                continue
            yield Kind.EVENTS, _as_text(heard), _as_text(observed)
            if state is resampled and game.outcome(after) is None:
                # What else was done shows in open hands: see `bot.tools.noninterference.histories`.
                shows, other = (_as_text(game.view(each, observer)) for each in (after, then))
                yield Kind.VIEW, shows, other
                asks, other = (_as_text(game.pending(each)) for each in (after, then))
                yield Kind.AWAITED, asks, other

    def _otherwise(
        self, state: Any, seat: Seat, action: Action, told: Set[str], untold: Set[str]
    ) -> Action:
        """An action of the same kind with other words where they were not told."""
        rng, made = Random(self._step), action[:1]
        for word in (*action[1:], None):
            try:
                choices = self._game.legal(state, seat, made)
            except IllegalAction:
                return action
            if isinstance(choices, Done):
                break
            keep = word is not None and word not in untold and choices.admits(word)
            made = (*made, word if keep and word is not None else another(choices, word, told, rng))
        return made


def another(choices: Domain, word: str | None, told: Set[str], rng: Random) -> str:
    """Another word of which the observer would be told the same, if one is soon found."""
    parts = [fact for fact in told if UNTOLD in fact and word and _part(word, fact) == fact]
    for _ in range(TRIED):
        other = choices.sample(rng)
        if all(_part(other, fact) == fact for fact in parts):
            return other
    # Whether it can be said here, whoever takes the action will find out.
    return word or ""


def _part(word: str, told: str) -> str:
    """What would be told of `word` with its digits hidden where those of `told` are."""
    if len(word) != len(told):
        return ""
    return "".join(
        UNTOLD if theirs == UNTOLD and mine.isdecimal() else mine
        for mine, theirs in zip(word, told, strict=True)
    )


def difference(one: str | bytes, other: str | bytes) -> str:
    """Where two outputs differ, in two lines."""
    if isinstance(one, bytes) or isinstance(other, bytes):
        return f"{len(one)} bytes and {len(other)} bytes that differ"
    at = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    part = slice(max(at - AROUND, 0), at + AROUND)
    return f"  real: {one[part]!r}\n  twin: {other[part]!r}"


def _players(title: Title, setting: GameSetting, rng: Random) -> list[ComputerPlayer]:
    """Computer players of all kinds, in any order; random ones also make many offers."""
    kinds = [ComputerPlayer(policy, name in BLIND) for name, policy in computers(title).items()]
    kinds.append(ComputerPlayer(random_policy(title.game.moves, CHATTY), blind=True))
    return rng.choices(kinds, [1] * (len(kinds) - 1) + [2], k=setting.seats)


def _ids(game: AnyGame, state: Any, seat: Seat) -> set[str]:
    return {each.id for each in game.pending(state) if each.seat == seat}


def revealed(title: Title, events: Sequence[Event]) -> list[Event]:
    """Those of the events by which something comes out by the rules."""
    return [event for event in events if isinstance(event, title.revealing)]


def heard_by(events: Sequence[Event], observer: Observer) -> list[Event]:
    """Those of the events that the observer hears."""
    return [event for event in events if event.heard_by(observer)]


def said(events: Sequence[Event]) -> set[str]:
    """The words that are facts of the events."""
    facts = [fact for event in events for fact in event.facts.values()]
    return {str(fact) for fact in facts} | {
        str(each) for fact in facts if isinstance(fact, tuple) for each in fact
    }


def _as_text(output: object) -> str:
    return msgspec.json.encode(output).decode()
