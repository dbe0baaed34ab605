"""The round of three and four players, golden cards, and what action cards do on the board and why
they cannot (rules: cards, order, golden, building, sites)."""

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
    at,
    check_refused,
    facts,
    golden_turn,
    hand,
    held,
    in_city,
    is_site,
    lay,
    named_plots,
    one_plays,
    play,
    run,
    shown,
    table,
    words,
)


def card(key: str) -> int:
    return CARDS.index(key)


def test_the_first_player_alone_draws_and_sees_the_golden_card() -> None:
    """Ruling 4."""
    state = table(seats=3, golden_left="leader site")
    events = golden_turn(state, drawn=[card("leader")])
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
    # To the others it is no new question.
    assert {d.seat: d.id for d in GAME.pending(state)} == {**questions, 1: questions[0]}
    check_refused(state, "golden_drawn", "1 look")


def test_cards_of_deck_b_come_when_a_is_used_up_and_those_of_scored_cities_are_put_aside() -> None:
    """Ruling 3: openly."""
    for scored, left_over, drawn, aside, deck in (
        ("", "influence leuven", "influence", "", "a"),
        ("", "leuven", "leuven", "", "b"),
        ("brugge gent", "brugge gent leader site", "gent brugge leader", "gent brugge", "a"),
    ):
        state = table(scored=scored, golden_left=left_over)
        events = golden_turn(state, drawn=[card(key) for key in drawn.split()])
        gone = [event for event in events if event.kind == "golden_set_aside"]
        assert " ".join(str(event.facts["card"]) for event in gone) == aside
        assert not any(event.only or event.but for event in gone)
        assert facts(events, "golden_face_down") == [{"seat": 1, "deck": deck}]
        assert state.golden_card == card(drawn.split()[-1])
    # A deck that runs out so makes the round the last.
    state = table(scored="leuven luik", golden_left="leuven luik")
    events = golden_turn(state, drawn=[card("luik"), card("leuven")])
    assert (facts(events, "no_golden"), facts(events, "game_ended")) == ([{"seat": 1}], [])
    assert asked(state) == [(seat, "choose") for seat in range(4)]
    events = golden_turn(state, drawn=[])
    assert facts(events, "golden_revealed") == []
    assert facts(events, "game_ended") == [{"ending": "deck"}]


def test_all_choose_one_action_card_and_any_number_of_influence_cards_at_the_same_time() -> None:
    """Ruling 5. Ruling 61: influence also with take."""
    state = table(influence=[3, 0, 1, 5], first=2)
    assert all(decision.sealed for decision in GAME.pending(state))
    assert words(state, 0, "choose") == tuple(ALL_CARDS.split())
    assert words(state, 0, "choose take") == ("0", "1", "2", "3")
    numbers = ["".join(words(state, seat, "choose gent")) for seat in range(4)]
    assert numbers == ["0123", "0", "01", "012345"]
    check_refused(state, "too_little_influence", "2 choose gent 2")


def test_cards_lying_open_or_of_scored_cities_cannot_be_laid_out() -> None:
    """Rulings 6 and 7: take is always in hand, as it returns itself."""
    state = table(opened=["gent site", "", "", ""], scored="luik")
    assert words(state, 0, "choose") == ("brugge", "ieper", "leuven", "utrecht", "take")
    check_refused(state, "card_lies_open", "0 choose gent 0")
    check_refused(state, "city_scored", "0 choose luik 0")
    state = table(opened=["brugge gent ieper leuven utrecht luik site", "", "", ""])
    assert words(state, 0, "choose") == ("take",)
    golden_turn(state)
    assert hand(state, 0) == ALL_CARDS


def test_a_choice_is_sealed_and_may_be_changed_until_the_last_has_chosen() -> None:
    """Nothing leaves a hand before."""
    state = table(seats=3)
    (event,) = play(state, 1, "choose gent 3")
    chosen = {"seat": 1, "card": "gent", "influence": 3}
    assert (event.kind, event.facts, event.only) == ("card_chosen", chosen, (1,))
    assert ("gent" in hand(state, 1), held(state)) == (True, [3, 3, 3])
    play(state, 1, "choose brugge 1")
    pending = [(d.seat, d.optional) for d in GAME.pending(state)]
    assert pending == [(0, False), (2, False), (1, True)]
    # Ruling 47: the order in which seats choose has no effect.
    states = [table(seats=3), table(seats=3)]
    run(states[0], "0 choose gent 1", "1 choose site 2", "2 choose take 0")
    run(states[1], "2 choose take 0", "1 choose site 2", "0 choose gent 1")
    assert states[0] == states[1]


def test_the_example_of_the_order_of_play() -> None:
    """Yellow, the first player, lays out one card, red three, green and blue two
    each, clockwise. The order is red, green, blue, yellow."""
    state = table(guilds="yellow red green blue")
    events = lay(state, "gent 0", "gent 2", "gent 1", "gent 1")
    assert facts(events, "seats_ordered") == [{"seats": (1, 2, 3, 0)}]
    # Ruling 8: equal ones clockwise from the first player.
    for laid, order in (("0000", (2, 3, 0, 1)), ("2021", (2, 0, 3, 1))):
        events = lay(table(first=2), *(f"leuven {count}" for count in laid))
        assert facts(events, "seats_ordered") == [{"seats": order}], laid


def test_all_cards_are_revealed_together_and_influence_laid_out_is_out_of_the_game() -> None:
    """Ruling 46: told from the first player on. Ruling 9: action cards lie open."""
    state = table(seats=3, first=1, influence=[3, 4, 3])
    events = lay(state, "gent 2", "brugge 4", "site 1")
    revealed = [tuple(told.values()) for told in facts(events, "card_revealed")]
    assert revealed == [(1, "brugge", 4), (2, "site", 1), (0, "gent", 2)]
    assert not any(event.only or event.but for event in events)
    assert held(state) == [1, 0, 2]
    assert [shown(state, seat) for seat in range(3)] == ["gent", "brugge", "site"]


def test_seats_act_one_after_the_other_then_comes_the_golden_card() -> None:
    """Ruling 10: an action may not be declined or exchanged."""
    state = table(seats=3, golden="leader")
    lay(state, "gent 0", "brugge 1", "ieper 2")
    for seat, place in ((2, "ieper-t1"), (1, "brugge-t1"), (0, "gent-t1")):
        assert (asked(state), state.revealed) == ([(seat, "city")], False)
        check_refused(state, "not_your_turn", f"{(seat + 1) % 3} build {place} grey")
        check_refused(state, "not_now", f"{seat} take", f"{seat} choose take 0")
        check_refused(state, "unknown_kind", f"{seat} end", f"{seat} pass")
        play(state, seat, f"build {place} grey")
    assert (asked(state), state.revealed) == ([(0, "leader")], True)
    # Ruling 11: Brugge is full, and no site there is the seat's own.
    state = table(cities={"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    events = lay(state, "take", "take", "brugge", "brugge")
    assert facts(events, "impossible") == [{"seat": 2, "card": "brugge", "golden": 0}]
    assert (asked(state), shown(state, 2)) == ([(3, "city")], "brugge")


def test_take_brings_back_all_cards_lying_before_its_owner_itself_included() -> None:
    """But never influence; it may be played with no other card lying there."""
    state = table(seats=3, opened=["gent site", "brugge", ""], first=2)
    events = lay(state, "take 1", "take 2", "take 3")
    taken = [tuple(told.values()) for told in facts(events, "cards_taken_back")]
    back = [(2, ("take",)), (0, ("gent", "site", "take")), (1, ("brugge", "take"))]
    assert sorted(taken[:3]) == sorted(back)
    assert ([hand(state, seat) for seat in range(2)], held(state)) == (
        ["brugge gent ieper utrecht luik site take"] * 2,
        [2, 1, 0],
    )
    # The next seat clockwise is the new first player.
    assert facts(events, "round_begun") == [{"first": 0, "round": 4}]


def test_golden_influence_and_take_come_after_all_actions() -> None:
    """Ruling 60: influence is usable from the next round on. Ruling 52:
    take returns the card of this round too, after a silver take nothing more."""
    state = table(seats=3, first=1, golden="influence")
    lay(state, "gent", "take 3", "take")
    assert held(state) == [3, 0, 3]
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "golden_revealed") == [{"seat": 1, "card": "influence"}]
    assert held(state) == [3, 1, 3]
    state = table(seats=3, first=1, golden="take", opened=["luik", "site brugge", ""])
    lay(state, "gent", "ieper", "take")
    play(state, 1, "build ieper-t1 grey")
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "cards_taken_back") == [{"seat": 1, "cards": ("brugge", "ieper", "site")}]
    assert (shown(state, 0), shown(state, 1)) == ("gent luik", "")
    events = golden_turn(table(seats=3, golden="take", opened=["gent"]))
    assert facts(events, "cards_taken_back")[-1] == {"seat": 0, "cards": ()}


SITES = "t1 red site, t2 grey site, t3 green site, t4 church site"


def turned_up(
    golden: str, first: int = 0, cities: Mapping[str, str] | None = None, scored: str = ""
) -> FlandernState:
    """The first player, by default red, has revealed this card after all had taken theirs back."""
    state = table(golden=golden, first=first, cities=cities, scored=scored)
    events = golden_turn(state)
    assert facts(events, "golden_revealed") == [{"seat": first, "card": golden}]
    return state


def is_useless(golden: str, cities: Mapping[str, str], scored: str = "") -> None:
    """The card is told to be impossible."""
    events = golden_turn(table(golden=golden, cities=cities, scored=scored))
    assert facts(events, "impossible") == [{"seat": 0, "card": golden, "golden": 1}]


def test_a_golden_city_or_site_builds_and_completes_grey_and_church_alone() -> None:
    """Ruling 13. Rulings 56 and 59: also in a full city that is not scored."""
    state = turned_up("leuven", 1, cities={"leuven": SITES.replace(", t4 church site", "")})
    assert asked(state) == [(1, "city")]
    assert words(state, 1, "build leuven-t4") == ("grey", "church")
    check_refused(state, "not_yours", "1 build leuven-t4 green")
    assert words(state, 1, "complete") == ("leuven-t2",)
    check_refused(state, "foreign_site", "1 complete leuven-t3")
    state = turned_up("brugge", cities={"brugge": FILLED.replace("p2 grey", "p2 grey site")})
    assert words(state, 0) == ("complete",)
    is_useless("brugge", {"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    state = turned_up("site", 0, scored="gent")
    assert words(state, 0, "site leuven-t1") == ("grey", "church")
    check_refused(state, "not_yours", "0 site leuven-t1 red")
    play(state, 0, "site luik-t3 grey")
    is_useless("site", ALL_SITES)


ALL_SITES = {
    "gent": "t1 green site, t2 blue site, t3 yellow site",
    "ieper": "t1 red site, t2 blue site, t3 yellow site",
    "leuven": "t1 red site, t2 green site, t3 blue site, t4 grey site",
}


def test_a_cathedral_goes_on_any_church_without_one_site_or_not() -> None:
    """Ruling 23: Luik's centre is one; D has one place; not in a scored city."""
    gent = "t1 church, t2 grey, t3 church site, p2 blue, r2 church cathedral"
    cities = {"gent": gent, "brugge": "t1 grey, p1 church-d-r1", "ieper": "t1 church, t2 grey"}
    state = turned_up("cathedral", 2, cities=cities, scored="ieper")
    assert words(state, 2, "cathedral") == ("brugge-p1", "gent-t1", "gent-t3", "luik-c")
    check_refused(state, "has_cathedral", "2 cathedral gent-r2")
    check_refused(state, "city_scored", "2 cathedral ieper-t1")
    nowhere = ("gent-t2", "gent-t4", "brugge-r1", "gent-t5")
    check_refused(state, "no_church", *(f"2 cathedral {place}" for place in nowhere))
    play(state, 2, "cathedral gent-t3")
    assert named_plots(in_city(state, "gent").cathedrals).split() == ["t3", "r2"]
    assert state.round == 4


def test_without_a_piece_or_a_place_left_the_card_has_no_effect_but_the_last_can_be_put() -> None:
    is_useless("cathedral", {"luik": "c church cathedral"})
    is_useless("cathedral", {}, scored="luik")
    three = "t1 church cathedral, t2 church cathedral, t3 church cathedral"
    cities = {"luik": "c church cathedral", "gent": three, "brugge": "t1 grey, p1 church"}
    is_useless("cathedral", cities)
    # Red's city and grey's are scored, and both stand nowhere else.
    is_useless("leader", {"gent": "c red leader leader leader leader"})
    is_useless("leader", {"brugge": "t1 green"}, scored="gent utrecht")
    cathedrals = {"luik": "c church cathedral", "gent": "t1 church cathedral, t2 church cathedral"}
    sites = {**ALL_SITES, "leuven": ALL_SITES["leuven"].replace(", t4 grey site", "")}
    for golden, cities, line in (
        ("leader", {"gent": "c red leader leader leader"}, "leader gent-c"),
        ("cathedral", cathedrals, "cathedral brugge-t1"),
        ("site", sites, "site gent-t4 grey"),
    ):
        state = turned_up(golden, 0, cities={**cities, "brugge": "t1 church"})
        assert getattr(state, f"{golden}_pieces") == 1
        play(state, 0, line)
        assert state.round == 4


def test_a_leader_goes_on_any_quarter_of_ones_own_or_of_grey_site_or_not() -> None:
    """Ruling 24: centres too, not in a scored city. On grey it counts for grey
    (ruling 57)."""
    gent = "t1 green site, t2 grey, t3 blue"
    cities = {"gent": gent, "brugge": "t1 grey site, t2 green", "ieper": "t1 grey"}
    state = turned_up("leader", 1, cities=cities, scored="brugge")
    found = {*words(state, 1, "leader")}
    assert found == {"gent-t1", "gent-t2", "ieper-c", "ieper-t1", "utrecht-c"}
    foreign = ("gent-t3", "gent-c", "luik-c")
    check_refused(state, "foreign_quarter", *(f"1 leader {each}" for each in foreign))
    check_refused(state, "no_quarter", "1 leader gent-t4")
    check_refused(state, "city_scored", "1 leader brugge-t2")
    events = play(state, 1, "leader gent-t2")
    assert facts(events, "leader_put") == [{"seat": 1, "place": "gent-t2", "emblem": "grey"}]
    assert state.round == 4


def playing(card: str, seat: int = 0, **position: Any) -> FlandernState:
    """A seat carries out a card; it is red, green, blue or yellow."""
    state = table(**position)
    one_plays(state, card, seat)
    return state


def test_a_city_card_builds_or_completes_own_grey_or_church() -> None:
    """In Leuven, where yellow's own centre bars its triangles."""
    for seat, own in enumerate((("red",), ("green",), ("blue",), ())):
        state = playing("leuven", seat)
        assert asked(state) == [(seat, "city")]
        assert words(state, seat) == ("build",)
        assert words(state, seat, "build") == tuple(f"leuven-t{n}" for n in range(1, 5))
        tiles = [f"{guild}{leader}" for guild in own for leader in ("", "-leader")]
        assert words(state, seat, "build leuven-t2") == (*tiles, "grey", "church")
    # Ruling 12: never another guild's.
    for seat, sites in enumerate(("t1 t2 t4", "t2 t3 t4", "t2 t4", "t2 t4")):
        state = playing("leuven", seat, cities={"leuven": SITES})
        assert words(state, seat) == ("build", "complete")
        expected = tuple(f"leuven-{plot}" for plot in sites.split())
        assert words(state, seat, "complete") == expected
        foreign = sorted({"t1", "t2", "t3", "t4"} - set(sites.split()))
        check_refused(state, "foreign_site", *(f"{seat} complete leuven-{n}" for n in foreign))


def test_the_example_of_leuven() -> None:
    """Of the text: yellow can build there a quarter of its own, of grey or of the church."""
    state = playing("leuven", 3, cities={"leuven": "t1 grey, t3 red"})
    own, special = ("yellow", "yellow-leader"), ("church", "church-a")
    assert words(state, 3, "build leuven-p2") == (*own, *special, "church-d-r1", "church-d-r2")
    with_grey = (*own, "grey", *special, "church-d-r2", "church-d-r3")
    assert words(state, 3, "build leuven-p3") == with_grey


def test_what_is_not_in_stock_is_not_built_and_d_chooses_its_bar() -> None:
    cities = {"brugge": "t1 green, t2 green, t3 green, t4 green"}
    state = playing("gent", 1, cities=cities)
    assert words(state, 1, "build gent-t1") == ("green-leader", "grey", "church")
    check_refused(state, "none_left", "1 build gent-t1 green")
    state = playing("gent", 1, cities={**cities, "leuven": "t1 green-leader"})
    assert words(state, 1, "build gent-t1") == ("grey", "church")
    check_refused(state, "none_left", "1 build gent-t1 green-leader")
    # Ruling 36: the builder chooses D's bar among those that are free.
    state = playing("gent", cities={"gent": "t1 blue, p2 yellow"})
    tiles = words(state, 0, "build gent-p1")
    assert [tile for tile in tiles if "church-d" in tile] == ["church-d-r1", "church-d-r4"]
    play(state, 0, "build gent-p1 church-d-r1")
    assert at(state, "gent-r1") == "church"


def test_where_nothing_can_be_built_a_site_must_be_completed_and_the_other_way_round() -> None:
    """Ruling 10. Ruling 56: a site may be completed in a city that is full until phase 6."""
    full = FILLED.replace("r1 red", "r1 red site")
    state = playing("brugge", 0, cities={"brugge": full})
    assert words(state, 0) == ("complete",)
    check_refused(state, "nothing_to_build", "0 build brugge-t1 red")
    state = playing("brugge", 0, cities={"brugge": "t1 green site"})
    assert words(state, 0) == ("build",)
    check_refused(state, "nothing_to_complete", "0 complete brugge-t1")


def test_a_site_card_puts_a_site_in_any_city_that_is_not_scored() -> None:
    state = playing("site", 1, scored="gent", cities={"luik": "t1 blue", "leuven": SITES})
    # It never completes one.
    assert (asked(state), words(state, 1)) == ([(1, "site")], ("site",))
    check_refused(state, "not_now", "1 complete leuven-t3")
    there = {place.partition("-")[0] for place in words(state, 1, "site")}
    assert there == {"brugge", "ieper", "leuven", "utrecht", "luik"}
    # Ieper's own centre bars green alone.
    assert words(state, 1, "site ieper-t1") == ("grey", "church")
    play(state, 1, "site luik-p1 green")
    assert is_site(state, "luik-p1")
    # Ruling 14: without a site piece it does nothing.
    leuven = "t1 blue site, t2 grey site, t3 blue site, t4 church site"
    cities = {"brugge": SITES, "leuven": leuven, "luik": "t1 green site, t2 yellow site"}
    events = one_plays(table(cities=cities), "site", 1)
    assert facts(events, "impossible") == [{"seat": 1, "card": "site", "golden": 0}]


def test_a_refusal_names_what_forbids_it() -> None:
    gent = "t1 grey, t2 blue site, t3 church site, t4 covered, r4 covered"
    state = playing("gent", 0, cities={"gent": gent, "brugge": SITES})
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
    # Beside it lie red, grey and church.
    beside = "t1 grey, t4 church, t2 yellow, p2 {}, r1 {}"
    state = playing("brugge", 0, cities={"brugge": beside.format("red", "blue")})
    assert words(state, 0, "build brugge-p1") == ("red", "red-leader")
    state = playing("brugge", 0, cities={"brugge": beside.format("blue", "red")})
    assert "brugge-p1" not in words(state, 0, "build")
    check_refused(state, "nothing_fits", "0 build brugge-p1 grey")
    state = playing("site", 0, seats=3, scored="luik")
    check_refused(state, "city_scored", "0 site luik-t1 grey")
    check_refused(state, "missing_city", "0 site leuven-t1 grey")
