"""What the tests of all titles' pictures know of Flandern 1302."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from bot.game.contract import Fact
from bot.game.flandern.plan import CITIES
from bot.game.flandern.view import FlandernView
from bot.render.asked import WHOLE
from bot.render.flandern.legend import SIGNS
from bot.render.legend import LEGEND
from bot.text.flandern.game_text import FlandernText
from bot.text.words import words_for
from tests.render.flandern.samples import SAMPLES, choosing, golden, scored
from tests.render.pictured import Large, Pictured, ask, whole, with_city, with_seat

FACTS: dict[str, Fact] = {
    "seats": (2, 0),
    "place": "gent-p1",
    "places": ("gent-t2",),
    "tile": "grey",
    "emblem": "grey",
    "guild": "red",
    "city": "gent",
    "card": "leuven",
    "cards": ("leuven",),
    "deck": "a",
    "ending": "full",
}
MARKED = frozenset(
    {
        *("quarter_built", "site_put", "quarter_completed", "cathedral_put", "leader_put"),
        *("guild_scored", "bonus_scored", "card_revealed", "card_played", "golden_revealed"),
        *("card_drawn", "city_scored", "plots_covered"),
    }
)
ASKED = {
    "guilds": ask("beginning", "", "guild guild", "red green blue", "Red / Green / Blue"),
    "cards": ask("choosing", "1", "choose card", "ieper leuven take", "Ieper / Leuven / Take"),
    "influence": ask("choosing", "1", "choose ieper influence", "0 1 2 3", "None / 1 / 2 / 3"),
    "plots": ask(
        "middle_game", "leuven", "build place", "leuven-t1 leuven-t2 leuven-p3", "t1 / t2 / p3"
    ),
    "tiles": ask(
        "middle_game",
        "leuven",
        "build leuven-t1 tile",
        "red red-leader grey church",
        "Red / Red with leader / Grey / Church",
    ),
    "churches": ask("golden", "", "cathedral place", "luik-c luik-p1 utrecht-p3"),
    "cities": ask(
        "two_players",
        "",
        "site place",
        "gent-t1 gent-t2 luik-p2 brugge-t2",
        "Gent / Gent / Luik / Brugge",
    ),
    "menu": ask(
        "middle_game",
        "leuven",
        WHOLE,
        "build leuven-t1 red, build leuven-t1 church, build leuven-p3 grey",
        "T1 / T1 / P3",
    ),
}
LIES = (
    (("choose gent 0", "choose gent 1", "choose take 0"), "1"),
    (("draw", "play gent + build gent-t1 red", "take"), "1"),
    (("build gent-t1 red", "complete gent-t2"), "gent"),
    (("site gent-t1 red", "site gent-t2 red"), "gent"),
    (("site gent-t1 red", "site luik-t2 red"), ""),
    (("cathedral luik-c", "cathedral gent-p1"), ""),
    (("guild red", "guild blue"), ""),
    (("draw",), None),
)


def golden_cards() -> Large:
    """How many golden cards have come out."""
    close = FlandernText().close_up(words_for("en"), golden()[0], "golden", ())
    assert close is not None
    return Large("golden", "golden", close.legend)


def another_quarter(view: FlandernView, **fields: object) -> FlandernView:
    """Another first quarter, of those that are not the centre, in Gent."""
    centre, first, *others = view.cities[1].quarters
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
        with_seat(view, 2, score=18),
        with_seat(view, 2, cards=3),
        with_seat(view, 2, influence=1),
        with_seat(view, 3, open=("gent", "utrecht")),
        with_seat(view, 3, card="gent"),
        with_seat(view, 3, laid=2),
        msgspec.structs.replace(view, guilds=guilds),
        msgspec.structs.replace(view, sites=view.sites + 1),
        msgspec.structs.replace(view, leaders=view.leaders + 1),
        msgspec.structs.replace(view, golden_left=(1, 1)),
        msgspec.structs.replace(view, acted=3),
    )


def _told() -> Sequence[tuple[str, str, FlandernView]]:
    view = choosing()[0]
    assert view.golden_card == "influence"
    assert (view.seats[3].chosen, view.seats[3].card, view.seats[2].hand) == (True, None, None)
    return (
        # The golden card is shown as far as it is known.
        ("choosing", "", msgspec.structs.replace(view, golden_card="gent")),
        ("choosing", "", msgspec.structs.replace(view, golden_card=None)),
        # Who has chosen is marked, but not what; of others' cards there are as many backs.
        ("choosing", "", with_seat(view, 3, chosen=False)),
        ("choosing", "2", with_seat(view, 2, cards=5)),
        # Beside the card of a city stands what it is worth.
        ("choosing", "1", with_city(view, 2, value=17)),
    )


assert "gent-t2" in scored()[0].city("gent").covered
FLANDERN = Pictured(
    name="flandern",
    samples=SAMPLES,
    kilobytes=220,
    large={
        "utrecht": Large("middle_game", "utrecht"),
        "leuven": Large("two_players", "leuven"),
        "0": Large("middle_game", "0"),
        "hand": Large(
            "choosing",
            "1",
            {
                "ieper": "Build in Ieper, or complete a site there.",
                "take": "All cards come back.",
            },
        ),
        "golden_cards": golden_cards(),
    },
    asked=ASKED,
    unlit={"plots": ("gent",)},
    lies=[(choosing(), whole(*words), part) for words, part in LIES],
    parts={
        "scored": ("brugge", "gent", "ieper", "utrecht", "luik", *"012", "golden", LEGEND),
        "two_players": (*CITIES, "0", "1", LEGEND),
    },
    signs=tuple(SIGNS),
    changed=_changed,
    told=_told,
    facts=FACTS,
    marked=MARKED,
    happened={
        "golden_revealed": ("golden", {}),
        "card_drawn": ("two_players", {"seat": 1}),
        "bonus_scored": ("middle_game", {"cards": 2}),
        "plots_covered": ("scored", {}),
    },
    random=((2, {"guilds": "chosen"}), (3, {"guilds": "drawn"}), (4, {"guilds": "drawn"})),
)
