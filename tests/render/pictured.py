"""What the tests of pictures know of each title, so that one test asks the same of all."""

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
"""What a renderer is given: a view, the names of the seats and the events."""

NAMES = tuple(map(Written, ("Margarethe", "Jonas", "Birgitta", "Computer 1")))


class Moment(NamedTuple):
    """A moment of a recorded game, as an observer sees it who was told of so many entries."""

    record: str
    entry: int
    observer: int
    heard: int = 1


class Question(NamedTuple):
    """What somebody is asked at a moment after the first words of an action, or about whole ones,
    and the part of the table in which it lies; words of a group by its name if `grouped`."""

    moment: Moment
    words: str
    part: str
    grouped: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Pictured:
    """The pictures of one title. Those of samples, large parts and questions are golden ones."""

    name: str
    moments: Mapping[str, Moment]
    made: Mapping[str, Callable[[Sample], Sample]] = field(default_factory=dict)
    """Samples that no game has come to, out of the one called middle_game."""
    kilobytes: int
    """No picture is larger."""
    large: Mapping[str, tuple[str, str]]
    """Of a sample a part of the table."""
    asked: Mapping[str, Question]
    unlit: Mapping[str, Sequence[str]]
    """Questions, and other parts in which nothing is lit."""
    lies: Sequence[tuple[AskedWords, str | None]]
    """More questions in the middle of a game, and where they lie."""
    parts: Mapping[str, tuple[str, ...]]
    """Of some samples, and what other ones have not."""
    signs: Sequence[str]
    """What the legend explains, in its order."""
    marked: frozenset[str]
    """The kinds of events that leave a mark on the picture."""

    @property
    def title(self) -> Title:
        return TITLES[self.name]

    @property
    def samples(self) -> tuple[str, ...]:
        return (*self.moments, *self.made)

    def sample(self, name: str) -> Sample:
        if name in self.made:
            return self.made[name](self.sample("middle_game"))
        return self.at(self.moments[name])

    def at(self, moment: Moment) -> Sample:
        """What an observer is shown at a moment."""
        told = folded(self, moment.record, moment.entry, moment.heard)
        heard = [event for entry, _ in told for event in entry.events]
        view = self.title.game.view(told[-1][1], moment.observer)
        known = tuple(event for event in heard if event.visible_to(moment.observer))
        return view, plain(NAMES[: len(view.known.players)]), known

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
            said = [text(words, names).whole(parse_action(word), views[word]) for word in views]
            called = tuple(label.name for label in said)
            return AskedWords((), WHOLE, tuple(views), called, views=views)
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
        called = tuple(label.name for label in labels)
        return AskedWords(prefix, choices.param, tuple(choices.values), called)

    def draw(self, sample: Sample, part: str = "", asked: AskedWords | None = None) -> bytes:
        """The whole table, or a part of it with what its pieces do."""
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
    """So many entries of a recorded game, of which that is the last one."""
    game = pictured.title.game
    entries = fold(game, read_record(game, record))
    return deque(islice(entries, entry + 1), maxlen=count)


@lru_cache(maxsize=256)
def unlit(pictured: Pictured, name: str, part: str = "") -> bytes:
    """A sample's picture on which nothing is asked; drawn once."""
    return pictured.draw(pictured.sample(name), part)


def whole(*words: str) -> AskedWords:
    """A menu of whole actions."""
    return AskedWords((), WHOLE, words)
