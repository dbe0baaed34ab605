"""The words of a game, put together from those of its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Generic, TypeVar

from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import Action, Decision, Event, Fact, Game, Outcome, Refusal
from bot.game.sides import Looks
from bot.text.brief import BriefLine
from bot.text.chapter import Chapter, merged
from bot.text.contract import CloseUpText, Hint, Label, Names, Unreadable
from bot.text.events import FRAMES, Teller
from bot.text.folding import fold, tokens
from bot.text.game_data import GameNames, explanations, topics
from bot.text.labels import Asking, Observed, fitting
from bot.text.markup import capital, clip, code, whole_sentences
from bot.text.matching import Alias, amount, one_of
from bot.text.refusals import REFUSALS
from bot.text.speech import Speech, short_names
from bot.text.whole_actions import WholeActions
from bot.text.words import Message, Words, all_words

S = TypeVar("S", bound=Speech)
V = TypeVar("V", bound=Observed)

MOST_BOARD = 1900
MOST_ALT = 1000
FEW = 64
"""As many words of a bundle are compared by their labels with what was typed."""


class ChapterText(WholeActions[V], Generic[S, V]):
    """Most of `bot.text.contract.GameText`, made from a game's chapters. Stateless.

    `speech` says the things of the game in words, `names` are what they are called. `groups` make
    the labels of groups of words, by what a `Grouping` divides by.
    """

    public_hand = False

    def __init__(
        self,
        game: Game[Any, Any],
        speech: type[S],
        names: GameNames,
        chapters: Sequence[Chapter[S, V]],
        groups: Mapping[str, Callable[[Asking[S, V], str], Label]] | None = None,
    ) -> None:
        self._game = game
        self._speech = speech
        self.names = names
        self.title = names.game.title
        words = [chapter.words for chapter in chapters]
        self.moves = merged(each.moves for each in words)
        self.parts = merged(chapter.parts for chapter in chapters)
        """Those of each kind of move that has any."""
        self._buttons = merged(chapter.buttons for chapter in chapters)
        self.questions = merged(each.questions for each in words)
        self._asked = merged(chapter.asked for chapter in chapters)
        self.refusals = {**REFUSALS, **merged(each.refusals for each in words)}
        self.templates = merged({w.event.kind: w for w in chapter.events} for chapter in chapters)
        """By kind, how each event is told."""
        self._groups = groups or {}
        self._now = {kind: each.now for kind, each in self.questions.items() if each.now}
        doings = {kind: move.doing for kind, move in self.moves.items()}
        self.doings = merged([doings, *(each.doings for each in words)])
        frames = merged([FRAMES, *(chapter.frames for chapter in chapters)])
        self._teller = Teller(frames, self.templates)

    # What a game may say otherwise

    notation: ClassVar[Mapping[str, Iterable[str]]] = {}
    """Words by parameter that are understood even when they are not on offer, so that the rules can
    say why they are not."""

    def facts(self, speech: S, decision: Decision, view: V) -> Mapping[str, object]:
        """What the question for a decision is filled with."""
        return {}

    def chosen(self, speech: S, view: V) -> Mapping[str, object]:
        """What the observer has chosen in secret, as facts; none where nothing is chosen yet."""
        return {}

    def clean(self, typed: str) -> str:
        """What a person typed, without decoration such as emoji."""
        return typed

    def example(self, speech: S, param: str, word: str) -> str:
        """A word of the notation as a person would write it; `speech` is plain."""
        return word

    def aliases(self, choices: OneOf, view: V | None, names: Names) -> Iterable[tuple[str, str]]:
        """Names of words besides their labels, as pairs of word and name: those in `notation` by
        themselves, and as they are called in each language."""
        speeches = [self._speech(words) for words in all_words()]
        for word in self.notation.get(choices.param, ()):
            yield word, word
            yield from ((word, speech.fact(choices.param, word)) for speech in speeches)

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """What a person typed for a bundle, as its word. Raises Unreadable."""
        raise NotImplementedError

    def pieces(self, words: Words, word: str) -> str:
        """A bundle word in words; plain. A game without bundles needs neither of the two."""
        raise NotImplementedError

    def board_lines(self, speech: S, view: V) -> Iterable[str]:
        """The whole table, line by line as it is best read aloud; empty lines are left out."""
        raise NotImplementedError

    def hand_lines(self, speech: S, view: V) -> Iterable[str]:
        """Everything that belongs to the observer, who has a seat."""
        raise NotImplementedError

    def alt_lines(self, speech: S, view: V) -> Iterable[str]:
        """What the picture shows, in plain sentences."""
        raise NotImplementedError

    def close_up_words(self, plain: S, rich: S, view: V, part: str) -> CloseUpText | None:
        """What goes with the picture of one part of the table, by the renderer's word for it, of
        any length; None for a part that there is not, and in a game whose board shows all."""
        return None

    def ending(self, words: Words, ending: str) -> str:
        """How the game ended, or what decided it."""
        return words(self.names.endings[ending])

    # The table in words

    def board(self, words: Words, view: V, names: Names) -> str:
        """The whole table as text, at most 1900 characters."""
        speech = self._speech(words, short_names(names))
        return clip("\n".join(filter(None, self.board_lines(speech, view))), MOST_BOARD)

    def hand(self, words: Words, view: V, names: Names) -> str:
        """Everything that is the observer's own. Raises IndexError for a spectator."""
        if view.observer < 0:
            raise IndexError("a spectator has no hand")
        text = "\n".join(self.hand_lines(self._rich(words, names), view))
        if len(text) > MOST_BOARD:
            # The bot's own signs of pieces are long.
            words = words.signed({})
            text = "\n".join(self.hand_lines(self._rich(words, names), view))
        return clip(text, MOST_BOARD)

    def alt(self, words: Words, view: V, heard: Sequence[Event], names: Names) -> str:
        """What just changed, then what the picture shows; plain, at most 1000 characters.

        The news is cut first, as the picture shows the table.
        """
        shown = whole_sentences(" ".join(self.alt_lines(self._plain(words, names), view)), MOST_ALT)
        room = MOST_ALT - len(shown) - 1
        news = " ".join(self._teller.story(self._plain(words, names), heard))
        return f"{whole_sentences(news, room)} {shown}" if news and room > 1 else shown

    def close_up(self, words: Words, view: V, part: str, names: Names) -> CloseUpText | None:
        """What goes with the picture of one part of the table; None for one that there is not."""
        plain, rich = self._plain(words, names), self._rich(words, names)
        said = self.close_up_words(plain, rich, view, part)
        if said is None:
            return None
        alt = whole_sentences(said.alt, MOST_ALT)
        return said._replace(text=clip(said.text, MOST_BOARD), alt=alt)

    def outcome(self, words: Words, outcome: Outcome, names: Names, looks: Looks) -> str:
        """Who has won, how the game ended, and a table of what the points are made of."""
        speech = self._rich(words, names)
        head = words.plural(
            "🏆 {winners} wins!",
            "🏆 {winners} share the victory!",
            len(outcome.winners),
            winners=speech.seats(outcome.winners),
        )
        table = speech.breakdown(outcome, self.names.score, looks)
        return f"{head}\n{self.ending(words, outcome.ending)}\n{table}"

    # What happened

    def event(self, words: Words, event: Event, names: Names) -> str | None:
        """One line about what happened; None where it is not worth a line."""
        return self._teller.line(self._rich(words, names), event)

    def story(self, words: Words, heard: Sequence[Event], names: Names) -> list[str]:
        """What happened, as few lines as serve; events that belong together share one."""
        return self._teller.story(self._rich(words, names), heard)

    def brief(self, words: Words, heard: Sequence[Event], names: Names) -> list[BriefLine]:
        """What happened, in short lines: whatever one player did is one of them."""
        return self._teller.brief(self._rich(words, names), heard)

    def weight(self, event: Event) -> int:
        """How well an event is remembered when the game is over, from 0 (not at all) to 9."""
        return self.templates[event.kind].weight(event)

    def reasons(self, words: Words, heard: Sequence[Event], names: Names) -> Sequence[str]:
        """What somebody may have acted for, in phrases."""
        return self._teller.reasons(self._rich(words, names), heard)

    # What is asked, offered and said back

    def question(self, words: Words, decision: Decision, view: V, names: Names) -> str:
        """What is asked now, addressed to the seat of the decision."""
        speech, question = self._rich(words, names), self.questions[decision.kind]
        chosen = self.chosen(speech, view)
        if question.chosen is not None and chosen:
            return words(question.chosen, **chosen)
        asked = []
        if question.asked is not None:
            asked.append(words(question.asked, **self.facts(speech, decision, view)))
        if decision.kind in self._asked:
            asked.append(self._asked[decision.kind](speech, decision, view))
        return "\n".join(asked)

    def awaited(self, words: Words, decision: Decision, names: Names) -> str:
        """Whom the others wait for, and for what."""
        seat = self._rich(words, names).seat(decision.seat)
        return words(self.questions[decision.kind].awaited, seat=seat)

    def called(self, words: Words, kind: str, names: Names) -> str:
        """A call to those who are asked, all of them the same."""
        return words(self.questions[kind].called, seats=words.listing(list(map(str, names))))

    def prompt(self, words: Words, prefix: Action, choices: Choices, view: V, names: Names) -> str:
        """The question for the next word of an action being built."""
        if isinstance(choices, Done):
            return words("That's everything for now.")
        if not prefix:
            return words("What will you do?")
        asks = self.parts[prefix[0]][choices.param].asks
        if asks is not None:
            return asks(Asking(self._rich(words, names), prefix, choices, view))
        return words(self.moves[prefix[0]].asks[choices.param])

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
        return self._label(Asking(self._plain(words, names), prefix, choices, view), word)

    def action(self, words: Words, action: Action, view: V, names: Names) -> str:
        """An action, whole or as far as it is built, without a full stop; plain.

        Raises KeyError for a kind there is not.
        """
        speech, (kind, *said) = self._plain(words, names), action
        parts, templates = self.parts.get(kind, {}), self._templates(action)
        if len(said) + len(templates) <= len(parts):
            return self._label(Asking(speech, (), OneOf("kind", action), view), kind).text
        facts = {
            part.name or param: part.say(
                Asking(speech, action[: 1 + place], OneOf(param, (word,)), view), word
            )
            for place, ((param, part), word) in enumerate(zip(parts.items(), said, strict=False))
        }
        return words(templates[len(said) - len(parts) - 1], **facts)

    def _templates(self, action: Action) -> Sequence[Message]:
        move = self.moves[action[0]]
        return next((move.said_with[w] for w in action[1:2] if w in move.said_with), move.said)

    def _label(self, asked: Asking[S, V], word: str) -> Label:
        if asked.prefix:
            part = self.parts.get(asked.kind, {}).get(asked.param)
            label = self._groups[asked.param] if part is None else part.label
            return fitting(label(asked, word))
        move, words = self.moves[word], asked.speech.words
        made = Label(words(move.text), move.emoji, move.note and words(move.note), move.style)
        return fitting(self._buttons[word](asked, made) if word in self._buttons else made)

    # What is refused, and what people type

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        """What is wrong, the rule in a clause, and what can be done instead.

        Raises KeyError for a code that has no message.
        """
        speech, facts = self._rich(words, names), refusal.facts
        said = speech.facts(facts) | self._names(words, names, facts)
        count = facts.get("count", 1)
        number = count if isinstance(count, int) else 1
        return capital(words.phrase(self.refusals[refusal.code], number, **said))

    def _names(self, words: Words, names: Names, facts: Mapping[str, Fact]) -> dict[str, str]:
        """The facts of a refusal that name a kind, a part, or words that would do."""
        named: dict[str, str] = {}
        tables = {"kind": self.doings, "param": self.names.params, "asked": self._now}
        for name, table in tables.items():
            known = table.get(str(facts.get(name)))
            if known is not None:
                named[name] = words(known)
        examples = facts.get("examples")
        if isinstance(examples, tuple):
            plain, param = self._plain(words, names), str(facts.get("param"))
            said = [self.example(plain, param, str(word)) for word in examples]
            named["examples"] = words.either([code(each) for each in said])
        return named

    def read(
        self,
        choices: Choices,
        typed: str,
        prefix: Action,
        view: V | None = None,
        names: Names = (),
    ) -> str:
        """The word that was meant. Raises Unreadable, with a refusal that says why."""
        move = self._game.moves.get(prefix[0]) if prefix else None
        topic = "overview" if move is None else move.topic
        if isinstance(choices, Done):
            facts: dict[str, Fact] = {"kind": prefix[0] if prefix else ""}
            raise Unreadable(Refusal("too_many_words", topic, facts))
        if isinstance(choices, OneOf):
            return one_of(
                choices, self.clean(typed), self._called(choices, prefix, view, names), topic
            )
        if isinstance(choices, Amount):
            return amount(choices, self.clean(typed), topic)
        said, known = self._beginning(choices, typed, prefix, view, names)
        return known if known is not None else self.read_bundle(choices, typed[said:], topic)

    def _beginning(
        self, choices: Bundle, typed: str, prefix: Action, view: V | None, names: Names
    ) -> tuple[int, str | None]:
        """How many characters the word has with which all labels begin, if what was typed does as
        well; and the word whose label was typed, if it is one."""
        said = fold(typed).strip()
        if view is None or not any(part.isalpha() and len(part) > 1 for part in tokens(said)):
            return 0, None
        for words in all_words():
            asked = Asking(self._plain(words, names), prefix, choices, view)
            labels = {fold(self._label(asked, word).text): word for word in _some(choices)}
            # Nothing may be said otherwise ("Dai 2 sali", "Non dare nulla").
            beginnings = {label.partition(" ")[0] for label, word in labels.items() if word}
            beginning = beginnings.pop() if len(beginnings) == 1 else ""
            word = labels.get(said, labels.get(f"{beginning} {said}"))
            if word is not None and choices.admits(word):
                return 0, word
            if beginning and typed.casefold().startswith(f"{beginning} "):
                return len(beginning), None
        return 0, None

    def _called(
        self, choices: OneOf, prefix: Action, view: V | None, names: Names
    ) -> Iterable[tuple[str, Alias]]:
        """What each word of the domain may be called, and each word that the rules know better."""
        for word in choices.values:
            yield word, tokens(word)
        for word, name in self.aliases(choices, view, names):
            yield word, tokens(name)
        if view is not None:
            for words in all_words():
                asked = Asking(self._plain(words, names), prefix, choices, view)
                for word in choices.values:
                    yield word, tokens(self._label(asked, word).text)

    # What stands in the data

    def tagline(self, words: Words) -> str:
        """What the game is about, in a few words; plain."""
        return words(self.names.game.tagline)

    def effort(self, words: Words) -> str:
        """How long it takes and how demanding it is; plain."""
        game = self.names.game
        return f"{words(game.length)} · {words(game.weight)}"

    def scored(self, words: Words) -> str:
        """What `scores` counts; plain."""
        return words(self.names.game.scored)

    def option(self, words: Words, name: str) -> str:
        """The name of an option; an unknown one by its key."""
        known = self.names.options.get(name)
        return words(known) if known else name

    def option_value(self, words: Words, name: str, value: str) -> str:
        """A value of an option; an unknown one by its key."""
        known = self.names.option_values.get(f"{name} {value}")
        return words(known) if known else value

    def options_summary(self, words: Words, options: Mapping[str, str]) -> str:
        """The options a table plays with, in one line."""
        defaults = {option.name: option.values[0] for option in self._game.options}
        chosen = {**defaults, **options}.items()
        parts = [f"{self.option(words, n)}: {self.option_value(words, n, v)}" for n, v in chosen]
        return " · ".join(parts)

    def topic(self, words: Words, topic: str) -> str:
        """The title of a rules topic; an unknown one by its key."""
        known = topics(self._game.name).get(topic)
        return words(known.title) if known else topic

    def rules(self, words: Words, topic: str) -> str:
        """The text of a rules topic. Raises KeyError where there is none."""
        return words(topics(self._game.name)[topic].text, **self.legend(words))

    def topics(self) -> tuple[str, ...]:
        """The rules topics, in reading order."""
        return tuple(topics(self._game.name))

    def hint(self, words: Words, kind: str) -> Hint | None:
        """What newcomers are told with a question in a first turn; None where that says it all."""
        known = explanations(self._game.name).get(kind)
        return None if known is None else Hint(words(known.text), known.topic)

    # What most games do without

    def order(self, words: Words, name: str, value: str) -> str | None:
        """None, as in a game with no standing orders of its own."""
        return None

    def legend(self, words: Words) -> Mapping[str, str]:
        """What fills the placeholders in the texts of the rules; there need not be any."""
        return {}

    def _rich(self, words: Words, names: Names) -> S:
        return self._speech(words, names, rich=True)

    def _plain(self, words: Words, names: Names) -> S:
        return self._speech(words, names)


def _some(choices: Bundle) -> list[str]:
    """Nothing, and words of a bundle: all where they are few, else the single pieces."""
    if prod(count + 1 for count in choices.have) <= FEW:
        return ["", *choices.each()]
    return [
        "",
        *(each for each, count in zip(choices.alphabet, choices.have, strict=True) if count),
    ]
