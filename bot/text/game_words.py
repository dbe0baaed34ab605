"""The words of a game: questions, labels, refusals and descriptions of the table.

How to write a game's words:

1. Fixed texts are data with plain placeholders: data/<game>/words/<chapter>.toml has the buttons,
   questions, refusals and sentences for events; names.toml has the names (`game_data`).
2. `class FlandernWords(GameWords[FlandernState], game=GAME, things=NAMES)` is the game's one class.
   An instance belongs to an observer: `self.words` is the language, `self.known` the state as they
   know it, `self.observer` their seat. `self.rich` is false for labels and alt texts.
3. A placeholder is named after a fact of the event or refusal, or a parameter of the move. `says`
   has the method that puts it into words: `says = {"place": place}`. `derived = {"item": "tile"}`
   makes a second fact from one. Seats, endings and whatever names.toml has in `counted` need none.
4. Code is only for texts that depend on the state, in methods found by name. `label_<param>` or
   `label_<kind>_<param>` (self, prefix, word) labels a choice, `group_<name>` a group of choices,
   and `wording_<param>` names a chosen word (default: `says`). `prompt_<param>` (self, prefix,
   choices) asks for a word. `button_<kind>` (self, label) changes a button. `ask_<kind>` (self,
   decision) is a decision's question, or follows it.
5. `board_lines`, `hand_lines`, `alt_lines` and `part` describe the table, `action_labels` whole
   actions, and `changes` the effects of a plan. They call the rules on `self.known` and repeat none
   of them.
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
from bot.text.game_data import GameNames, MoveWords, all_chapters, explanations, suits, topics
from bot.text.markup import capital, clip, code, columns, uncapital, whole_sentences
from bot.text.matching import Alias, amount, fold, one_of, tokens
from bot.text.user_text import ELLIPSIS, InMarkdown, Name, Written
from bot.text.words import Message, all_words

S = TypeVar("S")

MAX_BOARD = 1900
MAX_ALT = 1000
NAME_WIDTH = 12
"""Maximum characters of a name on a text board."""
MAX_LABELLED = 64
"""Bundles with more words than this are matched by the labels of single pieces only."""
LEGEND = "legend"
"""The part of a table that explains the signs. The renderer's legend has a sign for each key."""


class Change(NamedTuple):
    """A line about a difference. `gain` is above 0 if it is good for the observer, below 0 if it is
    bad, and 0 if neither."""

    line: str
    gain: int = 0


class PartText(NamedTuple):
    """The text of a close-up. `legend` explains pieces by their word in the notation."""

    title: str
    lines: Iterable[str]
    legend: Mapping[str, str] = {}


def sentence(parts: Iterable[str]) -> str:
    """Join the parts of a line of a text board, without empty ones."""
    return "; ".join(part for part in parts if part)


class GameWords(Formatter[S]):
    """The words of one game for one observer. Texts are markdown unless documented as plain.

    Without a view only texts that do not depend on the table are available.
    """

    game: ClassVar[AnyGame]
    title: ClassVar[Message]
    public_hand: ClassVar[bool] = False
    """Whether all players see every hand, so that its changes need no private message."""
    notation: ClassVar[Mapping[str, Iterable[str]]] = {}
    """Additional words by parameter that can be typed even if they are not legal now, so that the
    rules can say why."""

    def __init_subclass__(
        cls, game: AnyGame | None = None, things: GameNames | None = None
    ) -> None:
        """Read the game's sentences. Raise ValueError for a decision or parameter without exactly
        one question, and for a method whose name fits nothing."""
        super().__init_subclass__()
        if game is None or things is None:
            return
        cls.game, cls.things, cls.title = game, things, things.game.title
        cls.sentences = all_chapters(game.name)
        _check(cls)

    # Questions

    def question(self, decision: Decision) -> str:
        """Return the question, addressed to the seat of the decision."""
        question, chosen = self.sentences.questions[decision.kind], self.chosen()
        if question.chosen is not None and chosen:
            return self.words(question.chosen, **chosen)
        asked, ask = list[str](), self._method("ask", decision.kind)
        if question.asked is not None:
            facts = self.question_facts(decision)
            cases = (case.text for case in question.cases if suits(case.when, facts))
            asked.append(self.words.phrase(next(cases, question.asked), **facts))
        if ask is not None:
            asked.append(ask(decision))
        return "\n".join(asked)

    def chosen(self) -> Mapping[str, str]:
        """Return the observer's secret choice as facts; empty if they have not chosen."""
        return {}

    def question_facts(self, decision: Decision) -> Mapping[str, object]:
        """Return the facts for the question of a decision."""
        return {}

    def to_act(self, decision: Decision) -> str:
        """Return the seat to act and the decision, for the other players."""
        question = self.sentences.questions[decision.kind]
        return self.words(question.to_act, seat=self.seat(decision.seat))

    def called(self, kind: str, names: Sequence[Name]) -> str:
        """Return a ping of these players, who all face one kind of decision; no full stop."""
        seats = self.words.listing(list(map(str, names)))
        return self.words(self.sentences.questions[kind].called, seats=seats)

    def prompt(self, prefix: Action, choices: Choices) -> str:
        """Return the question for the next word of an action."""
        if isinstance(choices, Done):
            return self.words("That's everything for now.")
        if not prefix:
            return self.words("What will you do?")
        ask = self._method("prompt", f"{prefix[0]}_{choices.param}", choices.param)
        if ask is not None:
            return str(ask(prefix, choices))
        return self.words(self.sentences.moves[prefix[0]].asks[choices.param])

    # Choices and actions

    def label(self, prefix: Action, choices: Choices, word: str) -> Label:
        """Return the label of a choice for the word after `prefix`."""
        plain = self.plain
        if not prefix:
            return plain.button(word).fitting()
        param = getattr(choices, "param", "")
        label = plain._method("label", f"{prefix[0]}_{param}", param)
        label = label or plain._method("group", param)
        if label is None:
            return Label(capital(plain.wording(prefix, param, word))).fitting()
        labelled: Label = label(prefix, word)
        return labelled.fitting()

    def button(self, kind: str) -> Label:
        move = self.sentences.moves[kind]
        label = Label(
            self.words(move.text), move.emoji, move.note and self.words(move.note), move.style
        )
        change = self._method("button", kind)
        changed: Label = label if change is None else change(label)
        return changed

    def wording(self, prefix: Action, param: str, word: str) -> str:
        """Return a chosen word for the description of an action."""
        say = self._method("wording", f"{prefix[0]}_{param}", param)
        return self.fact(param, word) if say is None else say(prefix, word)

    def action(self, action: Action) -> str:
        """Return a complete or incomplete action in words, plain and without a full stop.

        Raise KeyError for an unknown kind.
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

    def action_label(self, action: Action, views: Sequence[View[S]] = ()) -> Label:
        """Return a whole action, or several joined, as one menu entry with its immediate gain
        ("Ship from depot 1 → d5, +3").

        `views` has the views before the joined actions, starting with the current one, as far as
        they are known.
        """
        views = views or [view for view in [self.view] if view is not None]
        labels = self.plain.at(views[0]).action_labels(action, views)
        fitting = (label for label in labels if label.is_fitting)
        return next(fitting, labels[-1]).fitting()

    def action_labels(self, action: Action, views: Sequence[View[S]]) -> Sequence[Label]:
        """Return labels for a whole action, from the longest to the shortest."""
        first, *rest = self._in_turn(action, views, lambda at, each: at.action(each))
        for then in rest:
            first = self.words("{first}, then {then}", first=first, then=uncapital(then))
        return [Label(capital(first))]

    def action_texts(self, action: Action, views: Sequence[View[S]]) -> list[str]:
        """Return the text of each joined action, and an ellipsis if the view is unknown."""
        return self._in_turn(action, views, lambda at, each: at.action_label(each).text)

    def _in_turn(
        self, action: Action, views: Sequence[View[S]], say: Callable[[Self, Action], str]
    ) -> list[str]:
        texts: list[str] = []
        for place, (each, at) in enumerate(self.steps(action, views)):
            if place < len(views) or each == (END,):
                texts.append(say(at, each))
            elif texts[-1] != ELLIPSIS:
                texts.append(ELLIPSIS)
        return texts

    def steps(self, action: Action, views: Sequence[View[S]]) -> Iterator[tuple[Action, Self]]:
        """Yield each joined action with the words at the view before it, or at the last view."""
        for place, each in enumerate(in_turn(action)):
            yield each, self.at(views[min(place, len(views) - 1)])

    def what_if(self, before: View[S]) -> list[str]:
        """Return a line for each change for the observer since a view, gains first, costs last.
        Empty for a spectator."""
        if self.observer < 0:
            return []
        ordered = sorted(
            self.changes(self.at(before)), key=lambda each: (each.gain < 0) - (each.gain > 0)
        )
        return [each.line for each in ordered]

    def changes(self, before: Self) -> Iterable[Change]:
        """Yield the changes for the observer since the view of `before`."""
        return ()

    def counts(self, *rows: tuple[str, int, int]) -> Iterator[Change]:
        """Yield the changes among (name, old, new), all numbers of which more is better."""
        for what, old, new in rows:
            if old != new:
                line = self.words("{what}: {old} → {new}", what=what, old=old, new=new)
                yield Change(line, new - old)

    # Refusals and typed text

    def refusal(self, refusal: Refusal) -> str:
        """Return a sentence on what is wrong, the rule, and what to do instead.

        Raise KeyError for a code without a message.
        """
        message = self.sentences.refusals.get(refusal.code) or REFUSALS[refusal.code]
        return capital(self.phrase(message, refusal.facts, **self._named(refusal.facts)))

    def _named(self, facts: Mapping[str, Fact]) -> dict[str, str]:
        """Return the words for a refusal's kind of move, parameter, question and examples."""
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
            typed = [self.plain.example(param, str(word)) for word in examples]
            named["examples"] = self.words.either([code(each) for each in typed])
        return named

    def example(self, param: str, word: str) -> str:
        """Return a word of the notation as a user would type it; plain."""
        return self.fact(param, word)

    def read(self, choices: Choices, typed: str, prefix: Action) -> str:
        """Return typed text as a word of the domain. With a view, users can also type labels
        ("riga" for a route). Raise Unreadable, with a refusal."""
        move = self.game.moves.get(prefix[0]) if prefix else None
        topic = "overview" if move is None else move.topic
        if isinstance(choices, Done):
            facts: dict[str, Fact] = {"kind": prefix[0] if prefix else ""}
            raise Unreadable(Refusal("too_many_words", topic, facts))
        if isinstance(choices, OneOf):
            return one_of(choices, self.clean(typed), self._called(choices, prefix), topic)
        if isinstance(choices, Amount):
            return amount(choices, self.clean(typed), topic)
        start, known = self._beginning(choices, typed, prefix)
        return known if known is not None else self.read_bundle(choices, typed[start:], topic)

    def clean(self, typed: str) -> str:
        """Return typed text without decoration such as emoji."""
        return typed

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """Return the word for a typed bundle. Raise Unreadable."""
        raise NotImplementedError

    def pieces(self, word: str) -> str:
        """Return a bundle in words, plain. Only games with bundles need this and `read_bundle`."""
        raise NotImplementedError

    def aliases(self, choices: OneOf) -> Iterable[tuple[str, str]]:
        """Yield pairs of a word and a name for it, in addition to labels: here the words in
        `notation`, and their names in each language."""
        for word in self.notation.get(choices.param, ()):
            yield word, word
            yield from ((word, each.fact(choices.param, word)) for each in self.in_each_language())

    def in_each_language(self) -> list[Self]:
        """Return these words in all languages; plain."""
        return [replace(self, words=words, rich=False) for words in all_words()]

    def _called(self, choices: OneOf, prefix: Action) -> Iterator[tuple[str, Alias]]:
        """Yield all names for each word of the domain and of `notation`."""
        for word in choices.values:
            yield word, tokens(word)
        for word, name in self.aliases(choices):
            yield word, tokens(name)
        for each in self.in_each_language() if self.view is not None else ():
            for word in choices.values:
                yield word, tokens(each.label(prefix, choices, word).text)

    def _beginning(self, choices: Bundle, typed: str, prefix: Action) -> tuple[int, str | None]:
        """Return the length of the word that begins all labels, if the typed text begins with it
        too; and the word whose label was typed, if any."""
        folded = fold(typed).strip()
        if self.view is None or not any(
            part.isalpha() and len(part) > 1 for part in tokens(folded)
        ):
            return 0, None
        for each in self.in_each_language():
            labels = {fold(each.label(prefix, choices, word).text): word for word in _some(choices)}
            # The label of the empty bundle may begin differently ("Dai 2 sali", "Non dare nulla").
            beginnings = {label.partition(" ")[0] for label, word in labels.items() if word}
            beginning = beginnings.pop() if len(beginnings) == 1 else ""
            word = labels.get(folded, labels.get(f"{beginning} {folded}"))
            if word is not None and choices.admits(word):
                return 0, word
            if beginning and typed.casefold().startswith(f"{beginning} "):
                return len(beginning), None
        return 0, None

    # The table in words

    @property
    def on_board(self) -> Self:
        """These words, plain, with short names that are safe in markdown."""
        names = [
            each.clipped(NAME_WIDTH) if isinstance(each, Written) else each for each in self.names
        ]
        return replace(self, names=tuple(map(InMarkdown, names)), rich=False)

    def board(self) -> str:
        """Return the whole table, at most 1900 characters."""
        return clip("\n".join(filter(None, self.on_board.board_lines())), MAX_BOARD)

    def hand(self) -> str:
        """Return the observer's hand, at most 1900 characters. Raise IndexError for a spectator."""
        if self.observer < 0:
            raise IndexError("a spectator has no hand")
        text = "\n".join(self.hand_lines())
        if len(text) > MAX_BOARD:
            # The markdown of application emoji is long.
            text = "\n".join(replace(self, words=self.words.signed({})).hand_lines())
        return clip(text, MAX_BOARD)

    def alt(self, events: Sequence[Event]) -> str:
        """Return the alt text of a picture: the events, then the table. At most 1000 characters;
        the events are cut first."""
        shown = whole_sentences(" ".join(self.plain.alt_lines()), MAX_ALT)
        room = MAX_ALT - len(shown) - 1
        story = " ".join(self.plain.story(events))
        return f"{whole_sentences(story, room)} {shown}" if story and room > 1 else shown

    def close_up(self, part: str) -> CloseUpText | None:
        """Return the texts for the picture of a part of the table, by the renderer's name for it;
        None for an unknown part."""
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
        """Return the explanations of the signs on the pictures."""
        facts = self.rules_facts()
        legend = {key: self.words(each, **facts) for key, each in self.things.legend.items()}
        return PartText(self.words("Legend"), legend.values(), legend)

    def board_lines(self) -> Iterable[str]:
        """Return the whole table, line by line, suitable for reading aloud. Empty lines are left
        out. Lines are plain except for the names, as they are shown as markdown."""
        raise NotImplementedError

    def hand_lines(self) -> Iterable[str]:
        """Return the hand of the observer, who has a seat."""
        raise NotImplementedError

    def alt_lines(self) -> Iterable[str]:
        """Return sentences about the picture; plain."""
        raise NotImplementedError

    def part(self, part: str) -> PartText | None:
        """Return the text of a part of the table, of any length; None for an unknown part, or if
        the board shows everything."""
        return None

    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat so far, as far as the observer may know, for the story and
        the chart. The default adds up each player's list `points`."""
        known: Any = self.known
        return tuple(sum(player.points) for player in known.players)

    def winners(self, outcome: Outcome) -> str:
        return self.words.plural(
            "🏆 {winners} wins!",
            "🏆 {winners} share the victory!",
            len(outcome.winners),
            winners=self.seats(outcome.winners),
        )

    def outcome(self, outcome: Outcome, looks: Looks) -> str:
        """Return the winners, the ending and a table of the points.

        Seats are ordered by rank and named by the letters of their sides' `looks`.
        """
        rows = self.score_rows(outcome)
        seats = sorted(range(len(looks)), key=lambda seat: outcome.places[seat])
        letters = [letters_of(looks[seat]) for seat in seats]
        key = " · ".join(
            f"{letter} {self.seat(seat)}" for letter, seat in zip(letters, seats, strict=True)
        )
        table = columns(letters, [(title, [points[s] for s in seats]) for title, points in rows])
        return f"{self.winners(outcome)}\n{self.ending(outcome.ending)}\n{key}\n{table}"

    def score_rows(self, outcome: Outcome) -> list[tuple[str, Sequence[int]]]:
        """Return the ranks, the points by source and the total, by seat; plain."""
        items = self.things.score
        return [
            (self.words("Rank"), outcome.places),
            *(
                (self.words(items[name]) if name in items else name, points)
                for name, points in outcome.lines
            ),
            (self.words("Total"), outcome.scores),
        ]

    def ending(self, ending: str) -> str:
        """Return a sentence on how the game ended, or on the tie-break."""
        return self.words(self.things.endings[ending])

    # Texts that are the same at all tables

    @property
    def tagline(self) -> str:
        """The theme of the game in a few words; plain."""
        return self.words(self.things.game.tagline)

    @property
    def effort(self) -> str:
        """Duration and difficulty; plain."""
        return f"{self.words(self.things.game.length)} · {self.words(self.things.game.weight)}"

    @property
    def scored(self) -> str:
        """The name of the points that `scores` counts; plain."""
        return self.words(self.things.game.scored)

    def option(self, name: str) -> str:
        """Return the name of an option, or the key of an unknown one; plain."""
        known = self.things.options.get(name)
        return self.words(known) if known else name

    def option_value(self, name: str, value: str) -> str:
        """Return the name of a value of an option, or the key of an unknown one; plain."""
        known = self.things.option_values.get(f"{name} {value}")
        return self.words(known) if known else value

    def options_summary(self, options: Mapping[str, str]) -> str:
        """Return all options of a table with their values, in one line."""
        defaults = {option.name: option.values[0] for option in self.game.options}
        return self.option_values({**defaults, **options})

    def option_values(self, options: Mapping[str, str]) -> str:
        """Return the given options with their values, in one line; '' for none."""
        chosen = options.items()
        return " · ".join(f"{self.option(n)}: {self.option_value(n, v)}" for n, v in chosen)

    def order(self, name: str, value: str) -> str | None:
        """Return a standing order of this game with its value; plain. None for an unknown one."""
        known = self.things.orders.get(name)
        count = int(value) if value.isdecimal() else 1
        return None if known is None else self.words.phrase(known, count)

    def topics(self) -> tuple[str, ...]:
        """Return the rules topics in reading order. The first is an overview."""
        return tuple(topics(self.game.name))

    def topic(self, topic: str) -> str:
        """Return the title of a rules topic, or the key of an unknown one; plain."""
        known = topics(self.game.name).get(topic)
        return self.words(known.title) if known else topic

    def rules(self, topic: str) -> str:
        """Return the text of a rules topic. Raise KeyError for an unknown one."""
        return self.words(topics(self.game.name)[topic].text, **self.rules_facts())

    def rules_facts(self) -> Mapping[str, object]:
        """Return the facts for placeholders in the rules; may be empty."""
        return {}

    def hint(self, kind: str) -> Hint | None:
        """Return an explanation with advice for a player's first turn, in two to four lines.

        `kind` is a decision's, or that of the chosen move. None if there is no explanation.
        """
        known = explanations(self.game.name).get(kind)
        return None if known is None else Hint(self.words(known.text), known.topic)

    def _method(self, role: str, *names: str) -> Callable[..., Any] | None:
        """Return the first of the methods `<role>_<name>` that the game defines."""
        return next(filter(None, (getattr(self, f"{role}_{name}", None) for name in names)), None)


AnyGameWords = GameWords[Any]


def _templates(move: MoveWords, action: Action) -> Sequence[Message]:
    return next(
        (move.phrases_with[word] for word in action[1:2] if word in move.phrases_with), move.phrases
    )


def _some(choices: Bundle) -> list[str]:
    """Return "" and all words of a bundle, or only the single pieces if there are too many."""
    if prod(count + 1 for count in choices.have) <= MAX_LABELLED:
        return ["", *choices.each()]
    held = zip(choices.alphabet, choices.have, strict=True)
    return ["", *(each for each, count in held if count)]


def _check(words: type[AnyGameWords]) -> None:
    moves, questions = words.sentences.moves, words.sentences.questions
    params = {(kind, param) for kind in moves for param in words.game.moves[kind].params}
    either = {name for kind, param in params for name in (param, f"{kind}_{param}")}
    allowed = {
        "ask": {*questions},
        "button": {*moves},
        "label": either,
        "wording": either,
        "prompt": either,
    }
    methods = {role: _methods(words, role) for role in allowed}
    for role, names in allowed.items():
        if unknown := methods[role] - names:
            raise ValueError(f"{words.__name__} has {role}_… for {sorted(unknown)}")
    for kind, question in questions.items():
        if question.asked is None and kind not in methods["ask"]:
            raise ValueError(f"the decision {kind!r} has no question")
    for kind, param in params:
        in_code = {param, f"{kind}_{param}"} & methods["prompt"]
        if bool(in_code) == (param in moves[kind].asks):
            raise ValueError(f"{kind!r} needs exactly one question for {param!r}")


def _methods(words: type[AnyGameWords], role: str) -> set[str]:
    parts = (name.partition("_") for name in dir(words))
    return {rest for first, _, rest in parts if first == role and rest}
