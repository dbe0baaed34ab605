"""The words of The Castles of Burgundy behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.burgundy.view import View
from bot.game.choices import Choices
from bot.game.contract import Action, Decision, Event, Outcome, Refusal, Seat
from bot.text.burgundy import (
    actions,
    boards,
    events,
    labels,
    questions,
    reading,
    refusals,
    results,
    tiles,
)
from bot.text.burgundy.speech import Speech
from bot.text.chapters import explanations, topics
from bot.text.contract import CloseUp, Hint, Label, Names
from bot.text.words import Words, msg

GAME = "burgundy"
"""Its folder of data."""


class BurgundyText:
    """The words of the game; implements `bot.text.contract.GameText`. Stateless."""

    title = msg("The Castles of Burgundy")

    def tagline(self, words: Words) -> str:
        """The game in one sentence; plain."""
        return words(
            "Princes of medieval Burgundy, who make an estate flourish with two dice a turn."
        )

    def event(self, words: Words, event: Event, names: Names) -> str | None:
        """One line about what happened; None where it is not worth a line."""
        return events.event_line(_rich(words, names), event)

    def story(self, words: Words, heard: Sequence[Event], names: Names) -> list[str]:
        """What happened, as few lines as serve."""
        return events.story(_rich(words, names), heard)

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        """What is wrong, the rule in a clause, and what can be done instead."""
        return refusals.refusal_text(_rich(words, names), refusal)

    def question(self, words: Words, decision: Decision, view: View, names: Names) -> str:
        """What is asked now, addressed to the seat of the decision."""
        return questions.question(_rich(words, names), decision, view)

    def awaited(self, words: Words, decision: Decision, names: Names) -> str:
        """Whom the others wait for, and for what."""
        return questions.awaited(_rich(words, names), decision)

    def prompt(
        self, words: Words, prefix: Action, choices: Choices, view: View, names: Names
    ) -> str:
        """The question for the next word of an action being built."""
        return questions.prompt(_rich(words, names), prefix, choices, view)

    def label(
        self,
        words: Words,
        prefix: Action,
        choices: Choices,
        word: str,
        view: View,
        names: Names,
    ) -> Label:
        """One choice for the next word after `prefix`."""
        return labels.label(labels.Asked(Speech(words, names), prefix, choices, view), word)

    def pieces(self, words: Words, word: str) -> str:
        """Types of goods in words; plain."""
        return Speech(words).types(word)

    def action(self, words: Words, action: Action, view: View, names: Names) -> str:
        """An action, whole or in part, in words, without a full stop; plain."""
        return actions.action_text(Speech(words, names), action, view)

    def hand(self, words: Words, view: View, names: Names) -> str:
        """Everything that is the observer's own. Raises IndexError for a spectator."""
        return boards.hand_text(_rich(words, names), view)

    def board(self, words: Words, view: View, names: Names) -> str:
        """The whole table as text, at most 1900 characters."""
        return boards.board_text(Speech(words, names), view)

    def alt(self, words: Words, view: View, heard: Sequence[Event], names: Names) -> str:
        """Alt text for the picture; plain, at most 1000 characters."""
        return boards.alt_text(Speech(words, names), view, heard)

    def close_up(self, words: Words, view: View, seat: Seat, names: Names) -> CloseUp:
        """What goes with the picture of one estate."""
        return boards.close_up(_rich(words, names), view, seat)

    def outcome(self, words: Words, outcome: Outcome, names: Names) -> str:
        """The result with its breakdown."""
        return results.outcome_text(_rich(words, names), outcome)

    def scored(self, words: Words) -> str:
        """What `scores` counts; plain."""
        return words("Points")

    def scores(self, view: View) -> tuple[int, ...]:
        """The points of each seat so far; those of the end come with it."""
        return tuple(seat.total for seat in view.seats)

    def weight(self, event: Event) -> int:
        """How well an event is remembered when the game is over, from 0 (not at all) to 9."""
        return events.weight(event)

    def option(self, words: Words, name: str) -> str:
        """The name of an option; plain."""
        return results.option_name(words, name)

    def option_value(self, words: Words, name: str, value: str) -> str:
        """A value of an option; plain."""
        return results.option_value(words, name, value)

    def order(self, words: Words, name: str, value: str) -> str | None:
        """It has no standing orders but those of every game."""
        return None

    def options_summary(self, words: Words, options: Mapping[str, str]) -> str:
        """What the table plays by, in one line."""
        return results.options_summary(words, options)

    def read(
        self,
        choices: Choices,
        typed: str,
        prefix: Action,
        view: View | None = None,
        names: Names = (),
    ) -> str:
        """What a person typed, as a word of the domain. Raises Unreadable."""
        return reading.read(choices, typed, prefix, view, names)

    def topic(self, words: Words, topic: str) -> str:
        """The title of a rules topic; an unknown one by its key."""
        known = topics(GAME).get(topic)
        return words(known.title) if known else topic

    def rules(self, words: Words, topic: str) -> str:
        """The text of a rules topic. Raises KeyError where there is none."""
        return words(topics(GAME)[topic].text, **tiles.legend(words))

    def topics(self) -> tuple[str, ...]:
        """The rules topics, in reading order."""
        return tuple(topics(GAME))

    def hint(self, words: Words, kind: str) -> Hint | None:
        """What newcomers are told with a question in a first turn; None where that says it all."""
        known = explanations(GAME).get(kind)
        return None if known is None else Hint(words(known.text), known.topic)


def _rich(words: Words, names: Names) -> Speech:
    return Speech(words, names, rich=True)
