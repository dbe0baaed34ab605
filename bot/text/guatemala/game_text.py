"""The words of Guatemala Café behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bot.game.choices import Done, OneOf
from bot.game.contract import END, Action, Decision, in_turn, joined
from bot.game.guatemala.buyer import STEPS
from bot.game.guatemala.data import COLOUR_KEYS, POSITION_NAMES, SPACE_NAMES
from bot.game.guatemala.game import GAME
from bot.game.guatemala.sacks import ANSWERS
from bot.game.guatemala.view import GuatemalaView
from bot.text.chapter_text import ChapterText
from bot.text.contract import Label, Names
from bot.text.guatemala import (
    board_text,
    buying,
    figures,
    moving,
    sacks,
    scoring,
    setup,
)
from bot.text.guatemala.speech import NAMES, PLACES, PORTS, GuatemalaSpeech
from bot.text.guatemala.what_if import changes
from bot.text.labels import MOST_TEXT, Asking, fitting
from bot.text.whole_actions import with_views
from bot.text.words import Words, all_words

CHAPTERS = (setup, moving, buying, sacks, scoring)
WHOLE = {
    "place": setup.whole,
    "block": sacks.whole_answer,
    "refill": sacks.whole_refill,
}
"""By kind, how an action of several words is called where it is offered as a whole."""


class GuatemalaText(ChapterText[GuatemalaSpeech, GuatemalaView]):
    """The words of the game; implements `bot.text.contract.GameText`. Stateless."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {
        "position": POSITION_NAMES,
        "steps": STEPS,
        "piece": SPACE_NAMES,
        "place": PLACES,
        "answer": tuple(ANSWERS),
        "colour": COLOUR_KEYS,
    }
    board_lines = staticmethod(board_text.board_lines)
    hand_lines = staticmethod(board_text.hand_lines)
    alt_lines = staticmethod(board_text.alt_lines)
    close_up_words = staticmethod(board_text.close_up_words)
    order = staticmethod(sacks.order)

    def __init__(self) -> None:
        groups = {"edge": setup.edge, "region": buying.region}
        chapters = [each.CHAPTER for each in CHAPTERS]
        super().__init__(GAME, GuatemalaSpeech, NAMES, chapters, groups)

    def whole(
        self, words: Words, action: Action, views: Sequence[GuatemalaView], names: Names
    ) -> Label:
        """A whole action as one entry of a menu of them, or a step and what is done there, or
        purchases; of one word, as it is called anyway. The fullest way to say it that fits."""
        found = self._wholes(words, action, views, names)
        fits = (label for label in found if len(label.text) <= MOST_TEXT)
        return fitting(next(fits, found[-1]))

    def _wholes(
        self, words: Words, action: Action, views: Sequence[GuatemalaView], names: Names
    ) -> list[Label]:
        """The ways to say it, from the fullest to the shortest."""
        speech, (first, *then) = GuatemalaSpeech(words, names), in_turn(action)
        asked = Asking(speech, action, Done(), views[0])
        match [each[0] for each in (first, *then)]:
            case [kind] if kind not in (*WHOLE, "move", "buy"):
                return [self.label(words, (), OneOf("kind", first), kind, views[0], names)]
            case ["move"]:
                return moving.whole(asked)
            case ["buy"] | ["buy", "end"]:
                return buying.whole(asked)
            case [kind]:
                return [WHOLE[kind](asked)]
            case ["move", *_] if len(views) > 1:
                there = self._wholes(words, joined(*then), views[1:], names)
                return moving.whole_with(replace(asked, prefix=first), there)
            case kinds if {*kinds} <= {"buy", END}:
                return buying.shopping(speech, list(with_views(action, views)))
        return [super().whole(words, action, views, names)]

    def what_if(
        self, words: Words, before: GuatemalaView, after: GuatemalaView, names: Names
    ) -> Sequence[str]:
        """Points, money and harvests, now and after."""
        return changes(self._rich(words, names), before, after)

    def facts(
        self, speech: GuatemalaSpeech, decision: Decision, view: GuatemalaView
    ) -> Mapping[str, object]:
        """Who begins."""
        return {"first": speech.seat(view.first)}

    def chosen(self, speech: GuatemalaSpeech, view: GuatemalaView) -> Mapping[str, object]:
        """An answer about a block."""
        return {} if view.answer is None else {"answer": speech.fact("answer", view.answer)}

    def scores(self, view: GuatemalaView) -> tuple[int, ...]:
        """The points of each seat so far."""
        return tuple(seat.score for seat in view.seats)

    def example(self, speech: GuatemalaSpeech, param: str, word: str) -> str:
        """A word of the notation as a person would write it."""
        return speech.fact(param, word)

    def aliases(
        self, choices: OneOf, view: GuatemalaView | None, names: Names
    ) -> Iterable[tuple[str, str]]:
        """Besides what their labels say: positions in short, ports by their numbers alone, roads
        from either end, and pieces by name, of which the first in the line is meant where several
        are equal."""
        yield from super().aliases(choices, view, names)
        if choices.param == "place":
            yield from ((port, port.removeprefix("port")) for port in PORTS)
            for road in choices.values:
                one, _, other = road.partition("-")
                yield road, f"{other} {one}"
        for speech in map(GuatemalaSpeech, all_words()):
            if choices.param == "position":
                yield from ((word, speech.side(word)) for word in choices.values)
            if choices.param == "piece" and view is not None:
                meant: dict[str, str] = {}
                for space in choices.values:
                    piece = figures.piece_on(view, space)
                    if piece is not None:
                        meant.setdefault(speech.of(piece), space)
                yield from ((space, name) for name, space in meant.items())
