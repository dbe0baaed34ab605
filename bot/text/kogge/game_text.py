"""Kogge's words behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.game.choices import Bundle, OneOf
from bot.game.contract import Action, Decision, Refusal
from bot.game.kogge.game import GAME
from bot.game.kogge.view import KoggeView
from bot.text.chapter_text import ChapterText
from bot.text.contract import CloseUpText, Names
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
from bot.text.speech import short_names
from bot.text.words import Words, msg

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

    title = msg("Kogge")
    board_lines = staticmethod(board_text.board_lines)
    hand_lines = staticmethod(board_text.hand_lines)
    matters = staticmethod(board_text.matters)

    def __init__(self) -> None:
        super().__init__(GAME, KoggeSpeech, NAMES, CHAPTERS)

    def tagline(self, words: Words) -> str:
        """The game in one sentence; plain."""
        return words("Merchants on the medieval Baltic, where the routes never stay the same.")

    def facts(
        self, speech: KoggeSpeech, decision: Decision, view: KoggeView
    ) -> Mapping[str, object]:
        """Where the guild master is, and the ship of the seat."""
        city = view.seats[decision.seat].city
        return {"guild": speech.city(view.guild_city), "city": speech.city(city)}

    def action(self, words: Words, action: Action, view: KoggeView, names: Names) -> str:
        """An action in words; a free step mentions no fee."""
        free = action[:1] == ("sail",) and action[2:] == ("",)
        return super().action(words, action[:2] if free else action, view, names)

    def refusal(self, words: Words, refusal: Refusal, names: Names) -> str:
        """What is wrong, the rule in a clause, and what can be done instead."""
        if refusal.code == "wrong_fee" and refusal.facts.get("count") == 0:
            refusal = Refusal("step_free", refusal.topic)
        return super().refusal(words, refusal, names)

    def pieces(self, words: Words, word: str) -> str:
        """A bundle word in words; plain."""
        return KoggeSpeech(words).pieces(word)

    def close_up(
        self, words: Words, view: KoggeView, part: str, names: Names
    ) -> CloseUpText | None:
        """What goes with the picture of one city."""
        safe = KoggeSpeech(words, short_names(names))
        return board_text.close_up(self._plain(words, names), safe, view, part)

    def ending(self, words: Words, ending: str) -> str:
        """How the game ended."""
        return words("The game ended by {ending}.", ending=super().ending(words, ending))

    def scored(self, words: Words) -> str:
        """What `scores` counts; plain."""
        return words("Development points")

    def scores(self, view: KoggeView) -> tuple[int, ...]:
        """The development points of each seat."""
        return tuple(seat.development_points for seat in view.seats)

    def order(self, words: Words, name: str, value: str) -> str | None:
        """A standing order of Kogge and a value of it; plain. None for one it does not have."""
        if name == "bid":
            return words.phrase(auction.BID_AT_MOST, int(value))
        return words(conflicts.NO_CONFLICTS) if name == "pass" else None

    def options_summary(self, words: Words, options: Mapping[str, str]) -> str:
        """The options the table plays with, in one line."""
        return setup.options_summary(words, options)

    def example(self, speech: KoggeSpeech, param: str, word: str) -> str:
        """A word of the notation as a person would write it."""
        return parsing.example(speech, param, word)

    def aliases(
        self, choices: OneOf, view: KoggeView | None, names: Names
    ) -> Iterable[tuple[str, str]]:
        """What words may be called besides their labels."""
        return parsing.aliases(choices, view, names)

    def read_bundle(self, choices: Bundle, typed: str, topic: str) -> str:
        """Pieces that a person typed, as a word. Raises Unreadable."""
        return parsing.read_bundle(choices, typed, topic)
