"""Data about the pictures of a title, so that one test can check all titles."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any, NamedTuple

from bot.cogs.panel.browsing import usable_pieces
from bot.game.choices import Bundle, OneOf
from bot.game.contract import Event, canonical, in_turn, parse_action
from bot.game.log import Entry
from bot.game.trial import views_before
from bot.render.asked import WHOLE, AskedWords
from bot.tables.core.record import fold
from bot.text.user_text import Written, plain
from bot.text.words import words_for
from bot.titles import TITLES
from bot.titles.title import Title
from tests.recorded.results import read_record

Sample = tuple[Any, tuple[str, ...], tuple[Event, ...]]
"""The input of a renderer: a view, the names of the seats and the events."""

NAMES = tuple(map(Written, ("Margarethe", "Jonas", "Birgitta", "Computer 1")))


class Moment(NamedTuple):
    """A moment of a recorded game, for an observer who sees the last entries as news."""

    record: str
    entry: int
    observer: int
    news: int = 1
    """Number of entries whose events are news."""


class Question(NamedTuple):
    """A question at a moment, after the first words of an action or about whole actions, and the
    part of the table with its places. If `grouped`, words have the name of their group."""

    moment: Moment
    words: str
    part: str
    grouped: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Pictured:
    """The pictures of a title. Samples, large parts and questions have golden pictures."""

    name: str
    moments: Mapping[str, Moment]
    variants: Mapping[str, Callable[[Sample], Sample]] = field(default_factory=dict)
    """Samples that occur in no recorded game, made from the one named middle_game."""
    kilobytes: int
    """Maximum size of a picture."""
    large: Mapping[str, tuple[str, str]]
    """Pairs of a sample and a part of the table."""
    asked: Mapping[str, Question]
    unlit: Mapping[str, Sequence[str]]
    """By question, other parts in which nothing is lit."""
    question_parts: Sequence[tuple[AskedWords, str | None]]
    """Additional questions for middle_game, and their parts of the table."""
    parts: Mapping[str, tuple[str, ...]]
    """The parts of some samples."""
    signs: Sequence[str]
    """The keys of the legend, in order."""
    marked: frozenset[str]
    """The kinds of events with a mark on the picture."""

    @property
    def title(self) -> Title:
        return TITLES[self.name]

    @property
    def samples(self) -> tuple[str, ...]:
        return (*self.moments, *self.variants)

    def sample(self, name: str) -> Sample:
        if name in self.variants:
            return self.variants[name](self.sample("middle_game"))
        return self.at(self.moments[name])

    def at(self, moment: Moment) -> Sample:
        entries = folded(self, moment.record, moment.entry, moment.news)
        events = [event for entry, _ in entries for event in entry.events]
        view = self.title.game.view(entries[-1][1], moment.observer)
        visible = tuple(event for event in events if event.visible_to(moment.observer))
        return view, plain(NAMES[: len(view.known.players)]), visible

    def question(self, question: Question) -> AskedWords:
        moment, line, _, grouped = question
        game, text, words = self.title.game, self.title.text, words_for("en")
        state = folded(self, moment.record, moment.entry, 1)[-1][1]
        view, prefix = game.view(state, moment.observer), tuple(line.split())
        names, legal = NAMES[: len(view.known.players)], partial(game.legal, state, moment.observer)
        if line == WHOLE:
            (decision,) = [each for each in game.pending(state) if each.seat == moment.observer]
            views = {
                canonical(action): views_before(game, view, in_turn(action))
                for action in self.title.menu(view, decision, legal)
            }
            labels = [
                text(words, names).action_label(parse_action(word), views[word]) for word in views
            ]
            label_names = tuple(label.name for label in labels)
            return AskedWords((), WHOLE, tuple(views), label_names, views=views)
        choices = legal(prefix)
        if isinstance(choices, Bundle):
            return AskedWords(prefix, choices.param, usable_pieces(choices), tagged=False)
        assert isinstance(choices, OneOf)
        named, shown = [choices] * len(choices.values), list(choices.values)
        if grouped:
            by = choices.groups[0]
            shown = list(map(by.of, shown))
            named = [OneOf(by.param, (group,)) for group in shown]
        labels = [
            text(words, names, view).label(prefix, of, word)
            for of, word in zip(named, shown, strict=True)
        ]
        label_names = tuple(label.name for label in labels)
        return AskedWords(prefix, choices.param, tuple(choices.values), label_names)

    def draw(self, sample: Sample, part: str = "", asked: AskedWords | None = None) -> bytes:
        """Draw the whole table, or a part of it with its legend."""
        view, names, events = sample
        if not part:
            return self.title.pictures.draw(view, names, events, asked)
        written = [Written(name) for name in names]
        close = self.title.text(words_for("en"), written, view).close_up(part)
        assert close is not None
        return self.title.pictures.draw_part(view, names, events, part, close.legend, asked)

    def parts_of(self, sample: Sample) -> tuple[str, ...]:
        return self.title.pictures.parts(sample[0])


@cache
def folded(pictured: Pictured, record: str, entry: int, count: int) -> Sequence[tuple[Entry, Any]]:
    """Return `count` entries of a recorded game up to the given one, with their states."""
    game = pictured.title.game
    entries = fold(game, read_record(game, record))
    return deque(islice(entries, entry + 1), maxlen=count)


@lru_cache(maxsize=256)
def unlit(pictured: Pictured, name: str, part: str = "") -> bytes:
    """Return a sample's picture without a question, cached."""
    return pictured.draw(pictured.sample(name), part)


def whole(*words: str) -> AskedWords:
    """Return a question about whole actions."""
    return AskedWords((), WHOLE, words)
