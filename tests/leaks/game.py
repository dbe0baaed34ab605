"""A random game and twins of it that one observer must not be able to tell apart.

A twin starts from the game's state, or from one that looks the same to the observer
(`Game.resample`). It follows the game except for secrets: other players play, bid or offer
something else where the observer does not see what, and change sealed choices more or less often.
All outputs to the observer must be equal after every action, until the rules reveal a secret.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from itertools import product
from random import Random
from typing import Any, NamedTuple, TypeVar

import msgspec

from bot.cogs.panel.browsing import Group, Place, level, listed, usable_pieces
from bot.game import trial as trials
from bot.game.chance import ChanceMismatch, RandomChance, RecordedChance
from bot.game.choices import Amount, Bundle, Choices, Domain, Done, OneOf
from bot.game.contract import (
    ANSWER,
    SPECTATOR,
    Action,
    Decision,
    Event,
    IllegalAction,
    Observer,
    Refusal,
    Seat,
)
from bot.game.game import AnyGame
from bot.game.kogge.state import numbers_seen_in_the_bag
from bot.policy.contract import STRONG, Legal, Policy
from bot.policy.random import RANDOM, random_action
from bot.policy.search import strong
from bot.render.asked import AskedWords
from bot.text.contract import Unreadable
from bot.text.game_words import AnyGameWords
from bot.text.user_text import Written, plain
from bot.text.words import Words
from bot.titles.title import Title

T = TypeVar("T")

NAMES = tuple(map(Written, ("Anna", "Bert", "Clara", "Dirk", "Emil", "Frida")))
WORDS = Words()

# How the game is played

FREE_MOVES = 0.3
"""Probability of a free move, such as an offer."""
ANSWERS = 0.3
"""Probability that an open offer is answered before the game continues."""
RANDOM_PLAYER = 0.5
"""Probability of a random action; otherwise a computer player chooses."""
CANDIDATES, NODES = 2, 60
"""A small search: what the strong player may know does not depend on how long it searches."""

# How a twin differs

RESAMPLES = 0.7
"""Probability that a twin starts in another state."""
LENGTH = 12
"""Actions after which a twin ends."""
MAX_CHANGES = 3
"""The largest number of changes of a sealed choice in a row."""
CHANGES_BACK = 0.7
"""Probability that the original choice is made again at the end."""
HIDDEN = "?"
"""Replaces each hidden digit of a word that events show only in part."""
TRIES = 20
"""Words tried to find another whose visible part is the same."""

SEEN: Mapping[str, Callable[[Any, Observer], object]] = {
    "kogge": lambda known, observer: [
        known.bag[number] for number in numbers_seen_in_the_bag(known, observer)
    ]
}
"""Parts of an observer's view that may reveal a secret by the rules without an event (Kogge's
ruling 45)."""

# What is compared

FULL_EVERY = 8
"""Every this many moments all outputs are compared, at the others only the rules' own."""
IMAGE_EVERY = 5
"""Every this many full comparisons pictures are drawn too: they are expensive."""
LABELLED = 25
"""Words of a choice whose labels are compared; a select or an autocomplete shows as many."""
FOLLOWED = 2
"""Words with which an action is continued, and questions marked on pictures."""
PLAN_LENGTH = 3
"""Actions of a plan."""
CONTEXT = 60
"""Characters shown on each side of a difference."""


class Kind(StrEnum):
    """Kinds of output to an observer."""

    VIEW = "view"
    TO_ACT = "to_act"
    CHOICES = "choices"
    EVENTS = "events"
    TEXT = "text"
    ALT = "alt"
    IMAGE = "image"
    COMPUTER = "computer"
    """Actions of computer players in the observer's seat."""
    PLAN = "plan"
    """Outputs of a plan: see `bot.game.trial`."""
    MESSAGE = "message"
    """Messages of the bot: see `tests.leaks.bot`."""


class Setting(NamedTuple):
    """The settings of a table."""

    seats: int
    options: Mapping[str, str]
    seed: str

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.seats} players, {options}, seed {self.seed}"


class Leak(NamedTuple):
    """The output that revealed a secret, and its observer. `step` counts the actions before."""

    where: str
    step: int
    observer: Observer
    kind: Kind
    difference: str

    def __str__(self) -> str:
        observer = "a spectator" if self.observer == SPECTATOR else f"seat {self.observer}"
        return f"{self.where}, step {self.step}: {self.kind} of {observer}\n{self.difference}"


@dataclass
class Found:
    """The first leak, and counts of what was compared: outputs by kind, and

    - games, and moments in them at which the rules' own outputs were compared;
    - histories: twins that differed from the game;
    - revealed: how often the rules revealed a secret.
    """

    leak: Leak | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Found) -> None:
        """Add the result of another check."""
        self.counts += other.counts
        self.leak = self.leak or other.leak

    @property
    def outputs(self) -> int:
        """The number of outputs compared without the bot."""
        return sum(self.counts[kind] for kind in Kind if kind is not Kind.MESSAGE)


def settings(game: AnyGame, seed: int) -> Iterator[Setting]:
    """Yield every combination of options and players once, in random order."""
    names = [option.name for option in game.options]
    chosen = product(*(option.values for option in game.options))
    tables = [
        (seats, dict(zip(names, each, strict=True))) for each in chosen for seats in game.seats
    ]
    Random(seed).shuffle(tables)
    for number, (seats, options) in enumerate(tables):
        yield Setting(seats, options, f"{seed}.{number}")


class Move(NamedTuple):
    """An action of a seat, and the id of the decision it answers; None for a free move."""

    seat: Seat
    action: Action
    decision: str | None


def any_move(title: Title, state: Any, seats: int, rng: Random) -> Move:
    """Return a random move: a free move, an answer to an offer, or a decision.

    Actions that the bot takes when a panel is opened come before all others.
    """
    game, pending = title.game, title.game.pending(state)
    asked = [decision for decision in pending if not decision.optional]
    opening = [decision for decision in asked if is_on_opening(game, decision)]
    if not opening and rng.random() < FREE_MOVES:
        seat = rng.randrange(seats)
        legal = partial(game.legal, state, seat)
        if free := [kind for kind in kinds(legal) if game.moves[kind].free]:
            return Move(seat, random_action((rng.choice(free),), legal, rng), None)
    offers = [decision for decision in pending if decision.kind == ANSWER]
    decision = rng.choice(opening or (offers if offers and rng.random() < ANSWERS else asked))
    seat, players = decision.seat, computers(title)
    name = RANDOM if rng.random() < RANDOM_PLAYER else rng.choice(list(players))
    legal = partial(game.legal, state, seat)
    action = players[name](game.view(state, seat), decision, legal, rng)
    return Move(seat, action, None if game.moves[action[0]].free else decision.id)


def kinds(legal: Legal) -> tuple[str, ...]:
    """Return the legal kinds of action."""
    choices = legal(())
    assert isinstance(choices, OneOf)
    return choices.values


def is_on_opening(game: AnyGame, decision: Decision) -> bool:
    """Check whether opening the panel answers a decision."""
    move = game.moves.get(decision.kind)
    return move is not None and move.on_opening


def computers(title: Title) -> Mapping[str, Policy]:
    """Return the computer players by name, the strong one with a small search."""
    if title.judgement is None:
        return title.quick_players
    judgement = title.judgement
    small = replace(judgement, max_candidates=CANDIDATES, rounds=0)
    return {**title.quick_players, STRONG: strong(small, NODES)}


def check_game(
    title: Title, setting: Setting, checks: float = float("inf"), histories: float = float("inf")
) -> Found:
    """Check a whole game, or until enough outputs and histories have been compared."""
    return _Comparison(title, setting).run(checks, histories)


@dataclass
class _Twin:
    """The state of a twin, and the sealed choices made in it."""

    observer: Observer
    state: Any
    differs: bool
    steps: int = 0
    chosen: dict[Seat, Action] = field(default_factory=dict)


class _Comparison:
    """One game, and at any time one twin for each observer."""

    def __init__(self, title: Title, setting: Setting) -> None:
        self._title = title
        self._game = title.game
        self._setting = setting
        self._rng = Random(f"{setting.seed}:twins")
        name, value = title.open_hands
        self._may_vary = not name or setting.options.get(name) != value
        self._found = Found(counts=Counter(games=1))
        self._step = self._differing = 0

    def run(self, checks: float, histories: float) -> Found:
        game, setting, found = self._game, self._setting, self._found
        rng = Random(setting.seed)
        chance = RandomChance(rng)
        state = game.setup(setting.seats, setting.options, chance)
        events: Sequence[Event] = ()
        twins: dict[Observer, _Twin] = {}
        while game.outcome(state) is None:
            for observer in (SPECTATOR, *range(setting.seats)):
                if observer not in twins:
                    twins[observer] = twin = self._twin(state, observer)
                    visible = visible_to(events, observer)
                    if not self._is_same(twin, state, visible, visible):
                        return found
                if not self._change_choices(twins[observer], state):
                    self._end(twins.pop(observer))
            if found.leak is not None or (
                found.outputs >= checks and found.counts["histories"] >= histories
            ):
                break
            move = any_move(self._title, state, setting.seats, rng)
            chance.drawn.clear()
            events = game.apply(state, move.seat, move.action, chance)
            self._step += 1
            for observer, twin in list(twins.items()):
                if not self._follow(twin, move, chance.drawn, events, state):
                    self._end(twins.pop(observer))
        for twin in twins.values():
            self._end(twin)
        return found

    def _twin(self, state: Any, observer: Observer) -> _Twin:
        before = self._game.encode(state)
        twin = self._game.decode(before)
        if self._rng.random() < RESAMPLES:
            twin = self._game.resample(twin, observer, self._rng)
        return _Twin(observer, twin, self._game.encode(twin) != before)

    def _end(self, twin: _Twin) -> None:
        self._found.counts["histories"] += twin.differs

    def _change_choices(self, twin: _Twin, state: Any) -> bool:
        """Change sealed choices of others, some of them back again.

        Returns False if a new choice completes the decision and is revealed, or if there is a
        leak.
        """
        game, rng, observer = self._game, self._rng, twin.observer
        for asked in game.pending(twin.state):
            seat = asked.seat
            if not (asked.sealed and asked.optional) or seat == observer:
                continue
            actions = [
                self._any_sealed(twin.state, seat) for _ in range(rng.randint(0, MAX_CHANGES))
            ]
            if actions and seat in twin.chosen and rng.random() < CHANGES_BACK:
                actions.append(twin.chosen[seat])
            for action in actions:
                twin.chosen[seat], twin.differs = action, True
                visible = visible_to(
                    game.apply(twin.state, seat, action, RecordedChance(())), observer
                )
                if self._revealed(visible) or not self._is_same(twin, state, [], visible):
                    return False
        return True

    def _any_sealed(self, state: Any, seat: Seat) -> Action:
        legal = partial(self._game.legal, state, seat)
        moves = [self._game.moves[kind] for kind in kinds(legal)]
        kind = next(move.kind for move in moves if not move.free and not move.skips)
        return random_action((kind,), legal, self._rng)

    def _follow(
        self, twin: _Twin, move: Move, drawn: Sequence[int], events: Sequence[Event], after: Any
    ) -> bool:
        """Take the game's move in the twin, with other words where the observer can't see them.

        `after` is the game's new state. Returns False if the twin ends.
        """
        game, observer, seat = self._game, twin.observer, move.seat
        asked = any(each.seat == seat and each.sealed for each in game.pending(twin.state))
        is_sealed = asked and not game.moves[move.action[0]].free
        visible = visible_to(events, observer)
        action = move.action
        if seat != observer and (is_sealed or self._may_vary):
            shown = words_of(visible)
            action = self._vary(twin.state, move, shown, words_of(events) - shown)
        if is_sealed:
            twin.chosen[seat] = action
        other_events = try_apply(game, twin.state, seat, action, drawn)
        if other_events is None or game.outcome(after) is not None:
            # The action or its draws are impossible in the twin, or the end reveals everything.
            return False
        other_visible = visible_to(other_events, observer)
        revealed = self._revealed(visible), self._seen(after, observer)
        if revealed != (self._revealed(other_visible), self._seen(twin.state, observer)):
            self._found.counts["revealed"] += 1
            return False
        twin.differs |= action != move.action
        twin.steps += 1
        return self._is_same(twin, after, visible, other_visible) and twin.steps < LENGTH

    def _vary(self, state: Any, move: Move, shown: Set[str], hidden: Set[str]) -> Action:
        """Return the action with other words where the observer can't see them."""
        legal = partial(self._game.legal, state, move.seat)
        action = move.action[:1]
        try:
            for word in move.action[1:]:
                choices = legal(action)
                if isinstance(choices, Done):
                    return move.action
                other = another(choices, word, shown, self._rng) if word in hidden else word
                action = (*action, other)
            return action if isinstance(legal(action), Done) else move.action
        except IllegalAction:
            return move.action

    def _revealed(self, events: Sequence[Event]) -> list[Event]:
        """Return the events that reveal a secret by the rules."""
        return [event for event in events if isinstance(event, self._title.revealing)]

    def _seen(self, state: Any, observer: Observer) -> object:
        seen = SEEN.get(self._game.name)
        return seen and seen(self._game.view(state, observer).known, observer)

    def _is_same(
        self, twin: _Twin, state: Any, visible: Sequence[Event], other_visible: Sequence[Event]
    ) -> bool:
        """Compare the outputs to the observer of the game and of the twin."""
        found, title, observer = self._found, self._title, twin.observer
        found.counts["moments"] += 1
        self._differing += twin.differs
        if is_full := twin.differs and self._differing % FULL_EVERY == 0:
            seats = self._setting.seats
            with_image = self._differing % (FULL_EVERY * IMAGE_EVERY) == 0
            one, other = (
                outputs(title, each, observer, events, seats, Random(self._step), with_image)
                for each, events in ((state, visible), (twin.state, other_visible))
            )
        else:
            one = rules_outputs(self._game, state, observer, visible)
            other = rules_outputs(self._game, twin.state, observer, other_visible)
        for kind in one:
            found.counts[kind] += is_full
            if one[kind] != other[kind]:
                where = f"{title}, {self._setting}"
                diff = difference(one[kind], other[kind])
                found.leak = Leak(where, self._step, observer, kind, diff)
                return False
        return True


def try_apply(
    game: AnyGame, state: Any, seat: Seat, action: Action, drawn: Sequence[int]
) -> Sequence[Event] | None:
    """Apply an action with these draws to a state, in place. Returns the events; None if the action
    or the draws are impossible."""
    chance = RecordedChance(drawn)
    try:
        events = game.apply(state, seat, action, chance)
        chance.finish()
    except (IllegalAction, ChanceMismatch):
        return None
    return events


def another(choices: Domain, word: str, shown: Set[str], rng: Random) -> str:
    """Return another word whose visible part is the same, or `word` if none is found."""
    parts = [fact for fact in shown if HIDDEN in fact and _part(word, fact) == fact]
    for _ in range(TRIES):
        other = choices.sample(rng)
        if all(_part(other, fact) == fact for fact in parts):
            return other
    return word


def _part(word: str, shown: str) -> str:
    """Return `word` with digits hidden where they are in `shown`."""
    if len(word) != len(shown):
        return ""
    return "".join(
        HIDDEN if mask == HIDDEN and char.isdecimal() else char
        for char, mask in zip(word, shown, strict=True)
    )


def difference(one: str | bytes, other: str | bytes) -> str:
    """Describe the first difference of two outputs in two lines."""
    if isinstance(one, bytes) or isinstance(other, bytes):
        return f"{len(one)} bytes and {len(other)} bytes that differ"
    at = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    part = slice(max(at - CONTEXT, 0), at + CONTEXT)
    return f"  real: {one[part]!r}\n  twin: {other[part]!r}"


def visible_to(events: Sequence[Event], observer: Observer) -> list[Event]:
    """Return the events that the observer may see."""
    return [event for event in events if event.visible_to(observer)]


def words_of(events: Sequence[Event]) -> set[str]:
    """Return the events' fields as words."""
    facts = [fact for event in events for fact in event.facts.values()]
    return {str(fact) for fact in facts} | {
        str(each) for fact in facts if isinstance(fact, tuple) for each in fact
    }


# Outputs to an observer

Outputs = dict[Kind, str | bytes]


def rules_outputs(
    game: AnyGame, state: Any, observer: Observer, events: Sequence[Event]
) -> Outputs:
    """Return what the rules show an observer of a state and of the latest events."""
    choices = () if observer == SPECTATOR else game.legal(state, observer)
    return {
        Kind.EVENTS: _as_text(events),
        Kind.VIEW: _as_text(game.view(state, observer)),
        Kind.TO_ACT: _as_text(game.pending(state)),
        Kind.CHOICES: _as_text(choices),
    }


def explore(
    game: AnyGame, state: Any, seat: Seat, rng: Random, prefix: Action = ()
) -> Iterator[tuple[Action, Choices | Refusal]]:
    """Yield a seat's choices, or refusals, after some prefixes of actions of each kind."""
    try:
        choices = game.legal(state, seat, prefix)
    except IllegalAction as refused:
        yield prefix, refused.refusal
        return
    yield prefix, choices
    words: Sequence[str] = ()
    if not prefix:
        words = list(game.moves)
    elif isinstance(choices, OneOf):
        words = some(choices.values, rng, FOLLOWED)
    elif isinstance(choices, Bundle):
        words = [_pieces(choices, rng) for _ in range(FOLLOWED)]
    elif isinstance(choices, Amount) and choices.size:
        words = [choices.sample(rng) for _ in range(FOLLOWED)]
    for word in words:
        yield from explore(game, state, seat, rng, (*prefix, word))


def _pieces(bundle: Bundle, rng: Random) -> str:
    """Return a word of the right size, legal or not."""
    stock = bundle.stock()
    maximum = min(bundle.maximum, len(stock))
    size = rng.randint(min(bundle.minimum, maximum), maximum)
    return bundle.sort("".join(rng.sample(stock, size)))


def some(items: Sequence[T], rng: Random, count: int) -> Sequence[T]:
    """Return up to `count` random items."""
    return items if len(items) <= count else rng.sample(items, count)


def domain(choices: Choices | Refusal) -> object:
    """Return everything in which two results of `explore` can differ."""
    match choices:
        case OneOf(param, values):
            return param, values, [[by.param, *map(by.of, values)] for by in choices.groups]
        case Bundle():
            bounds = (choices.minimum, choices.maximum)
            return choices.param, choices.alphabet, choices.have, bounds, listed(choices, LABELLED)
        case Amount():
            return choices.param, choices.minimum, choices.maximum
    return choices


def outputs(
    title: Title,
    state: Any,
    observer: Observer,
    events: Sequence[Event],
    seats: int,
    rng: Random,
    with_image: bool,
) -> Outputs:
    """Return all outputs of a state to an observer, with texts and pictures.

    `rng` chooses what is tried; equal ones make two states comparable.
    """
    game, names = title.game, NAMES[:seats]
    found = rules_outputs(game, state, observer, events)
    view, pending = game.view(state, observer), game.pending(state)
    text = title.text(WORDS, names, view)
    found[Kind.TO_ACT] = "\n".join(f"{each} {text.to_act(each)}" for each in pending)
    lines = [text.board(), *text.story(events)]
    questions: list[AskedWords] = []
    if observer != SPECTATOR:
        asked = [decision for decision in pending if decision.seat == observer]
        lines.append(text.hand())
        lines += [text.question(decision) for decision in asked]
        offered = list(explore(game, state, observer, rng))
        found[Kind.CHOICES] = "\n".join(f"{each} {domain(choices)}" for each, choices in offered)
        for prefix, choices in offered:
            lines += _texts(text, prefix, choices, rng, questions)
        if asked:
            # The action of each computer player in the observer's seat.
            legal, seed = partial(game.legal, state, observer), len(lines)
            found[Kind.COMPUTER] = "\n".join(
                f"{name} on {each.id}: {' '.join(policy(view, each, legal, Random(seed)))}"
                for each, (name, policy) in product(asked, computers(title).items())
            )
    found[Kind.TEXT] = "\n".join(lines)
    alts = [text.alt(events)]
    images = [title.pictures.draw(view, plain(names), events)] if with_image else []
    parts = title.pictures.parts(view)
    close_ups: list[tuple[str, AskedWords | None]] = [(part, None) for part in some(parts, rng, 1)]
    if with_image:
        # Choices marked only on the pictures of the observer's own panel.
        marked = [(title.pictures.part_asked(view, each), each) for each in questions]
        close_ups += some(
            [(part, each) for part, each in marked if part is not None], rng, FOLLOWED
        )
    for part, question in close_ups:
        close = text.close_up(part) if part in parts else None
        if close is None:
            images.append(title.pictures.draw(view, plain(names), events, question))
            continue
        alts += [close.text, close.alt]
        if with_image:
            draw = title.pictures.draw_part
            images.append(draw(view, plain(names), events, part, close.legend, question))
    found[Kind.ALT] = "\n".join(alts)
    if observer != SPECTATOR:
        # Its own generator: the length of a plan must not affect anything else.
        lines, pictures = _planned(title, state, observer, names, Random(len(lines)), with_image)
        found[Kind.PLAN] = "\n".join(lines)
        images += pictures
    if with_image:
        found[Kind.IMAGE] = b"".join(images)
    return found


def _texts(
    text: AnyGameWords,
    prefix: Action,
    choices: Choices | Refusal,
    rng: Random,
    questions: list[AskedWords],
) -> Iterator[str]:
    """Yield the texts of choices in panels and commands. Adds the questions that pictures mark to
    `questions`."""
    if isinstance(choices, Refusal):
        yield text.refusal(choices)
        return
    if isinstance(choices, Done):
        yield text.action(prefix)
        return
    for group in _groups(choices):
        label = text.label(prefix, group.choices, group.word)
        yield f"{label} {group.members}"
    yield text.prompt(prefix, choices)
    words = listed(choices, LABELLED) or []
    labels = [text.label(prefix, choices, word) for word in words]
    yield from map(str, labels)
    if labels:
        try:
            yield text.read(choices, rng.choice(labels).text, prefix)
        except Unreadable as unreadable:
            yield text.refusal(unreadable.refusal)
    if prefix and words and isinstance(choices, OneOf):
        names = tuple(label.name for label in labels)
        questions.append(AskedWords(prefix, choices.param, tuple(words), names))
    if isinstance(choices, Bundle):
        pieces = usable_pieces(choices)
        questions.append(AskedWords(prefix, choices.param, pieces, tagged=False))


def _groups(choices: Domain, place: Place = ()) -> Iterator[Group]:
    """Yield the groups in which a panel shows a choice."""
    if isinstance(choices, OneOf):
        for entry in level(choices, place).entries:
            if isinstance(entry, Group):
                yield entry
                yield from _groups(choices, entry.place)


def _planned(
    title: Title, state: Any, seat: Seat, names: Sequence[Written], rng: Random, with_image: bool
) -> tuple[list[str], list[bytes]]:
    """Return the texts of a random plan of a seat, and a picture of its end."""
    text, trial = title.text(WORDS, names), trials.begin(title.game, state, seat)
    first, lines = trial.view, list[str]()
    while True:
        lines += [f"{trial.horizon} {trial.to_act} {trial.assumed} {trial.mark()}"]
        lines += [_as_text(trial.view), *map(str, trial.pending)]
        lines += text.story(trial.events)
        lines += text.at(trial.view).what_if(first)
        if trial.decision is None or len(trial.done) == PLAN_LENGTH:
            break
        action: Action = ()
        while not isinstance(choices := trial.legal(action), Done):
            lines.append(str(domain(choices)))
            action = (*action, choices.sample(rng))
        lines.append(text.at(trial.view).action(action))
        trial = trials.try_action(trial, action)
    drawn = [title.pictures.draw(trial.view, plain(names), trial.events)] if with_image else []
    return lines, drawn


def _as_text(output: object) -> str:
    return msgspec.json.encode(output).decode()
