"""What the tests of all titles' pictures know of Flandern 1302."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from bot.game.contract import SPECTATOR
from bot.game.flandern.plan import CITIES
from bot.game.flandern.view import FlandernView
from bot.render.asked import WHOLE
from bot.render.flandern.legend import SIGNS
from bot.render.legend import LEGEND
from tests.render.pictured import Moment, Pictured, Question, whole, with_city, with_seat

FOUR = "4-full-chosen"
MOMENTS = {
    # All have shown their cards, and three have built.
    "middle_game": Moment(FOUR, 117, 0, heard=3),
    # Three have chosen, one of them the observer, who knows the golden card as well.
    "choosing": Moment(FOUR, 79, 2),
    "golden": Moment(FOUR, 100, 0),
    # Three players, without a city.
    "scored": Moment("3-full-dying", 129, 0),
    "beginning": Moment(FOUR, 1, 3),
    "two_players": Moment("2-full-drawn", 101, 1, heard=3),
    "end": Moment(FOUR, 189, SPECTATOR),
}
LIES = (
    ("draw, play gent + build gent-t1 red, take", "0"),
    ("build gent-t1 red, complete gent-t2", "gent"),
    ("site gent-t1 red, site gent-t2 red", "gent"),
    ("site gent-t1 red, site luik-t2 red", ""),
    ("cathedral luik-c, cathedral gent-p1", ""),
    ("guild red, guild blue", ""),
    ("draw", None),
)


def another_quarter(view: FlandernView, **fields: object) -> FlandernView:
    """Another first quarter, of those that are not the centre, in Gent."""
    centre, first, *others = view.city("gent").quarters
    other = msgspec.structs.replace(first, **fields)
    found: FlandernView = with_city(view, 1, quarters=(centre, other, *others))
    return found


def _changed(view: FlandernView) -> Sequence[FlandernView]:
    gent = view.cities[1]
    second = msgspec.structs.replace(gent.standings[0], points=19)
    guilds = (msgspec.structs.replace(view.guilds[0], points=(9,) * 6), *view.guilds[1:])
    return (
        another_quarter(view, emblem="church"),
        another_quarter(view, site=True),
        another_quarter(view, leaders=1),
        with_city(view, 1, value=18),
        with_city(view, 1, scored=True),
        with_city(view, 1, standings=(second, *gent.standings[1:])),
        with_city(view, 1, free=gent.free[1:], covered=gent.free[:1]),
        with_seat(view, 2, score=view.seats[2].score + 1),
        with_seat(view, 2, cards=3),
        with_seat(view, 3, open=("gent", "utrecht")),
        with_seat(view, 3, laid=2),
        msgspec.structs.replace(view, guilds=guilds),
        msgspec.structs.replace(view, sites=view.sites + 1),
        msgspec.structs.replace(view, golden_left=(1, 1)),
        msgspec.structs.replace(view, acted=0),
    )


def _told() -> Sequence[tuple[str, str, Any]]:
    view = FLANDERN.sample("choosing")[0]
    return (
        # The golden card is shown as far as it is known.
        ("choosing", "", msgspec.structs.replace(view, golden_card=None)),
        # Who has chosen is marked, but not what; of others' cards there are as many backs.
        ("choosing", "", with_seat(view, 1, chosen=False)),
        ("choosing", "0", with_seat(view, 0, cards=6)),
        # Beside the card of a city stands what it is worth.
        ("choosing", "2", with_city(view, 2, value=17)),
    )


FLANDERN = Pictured(
    name="flandern",
    moments=MOMENTS,
    kilobytes=220,
    large={
        "city": ("scored", "utrecht"),
        "seat": ("middle_game", "0"),
        "hand": ("choosing", "2"),
        "golden_cards": ("golden", "golden"),
    },
    asked={
        "guilds": Question(MOMENTS["beginning"], "guild", ""),
        "cards": Question(MOMENTS["choosing"], "choose", "2"),
        "influence": Question(Moment(FOUR, 3, 0), "choose gent", "0"),
        "cities": Question(Moment(FOUR, 21, 3), "site", "", grouped=True),
        "plots": Question(MOMENTS["middle_game"], "build", "leuven"),
        "tiles": Question(MOMENTS["middle_game"], "build leuven-t3", "leuven"),
        "churches": Question(MOMENTS["golden"], "cathedral", ""),
        "menu": Question(MOMENTS["middle_game"], WHOLE, "leuven"),
    },
    unlit={"plots": ("gent",)},
    lies=[(whole(*words.split(", ")), part) for words, part in LIES],
    parts={
        "scored": (*CITIES[1:], *"012", "golden", LEGEND),
        "two_players": (*CITIES, "0", "1", LEGEND),
    },
    signs=tuple(SIGNS),
    changed=_changed,
    told=_told,
    marked=frozenset(
        {
            *("quarter_built", "site_put", "quarter_completed", "cathedral_put", "leader_put"),
            *("guild_scored", "bonus_scored", "card_revealed", "golden_revealed"),
            *("card_drawn", "city_scored", "plots_covered"),
        }
    ),
)
