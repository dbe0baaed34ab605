"""Kogge's words behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from bot.game.choices import OneOf
from bot.game.contract import THEN, Action, Decision, Refusal, in_turn
from bot.game.kogge.common import points_so_far
from bot.game.kogge.game import GAME
from bot.game.kogge.view import KoggeView
from bot.text.chapter_text import ChapterText
from bot.text.contract import Label, Names
from bot.text.kogge import (
    auction,
    board_text,
    building,
    conflicts,
    deals,
    ending,
    guild_deals,
    guild_master,
    movement,
    parsing,
    raid,
    routes,
    setup,
    trade,
    turn,
)
from bot.text.kogge.speech import NAMES, KoggeSpeech
from bot.text.kogge.what_if import changes
from bot.text.kogge.whole import row_words, short_name, sign_of, whole_words
from bot.text.labels import Asking, fitting
from bot.text.markup import capital
from bot.text.speech import short_names
from bot.text.whole_actions import with_views
from bot.text.words import Words

CHAPTERS = tuple(
    chapter.CHAPTER
    for chapter in (
        turn,
        setup,
        auction,
        guild_master,
        movement,
        building,
        guild_deals,
        trade,
        routes,
        raid,
        conflicts,
        deals,
        ending,
    )
)


class KoggeText(ChapterText[KoggeSpeech, KoggeView]):
    """The words of Kogge; implements `bot.text.contract.GameText`. Stateless."""

    notation: ClassVar[Mapping[str, Iterable[str]]] = {"chit": NAMES.chits, "route": NAMES.routes}
    board_lines = staticmethod(board_text.board_lines)
    hand_lines = staticmethod(board_text.hand_lines)
    alt_lines = staticmethod(board_text.alt_lines)
    close_up_words = staticmethod(board_text.close_up_words)
    options_summary = staticmethod(setup.options_summary)
    example = staticmethod(parsing.example)
    clean = staticmethod(parsing.clean)
    read_bundle = staticmethod(parsing.read_bundle)

    def __init__(self) -> None:
        super().__init__(GAME, KoggeSpeech, NAMES, CHAPTERS)

    def facts(
        self, speech: KoggeSpeech, decision: Decision, view: KoggeView
    ) -> Mapping[str, object]:
        """Where the guild master is, and the ship of the seat, and the sides of a conflict."""
        cities = {"guild": view.guild_city, "city": view.seats[decision.seat].city}
        sides = zip(("first", "second"), view.conflict or (), strict=False)
        return {
            **{name: speech.city(city) for name, city in cities.items()},
            **{name: speech.seat(seat) for name, seat in sides},
        }

    def chosen(self, speech: KoggeSpeech, view: KoggeView) -> Mapping[str, object]:
        """The city of a first office, or pieces: a tax, a bid."""
        if view.chosen is not None:
            return {"city": speech.city(view.chosen)}
        return {} if view.sealed is None else {"pieces": speech.pieces(view.sealed)}

    def action(self, words: Words, action: Action, view: KoggeView, names: Names) -> str:
        """An action in words; a free step mentions no fee."""
        free = action[:1] == ("sail",) and action[2:] == ("",)
        return super().action(words, action[:2] if free else action, view, names)

    def whole(
        self, words: Words, action: Action, views: Sequence[KoggeView], names: Names
    ) -> Label:
        """A whole action as one entry of a menu, with what it brings at once; or several."""
        speech, view = KoggeSpeech(words, short_names(names)), views[0]
        if THEN in action:
            first = self.whole(words, in_turn(action)[0], views, names)
            text = row_words(
                speech,
                list(with_views(action, views)),
                len(views),
                lambda each, before: self.action(words, each, before, speech.names),
            )
            return fitting(first._replace(text=text, called=first.name))
        kind = action[0]
        said = self.action(words, action, view, short_names(names))
        move = self._label(Asking(speech, (), OneOf("kind", (kind,)), view), kind)
        label = move._replace(
            text=capital(whole_words(speech, action, view, said)),
            emoji=sign_of(words, action, view) or move.emoji,
            description=None,
            called=short_name(speech, action, view),
        )
        if kind in self.parts and not label.called:
            param = next(iter(self.parts[kind]))
            asked = Asking(speech, (kind,), OneOf(param, action[1:2]), view)
            first = self._label(asked, action[1])
            label = label._replace(description=first.description, called=first.name)
        return fitting(label)

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        """What is wrong, the rule in a clause, and what can be done instead."""
        if refusal.code == "wrong_fee" and refusal.facts.get("count") == 0:
            refusal = Refusal("step_free", refusal.topic)
        return super().refusal(words, refusal, names)

    def pieces(self, words: Words, word: str) -> str:
        """A bundle word in words; plain."""
        return KoggeSpeech(words).pieces(word)

    def ending(self, words: Words, ending: str) -> str:
        """How the game ended."""
        return words("The game ended with {ending}.", ending=super().ending(words, ending))

    def scores(self, view: KoggeView) -> tuple[int, ...]:
        """The victory points of each seat, without goods that nobody else can see."""
        return tuple(points_so_far(view.known, seat) for seat in range(len(view.seats)))

    def what_if(
        self, words: Words, before: KoggeView, after: KoggeView, names: Names
    ) -> Sequence[str]:
        """Points, pieces, the ship and the bid of the observer, now and after."""
        return changes(self._rich(words, names), before, after)

    def order(self, words: Words, name: str, value: str) -> str | None:
        """A standing order of Kogge and a value of it; plain. None for one it does not have."""
        if name == "bid":
            return words.phrase(auction.BID_AT_MOST, int(value))
        return words(conflicts.NO_CONFLICTS) if name == "pass" else None

    def aliases(
        self, choices: OneOf, view: KoggeView | None, names: Names
    ) -> Iterable[tuple[str, str]]:
        """What words may be called besides their labels."""
        yield from super().aliases(choices, view, names)
        yield from parsing.aliases(choices, view, names)
