"""Two histories of a game that differ in what is done in secret, as one observer remembers them.

The other history begins where the first one does, or in a state that the observer cannot tell from
it. In it others lay, bid or offer something else where the observer is not told what, and change
their sealed choices more or less often. All that the observer has ever been given of the two must
be the same, moment by moment, until a secret comes out by the rules: so a hand before and after, an
offer that falls, who is asked and how often anything changed are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, NamedTuple

import msgspec

from bot.game.chance import ChanceMismatch, RandomChance, RecordedChance
from bot.game.choices import Done, OneOf
from bot.game.contract import SPECTATOR, Action, AnyGame, Event, IllegalAction, Observer, Seat
from bot.policy.random import random_action
from bot.titles.title import Title
from bot.tools.noninterference.game import (
    GameSetting,
    Leak,
    another,
    difference,
    heard_by,
    revealed,
    said,
)
from bot.tools.noninterference.shown import Kind
from bot.tools.playing import Played

TALKED = 0.4
"""How often somebody makes a free move, such as an offer."""
LENGTH = 12
"""A history is followed for at most this many actions."""
MOST_ALIKE = 4
"""A game is left after this many actions in a row in which nothing else could be done in secret."""
MOST_CHANGES = 3
"""How often in a row a sealed choice is made anew, at most."""
CHANGED_BACK = 0.7
"""How often it ends as it was before."""
RESAMPLED = 0.5
"""How often a history begins in another state."""


class Compared(NamedTuple):
    """How many histories were compared, in how many moments; and the first leak."""

    histories: int
    moments: int
    leak: Leak | None


def check_histories(title: Title, setting: GameSetting, most: int) -> Compared:
    """The histories of a whole game, or the first `most` of them."""
    return _Historian(title, setting).run(most)


class _Other:
    """The other history of one observer: where it stands, and the sealed choices made in it."""

    def __init__(self, state: Any, observer: Observer, differs: bool) -> None:
        self.state = state
        self.observer = observer
        self.differs = differs
        self.chosen: dict[Seat, Action] = {}
        self.moments = self.steps = 0
        self.is_over = False


class _Historian:
    """Follows one game, and one other history after another along with it."""

    def __init__(self, title: Title, setting: GameSetting) -> None:
        self._title = title
        self._game = title.game
        self._setting = setting
        self._rng = Random(f"{setting.seed}:histories")
        name, value = title.read_off
        self._may_lay_otherwise = not name or setting.options.get(name) != value
        self._histories = self._moments = self._alike = 0
        self._observer = SPECTATOR

    def run(self, most: int) -> Compared:
        """Plays and compares."""
        other: _Other | None = None
        for step, (before, played) in enumerate(self._games()):
            other = other or self._begin(self._game.decode(before))
            leak = self._follow(other, played, step)
            if leak is not None:
                return Compared(self._histories + 1, self._moments + other.moments, leak)
            if other.is_over:
                self._end(other)
                other = None
            if self._histories >= most or self._alike >= MOST_ALIKE:
                break
        if other is not None:
            self._end(other)
        return Compared(self._histories, self._moments, None)

    def _games(self) -> Iterator[tuple[bytes, Played]]:
        """A random game in which much is offered and little answered: the encoded state before each
        action, and the action."""
        game, setting, rng = self._game, self._setting, Random(self._setting.seed)
        chance = RandomChance(rng)
        state = game.setup(setting.seats, setting.options, chance)
        while game.outcome(state) is None:
            asked = [each.seat for each in game.pending(state) if not each.optional]
            seat, free = rng.choice(asked), False
            if rng.random() < TALKED:
                seat, free = rng.randrange(setting.seats), True
            kinds = _kinds(game, state, seat, free=free)
            if not kinds:
                continue
            before = game.encode(state)
            action = random_action((rng.choice(kinds),), partial(game.legal, state, seat), rng)
            chance.drawn.clear()
            events = game.apply(state, seat, action, chance)
            yield before, Played(seat, action, tuple(chance.drawn), events, state)

    def _begin(self, state: Any) -> _Other:
        """Another history from there on; the state becomes its own."""
        observer = self._observer
        self._observer = SPECTATOR if observer == self._setting.seats - 1 else observer + 1
        if self._rng.random() < RESAMPLED:
            resampled = self._game.resample(state, observer, self._rng)
            return _Other(
                resampled, observer, self._game.encode(resampled) != self._game.encode(state)
            )
        return _Other(state, observer, False)

    def _end(self, other: _Other) -> None:
        self._alike = 0 if other.differs else self._alike + (other.steps == LENGTH)
        if other.differs:
            self._histories += 1
            self._moments += other.moments

    def _follow(self, other: _Other, played: Played, step: int) -> Leak | None:
        """Continues the other history as the first did, as far as the observer is told."""
        game, observer = self._game, other.observer
        leak = self._choose_anew(other, step)
        if leak is not None or other.is_over:
            return leak
        sealed = self._is_sealed(other.state, played)
        action = self._otherwise(other, played, sealed=sealed)
        if sealed:
            other.chosen[played.seat] = action
        chance = RecordedChance(played.drawn)
        try:
            events = game.apply(other.state, played.seat, action, chance)
            chance.finish()
        except (IllegalAction, ChanceMismatch):
            # The action itself, or what was drawn, tells the two apart.
            other.is_over = True
            return None
        heard, other_heard = heard_by(played.events, observer), heard_by(events, observer)
        if (
            revealed(self._title, heard) != revealed(self._title, other_heard)
            or game.outcome(played.state) is not None
        ):
            other.is_over = True
            return None
        other.differs |= action != played.action
        other.steps += 1
        other.is_over = other.steps == LENGTH
        return self._compare(
            other, self._observed(played.state, observer, heard), other_heard, step
        )

    def _choose_anew(self, other: _Other, step: int) -> Leak | None:
        """Others change sealed choices, some of them back again; nobody may notice anything, unless
        the new choice settles the matter and so comes out."""
        game, rng = self._game, self._rng
        for asked in game.pending(other.state):
            if not (asked.sealed and asked.optional) or asked.seat == other.observer:
                continue
            seat, was = asked.seat, self._observed(other.state, other.observer, [])
            actions = [self._any(other.state, seat) for _ in range(rng.randint(0, MOST_CHANGES))]
            if actions and seat in other.chosen and rng.random() < CHANGED_BACK:
                actions.append(other.chosen[seat])
            for action in actions:
                other.chosen[seat], other.differs = action, True
                events = game.apply(other.state, seat, action, RecordedChance(()))
                if revealed(self._title, heard_by(events, other.observer)):
                    other.is_over = True
                    return None
                leak = self._compare(other, was, heard_by(events, other.observer), step)
                if leak is not None:
                    return leak
        return None

    def _any(self, state: Any, seat: Seat) -> Action:
        """A sealed choice at random."""
        kind, *_ = _kinds(self._game, state, seat, free=False)
        return random_action((kind,), partial(self._game.legal, state, seat), self._rng)

    def _is_sealed(self, state: Any, played: Played) -> bool:
        """Whether the action is a sealed choice."""
        asked = (d for d in self._game.pending(state) if d.seat == played.seat and d.sealed)
        return not self._game.moves[played.action[0]].free and any(asked)

    def _otherwise(self, other: _Other, played: Played, *, sealed: bool) -> Action:
        """The action with other words where the observer is not told which they are."""
        game, state, seat, action = self._game, other.state, played.seat, played.action
        told = said(heard_by(played.events, other.observer))
        untold = said(played.events) - told
        if seat == other.observer or not (sealed or self._may_lay_otherwise):
            return action
        made = action[:1]
        try:
            for word in action[1:]:
                choices = game.legal(state, seat, made)
                if isinstance(choices, Done):
                    return action
                made = (*made, another(choices, word, told, self._rng) if word in untold else word)
            whole = isinstance(game.legal(state, seat, made), Done)
        except IllegalAction:
            return action
        return made if whole else action

    def _observed(self, state: Any, observer: Observer, heard: Sequence[Event]) -> str:
        """Everything the observer is given at a moment."""
        game = self._game
        kinds = () if observer == SPECTATOR else game.legal(state, observer)
        moment = (heard, game.view(state, observer), game.pending(state), kinds)
        return msgspec.json.encode(moment).decode()

    def _compare(self, other: _Other, was: str, heard: Sequence[Event], step: int) -> Leak | None:
        other.moments += 1
        became = self._observed(other.state, other.observer, heard)
        if was == became:
            return None
        where = f"{self._game.name}, {self._setting}"
        return Leak(where, step, other.observer, Kind.HISTORY, difference(was, became))


def _kinds(game: AnyGame, state: Any, seat: Seat, *, free: bool) -> list[str]:
    """The kinds of action open to the seat: the free ones, or those that answer what is asked,
    without giving up a turn."""
    kinds = game.legal(state, seat)
    assert isinstance(kinds, OneOf)
    moves = [game.moves[kind] for kind in kinds.values]
    return [move.kind for move in moves if move.free is free and not move.skips]
