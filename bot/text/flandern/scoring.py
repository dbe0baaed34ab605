"""Covering dead plots, scoring cities, and the end (sections 6, 7 and 8)."""

from __future__ import annotations

from bot.game.events import GameEnded
from bot.game.flandern import scoring as rules
from bot.text.events import EventWords, Frame
from bot.text.flandern.speech import FlandernChapter
from bot.text.words import msg

_SECOND = 2
"""The best place of those who are level in first."""
_VALUE_A_WEIGHT, _POINTS_A_WEIGHT, _MOST_WEIGHT = 4, 3, 9


def _city_weight(event: rules.CityScored) -> int:
    return min(_MOST_WEIGHT, event.value // _VALUE_A_WEIGHT)


def _guild_weight(event: rules.GuildScored) -> int:
    """First places are remembered, the others not."""
    return min(_MOST_WEIGHT, event.points // _POINTS_A_WEIGHT) if event.rank == 1 else 0


CHAPTER = FlandernChapter(
    frames={"ranking": Frame(msg("🏅 {what}."), joint="; ")},
    events=(
        EventWords(
            rules.PlotsCovered,
            "news",
            msg("🚫 Covered, since nothing fits there any more: {places}."),
        ),
        EventWords(rules.CityScored, "news", msg("🏛️ {city} is scored and worth {value}."))
        .remembered(_city_weight)
        .reason(),
        EventWords(rules.GuildScored, "ranking", msg("{guild} {scored}"))
        .when(
            lambda event: event.rank == 1 and event.leaders,
            msg("{city}: {guild} {points} ({quarters}, {leaders})"),
        )
        .when(
            lambda event: event.rank == 1,
            msg("{city}: {guild} {points} ({quarters})"),
        )
        .when(
            lambda event: event.rank == _SECOND and event.leaders,
            msg("{guild} {scored} ({quarters}, {leaders})"),
        )
        .when(lambda event: event.rank == _SECOND, msg("{guild} {scored} ({quarters})"))
        .remembered(_guild_weight),
        EventWords(
            rules.BonusScored, "turn", msg("gets {points} for the most influence cards")
        ).remembered(2),
        EventWords(GameEnded, "news", msg("🏆 The game has ended. {ending}")).reason(),
    ),
)
