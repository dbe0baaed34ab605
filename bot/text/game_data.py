"""The texts in data/<game>: rules by topic, the first turn, names, and the words of each chapter's
moves, decisions, events and refusals. (For commands.toml see `bot.text.commands`.)

Each file is validated when it is read. An error raises msgspec.ValidationError with the file and
the place in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from itertools import product
from typing import Any, TypeVar

import msgspec

from bot.game.content import read
from bot.game.contract import Event, Fact, Seat
from bot.resources import data
from bot.text.contract import Style
from bot.text.words import Forms, Message

T = TypeVar("T")


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A short chapter of the rules."""

    title: Message
    text: Message


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decision on a question that the rulebook leaves open. The code cites its number."""

    number: int
    topic: str
    text: Message


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of rulings.toml, in order of number."""

    rulings: tuple[Ruling, ...]


class Explanation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An explanation for a newcomer to a question, and the rules topic with more."""

    text: Message
    topic: str


class AboutGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game's title, theme, duration, difficulty, and the name of its points."""

    title: Message
    tagline: Message
    length: Message
    weight: Message
    scored: Message


class GameNames(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The names.toml of any game: messages by the words of the notation.

    A game with more names adds fields. A message is a string; with a plural it is a list of two.
    """

    game: AboutGame
    params: dict[str, Message]
    """The parameters of moves, worded to follow "choose"."""
    score: dict[str, Message]
    """The rows of the final score, by their names in the outcome."""
    endings: dict[str, Message]
    """Ways for a game to end, and tie-breaks."""
    options: dict[str, Message] = {}
    option_values: dict[str, Message] = {}
    """Keys are the option and the value, separated by a space."""
    legend: dict[str, Message] = {}
    """The signs on the pictures, from top to bottom."""
    orders: dict[str, Message | Forms] = {}
    """Standing orders; with a plural if the value is a number."""
    counted: dict[str, Forms] = {}
    """Points and other counted things, by fact."""


class MoveWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for one kind of action.

    `text`, `emoji`, `style` and `note` make its button. `doing` follows "you can't". `asks` has
    the questions for its parameters. `phrases` are templates for an action: the last for a complete
    one, each before it for one word less. An action with even fewer words gets the button's text.
    `phrases_with` has other templates by the first word after the kind.
    """

    text: Message
    emoji: str
    doing: Message
    style: Style = Style.NORMAL
    note: Message | None = None
    asks: dict[str, Message] = {}
    phrases: tuple[Message, ...] = ()
    phrases_with: dict[str, tuple[Message, ...]] = {}


class QuestionWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a decision.

    `to_act` is for the other players, `called` pings the seats, and `asked` is the question, or one
    of its `cases`. `chosen` shows a seat its secret choice, which it may still change. `now` is
    the end of a refusal: what the seat has to decide first.
    """

    to_act: Message
    called: Message
    asked: Message | None = None
    cases: tuple[EventCase, ...] = ()
    chosen: Message | None = None
    now: Message | None = None


Condition = dict[str, bool | int | str | tuple[str, ...]]
"""Required values by fact; true and false match any truthy or falsy value."""


def suits(when: Condition, facts: Mapping[str, object]) -> bool:
    """Return whether the facts meet the condition."""
    pairs = ((facts.get(name), expected) for name, expected in when.items())
    return all(
        bool(value) is expected if isinstance(expected, bool) else value == expected
        for value, expected in pairs
    )


class EventFilter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Selects events of a kind whose facts meet a condition.

    `least` has minimum values: of a number, or of the length of a list.
    """

    event: str
    when: Condition = {}
    least: dict[str, int] = {}

    def fits(self, event: Event) -> bool:
        """Return whether the event is selected."""
        facts = event.facts
        return (
            event.kind == self.event
            and suits(self.when, facts)
            and all(size(facts[name]) >= least for name, least in self.least.items())
        )


def size(fact: Fact) -> int:
    """Return a number, or the length of a text or list."""
    return fact if isinstance(fact, int) else len(fact)


class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position with one thing to do, played at a table of the learner's own.

    The position comes from playing the `moves`, each a line with a seat and an action, with draws
    from `key`. The learner on `seat` reaches the goal once each filter has selected one of the
    events since then; with `whole_turn`, also no decision may be left to them. `text` comes
    before, `right` after the goal, `wrong` when the learner has nothing left to decide and missed
    it.

    `solution` are actions that reach the goal, `mistake` are others that don't.
    """

    name: str
    title: Message
    text: Message
    right: Message
    wrong: Message
    seats: int
    options: dict[str, str] = {}
    key: int
    moves: str
    seat: Seat = 0
    goal: tuple[EventFilter, ...]
    whole_turn: bool = False
    solution: tuple[str, ...]
    mistake: tuple[str, ...]

    @property
    def secret(self) -> bytes:
        """The key of the draws as a table has it."""
        return self.key.to_bytes(32)

    @property
    def played(self) -> list[tuple[Seat, str]]:
        """The `moves` as seats and actions."""
        lines = (line.split(maxsplit=1) for line in self.moves.strip().splitlines())
        return [(int(seat), action) for seat, action in lines]

    def is_reached(self, events: Collection[Event], *, is_to_act: bool) -> bool:
        """Return whether the events since the position reach the goal."""
        if self.whole_turn and is_to_act:
            return False
        return all(any(each.fits(event) for event in events) for each in self.goal)


class Lessons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of lessons.toml, in the order in which they are best taken."""

    lessons: tuple[Lesson, ...]


class EventCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase for facts that meet a condition."""

    when: Condition
    text: Message | Forms


class EventSentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a kind of event: a phrase that its frame makes a sentence.

    The first of the `cases` that matches wins over `text`. A `quiet` event is not shown. `weight`
    says how memorable it is after the game, from 0 (not at all) to 9; it rises by one for every
    `points_a_weight` points in its `scored` fields. A `reason` is also shown before the action, as
    a reason for it.
    """

    text: Message | Forms
    frame: str = "turn"
    cases: tuple[EventCase, ...] = ()
    quiet: bool | Condition = False
    weight: int = 0
    scored: tuple[str, ...] = ()
    points_a_weight: int = 3
    reason: bool = False

    @property
    def texts(self) -> list[Message | Forms]:
        return [*(case.text for case in self.cases), self.text]


class SentenceFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence around phrases: ``{what}`` is for the phrases, ``{seat}`` for the acting player.

    Adjacent events with one frame share a sentence, with `joint` between their phrases; with
    `by_seat` only events of one seat, with `alone` none.
    """

    text: Message
    joint: str = ", "
    by_seat: bool = False
    alone: bool = False


class ChapterWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of words/<chapter>.toml: by kind of move, decision or event, and code of refusal.

    `doings` are names for groups of moves, worded like `MoveWords.doing`. `frames` are the
    game's additional frames.
    """

    moves: dict[str, MoveWords] = {}
    questions: dict[str, QuestionWords] = {}
    refusals: dict[str, Message | Forms] = {}
    doings: dict[str, Message] = {}
    frames: dict[str, SentenceFrame] = {}
    events: dict[str, EventSentence] = {}


@cache
def topics(game: str) -> dict[str, Topic]:
    """Return the topics by key, in reading order."""
    return read(data(game, "rules.toml"), dict[str, Topic])


@cache
def rulings(game: str) -> tuple[Ruling, ...]:
    """Return the rulings in order of number; a game may have none."""
    path = data(game, "rulings.toml")
    return read(path, Rulings).rulings if path.is_file() else ()


@cache
def explanations(game: str) -> dict[str, Explanation]:
    """Return the explanations for a first turn, by kind of decision or move; may be empty."""
    path = data(game, "first_turn.toml")
    return read(path, dict[str, Explanation]) if path.is_file() else {}


@cache
def lessons(game: str) -> tuple[Lesson, ...]:
    """Return the lessons in order; a game may have none."""
    path = data(game, "lessons.toml")
    return read(path, Lessons).lessons if path.is_file() else ()


def names(game: str, kind: type[T]) -> T:
    """Read names.toml; `kind` is `GameNames` or a subclass."""
    return read(data(game, "names.toml"), kind)


def all_chapters(game: str) -> ChapterWords:
    """Merge the words of all chapters. Raise ValueError for a duplicate key."""
    chapters = [read(path, ChapterWords) for path in data(game, "words").iterdir()]
    merged: dict[str, dict[str, Any]] = {name: {} for name in ChapterWords.__struct_fields__}
    for chapter, (name, table) in product(chapters, merged.items()):
        own = getattr(chapter, name)
        if duplicates := own.keys() & table.keys():
            raise ValueError(f"two chapters of {game} have {name} for {sorted(duplicates)}")
        table.update(own)
    return ChapterWords(**merged)
