"""The words in data/<game>: rules by topic, the first turn, names, and what is said of each
chapter's moves, decisions and refusals. (Of commands.toml see `bot.text.commands`.)

Every file is checked as a whole when it is read; what is wrong raises msgspec.ValidationError,
which names the file and the place in it.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, TypeVar

import msgspec

from bot.game.content import read
from bot.resources import data
from bot.text.contract import Style
from bot.text.words import Forms, Message

T = TypeVar("T")


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules in a few sentences; both fields are messages."""

    title: Message
    text: Message


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was decided where the rulebook is silent or can be read in two ways. The code cites it
    by its number; `text` is a message."""

    number: int
    topic: str
    text: Message


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What rulings.toml says, in order of number."""

    rulings: tuple[Ruling, ...]


class Explanation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message for a newcomer to a question, and the topic that says more."""

    text: Message
    topic: str


class AboutGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game as a whole: its name, what it is about in a few words, how long it takes, how
    demanding it is, and what its points are called."""

    title: Message
    tagline: Message
    length: Message
    weight: Message
    scored: Message


class GameNames(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What names.toml has for every game: messages by the words of the notation.

    A game with more names adds fields. A message is a string, one with a plural a list of two.
    """

    game: AboutGame
    params: dict[str, Message]
    """Each part of a move, after "choose"."""
    score: dict[str, Message]
    """The rows of the points, by their names in the outcome."""
    endings: dict[str, Message]
    """How a game ends, or what decides it."""
    options: dict[str, Message] = {}
    option_values: dict[str, Message] = {}
    """By the option and the value, with a space between."""
    legend: dict[str, Message] = {}
    """What the signs on the pictures mean, from the top."""
    orders: dict[str, Message | Forms] = {}
    """Standing orders; with a plural where their value is a number."""
    counted: dict[str, Forms] = {}
    """Points, means and the like, by the facts that count them."""


class MoveWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for one kind of action.

    `text`, `emoji`, `style` and `note` make its button; `doing` follows "you may". `asks` are the
    questions for its parameters. `phrases` are the templates that describe an action, the last
    one for all its words, each before it for one word less; with still fewer words it is said as
    its button. `phrases_with` are other templates, by the action's first word.
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
    """The words for a decision: to those who wait for it, and to the seat that is asked. Seats are
    `called` by what they are to do.

    A seat that has chosen in secret is told what it has `chosen`, and that it may choose anew.
    `now` says after "just now, for" what is asked instead of an action that is refused.
    """

    to_act: Message
    called: Message
    asked: Message | None = None
    cases: tuple[EventCase, ...] = ()
    chosen: Message | None = None
    now: Message | None = None


Condition = dict[str, bool | int | str | tuple[str, ...]]
"""By field of an event: what it must be; true and false mean anything that counts as that."""


class EventCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The phrase of an event under a condition."""

    when: Condition
    text: Message | Forms


class EventSentence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words for a kind of event: a phrase for a frame, that of the first of the cases that
    suits the event, or else `text`.

    Nothing is said of a `quiet` one. `weight` says how memorable it is when the game is over, from
    0 (not at all) to 9; one more for every `points_a_weight` of what it has `scored`, which are
    fields of the event. A `reason` is what somebody may act for, so it is told of an action before.
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
        """All its phrases."""
        return [*(case.text for case in self.cases), self.text]


class SentenceFrame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sentence around phrases, which stand at ``{what}``; ``{seat}`` is who acted.

    Neighbouring events with the same frame share a sentence, their phrases joined by `joint`. With
    `by_seat` only events of one seat do, with `alone` none do.
    """

    text: Message
    joint: str = ", "
    by_seat: bool = False
    alone: bool = False


class ChapterWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What words/<chapter>.toml says: by kind of move, of decision and of event, and by refusal's
    code.

    `doings` are what groups of moves that count as one are called after "you may". `frames` are
    those of events that not every game has.
    """

    moves: dict[str, MoveWords] = {}
    questions: dict[str, QuestionWords] = {}
    refusals: dict[str, Message | Forms] = {}
    doings: dict[str, Message] = {}
    frames: dict[str, SentenceFrame] = {}
    events: dict[str, EventSentence] = {}


@cache
def topics(game: str) -> dict[str, Topic]:
    """The topics by key, in reading order."""
    return read(data(game, "rules.toml"), dict[str, Topic])


@cache
def rulings(game: str) -> tuple[Ruling, ...]:
    """The rulings in order of number; a game need not have any."""
    path = data(game, "rulings.toml")
    return read(path, Rulings).rulings if path.is_file() else ()


@cache
def explanations(game: str) -> dict[str, Explanation]:
    """The explanations of a first turn, by kind of decision or move; a game need not have any."""
    path = data(game, "first_turn.toml")
    return read(path, dict[str, Explanation]) if path.is_file() else {}


def names(game: str, kind: type[T]) -> T:
    """What things are called; `kind` is `GameNames` or has more fields."""
    return read(data(game, "names.toml"), kind)


def all_chapters(game: str) -> ChapterWords:
    """What all chapters say together. Raises ValueError where two have the same key."""
    chapters = [read(path, ChapterWords) for path in data(game, "words").iterdir()]
    merged: dict[str, dict[str, Any]] = {name: {} for name in ChapterWords.__struct_fields__}
    for chapter, (name, table) in product(chapters, merged.items()):
        own = getattr(chapter, name)
        if twice := own.keys() & table.keys():
            raise ValueError(f"two chapters of {game} have {name} for {sorted(twice)}")
        table.update(own)
    return ChapterWords(**merged)
