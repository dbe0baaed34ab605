"""Everything that an observer is given of one state of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from random import Random
from typing import Any

import msgspec

from bot.cogs.ui.action_builder import listed
from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import (
    SPECTATOR,
    Action,
    Event,
    IllegalAction,
    Observer,
    Refusal,
    Seat,
)
from bot.text.contract import Unreadable
from bot.text.words import Words
from bot.text.written import Written, plain
from bot.titles.title import Title

NAMES = tuple(map(Written, ("Anna", "Bert", "Clara", "Dirk", "Emil", "Frida")))
WORDS = Words()
LABELLED = 25
"""Words of a domain that get a label, as many as a select or an autocomplete shows."""
FOLLOWED = 2
"""Words of a domain that an action is built on with."""


class Kind(StrEnum):
    """What an observer is given."""

    VIEW = "view"
    AWAITED = "awaited"
    CHOICES = "choices"
    EVENTS = "events"
    TEXT = "text"
    ALT = "alt"
    IMAGE = "image"
    HISTORY = "history"
    """What an observer remembers of many moments: see `bot.tools.noninterference.histories`."""
    MESSAGE = "message"
    """By the bot, whatever it is: see `bot.tools.noninterference.wire`."""


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
    told = [text.board(WORDS, view, names), *text.story(WORDS, heard, names)]
    if observer != SPECTATOR:
        told.append(text.hand(WORDS, view, names))
        told += [text.question(WORDS, decision, view, names) for decision in asked]
        builder = _Builder(title, state, observer, view, names, rng)
        builder.follow(())
        domains = builder.domains
        told += builder.told
    found: dict[Kind, str | bytes] = {
        Kind.VIEW: msgspec.json.encode(view).decode(),
        Kind.AWAITED: "\n".join(waiting),
    }
    if domains:
        found[Kind.CHOICES] = "\n".join(domains)
    found[Kind.TEXT] = "\n".join(told)
    alts = [text.alt(WORDS, view, heard, names)]
    images = [title.draw(view, plain(names), heard)] if with_image else []
    seat = rng.randrange(seats)
    close = text.close_up(WORDS, view, seat, names)
    if close is not None:
        alts += [close.text, close.alt]
        if with_image and title.close_up is not None:
            images.append(title.close_up(view, plain(names), heard, seat, close.legend))
    found[Kind.ALT] = "\n".join(alts)
    if with_image:
        found[Kind.IMAGE] = b"".join(images)
    return found


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
        self.told: list[str] = []
        self._game, self._text = title.game, title.text
        self._state = state
        self._seat = seat
        self._view = view
        self._names = names
        self._rng = rng

    def follow(self, prefix: Action) -> None:
        """Note the domain after the prefix with its words and labels, and go on with some."""
        try:
            choices = self._game.legal(self._state, self._seat, prefix)
        except IllegalAction as refused:
            self._refused(prefix, refused.refusal)
            return
        if isinstance(choices, Done):
            self.domains.append(f"{prefix} is whole")
            self.told.append(self._text.action(WORDS, prefix, self._view, self._names))
            return
        words = listed(choices, LABELLED) or []
        self._tell(prefix, choices, words)
        if not prefix:
            # Also what is not open, as the refusal is told to the seat.
            words = list(self._game.moves)
        elif isinstance(choices, Bundle):
            words = [self._some(choices) for _ in range(FOLLOWED)]
            words = [word for word in words if self._admitted(prefix, choices, word)]
        elif len(words := list(choices.values)) > FOLLOWED:
            words = self._rng.sample(words, FOLLOWED)
        for word in words:
            self.follow((*prefix, word))

    def _tell(self, prefix: Action, choices: OneOf | Bundle, words: Sequence[str]) -> None:
        view, names = self._view, self._names
        of = choices
        plain = of.values if isinstance(of, OneOf) else (of.alphabet, of.have, of.least, of.most)
        self.domains.append(f"{prefix} {choices.param} {plain} {words}")
        self.told.append(self._text.prompt(WORDS, prefix, choices, view, names))
        labels = [self._text.label(WORDS, prefix, choices, word, view, names) for word in words]
        self.told += map(str, labels)
        if labels:
            self.told.append(self._read(prefix, choices, self._rng.choice(labels).text))

    def _read(self, prefix: Action, choices: Choices, typed: str) -> str:
        try:
            return self._text.read(choices, typed, prefix, self._view, self._names)
        except Unreadable as unreadable:
            return self._text.refusal(WORDS, unreadable.refusal, self._names)

    def _refused(self, prefix: Action, refusal: Refusal) -> None:
        self.domains.append(f"{prefix} {refusal!r}")
        self.told.append(self._text.refusal(WORDS, refusal, self._names))

    def _some(self, bundle: Bundle) -> str:
        """A word of a right size, fitting or not."""
        stock = bundle.stock()
        most = min(bundle.most, len(stock))
        size = self._rng.randint(min(bundle.least, most), most)
        return bundle.sort("".join(self._rng.sample(stock, size)))

    def _admitted(self, prefix: Action, bundle: Bundle, word: str) -> bool:
        admitted = bundle.admits(word)
        self.domains.append(f"{prefix} {word!r} {admitted}")
        return admitted
