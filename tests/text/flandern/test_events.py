"""Events in words."""

from __future__ import annotations

import pytest

from bot.game.contract import Event
from bot.game.events import TurnEnded
from bot.game.flandern import GAME
from bot.game.flandern.building import QuarterBuilt, SitePut
from bot.game.flandern.data import CARDS
from bot.game.flandern.scoring import BonusScored, CityScored, GuildScored, PlotsCovered
from bot.text.words import Forms, placeholders
from tests.game.flandern.positions import (
    FILLED,
    draw,
    golden_turn,
    lay,
    one_plays,
    play,
    table,
    without,
)
from tests.text.flandern.tables import EN, NAMES, TEXT


def heard(events: list[Event], seat: int = 3) -> list[str]:
    """What a seat is told of events."""
    return TEXT.story(EN, [event for event in events if event.heard_by(seat)], NAMES)


GENT = CARDS.index("gent")
DERIVED = {"emblem": {"quarter", "site"}, "tile": {"item"}, "points": {"scored"}}


@pytest.mark.parametrize("kind", GAME.events)
def test_templates_ask_only_for_fields_of_the_event(kind: str) -> None:
    fields = set(GAME.events[kind].__struct_fields__)
    known = fields | {name for each in fields & {*DERIVED} for name in DERIVED[each]}
    for line in TEXT.templates[kind].lines:
        texts = line.text if isinstance(line.text, Forms) else (line.text,)
        for text in texts:
            assert placeholders(text) <= known


def test_a_choice_is_told_to_its_owner_alone() -> None:
    events = play(table(), 0, "choose gent 2")
    assert heard(events, 0) == [
        "You lay out Gent with 2 influence cards. Nobody else knows it yet."
    ]
    assert heard(events, 1) == []


def test_what_all_have_laid_out_and_in_which_order_they_act_is_one_line() -> None:
    told = heard(lay(table(), "gent 1", "take", "site 2", "take"))
    assert told[0] == (
        r"🃏 **Anna**: Gent with 1 influence card; **Bob**: Take; **Cleo**: Site with 2 influence "
        r"cards; **Do\_ra**: Take; order: **Cleo**, **Anna**, **Bob** and **Do\_ra**."
    )


def test_the_golden_card_is_named_to_the_first_player_and_to_the_others_by_its_deck() -> None:
    events = golden_turn(table(golden_left="gent take"), drawn=[GENT])
    assert heard(events, 1)[-1] == ("Your golden card, which nobody else knows yet: Gent.")
    assert heard(events, 0)[-1] == "**Bob**: draws a golden card of deck A, face down."


def test_taking_back_names_the_cards_and_a_golden_card_is_revealed() -> None:
    told = heard(golden_turn(table(lying=("gent site",), golden="influence"), drawn=[0]))
    assert "**Anna**: takes back Gent and Site." in told
    assert "**Anna**: golden card Influence." in told


def test_a_card_that_can_do_nothing_is_said_to_do_nothing() -> None:
    state = table(
        cities={"luik": FILLED.replace("r1 red", "r1 green").replace("r4 green", "r4 red")}
    )
    assert "**Anna**: nothing possible with Luik." in heard(one_plays(state, "luik"))


def test_quarters_sites_and_what_is_put_on_them_are_named_with_their_places() -> None:
    state = table(golden="cathedral", cities={"gent": "t1 grey site, t2 church"})
    lay(state, "gent", "site", "take", "take")
    assert heard(play(state, 0, "complete gent-t1")) == [
        "**Anna**: completes the grey site at **Gent T1**."
    ]
    told = heard(play(state, 1, "site brugge-t1 green-leader"))
    assert told[0] == "**Bob**: site 🟢 Green with leader → **Brugge T1**."
    told = heard(play(state, 0, "cathedral luik-c"))
    assert told[0] == "**Anna**: cathedral → **Luik centre**."


def test_a_leader_is_told_with_the_quarter_it_stands_on() -> None:
    state = table(golden="leader")
    golden_turn(state)
    told = heard(play(state, 0, "leader utrecht-c"))
    assert told[0] == "**Anna**: leader → **Utrecht centre**, on the grey quarter."


def test_quarter_d_is_told_with_its_bar() -> None:
    built = QuarterBuilt(seat=0, place="gent-p1", tile="church-d-r4")
    assert heard([built]) == ["**Anna**: ⛪ Church D with R4 → **Gent P1**."]


def test_a_city_is_scored_in_two_lines_by_rank() -> None:
    state = table(cities={"luik": without(FILLED, "t1")})
    one_plays(state, "luik")
    told = heard(play(state, 0, "build luik-t1 red"))
    assert told[:1] == ["**Anna**: 🔴 Red → **Luik T1**."]
    assert "🏛️ Luik is scored, worth 14." in told
    (ranking,) = (line for line in told if line.startswith("🏅"))
    assert ranking == ("🏅 🔴 Red 7 (4 quarters); 🟢 Green 7 (4 quarters); 🟡 Yellow 2; ⚪ Grey 2.")


def test_what_five_guilds_score_fits_a_short_line() -> None:
    ranking = [
        GuildScored(guild=guild, city="utrecht", rank=rank, quarters=2, leaders=2, points=points)
        for rank, (guild, points) in enumerate(
            [("yellow", 14), ("green", 7), ("blue", 4), ("grey", 2), ("red", 0)], 1
        )
    ]
    (line,) = TEXT.brief(EN, ranking, NAMES)
    assert line.text == (
        "🏅 Utrecht: 🟡 Yellow 14 points (2 quarters, 2 leaders); 🟢 Green 7 (2 quarters, 2 "
        "leaders); 🔵 Blue 4; ⚪ Grey 2; 🔴 Red 0."
    )


def test_a_first_place_and_leaders_are_told() -> None:
    first = GuildScored(guild="blue", city="leuven", rank=1, quarters=3, leaders=1, points=16)
    (told,) = heard([first])
    assert told == "🏅 Leuven: 🔵 Blue 16 points (3 quarters, 1 leader)."
    third = GuildScored(guild="yellow", city="leuven", rank=3, quarters=1, leaders=2, points=4)
    assert heard([third]) == ["🏅 🟡 Yellow 4."]


def test_covered_plots_are_listed() -> None:
    told = heard([PlotsCovered(places=("gent-t1", "luik-r2"))])
    assert told == ["🚫 Covered, as nothing can be built there: **Gent T1** and **Luik R2**."]


def test_two_players_play_and_draw_in_one_line() -> None:
    state = table(seats=2, lying=("gent",))
    events = play(state, 0, "take") + draw(state, "blue gent")
    assert heard(events) == ["**Anna**: takes back Gent · draws Gent for 🔵 Blue."]
    nothing = play(table(seats=2), 0, "take")
    assert heard(nothing) == ["**Anna**: no other card to take back."]


def test_the_deck_of_two_players_is_said_to_be_shuffled() -> None:
    told = heard(draw(table(seats=2, deck=""), "blue gent"))
    assert told == [
        "🔀 The deck is reshuffled: 14 cards.",
        "**Anna**: draws Gent for 🔵 Blue.",
    ]


def test_scored_cities_first_places_and_special_quarters_are_remembered_best() -> None:
    second = GuildScored(guild="red", city="gent", rank=2, quarters=2, leaders=0, points=9)
    first = GuildScored(guild="red", city="gent", rank=1, quarters=4, leaders=0, points=17)
    city = CityScored(city="gent", value=17)
    tower = SitePut(seat=0, place="gent-p1", tile="church-a")
    plain = SitePut(seat=0, place="gent-p1", tile="church")
    bonus = BonusScored(seat=0, points=3, cards=2)
    told = (TurnEnded(seat=0), plain, second, tower, bonus, city, first)
    assert [TEXT.weight(each) for each in told] == [0, 0, 0, 2, 2, 4, 5]
