"""The words of a game out of those of its chapters: what every `GameText` does alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from bot.game.choices import Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Decision, Event, Move, Outcome, Refusal, Seat
from bot.text.asking import Asking, fitting
from bot.text.chapter_words import ChapterWords
from bot.text.chapters import explanations, topics
from bot.text.contract import CloseUp, Hint, Label, Names, Unreadable
from bot.text.folding import tokens
from bot.text.markup import code
from bot.text.matching import Alias, one_of
from bot.text.speaking import Speaker
from bot.text.telling import Frame, Teller
from bot.text.words import Forms, Message, Words, all_words, forms, msg

S = TypeVar("S", bound=Speaker)
V = TypeVar("V")

REFUSALS: Mapping[str, Message | Forms] = {
    "not_your_turn": msg("It is not your turn: {other} is asked now. You will be called."),
    "nothing_asked": msg("Nothing is asked of you just now. The others are still choosing."),
    "game_over": msg("The game is over; nothing can be played any more."),
    "incomplete": msg("To {kind}, say all of it: {param} is missing."),
    "too_many_words": msg("That is more than it takes to {kind}. Leave the rest away."),
    "not_a_choice": msg("“{word}” is not possible here. Choose {param} from what is offered."),
    "ambiguous": msg("“{word}” can mean several things: {examples}. Write a bit more."),
}
"""Refusals of every game."""

_WINS = forms("🏆 {winners} wins!", "🏆 {winners} share the victory!")


class ChapteredText(ABC, Generic[S, V]):
    """The words of one game; implements `bot.text.contract.GameText`. Stateless.

    A game gives its chapters and its tables of names, and says what is said nowhere else.
    """

    folder: ClassVar[str]
    """Its folder of data."""
    title: Message
    speech: type[S]
    moves: Mapping[str, Move]
    chapters: Sequence[ChapterWords[S, V]]
    frames: Mapping[str, Frame]
    """What the phrases of its events become (see `bot.text.telling`)."""
    params: Mapping[str, Message]
    """Each part of a move, after "choose"."""
    options: Mapping[str, Message]
    option_values: Mapping[tuple[str, str], Message]
    score_lines: Mapping[str, Message]
    """The rows of the points, by their names in the outcome."""
    doings: Mapping[str, Message] = {}
    """What else than a move stands after "you may"."""

    def __init__(self) -> None:
        self._moves = {k: move for each in self.chapters for k, move in each.moves.items()}
        self._asked = {k: asked for each in self.chapters for k, asked in each.asked.items()}
        self._refusals = dict(REFUSALS)
        for each in self.chapters:
            self._refusals.update(each.refusals)
        self.events = {w.event.kind: w for each in self.chapters for w in each.events}
        """How each kind of event is told."""
        self._teller = Teller(self.frames, self.events, self._is_quiet)

    # What each game says for itself

    @abstractmethod
    def tagline(self, words: Words) -> str:
        """The game in one sentence; plain."""

    @abstractmethod
    def pieces(self, words: Words, word: str) -> str:
        """A bundle word in words; plain."""

    @abstractmethod
    def action(self, words: Words, action: Action, view: V, names: Names) -> str:
        """An action, whole or as far as it is built, without a full stop; plain."""

    @abstractmethod
    def hand(self, words: Words, view: V, names: Names) -> str:
        """Everything that is the observer's own. Raises IndexError for a spectator."""

    @abstractmethod
    def board(self, words: Words, view: V, names: Names) -> str:
        """The whole table as text, at most 1900 characters."""

    @abstractmethod
    def alt(self, words: Words, view: V, events: Sequence[Event], names: Names) -> str:
        """Alt text for the picture; plain, at most 1000 characters."""

    @abstractmethod
    def scores(self, view: V) -> tuple[int, ...]:
        """The points of each seat so far, as far as the observer may know."""

    @abstractmethod
    def weight(self, event: Event) -> int:
        """How well an event is remembered when the game is over, from 0 (not at all) to 9."""

    @abstractmethod
    def options_summary(self, words: Words, options: Mapping[str, str]) -> str:
        """What the table plays by, in one line."""

    @abstractmethod
    def ending(self, words: Words, ending: str) -> str:
        """How the game ended, or what decided it: a sentence."""

    @abstractmethod
    def example(self, speech: S, param: str, word: str) -> str:
        """A word of the notation as a person would write it; `speech` is plain."""

    @abstractmethod
    def known(self, choices: OneOf, view: V | None, names: Names) -> Iterable[tuple[str, str]]:
        """What may be typed for the words of a parameter, those included that the rules refuse
        with a better reason: each word with a name of it."""

    @abstractmethod
    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """What a person typed for pieces. Raises Unreadable."""

    # What all games say alike

    def close_up(self, words: Words, view: V, seat: Seat, names: Names) -> CloseUp | None:
        """What goes with the picture of one seat; None where the board shows all of them."""
        return None

    def order(self, words: Words, name: str, value: str) -> str | None:
        """A standing order of this game and a value of it; None where it has no such."""
        return None

    def scored(self, words: Words) -> str:
        """What `scores` counts; plain."""
        return words("Points")

    def event(self, words: Words, event: Event, names: Names) -> str | None:
        """One line about what happened; None where it is not worth a line."""
        return self._teller.line(self.rich(words, names), event)

    def story(self, words: Words, events: Sequence[Event], names: Names) -> list[str]:
        """What happened, as few lines as serve."""
        return self._teller.story(self.rich(words, names), events)

    def plain_story(self, words: Words, events: Sequence[Event], names: Names) -> list[str]:
        """The same without markdown."""
        return self._teller.story(self.speech(words, names), events)

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        """What is wrong, the rule in a clause, and what can be done instead.

        Raises KeyError for a code that has no message.
        """
        speech, facts = self.rich(words, names), refusal.facts
        said = speech.facts(facts)
        tables: tuple[tuple[str, Mapping[str, Message | None]], ...] = (
            ("kind", {**self.doings, **{kind: move.doing for kind, move in self._moves.items()}}),
            ("param", self.params),
            ("asked", {kind: asked.now for kind, asked in self._asked.items()}),
        )
        for name, table in tables:
            known = table.get(str(facts.get(name)))
            if known is not None:
                said[name] = words(known)
        examples = facts.get("examples")
        if isinstance(examples, tuple):
            param, plain = str(facts.get("param")), self.speech(words, names)
            shown = [self.example(plain, param, str(word)) for word in examples]
            said["examples"] = words.either([code(each) for each in shown])
        count = facts.get("count", 1)
        number = count if isinstance(count, int) else 1
        text = words.phrase(self._refusals[refusal.code], number, **said)
        return text[:1].upper() + text[1:]

    def question(self, words: Words, decision: Decision, view: V, names: Names) -> str:
        """What is asked now, addressed to the seat of the decision."""
        asked = self._asked[decision.kind].question
        if callable(asked):
            return asked(self.rich(words, names), view, decision)
        return words(asked)

    def awaited(self, words: Words, decision: Decision, names: Names) -> str:
        """Whom the others wait for, and for what."""
        seat = self.rich(words, names).seat(decision.seat)
        return words(self._asked[decision.kind].awaited, seat=seat)

    def prompt(self, words: Words, prefix: Action, choices: Choices, view: V, names: Names) -> str:
        """The question for the next word of an action being built."""
        if isinstance(choices, Done):
            return words("That is all there is to say.")
        if not prefix:
            return words("What do you do?")
        asked = self._moves[prefix[0]].params[choices.param].prompt
        if callable(asked):
            return asked(self.rich(words, names), prefix, choices)
        return words(asked)

    def label(
        self,
        words: Words,
        prefix: Action,
        choices: Choices,
        word: str,
        view: V,
        names: Names,
    ) -> Label:
        """One choice for the next word after `prefix`."""
        asked = Asking(self.speech(words, names), prefix, choices, view)
        if prefix:
            return fitting(self._moves[prefix[0]].params[asked.param].label(asked, word))
        move = self._moves[word]
        note = None if move.note is None else words(move.note)
        made = Label(words(move.button), move.emoji, note, move.style)
        return fitting(made if move.label is None else move.label(asked, made))

    def outcome(self, words: Words, outcome: Outcome, names: Names) -> str:
        """Who has won, how the game ended, and a table of what the points are made of."""
        speech = self.rich(words, names)
        winners = speech.seats(outcome.winners)
        head = words.phrase(_WINS, len(outcome.winners), winners=winners)
        told = self.ending(words, outcome.ending)
        return f"{head}\n{told}\n{speech.breakdown(outcome, self.score_lines)}"

    def option(self, words: Words, name: str) -> str:
        """The name of an option; an unknown one by its key."""
        return words(self.options[name]) if name in self.options else name

    def option_value(self, words: Words, name: str, value: str) -> str:
        """A value of an option; an unknown one by its key."""
        known = self.option_values.get((name, value))
        return value if known is None else words(known)

    def read(
        self,
        choices: Choices,
        typed: str,
        prefix: Action,
        view: V | None = None,
        names: Names = (),
    ) -> str:
        """What a person typed, as a word of the domain. Raises Unreadable.

        Only the notation is settled here: whether a word is allowed just now is for the rules to
        say, with their better reasons. Case and diacritics do not matter, and every installed
        language is understood.
        """
        move = self.moves.get(prefix[0]) if prefix else None
        topic = "overview" if move is None else move.topic
        if isinstance(choices, Done):
            kind = prefix[0] if prefix else ""
            raise Unreadable(Refusal("too_many_words", topic, {"kind": kind}))
        if isinstance(choices, OneOf):
            return one_of(choices, typed, self._aliases(choices, prefix, view, names), topic)
        return self.read_bundle(choices, typed, topic)

    def topic(self, words: Words, topic: str) -> str:
        """The title of a rules topic; an unknown one by its key."""
        known = topics(self.folder).get(topic)
        return words(known.title) if known else topic

    def rules(self, words: Words, topic: str) -> str:
        """The text of a rules topic. Raises KeyError where there is none."""
        return words(topics(self.folder)[topic].text, **self.legend(words))

    def legend(self, words: Words) -> dict[str, str]:
        """What the texts of the rules leave to be filled in, by name."""
        return {}

    def topics(self) -> tuple[str, ...]:
        """The rules topics, in reading order."""
        return tuple(topics(self.folder))

    def hint(self, words: Words, kind: str) -> Hint | None:
        """What newcomers are told with a question in a first turn; None where that says it all."""
        known = explanations(self.folder).get(kind)
        return None if known is None else Hint(words(known.text), known.topic)

    def rich(self, words: Words, names: Names) -> S:
        """Speech in markdown."""
        return self.speech(words, names, rich=True)

    def _is_quiet(self, event: Event) -> bool:
        return bool(self.events[event.kind].is_quiet(event))

    def _aliases(
        self, choices: OneOf, prefix: Action, view: V | None, names: Names
    ) -> Iterator[tuple[str, Alias]]:
        yield from ((word, tokens(word)) for word in choices.values)
        yield from ((word, tokens(name)) for word, name in self.known(choices, view, names))
        if view is not None:
            for words in all_words():
                for word in choices.values:
                    text = self.label(words, prefix, choices, word, view, names).text
                    yield word, tokens(text)
