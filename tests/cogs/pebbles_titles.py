"""Pebbles as the running bot plays it: its words and its picture, in one version or in two.

Version 1 has words of its own, so that it shows whose words somebody reads.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec.structs import replace
from PIL import Image

from bot.app import TITLES, Titles
from bot.game.choices import Choices
from bot.game.contract import Action, AnyGame, Decision, Event, Outcome, Refusal, Seat
from bot.game.versions import Games, Versions
from bot.policy.random import random_policy
from bot.render.layout import Say
from bot.text.contract import AnyGameText, CloseUpText, Hint, Label, Names
from bot.text.words import Message, Words, msg
from tests.tables.pebbles import GAME, NEWER, View


class PebblesText:
    """Few words, all of them the notation's; the title says in which version they are."""

    title: Message = msg("Pebbles")

    def __init__(self, version: str) -> None:
        self._version = version

    def tagline(self, words: Words) -> str:
        return f"Pebbles, {self._version}"

    def event(self, words: Words, event: Event, names: Names) -> str | None:
        return f"{event.kind} {sorted(event.facts.items())}"

    def story(self, words: Words, events: Sequence[Event], names: Names) -> list[str]:
        return [f"{event.kind} {sorted(event.facts.items())}" for event in events]

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        return f"{refusal.code}, by {self._version}"

    def question(self, words: Words, decision: Decision, view: View, names: Names) -> str:
        return f"{decision.kind}? ({self._version})"

    def awaited(self, words: Words, decision: Decision, names: Names) -> str:
        return f"{names[decision.seat]}: {decision.kind}"

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

    def close_up(self, words: Words, view: View, seat: Seat, names: Names) -> CloseUpText | None:
        text = f"{view.pebbles[seat]} pebbles, by {self._version}"
        return CloseUpText(names[seat].plain, text, text, {})

    def outcome(self, words: Words, outcome: Outcome, names: Names) -> str:
        return f"{outcome.ending}: {outcome.scores}, by {self._version}"

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


KINDS = ("random", "greedy")
OLD, NEW = "the old rules", "the new rules"


def draw(
    height: int, view: View, names: Sequence[str], events: Sequence[Event], say: Say = str
) -> bytes:
    """As wide as there are pebbles; each version has a height of its own."""
    return _png(20 + sum(view.pebbles), height)


def draw_seat(
    height: int,
    view: View,
    names: Sequence[str],
    events: Sequence[Event],
    seat: Seat,
    words: Mapping[str, str],
    say: Say = str,
) -> bytes:
    """The pebbles of one seat."""
    return _png(20 + view.pebbles[seat], height)


def _png(width: int, height: int) -> bytes:
    made = io.BytesIO()
    Image.new("P", (width, height)).save(made, "png")
    return made.getvalue()


def titles(*pebbles: AnyGame) -> Titles:
    """What the program plays, and Pebbles in these versions."""
    games = Games((*TITLES.games.every, *pebbles))
    text: AnyGameText = PebblesText(NEW)
    return replace(
        TITLES,
        games=games,
        policies=games.each(lambda game: dict.fromkeys(KINDS, random_policy(game.moves))),
        texts=Versions({**TITLES.texts, "pebbles": text}, {("pebbles", 1): PebblesText(OLD)}),
        renderers=Versions(
            {**TITLES.renderers, "pebbles": partial(draw, 20)}, {("pebbles", 1): partial(draw, 10)}
        ),
        close_ups=Versions(
            {**TITLES.close_ups, "pebbles": partial(draw_seat, 30)},
            {("pebbles", 1): partial(draw_seat, 15)},
        ),
    )


BEFORE, AFTER = titles(GAME), titles(GAME, NEWER)
"""A program that knows one version only, and the one that comes after it."""
