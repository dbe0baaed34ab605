"""Types for texts: labels, close-ups, summaries, hints and players' names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from bot.game.contract import Refusal
from bot.text.markup import clip
from bot.text.user_text import Name

Names = Sequence[Name]
"""The players' names by seat."""


class Style(Enum):
    """The look of a choice as a button."""

    NORMAL = "normal"
    PRIMARY = "primary"
    SUCCESS = "success"
    DANGER = "danger"


LONGEST_LABEL = 80
"""Discord's limit for the text of a button, in characters."""
LONGEST_DESCRIPTION = 100


class Label(NamedTuple):
    """One choice as a button, a select option or an autocomplete choice; plain text.

    `text` has at most `LONGEST_LABEL` characters, `description` at most `LONGEST_DESCRIPTION`.
    `emoji` is a Unicode emoji, or the markdown of an application emoji. `called` is a short name
    within the text, needed only if the text does not begin with it.
    """

    text: str
    emoji: str | None = None
    description: str | None = None
    style: Style = Style.NORMAL
    called: str = ""

    @property
    def name(self) -> str:
        """The short name of the choice on a picture: `called`, or else the text up to a colon or a
        middle dot."""
        return self.called or self.text.split(" · ")[0].split(": ")[0]

    @property
    def is_fitting(self) -> bool:
        return len(self.text) <= LONGEST_LABEL

    def fitting(self) -> Label:
        """Return the label cut to the lengths that Discord allows."""
        description = self.description and clip(self.description, LONGEST_DESCRIPTION)
        return self._replace(text=clip(self.text, LONGEST_LABEL), description=description or None)


class CloseUpText(NamedTuple):
    """The texts for the picture of one part of the table.

    `title` and `alt` are plain, `alt` with at most 1000 characters. `text` has the content of `alt`
    in markdown, at most 1900 characters. `legend` explains pieces by their word in the notation.
    """

    title: str
    text: str
    alt: str
    legend: Mapping[str, str]


MAX_SUMMARY_LINES = 6
"""Maximum lines of a summary in a message."""


class SummaryLine(NamedTuple):
    """A short line about events, and the numbers of events it shows and leaves out."""

    text: str
    shown_count: int = 1
    hidden_count: int = 0


class Summary(NamedTuple):
    """Short lines about events, oldest first. A message shows the newest `max_lines`."""

    all_lines: Sequence[SummaryLine]
    max_lines: int = MAX_SUMMARY_LINES

    @property
    def lines(self) -> list[str]:
        """The lines that a message shows."""
        return [line.text for line in self.all_lines[-self.max_lines :]]

    @property
    def hidden_count(self) -> int:
        """Number of events that the message leaves out."""
        older = self.all_lines[: -self.max_lines]
        hidden = sum(line.hidden_count for line in self.all_lines)
        return hidden + sum(line.shown_count for line in older)

    def then(self, later: Summary) -> Summary:
        return Summary((*self.all_lines, *later.all_lines), self.max_lines)


NOTHING = Summary(())


class Hint(NamedTuple):
    """An explanation for a newcomer to a question, and the rules topic with more."""

    text: str
    topic: str


class Unreadable(Exception):
    """The typed text is not a word of the domain. `GameWords.refusal` explains `refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.topic}): {dict(refusal.facts)!r}")
        self.refusal = refusal
