"""Rounds of three and four players, golden cards, and actions and refusals on the board (rules:
cards, order, golden, building, sites)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    ALL_CARDS,
    FILLED,
    asked,
    check_refused,
    choose_cards,
    content_at,
    facts,
    hand,
    in_city,
    influence_cards,
    is_site,
    named_plots,
    open_cards,
    play,
    play_alone,
    reveal_golden,
    run,
    table,
    words,
)


def card(key: str) -> int:
    return CARDS.index(key)


def test_only_the_first_player_draws_and_sees_the_golden_card() -> None:
    """Ruling 4."""
    state = table(seats=3, golden_left="leader site")
    events = reveal_golden(state, drawn=[card("leader")])
    (drawn,) = (event for event in events if event.kind == "golden_drawn")
    (hidden,) = (event for event in events if event.kind == "golden_face_down")
    assert (drawn.facts, drawn.only) == ({"seat": 1, "card": "leader"}, (1,))
    assert (hidden.facts, hidden.but) == ({"seat": 1, "deck": "a"}, (1,))
    state = table(seats=3, golden="", first=1)
    check_refused(state, "look_first", "1 choose gent 0")
    check_refused(state, "not_first_player", "0 look")
    questions = {decision.seat: decision.id for decision in GAME.pending(state)}
    play(state, 0, "choose gent 0")
    play(state, 2, "choose gent 0", drawn=())
    assert asked(state) == [(1, "look")]
    play(state, 1, "look")
    # The others have no new question.
    assert {d.seat: d.id for d in GAME.pending(state)} == {**questions, 1: questions[0]}
    check_refused(state, "golden_drawn", "1 look")


def test_deck_b_follows_deck_a_and_cards_of_scored_cities_are_set_aside() -> None:
    """Ruling 3: in public."""
    for scored, left_over, drawn, aside, deck in (
        ("", "influence leuven", "influence", "", "a"),
        ("", "leuven", "leuven", "", "b"),
        ("brugge gent", "brugge gent leader site", "gent brugge leader", "gent brugge", "a"),
    ):
        state = table(scored=scored, golden_left=left_over)
        events = reveal_golden(state, drawn=[card(key) for key in drawn.split()])
        set_aside = [event for event in events if event.kind == "golden_set_aside"]
        assert " ".join(str(event.facts["card"]) for event in set_aside) == aside
        assert not any(event.only or event.but for event in set_aside)
        assert facts(events, "golden_face_down") == [{"seat": 1, "deck": deck}]
        assert state.golden_card == card(drawn.split()[-1])
    # If the deck runs out this way, the round is the last.
    state = table(scored="leuven luik", golden_left="leuven luik")
    events = reveal_golden(state, drawn=[card("luik"), card("leuven")])
    assert (facts(events, "no_golden"), facts(events, "game_ended")) == ([{"seat": 1}], [])
    assert asked(state) == [(seat, "choose") for seat in range(4)]
    events = reveal_golden(state, drawn=[])
    assert facts(events, "golden_revealed") == []
    assert facts(events, "game_ended") == [{"ending": "deck"}]


def test_all_players_choose_a_card_and_any_number_of_influence_cards_at_once() -> None:
    """Ruling 5. Ruling 61: influence also with take."""
    state = table(influence=[3, 0, 1, 5], first=2)
    assert all(decision.sealed for decision in GAME.pending(state))
    assert words(state, 0, "choose") == tuple(ALL_CARDS.split())
    assert words(state, 0, "choose take") == ("0", "1", "2", "3")
    numbers = ["".join(words(state, seat, "choose gent")) for seat in range(4)]
    assert numbers == ["0123", "0", "01", "012345"]
    check_refused(state, "too_little_influence", "2 choose gent 2")


def test_open_cards_and_cards_of_scored_cities_cannot_be_chosen() -> None:
    """Rulings 6 and 7. Take is always in hand, because it returns itself."""
    state = table(opened=["gent site", "", "", ""], scored="luik")
    assert words(state, 0, "choose") == ("brugge", "ieper", "leuven", "utrecht", "take")
    check_refused(state, "card_lies_open", "0 choose gent 0")
    check_refused(state, "city_scored", "0 choose luik 0")
    state = table(opened=["brugge gent ieper leuven utrecht luik site", "", "", ""])
    assert words(state, 0, "choose") == ("take",)
    reveal_golden(state)
    assert hand(state, 0) == ALL_CARDS


def test_a_choice_is_secret_and_can_be_changed_until_all_have_chosen() -> None:
    """Until then no card leaves a hand."""
    state = table(seats=3)
    (event,) = play(state, 1, "choose gent 3")
    chosen = {"seat": 1, "card": "gent", "influence": 3}
    assert (event.kind, event.facts, event.only) == ("card_chosen", chosen, (1,))
    assert ("gent" in hand(state, 1), influence_cards(state)) == (True, [3, 3, 3])
    play(state, 1, "choose brugge 1")
    pending = [(d.seat, d.optional) for d in GAME.pending(state)]
    assert pending == [(0, False), (2, False), (1, True)]
    # Ruling 47: the order in which seats choose has no effect.
    states = [table(seats=3), table(seats=3)]
    run(states[0], "0 choose gent 1", "1 choose site 2", "2 choose take 0")
    run(states[1], "2 choose take 0", "1 choose site 2", "0 choose gent 1")
    assert states[0] == states[1]


def test_the_example_of_the_turn_order() -> None:
    """Yellow, the first player, plays one card, red three, green and blue two each. The order is
    red, green, blue, yellow."""
    state = table(guilds="yellow red green blue")
    events = choose_cards(state, "gent 0", "gent 2", "gent 1", "gent 1")
    assert facts(events, "seats_ordered") == [{"seats": (1, 2, 3, 0)}]
    # Ruling 8: ties are clockwise from the first player.
    for influence, order in (("0000", (2, 3, 0, 1)), ("2021", (2, 0, 3, 1))):
        events = choose_cards(table(first=2), *(f"leuven {count}" for count in influence))
        assert facts(events, "seats_ordered") == [{"seats": order}], influence


def test_all_cards_are_revealed_together_and_played_influence_leaves_the_game() -> None:
    """Ruling 46: starting with the first player. Ruling 9: action cards stay open."""
    state = table(seats=3, first=1, influence=[3, 4, 3])
    events = choose_cards(state, "gent 2", "brugge 4", "site 1")
    revealed = [tuple(each.values()) for each in facts(events, "card_revealed")]
    assert revealed == [(1, "brugge", 4), (2, "site", 1), (0, "gent", 2)]
    assert not any(event.only or event.but for event in events)
    assert influence_cards(state) == [1, 0, 2]
    assert [open_cards(state, seat) for seat in range(3)] == ["gent", "brugge", "site"]


def test_the_golden_card_follows_the_actions_of_all_seats() -> None:
    """Ruling 10: a player can't skip or exchange an action."""
    state = table(seats=3, golden="leader")
    choose_cards(state, "gent 0", "brugge 1", "ieper 2")
    for seat, place in ((2, "ieper-t1"), (1, "brugge-t1"), (0, "gent-t1")):
        assert (asked(state), state.revealed) == ([(seat, "city")], False)
        check_refused(state, "not_your_turn", f"{(seat + 1) % 3} build {place} grey")
        check_refused(state, "not_now", f"{seat} take", f"{seat} choose take 0")
        check_refused(state, "unknown_kind", f"{seat} end", f"{seat} pass")
        play(state, seat, f"build {place} grey")
    assert (asked(state), state.revealed) == ([(0, "leader")], True)
    # Ruling 11: Brugge is full, and its only site belongs to another guild.
    state = table(cities={"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    events = choose_cards(state, "take", "take", "brugge", "brugge")
    assert facts(events, "impossible") == [{"seat": 2, "card": "brugge", "golden": 0}]
    assert (asked(state), open_cards(state, 2)) == ([(3, "city")], "brugge")


def test_take_returns_all_open_cards_including_itself() -> None:
    """Take never returns influence cards. It can be played without other open cards."""
    state = table(seats=3, opened=["gent site", "brugge", ""], first=2)
    events = choose_cards(state, "take 1", "take 2", "take 3")
    taken = [tuple(each.values()) for each in facts(events, "cards_taken_back")]
    back = [(2, ("take",)), (0, ("gent", "site", "take")), (1, ("brugge", "take"))]
    assert sorted(taken[:3]) == sorted(back)
    assert ([hand(state, seat) for seat in range(2)], influence_cards(state)) == (
        ["brugge gent ieper utrecht luik site take"] * 2,
        [2, 1, 0],
    )
    # The next seat clockwise is the new first player.
    assert facts(events, "round_begun") == [{"first": 0, "round": 4}]


def test_golden_influence_and_take_come_after_all_actions() -> None:
    """Ruling 60: influence can be used from the next round on. Ruling 52: golden take also returns
    the card of this round, and nothing after a silver take."""
    state = table(seats=3, first=1, golden="influence")
    choose_cards(state, "gent", "take 3", "take")
    assert influence_cards(state) == [3, 0, 3]
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "golden_revealed") == [{"seat": 1, "card": "influence"}]
    assert influence_cards(state) == [3, 1, 3]
    state = table(seats=3, first=1, golden="take", opened=["luik", "site brugge", ""])
    choose_cards(state, "gent", "ieper", "take")
    play(state, 1, "build ieper-t1 grey")
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "cards_taken_back") == [{"seat": 1, "cards": ("brugge", "ieper", "site")}]
    assert (open_cards(state, 0), open_cards(state, 1)) == ("gent luik", "")
    events = reveal_golden(table(seats=3, golden="take", opened=["gent"]))
    assert facts(events, "cards_taken_back")[-1] == {"seat": 0, "cards": ()}


SITES = "t1 red site, t2 grey site, t3 green site, t4 church site"


def with_golden(
    golden: str, first: int = 0, cities: Mapping[str, str] | None = None, scored: str = ""
) -> FlandernState:
    """Return a table where all took their cards back and the first player revealed this card."""
    state = table(golden=golden, first=first, cities=cities, scored=scored)
    events = reveal_golden(state)
    assert facts(events, "golden_revealed") == [{"seat": first, "card": golden}]
    return state


def check_no_effect(golden: str, cities: Mapping[str, str], scored: str = "") -> None:
    """Check that the golden card has no effect."""
    events = reveal_golden(table(golden=golden, cities=cities, scored=scored))
    assert facts(events, "impossible") == [{"seat": 0, "card": golden, "golden": 1}]


def test_a_golden_city_or_site_card_allows_only_grey_and_church() -> None:
    """Ruling 13. Rulings 56 and 59: also in a full city that isn't scored yet."""
    state = with_golden("leuven", 1, cities={"leuven": SITES.replace(", t4 church site", "")})
    assert asked(state) == [(1, "city")]
    assert words(state, 1, "build leuven-t4") == ("grey", "church")
    check_refused(state, "not_yours", "1 build leuven-t4 green")
    assert words(state, 1, "complete") == ("leuven-t2",)
    check_refused(state, "foreign_site", "1 complete leuven-t3")
    state = with_golden("brugge", cities={"brugge": FILLED.replace("p2 grey", "p2 grey site")})
    assert words(state, 0) == ("complete",)
    check_no_effect("brugge", {"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    state = with_golden("site", 0, scored="gent")
    assert words(state, 0, "site leuven-t1") == ("grey", "church")
    check_refused(state, "not_yours", "0 site leuven-t1 red")
    play(state, 0, "site luik-t3 grey")
    check_no_effect("site", ALL_SITES)


ALL_SITES = {
    "gent": "t1 green site, t2 blue site, t3 yellow site",
    "ieper": "t1 red site, t2 blue site, t3 yellow site",
    "leuven": "t1 red site, t2 green site, t3 blue site, t4 grey site",
}


def test_a_cathedral_can_be_placed_on_any_church_or_church_site_without_one() -> None:
    """Ruling 23: including the centre of Luik, once on D, and not in a scored city."""
    gent = "t1 church, t2 grey, t3 church site, p2 blue, r2 church cathedral"
    cities = {"gent": gent, "brugge": "t1 grey, p1 church-d-r1", "ieper": "t1 church, t2 grey"}
    state = with_golden("cathedral", 2, cities=cities, scored="ieper")
    assert words(state, 2, "cathedral") == ("brugge-p1", "gent-t1", "gent-t3", "luik-c")
    check_refused(state, "has_cathedral", "2 cathedral gent-r2")
    check_refused(state, "city_scored", "2 cathedral ieper-t1")
    nowhere = ("gent-t2", "gent-t4", "brugge-r1", "gent-t5")
    check_refused(state, "no_church", *(f"2 cathedral {place}" for place in nowhere))
    play(state, 2, "cathedral gent-t3")
    assert named_plots(in_city(state, "gent").cathedrals).split() == ["t3", "r2"]
    assert state.round == 4


def test_a_card_without_a_piece_or_place_has_no_effect_but_the_last_piece_can_be_placed() -> None:
    check_no_effect("cathedral", {"luik": "c church cathedral"})
    check_no_effect("cathedral", {}, scored="luik")
    three = "t1 church cathedral, t2 church cathedral, t3 church cathedral"
    cities = {"luik": "c church cathedral", "gent": three, "brugge": "t1 grey, p1 church"}
    check_no_effect("cathedral", cities)
    # The cities of red and grey are scored, and neither has quarters elsewhere.
    check_no_effect("leader", {"gent": "c red leader leader leader leader"})
    check_no_effect("leader", {"brugge": "t1 green"}, scored="gent utrecht")
    cathedrals = {"luik": "c church cathedral", "gent": "t1 church cathedral, t2 church cathedral"}
    sites = {**ALL_SITES, "leuven": ALL_SITES["leuven"].replace(", t4 grey site", "")}
    for golden, cities, line in (
        ("leader", {"gent": "c red leader leader leader"}, "leader gent-c"),
        ("cathedral", cathedrals, "cathedral brugge-t1"),
        ("site", sites, "site gent-t4 grey"),
    ):
        state = with_golden(golden, 0, cities={**cities, "brugge": "t1 church"})
        assert getattr(state, f"{golden}_pieces") == 1
        play(state, 0, line)
        assert state.round == 4


def test_a_leader_can_be_placed_on_any_own_or_grey_quarter_or_site() -> None:
    """Ruling 24: including centres, but not in a scored city. On a grey quarter it counts for grey
    (ruling 57)."""
    gent = "t1 green site, t2 grey, t3 blue"
    cities = {"gent": gent, "brugge": "t1 grey site, t2 green", "ieper": "t1 grey"}
    state = with_golden("leader", 1, cities=cities, scored="brugge")
    found = {*words(state, 1, "leader")}
    assert found == {"gent-t1", "gent-t2", "ieper-c", "ieper-t1", "utrecht-c"}
    foreign = ("gent-t3", "gent-c", "luik-c")
    check_refused(state, "foreign_quarter", *(f"1 leader {each}" for each in foreign))
    check_refused(state, "no_quarter", "1 leader gent-t4")
    check_refused(state, "city_scored", "1 leader brugge-t2")
    events = play(state, 1, "leader gent-t2")
    assert facts(events, "leader_put") == [{"seat": 1, "place": "gent-t2", "emblem": "grey"}]
    assert state.round == 4


def with_card(card: str, seat: int = 0, **position: Any) -> FlandernState:
    """Return a table where a seat is using a card. The seats are red, green, blue and yellow."""
    state = table(**position)
    play_alone(state, card, seat)
    return state


def test_a_city_card_builds_or_completes_own_grey_or_church() -> None:
    """In Leuven yellow can't build triangles, because they are adjacent to its centre."""
    for seat, own in enumerate((("red",), ("green",), ("blue",), ())):
        state = with_card("leuven", seat)
        assert asked(state) == [(seat, "city")]
        assert words(state, seat) == ("build",)
        assert words(state, seat, "build") == tuple(f"leuven-t{n}" for n in range(1, 5))
        tiles = [f"{guild}{leader}" for guild in own for leader in ("", "-leader")]
        assert words(state, seat, "build leuven-t2") == (*tiles, "grey", "church")
    # Ruling 12: never a site of another guild.
    for seat, sites in enumerate(("t1 t2 t4", "t2 t3 t4", "t2 t4", "t2 t4")):
        state = with_card("leuven", seat, cities={"leuven": SITES})
        assert words(state, seat) == ("build", "complete")
        expected = tuple(f"leuven-{plot}" for plot in sites.split())
        assert words(state, seat, "complete") == expected
        foreign = sorted({"t1", "t2", "t3", "t4"} - set(sites.split()))
        check_refused(state, "foreign_site", *(f"{seat} complete leuven-{n}" for n in foreign))


def test_the_example_of_leuven() -> None:
    """Yellow can build one of its own quarters, or one of grey or the church."""
    state = with_card("leuven", 3, cities={"leuven": "t1 grey, t3 red"})
    own, special = ("yellow", "yellow-leader"), ("church", "church-a")
    assert words(state, 3, "build leuven-p2") == (*own, *special, "church-d-r1", "church-d-r2")
    with_grey = (*own, "grey", *special, "church-d-r2", "church-d-r3")
    assert words(state, 3, "build leuven-p3") == with_grey


def test_only_quarters_in_stock_can_be_built_and_the_builder_chooses_the_bar_of_d() -> None:
    cities = {"brugge": "t1 green, t2 green, t3 green, t4 green"}
    state = with_card("gent", 1, cities=cities)
    assert words(state, 1, "build gent-t1") == ("green-leader", "grey", "church")
    check_refused(state, "none_left", "1 build gent-t1 green")
    state = with_card("gent", 1, cities={**cities, "leuven": "t1 green-leader"})
    assert words(state, 1, "build gent-t1") == ("grey", "church")
    check_refused(state, "none_left", "1 build gent-t1 green-leader")
    # Ruling 36: the builder chooses any free bar for D.
    state = with_card("gent", cities={"gent": "t1 blue, p2 yellow"})
    tiles = words(state, 0, "build gent-p1")
    assert [tile for tile in tiles if "church-d" in tile] == ["church-d-r1", "church-d-r4"]
    play(state, 0, "build gent-p1 church-d-r1")
    assert content_at(state, "gent-r1") == "church"


def test_a_city_card_must_complete_if_it_cannot_build_and_vice_versa() -> None:
    """Ruling 10. Ruling 56: a site in a full city can be completed until phase 6."""
    full = FILLED.replace("r1 red", "r1 red site")
    state = with_card("brugge", 0, cities={"brugge": full})
    assert words(state, 0) == ("complete",)
    check_refused(state, "nothing_to_build", "0 build brugge-t1 red")
    state = with_card("brugge", 0, cities={"brugge": "t1 green site"})
    assert words(state, 0) == ("build",)
    check_refused(state, "nothing_to_complete", "0 complete brugge-t1")


def test_a_site_card_places_a_site_in_any_unscored_city() -> None:
    state = with_card("site", 1, scored="gent", cities={"luik": "t1 blue", "leuven": SITES})
    # It never completes a site.
    assert (asked(state), words(state, 1)) == ([(1, "site")], ("site",))
    check_refused(state, "not_now", "1 complete leuven-t3")
    places = {place.partition("-")[0] for place in words(state, 1, "site")}
    assert places == {"brugge", "ieper", "leuven", "utrecht", "luik"}
    # The centre of Ieper is green, so only green can't build.
    assert words(state, 1, "site ieper-t1") == ("grey", "church")
    play(state, 1, "site luik-p1 green")
    assert is_site(state, "luik-p1")
    # Ruling 14: without a site piece the card has no effect.
    leuven = "t1 blue site, t2 grey site, t3 blue site, t4 church site"
    cities = {"brugge": SITES, "leuven": leuven, "luik": "t1 green site, t2 yellow site"}
    events = play_alone(table(cities=cities), "site", 1)
    assert facts(events, "impossible") == [{"seat": 1, "card": "site", "golden": 0}]


def test_a_refusal_names_its_reason() -> None:
    gent = "t1 grey, t2 blue site, t3 church site, t4 covered, r4 covered"
    state = with_card("gent", 0, cities={"gent": gent, "brugge": SITES})
    for code, lines in {
        "other_city": "brugge-t1 red",
        "plot_taken": "gent-t1 grey, gent-c grey, gent-t2 grey",
        "plot_covered": "gent-t4 grey",
        "no_plot": "gent-r5 red, gent-t9 red",
        "no_support": "gent-r1 red, gent-r3 red",
        "beside_own": "gent-p1 grey",
        "not_yours": "gent-p2 green, gent-p1 blue-leader",
        "wrong_shape": "gent-p1 church-b",
        "no_bar": "gent-p1 church-d-r2, gent-p1 church-d-r4",
    }.items():
        check_refused(state, code, *(f"0 build {line}" for line in lines.split(", ")))
    for code, places in {
        "no_site_here": "gent-t1 gent-t4 gent-p3",
        "other_city": "brugge-t1",
        "foreign_site": "gent-t2",
    }.items():
        check_refused(state, code, *(f"0 complete {place}" for place in places.split()))
    # The plot is adjacent to grey, the church, and in the second case red.
    brugge = "t1 grey, t4 church, t2 yellow, p2 {}, r1 {}"
    state = with_card("brugge", 0, cities={"brugge": brugge.format("red", "blue")})
    assert words(state, 0, "build brugge-p1") == ("red", "red-leader")
    state = with_card("brugge", 0, cities={"brugge": brugge.format("blue", "red")})
    assert "brugge-p1" not in words(state, 0, "build")
    check_refused(state, "nothing_fits", "0 build brugge-p1 grey")
    state = with_card("site", 0, seats=3, scored="luik")
    check_refused(state, "city_scored", "0 site luik-t1 grey")
    check_refused(state, "missing_city", "0 site leuven-t1 grey")
