"""The harvest after a sack was taken and nobody blocked, and the end (sections 6 and 7)."""

from __future__ import annotations

from bot.game.events import GameEnded, TurnEnded
from bot.game.guatemala.sacks import Harvested, NothingHarvested, ShipLeft
from bot.text.events import EventWords, Frame
from bot.text.guatemala.speech import GuatemalaChapter
from bot.text.words import msg

_POINTS_A_WEIGHT, _MOST_WEIGHT = 2, 9


def _weight(event: Harvested) -> int:
    """How memorable a harvest is for its points, from 0 to 9."""
    return min(_MOST_WEIGHT, event.points // _POINTS_A_WEIGHT)


CHAPTER = GuatemalaChapter(
    frames={"harvest": Frame(msg("☕ {what}."), joint="; ")},
    events=(
        EventWords(Harvested, "harvest", msg("{seat}: {points} ({workers})"))
        .when(lambda event: event.times > 1, msg("{seat}: {points} ({workers} ×{times})"))
        .remembered(_weight),
        EventWords(NothingHarvested, "harvest", msg("no {plantation} scores")),
        EventWords(ShipLeft, "harvest", msg("a {ship} leaves {port}")),
        EventWords(TurnEnded, "line", msg("ends the turn")).quiet(),
        EventWords(GameEnded, "news", msg("🏆 The game has ended. {ending}")).reason(),
    ),
)
