"""The end of the game: the last points, and who has won (sections 6, 7.5 and 7.6)."""

from __future__ import annotations

from bot.game.burgundy.ending import Scored
from bot.game.events import GameEnded
from bot.text.burgundy.dice import BurgundyChapter
from bot.text.events import EventWords, Frame
from bot.text.words import msg

CHAPTER = BurgundyChapter(
    frames={"final": Frame(msg("{seat}, final scoring: {what}."), by_seat=True)},
    events=(
        EventWords(Scored, "final", msg("{points} ({item})")).quiet(lambda event: not event.points),
        EventWords(GameEnded, "news", msg("🏆 Game over. {ending}")).reason(),
    ),
)
