"""Everything that an observer is given of one state of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any, TypeVar

import msgspec

from bot.cogs.ui.action_builder import listed, usable_pieces
from bot.cogs.ui.browsing import Group, Place, level
from bot.game import trial as trials
from bot.game.choices import Amount, Bundle, Choices, Domain, Done, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    Event,
    IllegalAction,
    Observer,
    Refusal,
    Seat,
)
from bot.render.asked import AskedWords
from bot.text.contract import Unreadable
from bot.text.user_text import Written, plain
from bot.text.words import Words
from bot.titles.title import Title
from bot.tools.noninterference.computers import answers

T = TypeVar("T")

NAMES = tuple(map(Written, ("Anna", "Bert", "Clara", "Dirk", "Emil", "Frida")))
WORDS = Words()
LABELLED = 25
"""Words of a domain whose labels are compared, as many as a select or an autocomplete shows."""
LIT = 2
"""Questions drawn in a picture, out of those that the observer is asked."""
FOLLOWED = 2
"""Words of a domain with which an action is continued."""
PLANNED = 3
"""Actions of a plan."""


class Kind(StrEnum):
    """What an observer is given."""

    VIEW = "view"
    AWAITED = "awaited"
    CHOICES = "choices"
    EVENTS = "events"
    TEXT = "text"
    ALT = "alt"
    IMAGE = "image"
    COMPUTER = "computer"
    """What computer players would do in its seat."""
    PLAN = "plan"
    """What a seat is shown of actions that it tries: see `bot.game.trial`."""
    HISTORY = "history"
    """What an observer remembers of many moments: see `bot.tools.noninterference.histories`."""
    MESSAGE = "message"
    """Anything sent by the bot: see `bot.tools.noninterference.wire`."""


OpenPanel = Mapping[Kind, str | bytes]


def shown(
    title: Title,
    state: Any,
    observer: Observer,
    heard: Sequence[Event],
    rng: Random,
    *,
    seats: int,
    with_image: bool,
) -> OpenPanel:
    """What the observer is given of the state, who has just heard of these events.

    `rng` chooses what is tried; the same one makes two states comparable.
    """
    game, text = title.game, title.text
    names = NAMES[:seats]
    view, pending = game.view(state, observer), game.pending(state)
    asked = [decision for decision in pending if decision.seat == observer]
    waiting = [f"{each} {text.awaited(WORDS, each, names)}" for each in pending]
    domains: list[str] = []
    questions: list[AskedWords] = []
    lines = [text.board(WORDS, view, names), *text.story(WORDS, heard, names)]
    if observer != SPECTATOR:
        lines.append(text.hand(WORDS, view, names))
        lines += [text.question(WORDS, decision, view, names) for decision in asked]
        builder = _Builder(title, state, observer, view, names, rng)
        builder.follow(())
        domains, questions = builder.domains, builder.questions
        lines += builder.lines
    found: dict[Kind, str | bytes] = {
        Kind.VIEW: msgspec.json.encode(view).decode(),
        Kind.AWAITED: "\n".join(waiting),
    }
    if domains:
        found[Kind.CHOICES] = "\n".join(domains)
    found[Kind.TEXT] = "\n".join(lines)
    if asked:
        found[Kind.COMPUTER] = "\n".join(answers(title, state, asked, view, len(lines)))
    alts = [text.alt(WORDS, view, heard, names)]
    images = [title.draw(view, plain(names), heard)] if with_image else []
    parts = () if title.close_ups is None else title.close_ups.parts(view)
    where: list[tuple[str, AskedWords | None]] = []
    where += [(part, None) for part in parts and rng.sample(parts, 1)]
    if with_image:
        # What is lit in the panel of the observer, and for nobody else.
        lit = [(title.part_asked(view, each), each) for each in questions]
        where += some([(part, each) for part, each in lit if part is not None], rng)
    for part, question in where:
        close = text.close_up(WORDS, view, part, names) if part in parts else None
        if close is None or title.close_ups is None:
            images.append(title.draw(view, plain(names), heard, question))
            continue
        alts += [close.text, close.alt]
        if with_image:
            draw_part = title.close_ups.draw
            images.append(draw_part(view, plain(names), heard, part, close.legend, question))
    found[Kind.ALT] = "\n".join(alts)
    if observer != SPECTATOR:
        # A generator of its own: how far a plan goes decides nothing else.
        lines, pictures = _planned(title, state, observer, names, Random(len(lines)), with_image)
        found[Kind.PLAN] = "\n".join(lines)
        images += pictures
    if with_image:
        found[Kind.IMAGE] = b"".join(images)
    return found


def _planned(
    title: Title, state: Any, seat: Seat, names: Sequence[Written], rng: Random, with_image: bool
) -> tuple[list[str], list[bytes]]:
    """What a seat is shown of some actions that it tries, in words, and a picture of the last."""
    text, trial = title.text, trials.begin(title.game, state, seat)
    first, lines = trial.view, []
    while True:
        lines += [f"{trial.horizon} {trial.awaits} {trial.assumed} {trial.mark()}"]
        lines += [msgspec.json.encode(trial.view).decode(), *map(str, trial.pending)]
        lines += text.story(WORDS, trial.events, names)
        lines += text.what_if(WORDS, first, trial.view, names)
        if trial.decision is None or len(trial.done) == PLANNED:
            break
        action: Action = ()
        while not isinstance(choices := trial.legal(action), Done):
            lines.append(f"{choices.param} {_plain(choices)}")
            action = (*action, choices.sample(rng))
        lines.append(text.action(WORDS, action, trial.view, names))
        trial = trials.then(trial, action)
    drawn = [title.draw(trial.view, plain(names), trial.events)] if with_image else []
    return lines, drawn


def some(found: list[T], rng: Random) -> list[T]:
    """A few of them, as pictures are expensive."""
    return found if len(found) <= LIT else rng.sample(found, LIT)


class _Builder:
    """Builds a seat's actions word by word, as its panel and its commands would."""

    def __init__(
        self,
        title: Title,
        state: Any,
        seat: Seat,
        view: Any,
        names: Sequence[Written],
        rng: Random,
    ) -> None:
        self.domains: list[str] = []
        self.lines: list[str] = []
        self.questions: list[AskedWords] = []
        """What pictures would be asked to light."""
        self._game, self._text = title.game, title.text
        self._state = state
        self._seat = seat
        self._view = view
        self._names = names
        self._rng = rng

    def follow(self, prefix: Action) -> None:
        """Notes the domain after the prefix with its words and labels, and goes on with some."""
        try:
            choices = self._game.legal(self._state, self._seat, prefix)
        except IllegalAction as refused:
            self._refused(prefix, refused.refusal)
            return
        if isinstance(choices, Done):
            self.domains.append(f"{prefix} is whole")
            self.lines.append(self._text.action(WORDS, prefix, self._view, self._names))
            return
        words = listed(choices, LABELLED) or []
        self._tell(prefix, choices, words)
        if not prefix:
            # Also what is not open, as the refusal is told to the seat.
            words = list(self._game.moves)
        elif isinstance(choices, Bundle):
            words = [self._some(choices) for _ in range(FOLLOWED)]
            words = [word for word in words if self._admitted(prefix, choices, word)]
        elif isinstance(choices, Amount):
            words = [choices.sample(self._rng) for _ in range(FOLLOWED) if choices.size]
        elif len(words := list(choices.values)) > FOLLOWED:
            words = self._rng.sample(words, FOLLOWED)
        for word in words:
            self.follow((*prefix, word))

    def _tell(self, prefix: Action, choices: Domain, words: Sequence[str]) -> None:
        view, names = self._view, self._names
        self.domains.append(f"{prefix} {choices.param} {_plain(choices)} {words}")
        for group in _groups(choices):
            label = self._text.label(WORDS, prefix, group.choices, group.word, view, names)
            self.lines.append(f"{label} {group.members}")
        self.lines.append(self._text.prompt(WORDS, prefix, choices, view, names))
        labels = [self._text.label(WORDS, prefix, choices, word, view, names) for word in words]
        self.lines += map(str, labels)
        if prefix and words and isinstance(choices, OneOf):
            named = tuple(label.name for label in labels)
            self.questions.append(AskedWords(prefix, choices.param, tuple(words), named))
        if isinstance(choices, Bundle):
            letters = usable_pieces(choices)
            self.questions.append(AskedWords(prefix, choices.param, letters, tagged=False))
        if labels:
            self.lines.append(self._read(prefix, choices, self._rng.choice(labels).text))

    def _read(self, prefix: Action, choices: Choices, typed: str) -> str:
        try:
            return self._text.read(choices, typed, prefix, self._view, self._names)
        except Unreadable as unreadable:
            return self._text.refusal(WORDS, unreadable.refusal, self._names)

    def _refused(self, prefix: Action, refusal: Refusal) -> None:
        self.domains.append(f"{prefix} {refusal!r}")
        self.lines.append(self._text.refusal(WORDS, refusal, self._names))

    def _some(self, bundle: Bundle) -> str:
        """A word of the right size, fitting or not."""
        stock = bundle.stock()
        most = min(bundle.most, len(stock))
        size = self._rng.randint(min(bundle.least, most), most)
        return bundle.sort("".join(self._rng.sample(stock, size)))

    def _admitted(self, prefix: Action, bundle: Bundle, word: str) -> bool:
        admitted = bundle.admits(word)
        self.domains.append(f"{prefix} {word!r} {admitted}")
        return admitted


def _plain(choices: Domain) -> object:
    match choices:
        case OneOf():
            return choices.values
        case Bundle():
            return choices.alphabet, choices.have, choices.least, choices.most
        case Amount():
            return choices.least, choices.most


def _groups(choices: Domain, place: Place = ()) -> Iterator[Group]:
    """The groups in which a panel shows the domain."""
    if isinstance(choices, OneOf):
        for entry in level(choices, place).entries:
            if isinstance(entry, Group):
                yield entry
                yield from _groups(choices, entry.place)
