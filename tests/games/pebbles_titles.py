"""Pebbles as the running bot plays it: its words and its picture, in one version or in two.

Version 1 has words of its own, so that it shows whose words somebody reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PIL import Image

from bot.game.choices import Choices
from bot.game.contract import Action, AnyGame, Decision, Event, Outcome, Refusal
from bot.game.sides import Looks
from bot.render import png
from bot.render.asked import AskedWords
from bot.render.contract import CloseUps
from bot.render.layout import Say
from bot.render.palettes import Recolouring
from bot.render.theme import Palette
from bot.text.brief import BriefLine
from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.contract import CloseUpText, Hint, Label, Names
from bot.text.whole_actions import WholeActions
from bot.text.words import Message, Words, msg
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from tests.games.pebbles import GAME, NEWER, Rolled, View
from tests.games.pebbles_player import JUDGEMENT


class PebblesText(WholeActions[Any]):
    """Few words, all of them the notation's; the title says in which version they are."""

    title: Message = msg("Pebbles")
    public_hand = False

    def __init__(self, version: str) -> None:
        self._version = version

    def tagline(self, words: Words) -> str:
        return f"Pebbles, {self._version}"

    def effort(self, words: Words) -> str:
        return "1 min"

    def event(self, words: Words, event: Event, names: Names) -> str | None:
        return f"{event.kind} {sorted(event.facts.items())}"

    def story(self, words: Words, events: Sequence[Event], names: Names) -> list[str]:
        return [str(self.event(words, event, names)) for event in events]

    def brief(self, words: Words, events: Sequence[Event], names: Names) -> list[BriefLine]:
        return [BriefLine(line) for line in self.story(words, events, names)]

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        return f"{refusal.code}, by {self._version}"

    def question(self, words: Words, decision: Decision, view: View, names: Names) -> str:
        return f"{decision.kind}? ({self._version})"

    def awaited(self, words: Words, decision: Decision, names: Names) -> str:
        return f"{names[decision.seat]}: {decision.kind}"

    def called(self, words: Words, kind: str, names: Names) -> str:
        return f"{', '.join(map(str, names))}: {kind}"

    def prompt(
        self, words: Words, prefix: Action, choices: Choices, view: View, names: Names
    ) -> str:
        return f"{' '.join(prefix)} which?"

    def label(
        self, words: Words, prefix: Action, choices: Choices, word: str, view: View, names: Names
    ) -> Label:
        return Label(" ".join((*prefix, word)))

    def pieces(self, words: Words, word: str) -> str:
        return word

    def action(self, words: Words, action: Action, view: View, names: Names) -> str:
        return " ".join(action)

    def hand(self, words: Words, view: View, names: Names) -> str:
        return f"cards {view.cards}, by {self._version}"

    def board(self, words: Words, view: View, names: Names) -> str:
        return f"pebbles {view.pebbles}, by {self._version}"

    def alt(self, words: Words, view: View, events: Sequence[Event], names: Names) -> str:
        return self.board(words, view, names)

    def close_up(self, words: Words, view: View, part: str, names: Names) -> CloseUpText | None:
        text = f"{view.pebbles[int(part)]} pebbles, by {self._version}"
        return CloseUpText(names[int(part)].plain, text, text, {})

    def outcome(
        self, words: Words, outcome: Outcome, names: Names, looks: Looks | None = None
    ) -> str:
        return f"{outcome.ending}: {outcome.scores}, by {self._version}"

    def ending(self, words: Words, ending: str) -> str:
        return f"Ended by {ending}."

    def scored(self, words: Words) -> str:
        return "pebbles"

    def scores(self, view: View) -> tuple[int, ...]:
        return view.pebbles

    def weight(self, event: Event) -> int:
        return 1

    def option(self, words: Words, name: str) -> str:
        return name

    def option_value(self, words: Words, name: str, value: str) -> str:
        return value

    def order(self, words: Words, name: str, value: str) -> str | None:
        return None

    def options_summary(self, words: Words, options: Mapping[str, str]) -> str:
        return f"options {sorted(options.items())}"

    def read(
        self,
        choices: Choices,
        typed: str,
        prefix: Action,
        view: View | None = None,
        names: Names = (),
    ) -> str:
        return typed

    def topic(self, words: Words, topic: str) -> str:
        return topic

    def rules(self, words: Words, topic: str) -> str:
        return f"rules of {topic}, by {self._version}"

    def topics(self) -> tuple[str, ...]:
        return ("choosing", "taking", "gifts", "turns")

    def hint(self, words: Words, kind: str) -> Hint | None:
        return None


PAPER, INK = "#fbf5e6", "#2b2a33"
PALETTE = Palette([PAPER, INK], [INK])
OLD, NEW = "the old rules", "the new rules"


def draw(
    height: int,
    view: View,
    names: Sequence[str],
    events: Sequence[Event],
    asked: AskedWords | None = None,
    say: Say = str,
) -> bytes:
    """As wide as there are pebbles; each version has a height of its own."""
    return _png(20 + sum(view.pebbles), height)


def draw_seat(
    height: int,
    view: View,
    names: Sequence[str],
    events: Sequence[Event],
    part: str,
    words: Mapping[str, str],
    asked: AskedWords | None = None,
    say: Say = str,
) -> bytes:
    """The pebbles of one seat."""
    return _png(20 + view.pebbles[int(part)], height)


def seats(view: View) -> tuple[str, ...]:
    """The parts of the table: all seats."""
    return tuple(map(str, range(len(view.pebbles))))


def _png(width: int, height: int) -> bytes:
    return png.encode(PALETTE.reduce(Image.new("RGB", (width, height), PAPER)))


COMMANDS = GameCommands(
    CommandText("pebbles", msg("Your moves in a game of Pebbles")),
    {
        "choose": CommandText(
            "choose", msg("Seal a number"), {"number": OptionText("number", msg("1 to 3"))}
        ),
        "take": CommandText(
            "take", msg("Take pebbles"), {"count": OptionText("count", msg("How many"))}
        ),
        "gift": CommandText(
            "gift", msg("Offer a pebble"), {"seat": OptionText("player", msg("To whom"))}
        ),
        "accept": CommandText(
            "accept", msg("Take a pebble"), {"gift": OptionText("gift", msg("Which gift"))}
        ),
        "decline": CommandText(
            "decline", msg("Take no pebble"), {"gift": OptionText("gift", msg("Which gift"))}
        ),
    },
)


def title(game: AnyGame, words: str, height: int) -> Title:
    """Pebbles by one version of its rules."""
    return Title(
        game=game,
        text=PebblesText(words),
        commands=COMMANDS,
        draw=partial(draw, height),
        close_ups=CloseUps(seats, partial(draw_seat, height + height // 2)),
        colours=Recolouring(PALETTE),
        judgement=JUDGEMENT if game is GAME else None,
        revealing=(Rolled,),
    )


FIRST, SECOND = title(GAME, OLD, 10), title(NEWER, NEW, 20)
BEFORE, AFTER = Titles((*TITLES.every, FIRST)), Titles((*TITLES.every, FIRST, SECOND))
"""A program that knows one version only, and the one that comes after it."""
