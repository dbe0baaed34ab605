"""The interface of every game's texts for the cogs, and the small types they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple, Protocol, TypeVar

from bot.game.choices import Choices
from bot.game.contract import Action, Decision, Event, Outcome, Refusal
from bot.game.sides import Looks
from bot.text.brief import BriefLine
from bot.text.markup import clip
from bot.text.user_text import Name
from bot.text.words import Message, Words

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


class Hint(NamedTuple):
    """What a newcomer is told with a question, and the rules topic that says more."""

    text: str
    topic: str


class Unreadable(Exception):
    """What a person typed is not a word of the domain. `refusal` says why, for
    `GameText.refusal`."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.topic}): {dict(refusal.facts)!r}")
        self.refusal = refusal


V_contra = TypeVar("V_contra", contravariant=True)


class GameText(Protocol[V_contra]):
    """The words of one game; stateless. `view` is the game's view, made for the reader.

    Texts are Discord markdown unless said to be plain.
    """

    title: Message
    """A message: the name of the game is translated too."""
    public_hand: bool
    """Whether all see what a seat owns, so that a change of it is no private news."""

    def tagline(self, words: Words) -> str:
        """What the game is about, in a few words; plain."""
        ...

    def effort(self, words: Words) -> str:
        """How long it takes and how demanding it is; plain."""
        ...

    def event(self, words: Words, event: Event, names: Names) -> str | None:
        """One line about what happened; None where it is not worth a line."""
        ...

    def story(self, words: Words, events: Sequence[Event], names: Names) -> list[str]:
        """What happened, as few lines as serve; events that belong together share one."""
        ...

    def brief(self, words: Words, events: Sequence[Event], names: Names) -> list[BriefLine]:
        """What happened, in short lines: whatever one player did is one of them, and says how much
        it leaves out.
        """
        ...

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        """What is wrong and what can be done instead; the caller links the rule."""
        ...

    def question(self, words: Words, decision: Decision, view: V_contra, names: Names) -> str:
        """What is asked now, addressed to the seat of the decision."""
        ...

    def awaited(self, words: Words, decision: Decision, names: Names) -> str:
        """Whom the others wait for, and for what."""
        ...

    def called(self, words: Words, kind: str, names: Names) -> str:
        """A call to those of these names, who are asked the same kind of decision, without a full
        stop.
        """
        ...

    def prompt(
        self, words: Words, prefix: Action, choices: Choices, view: V_contra, names: Names
    ) -> str:
        """The question for the next word of an action being built."""
        ...

    def label(
        self,
        words: Words,
        prefix: Action,
        choices: Choices,
        word: str,
        view: V_contra,
        names: Names,
    ) -> Label:
        """One choice for the next word after `prefix`."""
        ...

    def pieces(self, words: Words, word: str) -> str:
        """A bundle word in words; plain."""
        ...

    def action(self, words: Words, action: Action, view: V_contra, names: Names) -> str:
        """An action, whole or as far as it is built, without a full stop; plain."""
        ...

    def whole(self, words: Words, action: Action, views: Sequence[V_contra], names: Names) -> Label:
        """A whole action as one entry of a menu of them: what is done, with what, where, and what
        it brings at once ("Ship from depot 1 → d5, +3"). Of several, joined, all of that: each is
        said by the view before it, as far as `views` go, which begin with that of now.
        """
        ...

    def what_if(
        self, words: Words, before: V_contra, after: V_contra, names: Names
    ) -> Sequence[str]:
        """What changes for the observer from one view to a later one, in points and in what the
        game counts: a line each, now and after. None where nothing does.
        """
        ...

    def reasons(self, words: Words, events: Sequence[Event], names: Names) -> Sequence[str]:
        """What is worth naming of the events of an action, as a reason for it, in phrases without
        who did it ("Completes the 3-space city")."""
        ...

    def hand(self, words: Words, view: V_contra, names: Names) -> str:
        """Everything the observer owns, at most 1900 characters."""
        ...

    def board(self, words: Words, view: V_contra, names: Names) -> str:
        """The whole table as text, at most 1900 characters."""
        ...

    def alt(self, words: Words, view: V_contra, events: Sequence[Event], names: Names) -> str:
        """Alt text for the picture; plain, at most 1000 characters."""
        ...

    def close_up(self, words: Words, view: V_contra, part: str, names: Names) -> CloseUpText | None:
        """What goes with the picture of one part of the table, by the renderer's word for it; None
        in a game whose board shows everything.
        """
        ...

    def outcome(self, words: Words, outcome: Outcome, names: Names, looks: Looks) -> str:
        """The result with its breakdown, which calls seats by the letters of their sides."""
        ...

    def ending(self, words: Words, ending: str) -> str:
        """How the game ended, or what decided it, in a sentence."""
        ...

    def scored(self, words: Words) -> str:
        """What `scores` counts; plain."""
        ...

    def scores(self, view: V_contra) -> tuple[int, ...]:
        """How many points each seat has made so far, as far as the observer may know: the source of
        a game's story and chart.
        """
        ...

    def weight(self, event: Event) -> int:
        """How memorable an event is when the game is over, from 0 (not at all) to 9."""
        ...

    def option(self, words: Words, name: str) -> str:
        """The name of an option; plain."""
        ...

    def option_value(self, words: Words, name: str, value: str) -> str:
        """A value of an option; plain."""
        ...

    def order(self, words: Words, name: str, value: str) -> str | None:
        """A standing order of this game and a value of it; plain. None for one it does not have."""
        ...

    def options_summary(self, words: Words, options: Mapping[str, str]) -> str:
        """What departs from the default game, in one line."""
        ...

    def read(
        self,
        choices: Choices,
        typed: str,
        prefix: Action,
        view: V_contra | None = None,
        names: Names = (),
    ) -> str:
        """What a person typed, as a word of the domain. Raises Unreadable.

        With the view and the names, labels can be typed as well ("riga" for a route).
        """
        ...

    def topic(self, words: Words, topic: str) -> str:
        """The title of a rules topic; plain."""
        ...

    def rules(self, words: Words, topic: str) -> str:
        """The text of a rules topic."""
        ...

    def topics(self) -> tuple[str, ...]:
        """The rules topics, in reading order; the first says what the game is about."""
        ...

    def hint(self, words: Words, kind: str) -> Hint | None:
        """What is asked and what is advisable, in two to four lines, for somebody's first turn.

        `kind` is that of a decision, or of the move chosen for it. None where the question is
        enough.
        """
        ...


AnyGameText = GameText[Any]
