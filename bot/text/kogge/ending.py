"""The end of the game, and its result."""

from __future__ import annotations

from bot.game.events import GameEnded
from bot.text.events import EventWords
from bot.text.kogge.parts import KoggeChapter
from bot.text.words import msg

CHAPTER = KoggeChapter(
    events=(EventWords(GameEnded, "news", msg("🏆 The game ends: {ending}.")).reason(),)
)
