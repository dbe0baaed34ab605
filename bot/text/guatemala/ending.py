"""The end of the game (section 7)."""

from __future__ import annotations

from bot.game.events import GameEnded, TurnEnded
from bot.text.events import EventWords
from bot.text.guatemala.speech import GuatemalaChapter
from bot.text.words import msg

CHAPTER = GuatemalaChapter(
    events=(
        EventWords(TurnEnded, "turn", msg("ends the turn")).quiet(),
        EventWords(GameEnded, "news", msg("🏆 The game has ended. {ending}")),
    ),
)
