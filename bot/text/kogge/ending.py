"""The end of the game, and its result."""

from __future__ import annotations

from bot.game.contract import GameEnded, Outcome
from bot.text.kogge.parts import KoggeChapter
from bot.text.kogge.speech import ENDINGS, Speech
from bot.text.telling import EventWords
from bot.text.words import msg

SCORE_LINES = {
    "offices": msg("Offices"),
    "chits": msg("Bonus chits"),
    "raids": msg("Unused Raids"),
    "ore": msg("Ore"),
    "fur": msg("Fur"),
    "amber": msg("Amber"),
    "salt": msg("Salt"),
}


def outcome_text(speech: Speech, outcome: Outcome) -> str:
    """Who has won, how the game ended, and a table of what the points are made of."""
    words = speech.words
    winners = speech.seats(outcome.winners)
    head = words.plural(
        "🏆 {winners} wins!",
        "🏆 {winners} share the victory!",
        len(outcome.winners),
        winners=winners,
    )
    ending = words("The game ended by {ending}.", ending=words(ENDINGS[outcome.ending]))
    return f"{head}\n{ending}\n{speech.breakdown(outcome, SCORE_LINES)}"


CHAPTER = KoggeChapter(events=(EventWords(GameEnded, "news", msg("🏆 The game ends: {ending}.")),))
