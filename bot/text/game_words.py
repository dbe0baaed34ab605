"""The words of a game: what is asked, offered and said back, refused and shown.

How a game's words are written:

1. What is fixed is data, with plain placeholders: data/<game>/words/<chapter>.toml has the buttons,
   questions, refusals and sentences of events, names.toml what things are called (`game_data`).
2. `class FlandernWords(GameWords[FlandernState], game=GAME, things=NAMES)` is the game's one class.
   An instance is bound to its reader: `self.words` is the language, `self.known` the state as they
   know it, `self.observer` their seat; `self.rich` is false for labels and alt texts.
3. A placeholder is called as a fact of the event or refusal, or as a parameter of the move. `says`
   names the method that puts it into words: `says = {"place": place}`; `derived = {"item": "tile"}`
   makes a second fact of one. Seats, endings and what is `counted` in names.toml need nothing.
4. Code is only for what depends on the moment, and is found by its name: the label of a choice is
   `label_<param>` or `label_<kind>_<param>` (self, prefix, word), that of a group of choices
   `group_<name>`, how a chosen word is said back `said_<param>` (by default as `says` has it), the
   question for a word `prompt_<param>` (self, prefix, choices). `button_<kind>` (self, label)
   changes a button; `ask_<kind>` (self, decision) is a decision's question, or follows it.
5. `board_lines`, `hand_lines`, `alt_lines` and `part` tell the table, `wholes` says whole actions,
   `changes` what a plan changes. They call the rules on `self.known` and derive nothing anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

from bot.game.choices import Amount, Bundle, Choices, Done, OneOf
from bot.game.contract import END, Action, Decision, Event, Fact, Outcome, Refusal, in_turn
from bot.game.game import AnyGame
from bot.game.hidden import View
from bot.game.sides import Looks, letters_of
from bot.text.contract import CloseUpText, Hint, Label, Unreadable
from bot.text.errors import REFUSALS
from bot.text.formatter import Formatter
from bot.text.game_data import GameNames, MoveWords, all_chapters, explanations, topics
from bot.text.markup import capital, clip, code, columns, uncapital, whole_sentences
from bot.text.matching import Alias, amount, fold, one_of, tokens
from bot.text.user_text import ELLIPSIS, InMarkdown, Name, Written
from bot.text.words import Message, all_words

S = TypeVar("S")

MAX_BOARD = 1900
MAX_ALT = 1000
NAME_WIDTH = 12
"""Characters of a name on a text board."""
FEW = 64
"""As many words of a bundle are compared by their labels with what was typed."""
LEGEND = "legend"
"""The part of a table that says what the signs mean; the renderer's legend has a sign for each of
its keys."""


class Change(NamedTuple):
    """A line about something that differs, and by how much it is better for the reader: above 0 a
    gain, below 0 a cost, and 0 where that cannot be said."""

    line: str
    gain: int = 0


class PartText(NamedTuple):
    """What a close-up shows: its title, lines, and what pieces do by their word in the notation."""

    title: str
    lines: Iterable[str]
    legend: Mapping[str, str] = {}


def sentence(parts: Iterable[str]) -> str:
    """A line of a text board: its parts in order, without empty ones."""
    return "; ".join(part for part in parts if part)


class GameWords(Formatter[S]):
    """The words of one game for one reader. Texts are Discord markdown unless said to be plain.

    Without a view what does not depend on the table can be said.
    """

    game: ClassVar[AnyGame]
    title: ClassVar[Message]
    public_hand: ClassVar[bool] = False
    """Whether all see what a seat owns, so that a change of it is no private news."""
    notation: ClassVar[Mapping[str, Iterable[str]]] = {}
    """Words by parameter that are understood even when they are not on offer, so that the rules can
    say why they are not."""

    def __init_subclass__(
        cls, game: AnyGame | None = None, things: GameNames | None = None
    ) -> None:
        """Read the game's sentences. Raises ValueError for a decision or a parameter that is not
        asked for once, and for a method that belongs to nothing."""
        super().__init_subclass__()
        if game is None or things is None:
            return
        cls.game, cls.things, cls.title = game, things, things.game.title
        cls.sentences = all_chapters(game.name)
        _check(cls)

    # What is asked

    def question(self, decision: Decision) -> str:
        """What is asked now, addressed to the seat of the decision."""
        question, chosen = self.sentences.questions[decision.kind], self.chosen()
        if question.chosen is not None and chosen:
            return self.words(question.chosen, **chosen)
        asked, ask = list[str](), self._method("ask", decision.kind)
        if question.asked is not None:
            facts = self.question_facts(decision)
            cases = (case.text for case in question.cases if self._suits(case.when, facts))
            asked.append(self.words.phrase(next(cases, question.asked), **facts))
        if ask is not None:
            asked.append(ask(decision))
        return "\n".join(asked)

    def chosen(self) -> Mapping[str, str]:
        """What the observer has chosen in secret, as facts; none where nothing is chosen yet."""
        return {}

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """What the question for a decision is filled with."""
        return {}

    def to_act(self, decision: Decision) -> str:
        """Whom the others wait for, and for what."""
        question = self.sentences.questions[decision.kind]
        return self.words(question.to_act, seat=self.seat(decision.seat))

    def called(self, kind: str, names: Sequence[Name]) -> str:
        """A call to those of these names, who are asked the same kind of decision, without a full
        stop."""
        seats = self.words.listing(list(map(str, names)))
        return self.words(self.sentences.questions[kind].called, seats=seats)

    def prompt(self, prefix: Action, choices: Choices) -> str:
        """The question for the next word of an action being built."""
        if isinstance(choices, Done):
            return self.words("That's everything for now.")
        if not prefix:
            return self.words("What will you do?")
        ask = self._method("prompt", f"{prefix[0]}_{choices.param}", choices.param)
        if ask is not None:
            return str(ask(prefix, choices))
        return self.words(self.sentences.moves[prefix[0]].asks[choices.param])

    # What is offered, and said back

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        """One choice for the next word after `prefix`."""
        plain = self.plain
        if not prefix:
            return plain.button(word).fitting()
        param = getattr(choices, "param", "")
        label = plain._method("label", f"{prefix[0]}_{param}", param)
        label = label or plain._method("group", param)
        if label is None:
            return Label(capital(plain.wording(prefix, param, word))).fitting()
        found: Label = label(prefix, word)
        return found.fitting()

    def button(self, kind: str) -> Label:
        """The label of a kind of action."""
        move = self.sentences.moves[kind]
        label = Label(
            self.words(move.text), move.emoji, move.note and self.words(move.note), move.style
        )
        change = self._method("button", kind)
        changed: Label = label if change is None else change(label)
        return changed

    def wording(self, prefix: Action, param: str, word: str) -> str:
        """A chosen word as it is said back."""
        say = self._method("wording", f"{prefix[0]}_{param}", param)
        return self.fact(param, word) if say is None else say(prefix, word)

    def action(self, action: Action) -> str:
        """An action, whole or as far as it is built, without a full stop; plain.

        Raises KeyError for a kind there is not.
        """
        plain, (kind, *words) = self.plain, action
        params, templates = (
            self.game.moves[kind].params,
            _templates(self.sentences.moves[kind], action),
        )
        if len(words) + len(templates) <= len(params):
            return plain.button(kind).fitting().text
        facts = {
            param: plain.wording(action[: 1 + place], param, word)
            for place, (param, word) in enumerate(zip(params, words, strict=False))
        }
        return self.words(templates[len(words) - len(params) - 1], **facts)

    def whole(self, action: Action, views: Sequence[View[S]] = ()) -> Label:
        """A whole action as one entry of a menu of them: what is done, with what, where, and what
        it brings at once ("Ship from depot 1 → d5, +3"). Of several, joined, all of that.

        Each is said by the view before it, as far as `views` go, which begin with that of now.
        """
        views = views or [view for view in [self.view] if view is not None]
        found = self.plain.at(views[0]).wholes(action, views)
        fits = (label for label in found if label.is_fitting)
        return next(fits, found[-1]).fitting()

    def wholes(self, action: Action, views: Sequence[View[S]]) -> Sequence[Label]:
        """The ways to say a whole action, from the fullest to the shortest."""
        first, *rest = self._in_turn(action, views, lambda at, each: at.action(each))
        for then in rest:
            first = self.words("{first}, then {then}", first=first, then=uncapital(then))
        return [Label(capital(first))]

    def each_whole(self, action: Action, views: Sequence[View[S]]) -> list[str]:
        """The actions that are joined, each as it is offered; an ellipsis for those before which
        the view is not known."""
        return self._in_turn(action, views, lambda at, each: at.whole(each).text)

    def _in_turn(
        self, action: Action, views: Sequence[View[S]], say: Callable[[Self, Action], str]
    ) -> list[str]:
        said: list[str] = []
        for place, (each, at) in enumerate(self.moments(action, views)):
            if place < len(views) or each == (END,):
                said.append(say(at, each))
            elif said[-1] != ELLIPSIS:
                said.append(ELLIPSIS)
        return said

    def moments(self, action: Action, views: Sequence[View[S]]) -> Iterator[tuple[Action, Self]]:
        """The actions that are joined, each with the words at the view before it, or else at the
        last that is known."""
        for place, each in enumerate(in_turn(action)):
            yield each, self.at(views[min(place, len(views) - 1)])

    def what_if(self, before: View[S]) -> list[str]:
        """What has changed for the observer since a view, in points and in what the game counts: a
        line each, gains first and costs last. None where nothing has, and for a spectator."""
        if self.observer < 0:
            return []
        ordered = sorted(
            self.changes(self.at(before)), key=lambda each: (each.gain < 0) - (each.gain > 0)
        )
        return [each.line for each in ordered]

    def changes(self, before: Self) -> Iterable[Change]:
        """What has changed for the observer since then."""
        return ()

    def counts(self, *rows: tuple[str, int, int]) -> Iterator[Change]:
        """Changes of numbers, of which more is better: what it is, then and now."""
        for what, old, new in rows:
            if old != new:
                line = self.words("{what}: {old} → {new}", what=what, old=old, new=new)
                yield Change(line, new - old)

    # What is refused, and what people type

    def refusal(self, refusal: Refusal) -> str:
        """What is wrong, the rule in a clause, and what can be done instead.

        Raises KeyError for a code that has no message.
        """
        message = self.sentences.refusals.get(refusal.code) or REFUSALS[refusal.code]
        return capital(self.phrase(message, refusal.facts, **self._named(refusal.facts)))

    def _named(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """The facts of a refusal that name a kind, a part, a question, or words that would do."""
        named, sentences = dict[str, str](), self.sentences
        for name, value in facts.items():
            known: Message | None = None
            match name, str(value):
                case "kind", kind:
                    move = sentences.moves.get(kind)
                    known = move.doing if move else sentences.doings.get(kind)
                case "param", param:
                    known = self.things.params.get(param)
                case "asked", asked if asked in sentences.questions:
                    known = sentences.questions[asked].now
            if known is not None:
                named[name] = self.words(known)
        examples = facts.get("examples")
        if isinstance(examples, tuple):
            param = str(facts.get("param"))
            said = [self.plain.example(param, str(word)) for word in examples]
            named["examples"] = self.words.either([code(each) for each in said])
        return named

    def example(self, param: str, word: str) -> str:
        """A word of the notation as a person would write it; plain."""
        return self.fact(param, word)

    def read(self, choices: Choices, typed: str, prefix: Action) -> str:
        """What a person typed, as a word of the domain. Raises Unreadable, with a refusal that says
        why. With a view, labels can be typed as well ("riga" for a route)."""
        move = self.game.moves.get(prefix[0]) if prefix else None
        topic = "overview" if move is None else move.topic
        if isinstance(choices, Done):
            facts: dict[str, Fact] = {"kind": prefix[0] if prefix else ""}
            raise Unreadable(Refusal("too_many_words", topic, facts))
        if isinstance(choices, OneOf):
            return one_of(choices, self.clean(typed), self._called(choices, prefix), topic)
        if isinstance(choices, Amount):
            return amount(choices, self.clean(typed), topic)
        said, known = self._beginning(choices, typed, prefix)
        return known if known is not None else self.read_bundle(choices, typed[said:], topic)

    def clean(self, typed: str) -> str:
        """What a person typed, without decoration such as emoji."""
        return typed

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """What a person typed for a bundle, as its word. Raises Unreadable."""
        raise NotImplementedError

    def pieces(self, word: str) -> str:
        """A bundle word in words; plain. A game without bundles needs neither of the two."""
        raise NotImplementedError

    def aliases(self, choices: OneOf) -> Iterable[tuple[str, str]]:
        """Names of words besides their labels, as pairs of word and name: those in `notation` by
        themselves, and as they are called in each language."""
        for word in self.notation.get(choices.param, ()):
            yield word, word
            yield from ((word, each.fact(choices.param, word)) for each in self.in_each_language())

    def in_each_language(self) -> list[Self]:
        """The same in all languages; plain."""
        return [replace(self, words=words, rich=False) for words in all_words()]

    def _called(self, choices: OneOf, prefix: Action) -> Iterator[tuple[str, Alias]]:
        """What each word of the domain may be called, and each word that the rules know better."""
        for word in choices.values:
            yield word, tokens(word)
        for word, name in self.aliases(choices):
            yield word, tokens(name)
        for each in self.in_each_language() if self.view is not None else ():
            for word in choices.values:
                yield word, tokens(each.label(prefix, choices, word).text)

    def _beginning(self, choices: Bundle, typed: str, prefix: Action) -> tuple[int, str | None]:
        """How many characters the word has with which all labels begin, if what was typed does as
        well; and the word whose label was typed, if it is one."""
        said = fold(typed).strip()
        if self.view is None or not any(part.isalpha() and len(part) > 1 for part in tokens(said)):
            return 0, None
        for each in self.in_each_language():
            labels = {fold(each.label(prefix, choices, word).text): word for word in _some(choices)}
            # Nothing may be said otherwise ("Dai 2 sali", "Non dare nulla").
            beginnings = {label.partition(" ")[0] for label, word in labels.items() if word}
            beginning = beginnings.pop() if len(beginnings) == 1 else ""
            word = labels.get(said, labels.get(f"{beginning} {said}"))
            if word is not None and choices.admits(word):
                return 0, word
            if beginning and typed.casefold().startswith(f"{beginning} "):
                return len(beginning), None
        return 0, None

    # The table in words

    @property
    def on_board(self) -> Self:
        """The same for lines that repeat names often: these are short, and safe in markdown; else
        plain."""
        names = [
            each.clipped(NAME_WIDTH) if isinstance(each, Written) else each for each in self.names
        ]
        return replace(self, names=tuple(map(InMarkdown, names)), rich=False)

    def board(self) -> str:
        """The whole table, at most 1900 characters."""
        return clip("\n".join(filter(None, self.on_board.board_lines())), MAX_BOARD)

    def hand(self) -> str:
        """All that is the observer's own, at most 1900 characters. Raises IndexError for a
        spectator."""
        if self.observer < 0:
            raise IndexError("a spectator has no hand")
        text = "\n".join(self.hand_lines())
        if len(text) > MAX_BOARD:
            # The bot's own signs of pieces are long.
            text = "\n".join(replace(self, words=self.words.signed({})).hand_lines())
        return clip(text, MAX_BOARD)

    def alt(self, heard: Sequence[Event]) -> str:
        """What just changed, then what the picture shows; plain, at most 1000 characters.

        The news is cut first, as the picture shows the table.
        """
        shown = whole_sentences(" ".join(self.plain.alt_lines()), MAX_ALT)
        room = MAX_ALT - len(shown) - 1
        news = " ".join(self.plain.story(heard))
        return f"{whole_sentences(news, room)} {shown}" if news and room > 1 else shown

    def close_up(self, part: str) -> CloseUpText | None:
        """What goes with the picture of one part of the table, by the renderer's word for it; None
        for one that there is not."""
        plain, rich = self.plain.part(part), self.part(part)
        if part == LEGEND:
            plain = rich = self.legend()
        if plain is None or rich is None:
            return None
        text, alt = ("\n".join(each.lines) for each in (rich, plain))
        return CloseUpText(
            plain.title, clip(text, MAX_BOARD), whole_sentences(alt, MAX_ALT), plain.legend
        )

    def legend(self) -> PartText:
        """What the signs on the pictures mean."""
        facts = self.rules_facts()
        said = {key: self.words(each, **facts) for key, each in self.things.legend.items()}
        return PartText(self.words("Legend"), said.values(), said)

    def board_lines(self) -> Iterable[str]:
        """The whole table, line by line as it is best read aloud; empty lines are left out. Names
        are short; plain, but shown as markdown."""
        raise NotImplementedError

    def hand_lines(self) -> Iterable[str]:
        """Everything that belongs to the observer, who has a seat."""
        raise NotImplementedError

    def alt_lines(self) -> Iterable[str]:
        """What the picture shows, in sentences; plain."""
        raise NotImplementedError

    def part(self, part: str) -> PartText | None:
        """What a part of the table shows, of any length; None for one that there is not, and in a
        game whose board shows all."""
        return None

    def scores(self) -> tuple[int, ...]:
        """How many points each seat has made so far, as far as the observer may know: the source of
        a game's story and chart. Here each player has a list of their `points` by where they come
        from."""
        known: Any = self.known
        return tuple(sum(player.points) for player in known.players)

    def outcome(self, outcome: Outcome, looks: Looks) -> str:
        """Who has won, how the game ended, and a table of what the points are made of.

        Seats stand by their places, and are called by the letters of their sides' `looks`.
        """
        head = self.words.plural(
            "🏆 {winners} wins!",
            "🏆 {winners} share the victory!",
            len(outcome.winners),
            winners=self.seats(outcome.winners),
        )
        items = self.things.score
        rows = [
            (self.words("Rank"), outcome.places),
            *(
                (self.words(items[name]) if name in items else name, points)
                for name, points in outcome.lines
            ),
            (self.words("Total"), outcome.scores),
        ]
        seats = sorted(range(len(looks)), key=lambda seat: outcome.places[seat])
        letters = [letters_of(looks[seat]) for seat in seats]
        key = " · ".join(
            f"{letter} {self.seat(seat)}" for letter, seat in zip(letters, seats, strict=True)
        )
        table = columns(letters, [(title, [points[s] for s in seats]) for title, points in rows])
        return f"{head}\n{self.ending(outcome.ending)}\n{key}\n{table}"

    def ending(self, ending: str) -> str:
        """How the game ended, or what decided it, in a sentence."""
        return self.words(self.things.endings[ending])

    # What is the same at all tables

    @property
    def tagline(self) -> str:
        """What the game is about, in a few words; plain."""
        return self.words(self.things.game.tagline)

    @property
    def effort(self) -> str:
        """How long it takes and how demanding it is; plain."""
        return f"{self.words(self.things.game.length)} · {self.words(self.things.game.weight)}"

    @property
    def scored(self) -> str:
        """What `scores` counts; plain."""
        return self.words(self.things.game.scored)

    def option(self, name: str) -> str:
        """The name of an option, plain; an unknown one by its key."""
        known = self.things.options.get(name)
        return self.words(known) if known else name

    def option_value(self, name: str, value: str) -> str:
        """A value of an option, plain; an unknown one by its key."""
        known = self.things.option_values.get(f"{name} {value}")
        return self.words(known) if known else value

    def options_summary(self, options: Mapping[str, str]) -> str:
        """The options a table plays with, in one line."""
        defaults = {option.name: option.values[0] for option in self.game.options}
        return self.option_values({**defaults, **options})

    def option_values(self, options: Mapping[str, str]) -> str:
        """Some options with their values, in one line; '' for none."""
        chosen = options.items()
        return " · ".join(f"{self.option(n)}: {self.option_value(n, v)}" for n, v in chosen)

    def order(self, name: str, value: str) -> str | None:
        """A standing order of this game and a value of it; plain. None for one it does not have."""
        known = self.things.orders.get(name)
        count = int(value) if value.isdecimal() else 1
        return None if known is None else self.words.phrase(known, count)

    def topics(self) -> tuple[str, ...]:
        """The rules topics, in reading order; the first says what the game is about."""
        return tuple(topics(self.game.name))

    def topic(self, topic: str) -> str:
        """The title of a rules topic, plain; an unknown one by its key."""
        known = topics(self.game.name).get(topic)
        return self.words(known.title) if known else topic

    def rules(self, topic: str) -> str:
        """The text of a rules topic. Raises KeyError where there is none."""
        return self.words(topics(self.game.name)[topic].text, **self.rules_facts())

    def rules_facts(self) -> Mapping[str, object]:
        """What fills the placeholders in the texts of the rules; there need not be any."""
        return {}

    def hint(self, kind: str) -> Hint | None:
        """What is asked and what is advisable, in two to four lines, for somebody's first turn.

        `kind` is that of a decision, or of the move chosen for it. None where the question is
        enough.
        """
        known = explanations(self.game.name).get(kind)
        return None if known is None else Hint(self.words(known.text), known.topic)

    def _method(self, what: str, *names: str) -> Callable[..., Any] | None:
        """The first of these that the game has."""
        return next(filter(None, (getattr(self, f"{what}_{name}", None) for name in names)), None)


AnyGameWords = GameWords[Any]


def _templates(move: MoveWords, action: Action) -> Sequence[Message]:
    return next(
        (move.phrases_with[word] for word in action[1:2] if word in move.phrases_with), move.phrases
    )


def _some(choices: Bundle) -> list[str]:
    """Nothing, and words of a bundle: all where they are few, else the single pieces."""
    if prod(count + 1 for count in choices.have) <= FEW:
        return ["", *choices.each()]
    held = zip(choices.alphabet, choices.have, strict=True)
    return ["", *(each for each, count in held if count)]


def _check(words: type[AnyGameWords]) -> None:
    """Whether data and methods belong together."""
    moves, questions = words.sentences.moves, words.sentences.questions
    params = {(kind, param) for kind in moves for param in words.game.moves[kind].params}
    either = {name for kind, param in params for name in (param, f"{kind}_{param}")}
    known = {
        "ask": {*questions},
        "button": {*moves},
        "label": either,
        "wording": either,
        "prompt": either,
    }
    methods = {what: _methods(words, what) for what in known}
    for what, names in known.items():
        if strange := methods[what] - names:
            raise ValueError(f"{words.__name__} has {what}_… for {sorted(strange)}")
    for kind, question in questions.items():
        if question.asked is None and kind not in methods["ask"]:
            raise ValueError(f"nothing is asked by the decision {kind!r}")
    for kind, param in params:
        in_code = {param, f"{kind}_{param}"} & methods["prompt"]
        if bool(in_code) == (param in moves[kind].asks):
            raise ValueError(f"{kind!r} must ask for {param!r} once")


def _methods(words: type[AnyGameWords], what: str) -> set[str]:
    found = (name.partition("_") for name in dir(words))
    return {rest for first, _, rest in found if first == what and rest}
