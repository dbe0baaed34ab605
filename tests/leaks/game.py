"""A random game and twins of it, each of which one observer must not tell apart from it.

A twin begins as the game stands, or in a state that the observer cannot tell from it
(`Game.resample`). It goes on as the game does, but for what is done in secret: others lay, bid or
offer something else where the observer is not told what, and change their sealed choices more or
less often. All that the observer is given of the two must be the same, moment by moment, until a
secret comes out by the rules.
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

# How it is played

TALKED = 0.3
"""How often somebody makes a free move, such as an offer."""
ANSWERED = 0.3
"""How often an open offer is answered before the game goes on."""
BY_CHANCE = 0.5
"""How often whoever is asked plays at random; else by any of the computer players."""
CANDIDATES, NODES = 2, 60
"""Enough to try so many actions in a world or two, to the end of the round. What the strong player
may know does not hang on how much it thinks."""

# How a twin differs

RESAMPLED = 0.7
"""How often a twin begins in another state."""
LENGTH = 12
"""It is followed for at most this many actions."""
MAX_CHANGES = 3
"""How often in a row a sealed choice is made anew, at most."""
CHANGED_BACK = 0.7
"""How often it ends as it was before."""
UNTOLD = "?"
"""What replaces each digit of a word of which only part is told."""
TRIED = 20
"""Words tried to find another of which the same is told."""

SEEN: Mapping[str, Callable[[Any, Observer], object]] = {
    "kogge": lambda known, observer: [
        known.bag[number] for number in numbers_seen_in_the_bag(known, observer)
    ]
}
"""What an observer knows in which a secret may come out by the rules, without an event (Kogge's
ruling 45)."""

# What is compared

SHOWN_EVERY = 8
"""At so many moments all is compared, at the others what the rules alone tell."""
IMAGE_EVERY = 5
"""Pictures are expensive: they are drawn each time that all was compared so often."""
LABELLED = 25
"""Words of a domain whose labels are compared, as many as a select or an autocomplete shows."""
FOLLOWED = 2
"""Words of a domain with which an action is continued, and questions that pictures light."""
PLANNED = 3
"""Actions of a plan."""
AROUND = 60
"""Characters shown on either side of where two outputs differ."""


class Kind(StrEnum):
    """What an observer is given."""

    VIEW = "view"
    TO_ACT = "to_act"
    CHOICES = "choices"
    EVENTS = "events"
    TEXT = "text"
    ALT = "alt"
    IMAGE = "image"
    COMPUTER = "computer"
    """What computer players would do in its seat."""
    PLAN = "plan"
    """What a seat is shown of actions that it tries: see `bot.game.trial`."""
    MESSAGE = "message"
    """Anything sent by the bot: see `tests.leaks.bot`."""


class Setting(NamedTuple):
    """A table to play at."""

    seats: int
    options: Mapping[str, str]
    seed: str

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.seats} players, {options}, seed {self.seed}"


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


@dataclass
class Found:
    """The first leak, and what has been compared: outputs by their kind, and

    - games, and moments in them, when what the rules tell was compared;
    - histories, twins which were not as the game;
    - how often something was revealed by the rules.
    """

    leak: Leak | None = None
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, other: Found) -> None:
        """What was compared elsewhere."""
        self.counts += other.counts
        self.leak = self.leak or other.leak

    @property
    def outputs(self) -> int:
        """How many were compared without the bot."""
        return sum(self.counts[kind] for kind in Kind if kind is not Kind.MESSAGE)


def settings(game: AnyGame, seed: int) -> Iterator[Setting]:
    """Every combination of options and players once, in an order that the seed decides."""
    names = [option.name for option in game.options]
    chosen = product(*(option.values for option in game.options))
    tables = [
        (seats, dict(zip(names, each, strict=True))) for each in chosen for seats in game.seats
    ]
    Random(seed).shuffle(tables)
    for number, (seats, options) in enumerate(tables):
        yield Setting(seats, options, f"{seed}.{number}")


class Move(NamedTuple):
    """An action that somebody takes, and the decision it answers: None for a free move."""

    seat: Seat
    action: Action
    decision: str | None


def any_move(title: Title, state: Any, seats: int, rng: Random) -> Move:
    """What somebody might do: talk, answer an offer, or go on as they are asked to.

    What the bot does for a seat whose panel is opened is done before all else.
    """
    game, pending = title.game, title.game.pending(state)
    asked = [decision for decision in pending if not decision.optional]
    opening = [decision for decision in asked if is_on_opening(game, decision)]
    if not opening and rng.random() < TALKED:
        seat = rng.randrange(seats)
        legal = partial(game.legal, state, seat)
        if free := [kind for kind in kinds(legal) if game.moves[kind].free]:
            return Move(seat, random_action((rng.choice(free),), legal, rng), None)
    offers = [decision for decision in pending if decision.kind == ANSWER]
    decision = rng.choice(opening or (offers if offers and rng.random() < ANSWERED else asked))
    seat, players = decision.seat, computers(title)
    name = RANDOM if rng.random() < BY_CHANCE else rng.choice(list(players))
    legal = partial(game.legal, state, seat)
    action = players[name](game.view(state, seat), decision, legal, rng)
    return Move(seat, action, None if game.moves[action[0]].free else decision.id)


def kinds(legal: Legal) -> tuple[str, ...]:
    """The kinds of action that are open."""
    choices = legal(())
    assert isinstance(choices, OneOf)
    return choices.values


def is_on_opening(game: AnyGame, decision: Decision) -> bool:
    """Whether it is answered by opening the panel."""
    move = game.moves.get(decision.kind)
    return move is not None and move.on_opening


def computers(title: Title) -> Mapping[str, Policy]:
    """The computer players by name; the strong one thinks for a moment only."""
    if title.judgement is None:
        return title.quick_players
    judgement = title.judgement
    brief = replace(judgement, most=CANDIDATES, rounds=0)
    return {**title.quick_players, STRONG: strong(brief, NODES)}


def check_game(
    title: Title, setting: Setting, checks: float = float("inf"), histories: float = float("inf")
) -> Found:
    """A whole game, or until so many outputs and so many histories have been compared."""
    return _Comparison(title, setting).run(checks, histories)


@dataclass
class _Twin:
    """Where a twin stands, and the sealed choices made in it."""

    observer: Observer
    state: Any
    differs: bool
    steps: int = 0
    chosen: dict[Seat, Action] = field(default_factory=dict)


class _Comparison:
    """One game, and a twin for each observer, one after the other."""

    def __init__(self, title: Title, setting: Setting) -> None:
        self._title = title
        self._game = title.game
        self._setting = setting
        self._rng = Random(f"{setting.seed}:twins")
        name, value = title.read_off
        self._may_lay_otherwise = not name or setting.options.get(name) != value
        self._found = Found(counts=Counter(games=1))
        self._step = self._differing = 0

    def run(self, checks: float, histories: float) -> Found:
        game, setting, found = self._game, self._setting, self._found
        rng = Random(setting.seed)
        chance = RandomChance(rng)
        state = game.setup(setting.seats, setting.options, chance)
        heard: Sequence[Event] = ()
        twins: dict[Observer, _Twin] = {}
        while game.outcome(state) is None:
            for observer in (SPECTATOR, *range(setting.seats)):
                if observer not in twins:
                    twins[observer] = twin = self._twin(state, observer)
                    told = visible_to(heard, observer)
                    if not self._is_same(twin, state, told, told):
                        return found
                if not self._choose_anew(twins[observer], state):
                    self._end(twins.pop(observer))
            if found.leak is not None or (
                found.outputs >= checks and found.counts["histories"] >= histories
            ):
                break
            move = any_move(self._title, state, setting.seats, rng)
            chance.drawn.clear()
            heard = game.apply(state, move.seat, move.action, chance)
            self._step += 1
            for observer, twin in list(twins.items()):
                if not self._follow(twin, move, chance.drawn, heard, state):
                    self._end(twins.pop(observer))
        for twin in twins.values():
            self._end(twin)
        return found

    def _twin(self, state: Any, observer: Observer) -> _Twin:
        before = self._game.encode(state)
        twin = self._game.decode(before)
        if self._rng.random() < RESAMPLED:
            twin = self._game.resample(twin, observer, self._rng)
        return _Twin(observer, twin, self._game.encode(twin) != before)

    def _end(self, twin: _Twin) -> None:
        self._found.counts["histories"] += twin.differs

    def _choose_anew(self, twin: _Twin, state: Any) -> bool:
        """Others change sealed choices, some of them back again; nobody may notice anything. False
        if the new choice settles the matter and so comes out, or if there is a leak."""
        game, rng, observer = self._game, self._rng, twin.observer
        for asked in game.pending(twin.state):
            seat = asked.seat
            if not (asked.sealed and asked.optional) or seat == observer:
                continue
            actions = [
                self._any_sealed(twin.state, seat) for _ in range(rng.randint(0, MAX_CHANGES))
            ]
            if actions and seat in twin.chosen and rng.random() < CHANGED_BACK:
                actions.append(twin.chosen[seat])
            for action in actions:
                twin.chosen[seat], twin.differs = action, True
                heard = visible_to(
                    game.apply(twin.state, seat, action, RecordedChance(())), observer
                )
                if self._revealed(heard) or not self._is_same(twin, state, [], heard):
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
        """Continues the twin as the game went on to `after`, as far as the observer is told; False
        where it ends."""
        game, observer, seat = self._game, twin.observer, move.seat
        asked = any(each.seat == seat and each.sealed for each in game.pending(twin.state))
        is_sealed = asked and not game.moves[move.action[0]].free
        heard = visible_to(events, observer)
        action = move.action
        if seat != observer and (is_sealed or self._may_lay_otherwise):
            told = said(heard)
            action = self._otherwise(twin.state, move, told, said(events) - told)
        if is_sealed:
            twin.chosen[seat] = action
        others = carried_out(game, twin.state, seat, action, drawn)
        if others is None or game.outcome(after) is not None:
            # The action itself, or what was drawn, tells the two apart; or all comes out.
            return False
        other_heard = visible_to(others, observer)
        seen = self._revealed(heard), self._seen(after, observer)
        if seen != (self._revealed(other_heard), self._seen(twin.state, observer)):
            self._found.counts["revealed"] += 1
            return False
        twin.differs |= action != move.action
        twin.steps += 1
        return self._is_same(twin, after, heard, other_heard) and twin.steps < LENGTH

    def _otherwise(self, state: Any, move: Move, told: Set[str], untold: Set[str]) -> Action:
        """The action with other words where the observer is not told which they are."""
        legal = partial(self._game.legal, state, move.seat)
        made = move.action[:1]
        try:
            for word in move.action[1:]:
                choices = legal(made)
                if isinstance(choices, Done):
                    return move.action
                other = another(choices, word, told, self._rng) if word in untold else word
                made = (*made, other)
            return made if isinstance(legal(made), Done) else move.action
        except IllegalAction:
            return move.action

    def _revealed(self, events: Sequence[Event]) -> list[Event]:
        """Those of the events by which something comes out by the rules."""
        return [event for event in events if isinstance(event, self._title.revealing)]

    def _seen(self, state: Any, observer: Observer) -> object:
        seen = SEEN.get(self._game.name)
        return seen and seen(self._game.view(state, observer).known, observer)

    def _is_same(
        self, twin: _Twin, state: Any, heard: Sequence[Event], other_heard: Sequence[Event]
    ) -> bool:
        """Compares what the observer is given of the game and of the twin."""
        found, title, observer = self._found, self._title, twin.observer
        found.counts["moments"] += 1
        self._differing += twin.differs
        if shows_all := twin.differs and self._differing % SHOWN_EVERY == 0:
            seats = self._setting.seats
            with_image = self._differing % (SHOWN_EVERY * IMAGE_EVERY) == 0
            one, other = (
                shown(title, each, observer, told, seats, Random(self._step), with_image)
                for each, told in ((state, heard), (twin.state, other_heard))
            )
        else:
            one = known(self._game, state, observer, heard)
            other = known(self._game, twin.state, observer, other_heard)
        for kind in one:
            found.counts[kind] += shows_all
            if one[kind] != other[kind]:
                where = f"{title}, {self._setting}"
                diff = difference(one[kind], other[kind])
                found.leak = Leak(where, self._step, observer, kind, diff)
                return False
        return True


def carried_out(
    game: AnyGame, state: Any, seat: Seat, action: Action, drawn: Sequence[int]
) -> Sequence[Event] | None:
    """What an action with these draws brings in a state, which changes; None where one of the two
    is impossible there."""
    chance = RecordedChance(drawn)
    try:
        events = game.apply(state, seat, action, chance)
        chance.finish()
    except (IllegalAction, ChanceMismatch):
        return None
    return events


def another(choices: Domain, word: str, told: Set[str], rng: Random) -> str:
    """Another word of which the observer would be told the same, if one is soon found."""
    parts = [fact for fact in told if UNTOLD in fact and _part(word, fact) == fact]
    for _ in range(TRIED):
        other = choices.sample(rng)
        if all(_part(other, fact) == fact for fact in parts):
            return other
    return word


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


def visible_to(events: Sequence[Event], observer: Observer) -> list[Event]:
    """Those of the events that the observer hears."""
    return [event for event in events if event.visible_to(observer)]


def said(events: Sequence[Event]) -> set[str]:
    """The words that are facts of the events."""
    facts = [fact for event in events for fact in event.facts.values()]
    return {str(fact) for fact in facts} | {
        str(each) for fact in facts if isinstance(fact, tuple) for each in fact
    }


# What an observer is given

Given = dict[Kind, str | bytes]


def known(game: AnyGame, state: Any, observer: Observer, heard: Sequence[Event]) -> Given:
    """What the rules tell the observer of a state, who has just heard of these events."""
    choices = () if observer == SPECTATOR else game.legal(state, observer)
    return {
        Kind.EVENTS: _as_text(heard),
        Kind.VIEW: _as_text(game.view(state, observer)),
        Kind.TO_ACT: _as_text(game.pending(state)),
        Kind.CHOICES: _as_text(choices),
    }


def explored(
    game: AnyGame, state: Any, seat: Seat, rng: Random, prefix: Action = ()
) -> Iterator[tuple[Action, Choices | Refusal]]:
    """What a seat is offered after some beginnings of actions of each kind, or told that is not."""
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
        yield from explored(game, state, seat, rng, (*prefix, word))


def _pieces(bundle: Bundle, rng: Random) -> str:
    """A word of the right size, fitting or not."""
    stock = bundle.stock()
    most = min(bundle.maximum, len(stock))
    size = rng.randint(min(bundle.minimum, most), most)
    return bundle.sort("".join(rng.sample(stock, size)))


def some(found: Sequence[T], rng: Random, most: int) -> Sequence[T]:
    """A few of them."""
    return found if len(found) <= most else rng.sample(found, most)


def domain(choices: Choices | Refusal) -> object:
    """All that tells two answers of `explored` apart."""
    match choices:
        case OneOf(param, values):
            return param, values, [[by.param, *map(by.of, values)] for by in choices.groups]
        case Bundle():
            bounds = (choices.minimum, choices.maximum)
            return choices.param, choices.alphabet, choices.have, bounds, listed(choices, LABELLED)
        case Amount():
            return choices.param, choices.minimum, choices.maximum
    return choices


def shown(
    title: Title,
    state: Any,
    observer: Observer,
    heard: Sequence[Event],
    seats: int,
    rng: Random,
    with_image: bool,
) -> Given:
    """Everything that the observer is given of the state, in words and pictures too.

    `rng` chooses what is tried; the same one makes two states comparable.
    """
    game, names = title.game, NAMES[:seats]
    found = known(game, state, observer, heard)
    view, pending = game.view(state, observer), game.pending(state)
    text = title.text(WORDS, names, view)
    found[Kind.TO_ACT] = "\n".join(f"{each} {text.to_act(each)}" for each in pending)
    lines = [text.board(), *text.story(heard)]
    questions: list[AskedWords] = []
    if observer != SPECTATOR:
        asked = [decision for decision in pending if decision.seat == observer]
        lines.append(text.hand())
        lines += [text.question(decision) for decision in asked]
        offered = list(explored(game, state, observer, rng))
        found[Kind.CHOICES] = "\n".join(f"{each} {domain(choices)}" for each, choices in offered)
        for prefix, choices in offered:
            lines += _worded(text, prefix, choices, rng, questions)
        if asked:
            # What each of them would do in the seat that is asked.
            legal, seed = partial(game.legal, state, observer), len(lines)
            found[Kind.COMPUTER] = "\n".join(
                f"{name} on {each.id}: {' '.join(policy(view, each, legal, Random(seed)))}"
                for each, (name, policy) in product(asked, computers(title).items())
            )
    found[Kind.TEXT] = "\n".join(lines)
    alts = [text.alt(heard)]
    images = [title.pictures.draw(view, plain(names), heard)] if with_image else []
    parts = title.pictures.parts(view)
    close_ups: list[tuple[str, AskedWords | None]] = [(part, None) for part in some(parts, rng, 1)]
    if with_image:
        # What is lit in the panel of the observer, and for nobody else.
        lit = [(title.pictures.part_asked(view, each), each) for each in questions]
        close_ups += some([(part, each) for part, each in lit if part is not None], rng, FOLLOWED)
    for part, question in close_ups:
        close = text.close_up(part) if part in parts else None
        if close is None:
            images.append(title.pictures.draw(view, plain(names), heard, question))
            continue
        alts += [close.text, close.alt]
        if with_image:
            draw = title.pictures.draw_part
            images.append(draw(view, plain(names), heard, part, close.legend, question))
    found[Kind.ALT] = "\n".join(alts)
    if observer != SPECTATOR:
        # A generator of its own: how far a plan goes decides nothing else.
        lines, pictures = _planned(title, state, observer, names, Random(len(lines)), with_image)
        found[Kind.PLAN] = "\n".join(lines)
        images += pictures
    if with_image:
        found[Kind.IMAGE] = b"".join(images)
    return found


def _worded(
    text: AnyGameWords,
    prefix: Action,
    choices: Choices | Refusal,
    rng: Random,
    questions: list[AskedWords],
) -> Iterator[str]:
    """What a panel and the commands say of what is offered; and what pictures would light of it,
    which is added to the `questions`."""
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
        named = tuple(label.name for label in labels)
        questions.append(AskedWords(prefix, choices.param, tuple(words), named))
    if isinstance(choices, Bundle):
        letters = usable_pieces(choices)
        questions.append(AskedWords(prefix, choices.param, letters, tagged=False))


def _groups(choices: Domain, place: Place = ()) -> Iterator[Group]:
    """The groups in which a panel shows the domain."""
    if isinstance(choices, OneOf):
        for entry in level(choices, place).entries:
            if isinstance(entry, Group):
                yield entry
                yield from _groups(choices, entry.place)


def _planned(
    title: Title, state: Any, seat: Seat, names: Sequence[Written], rng: Random, with_image: bool
) -> tuple[list[str], list[bytes]]:
    """What a seat is shown of some actions that it tries, in words, and a picture of the last."""
    text, trial = title.text(WORDS, names), trials.begin(title.game, state, seat)
    first, lines = trial.view, list[str]()
    while True:
        lines += [f"{trial.horizon} {trial.to_act} {trial.assumed} {trial.mark()}"]
        lines += [_as_text(trial.view), *map(str, trial.pending)]
        lines += text.story(trial.events)
        lines += text.at(trial.view).what_if(first)
        if trial.decision is None or len(trial.done) == PLANNED:
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
