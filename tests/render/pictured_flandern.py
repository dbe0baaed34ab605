"""Flandern 1302 in the tests of all titles' pictures."""

from __future__ import annotations

from bot.game.contract import SPECTATOR
from bot.game.flandern.data import CITIES
from bot.render.asked import WHOLE
from bot.render.flandern import SIGNS
from bot.render.legend import LEGEND
from tests.render.pictured import Moment, Pictured, Question, whole

FOUR = "4-full-chosen"
MOMENTS = {
    # All cards are revealed, and three players have built.
    "middle_game": Moment(FOUR, 117, 0, news=3),
    # Three players have chosen, among them the observer, who also knows the golden card.
    "choosing": Moment(FOUR, 79, 2),
    "golden": Moment(FOUR, 100, 0),
    # Three players, with a city missing.
    "scored": Moment("3-full-dying", 129, 0),
    "beginning": Moment(FOUR, 1, 3),
    "two_players": Moment("2-full-drawn", 101, 1, news=3),
    "end": Moment(FOUR, 189, SPECTATOR),
}
PARTS_OF_MENUS = (
    ("draw, play gent + build gent-t1 red, take", "0"),
    ("build gent-t1 red, complete gent-t2", "gent"),
    ("site gent-t1 red, site gent-t2 red", "gent"),
    ("site gent-t1 red, site luik-t2 red", "cities"),
    ("cathedral luik-c, cathedral gent-p1", "cities"),
    ("guild red, guild blue", "cities"),
    ("draw", None),
)


FLANDERN = Pictured(
    name="flandern",
    moments=MOMENTS,
    kilobytes=225,
    large={
        "city": ("scored", "utrecht"),
        "seat": ("middle_game", "0"),
        "hand": ("choosing", "2"),
        "golden_cards": ("golden", "golden"),
    },
    asked={
        "guilds": Question(MOMENTS["beginning"], "guild", "cities"),
        "cards": Question(MOMENTS["choosing"], "choose", "2"),
        "influence": Question(Moment(FOUR, 3, 0), "choose gent", "0"),
        "cities": Question(Moment(FOUR, 21, 3), "site", "cities", grouped=True),
        "plots": Question(MOMENTS["middle_game"], "build", "leuven"),
        "tiles": Question(MOMENTS["middle_game"], "build leuven-t3", "leuven"),
        "churches": Question(MOMENTS["golden"], "cathedral", "cities"),
        "menu": Question(MOMENTS["middle_game"], WHOLE, "leuven"),
    },
    unlit={"plots": ("gent",)},
    question_parts=[(whole(*words.split(", ")), part) for words, part in PARTS_OF_MENUS],
    parts={
        "scored": (*CITIES[1:], "cities", *"012", "golden", LEGEND),
        "two_players": (*CITIES, "cities", "0", "1", LEGEND),
    },
    signs=tuple(SIGNS),
    marked=frozenset(
        {
            *("quarter_built", "site_put", "quarter_completed", "cathedral_put", "leader_put"),
            *("guild_scored", "bonus_scored", "card_revealed", "golden_revealed"),
            *("card_drawn", "city_scored", "plots_covered"),
        }
    ),
)
