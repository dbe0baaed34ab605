"""What words are handed over as: labels, close-ups, hints; how players are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from bot.game.contract import Refusal
from bot.text.markup import clip
from bot.text.user_text import Name

Names = Sequence[Name]
"""How the players are called, by seat."""


class Style(Enum):
    """How a choice looks as a button."""

    NORMAL = "normal"
    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


LONGEST_LABEL = 80
"""Characters of a button's text that Discord takes."""
LONGEST_DESCRIPTION = 100


class Label(NamedTuple):
    """One choice as a button, a select option or an autocomplete choice; plain text.

    `text` has at most `LONGEST_LABEL` characters, `description` at most
    `LONGEST_DESCRIPTION`. `emoji` is a unicode
    one, or one of the application's own as markdown has it. `called` is its short name, a part of
    the text, where the text does not begin with it.
    """

    text: str
    emoji: str | None = None
    description: str | None = None
    style: Style = Style.NORMAL
    called: str = ""

    @property
    def name(self) -> str:
        """The short name of the choice, which a picture writes on it.

        It is `called`, or else the beginning of the text, up to a colon or a middle dot.
        """
        return self.called or self.text.split(" · ")[0].split(": ")[0]

    @property
    def is_fitting(self) -> bool:
        """Whether its text is short enough for Discord."""
        return len(self.text) <= LONGEST_LABEL

    def fitting(self) -> Label:
        """The same, cut to the lengths that Discord allows."""
        description = self.description and clip(self.description, LONGEST_DESCRIPTION)
        return self._replace(text=clip(self.text, LONGEST_LABEL), description=description or None)


class CloseUpText(NamedTuple):
    """What goes with the picture of one part of the table.

    `title` and `alt`, of at most 1000 characters, are plain; `text` says the same as markdown, at
    most 1900 characters; `legend` says what pieces do, by their word in the notation.
    """

    title: str
    text: str
    alt: str
    legend: Mapping[str, str]


MAX_SUMMARY_LINES = 6
"""Lines of what happened that a message shows."""


class SummaryLine(NamedTuple):
    """A short line about what happened: how many events it shows, and how many it leaves out."""

    text: str
    shown_count: int = 1
    hidden_count: int = 0


class Summary(NamedTuple):
    """Short lines about what happened, oldest first. A message shows the newest `max_lines`."""

    all_lines: Sequence[SummaryLine]
    max_lines: int = MAX_SUMMARY_LINES

    @property
    def lines(self) -> list[str]:
        """The texts that a message shows."""
        return [line.text for line in self.all_lines[-self.max_lines :]]

    @property
    def hidden_count(self) -> int:
        """How many events the shown lines leave out."""
        older = self.all_lines[: -self.max_lines]
        hidden = sum(line.hidden_count for line in self.all_lines)
        return hidden + sum(line.shown_count for line in older)

    def then(self, later: Summary) -> Summary:
        """Both, one after the other."""
        return Summary((*self.all_lines, *later.all_lines), self.max_lines)


NOTHING = Summary(())
"""That nothing happened."""


class Hint(NamedTuple):
    """What a newcomer is told with a question, and the rules topic that says more."""

    text: str
    topic: str


class Unreadable(Exception):
    """What a person typed is not a word of the domain. `refusal` says why, for
    `GameWords.refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.topic}): {dict(refusal.facts)!r}")
        self.refusal = refusal
