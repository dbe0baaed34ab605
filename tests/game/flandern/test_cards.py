"""The round of three and four players (section 4), silver take (5.3), and golden cards (4.5 and 5.4
to 5.8)."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS
from bot.game.flandern.state import FlandernState
from tests.game.flandern.positions import (
    FILLED,
    asked,
    check_refused,
    facts,
    golden_turn,
    hand,
    held,
    in_city,
    is_site,
    lay,
    left,
    look,
    named_plots,
    one_plays,
    play,
    run,
    shown,
    table,
    words,
)

ALL_CARDS = "brugge gent ieper leuven utrecht luik site take"


def card(key: str) -> int:
    return CARDS.index(key)


# Phase 1: the golden card


def test_the_first_player_alone_draws_and_sees_the_golden_card() -> None:
    """Ruling 4."""
    state = table(seats=3, golden_left="leader site")
    events = golden_turn(state, drawn=[card("leader")])
    (drawn,) = (event for event in events if event.kind == "golden_drawn")
    (hidden,) = (event for event in events if event.kind == "golden_face_down")
    assert (drawn.facts, drawn.only) == ({"seat": 1, "card": "leader"}, (1,))
    assert (hidden.facts, hidden.but) == ({"seat": 1, "deck": "a"}, (1,))
    seen = [GAME.view(state, seat).golden_card for seat in (SPECTATOR, 0, 1, 2)]
    assert seen == [None, None, "leader", None]
    state = table(seats=3, golden="", first=1)
    assert GAME.view(state, SPECTATOR).golden_waits
    check_refused(state, "look_first", "1 choose gent 0")
    check_refused(state, "not_first_player", "0 look")
    play(state, 0, "choose gent 0")
    play(state, 2, "choose gent 0", drawn=())
    assert asked(state) == [(1, "look")]
    play(state, 1, "look")
    assert asked(state) == [(1, "choose")]
    check_refused(state, "golden_drawn", "1 look")


def test_cards_of_deck_b_come_when_a_is_used_up_and_those_of_scored_cities_are_put_aside() -> None:
    """Paragraph 3.3: cards of B come when A is used up."""
    state = table(golden="site", golden_left="influence leuven")
    assert [sum(deck) for deck in state.golden] == [1, 1]
    golden_turn(state)
    play(state, 0, "site gent-t1 grey")
    look(state, [card("influence")])
    assert state.golden_deck == 0
    events = golden_turn(state, drawn=[card("leuven")])
    assert facts(events, "golden_face_down") == [{"seat": 2, "deck": "b"}]
    assert state.golden_deck == 1
    # Ruling 3: openly; all learn which.
    state = table(scored="brugge gent", golden_left="brugge gent leader site")
    events = golden_turn(state, drawn=[card("gent"), card("brugge"), card("leader")])
    aside = [event for event in events if event.kind == "golden_set_aside"]
    assert [each.facts for each in aside] == [
        {"seat": 1, "card": "gent"},
        {"seat": 1, "card": "brugge"},
    ]
    assert all(not event.only and not event.but for event in aside)
    assert state.golden_card == card("leader")
    assert "gent" in GAME.view(state, 2).golden_out
    # Ruling 3: a deck that runs out so makes the round the last.
    state = table(scored="leuven luik", golden_left="leuven luik")
    events = golden_turn(state, drawn=[card("luik"), card("leuven")])
    assert facts(events, "no_golden") == [{"seat": 1}]
    assert facts(events, "game_ended") == []
    assert asked(state) == [(seat, "choose") for seat in range(4)]
    view = GAME.view(state, 1)
    assert (view.golden_deck, view.golden_card) == ("", None)
    events = golden_turn(state, drawn=[])
    assert facts(events, "golden_revealed") == []
    assert facts(events, "game_ended") == [{"ending": "deck"}]


# Phase 2: the choice


def test_all_choose_one_action_card_and_any_number_of_influence_cards_at_the_same_time() -> None:
    """Paragraph 4.2 and ruling 5. Ruling 61: influence also with take."""
    state = table(influence=[3, 0, 1, 5], first=2)
    assert asked(state) == [(0, "choose"), (1, "choose"), (2, "choose"), (3, "choose")]
    assert all(decision.sealed for decision in GAME.pending(state))
    assert words(state, 0) == ("choose",)
    assert words(state, 0, "choose") == tuple(ALL_CARDS.split())
    assert words(state, 0, "choose take") == ("0", "1", "2", "3")
    numbers = ["".join(words(state, seat, "choose gent")) for seat in range(4)]
    assert numbers == ["0123", "0", "01", "012345"]
    check_refused(state, "incomplete", "0 choose gent")
    check_refused(state, "not_a_choice", "0 choose influence 1", "2 choose gent 77")
    check_refused(state, "too_little_influence", "2 choose gent 2")


def test_cards_lying_open_or_of_scored_cities_cannot_be_laid_out() -> None:
    """Rulings 6 and 7: take is always in hand, as it returns itself."""
    state = table(lying=["gent site", "", "", ""], scored="luik")
    assert words(state, 0, "choose") == ("brugge", "ieper", "leuven", "utrecht", "take")
    check_refused(state, "card_lies_open", "0 choose gent 0")
    check_refused(state, "city_scored", "0 choose luik 0")
    state = table(lying=["brugge gent ieper leuven utrecht luik site", "", "", ""])
    assert words(state, 0, "choose") == ("take",)
    golden_turn(state)
    assert hand(state, 0) == ALL_CARDS


def test_a_choice_is_sealed_and_may_be_changed_until_the_last_has_chosen() -> None:
    """Nothing leaves a hand before."""
    state = table(seats=3)
    (event,) = play(state, 1, "choose gent 3")
    chosen = {"seat": 1, "card": "gent", "influence": 3}
    assert (event.kind, event.facts, event.only) == ("card_chosen", chosen, (1,))
    own_cards = ALL_CARDS.replace("leuven ", "")
    assert (hand(state, 1), shown(state, 1), held(state)) == (own_cards, "", [3, 3, 3])
    play(state, 1, "choose brugge 1")
    pending = [(d.seat, d.optional) for d in GAME.pending(state)]
    assert pending == [(0, False), (2, False), (1, True)]
    play(state, 0, "choose take 0")
    events = play(state, 2, "choose take 0")
    assert facts(events, "card_revealed")[1] == {"seat": 1, "card": "brugge", "influence": 1}
    assert (hand(state, 1).split()[0], held(state)[1]) == ("gent", 2)
    # Ruling 47: the order in which seats choose has no effect.
    states = [table(seats=3), table(seats=3)]
    run(states[0], "0 choose gent 1", "1 choose site 2", "2 choose take 0")
    run(states[1], "2 choose take 0", "1 choose site 2", "0 choose gent 1")
    assert states[0] == states[1]


# Phase 3: reveal and order


def test_the_example_of_the_order_of_play() -> None:
    """Paragraph 4.3: yellow, the first player, lays out one card, red three, green and blue two
    each, clockwise. The order is red, green, blue, yellow."""
    state = table(guilds="yellow red green blue")
    events = lay(state, "gent 0", "gent 2", "gent 1", "gent 1")
    assert facts(events, "seats_ordered") == [{"seats": (1, 2, 3, 0)}]


def test_most_cards_act_first_equal_ones_clockwise_from_the_first_player() -> None:
    """Ruling 8."""
    for first, laid, order in (
        (2, "0000", (2, 3, 0, 1)),
        (2, "3210", (0, 1, 2, 3)),
        (3, "2021", (0, 2, 3, 1)),
    ):
        state = table(first=first)
        events = lay(state, *(f"leuven {count}" for count in laid))
        assert facts(events, "seats_ordered") == [{"seats": order}], (first, laid)
        acted = []
        for plot in ("t1", "t2", "t3", "t4"):
            acted.append(state.turn)
            play(state, state.turn, f"build leuven-{plot} grey")
        assert tuple(acted) == order


def test_all_cards_are_revealed_together_and_influence_laid_out_is_out_of_the_game() -> None:
    """Ruling 46: told from the first player on. Ruling 9: action cards lie open."""
    state = table(seats=3, first=1, influence=[3, 4, 3])
    events = lay(state, "gent 2", "brugge 4", "site 1")
    assert facts(events, "card_revealed") == [
        {"seat": 1, "card": "brugge", "influence": 4},
        {"seat": 2, "card": "site", "influence": 1},
        {"seat": 0, "card": "gent", "influence": 2},
    ]
    assert all(not event.only and not event.but for event in events)
    assert held(state) == [1, 0, 2]
    assert [shown(state, seat) for seat in range(3)] == ["gent", "brugge", "site"]
    assert "gent" not in hand(state, 0)


# Phase 4: actions


def test_seats_act_one_after_the_other_then_comes_the_golden_card() -> None:
    """Paragraph 4.4 and ruling 10: an action may not be declined or exchanged."""
    state = table(seats=3, golden="leader")
    lay(state, "gent 0", "brugge 1", "ieper 2")
    for seat, place in ((2, "ieper-t1"), (1, "brugge-t1"), (0, "gent-t1")):
        assert asked(state) == [(seat, "city")]
        check_refused(state, "not_your_turn", f"{(seat + 1) % 3} build {place} grey")
        check_refused(state, "not_now", *(f"{seat} {line}" for line in ("take", "draw")))
        check_refused(state, "not_now", f"{seat} choose take 0")
        check_refused(state, "unknown_kind", f"{seat} end", f"{seat} pass")
        play(state, seat, f"build {place} grey")
    assert asked(state) == [(0, "leader")]
    # Ruling 11: Gent is full, and no site there is the seat's own.
    state = table(cities={"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    events = lay(state, "take", "take", "brugge", "brugge")
    assert facts(events, "impossible") == [{"seat": 2, "card": "brugge", "golden": 0}]
    assert asked(state) == [(3, "city")]
    assert shown(state, 2) == "brugge"
    play(state, 3, "complete brugge-p1")


# Paragraph 5.3: take


def test_take_brings_back_all_cards_lying_before_its_owner_itself_included() -> None:
    """But never influence; it may be played with no other card lying there."""
    state = table(seats=3, golden="influence", lying=["gent site", "brugge", ""])
    events = one_plays(state, "luik", seat=2)
    assert facts(events, "cards_taken_back") == [
        {"seat": 0, "cards": ("gent", "site", "take")},
        {"seat": 1, "cards": ("brugge", "take")},
    ]
    for seat in range(2):
        assert hand(state, seat) == "brugge gent ieper utrecht luik site take"
    assert [shown(state, seat) for seat in range(3)] == ["", "", "luik"]
    state = table(seats=3, influence=3)
    events = lay(state, "take 1", "take 2", "take 3")
    assert {"seat": 2, "cards": ("take",)} in facts(events, "cards_taken_back")
    assert held(state) == [2, 1, 0]
    # Paragraph 4.6: the next seat clockwise is the new first player.
    events = golden_turn(table(seats=3, first=2, round_=7))
    assert facts(events, "round_begun") == [{"first": 0, "round": 8}]


# Phase 5: golden influence and golden take


def test_golden_influence_and_take_come_after_all_actions() -> None:
    """Paragraphs 4.5 and 5.5. Ruling 60: influence is usable from the next round on. Ruling 52:
    take returns the card of this round too, after a silver take nothing more."""
    state = table(seats=3, first=1, golden="influence")
    lay(state, "gent", "take 3", "take")
    assert held(state) == [3, 0, 3]
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "golden_revealed") == [{"seat": 1, "card": "influence"}]
    assert held(state) == [3, 1, 3]
    state = table(seats=3, first=1, golden="take", lying=["luik", "site brugge", ""])
    lay(state, "gent", "ieper", "take")
    play(state, 1, "build ieper-t1 grey")
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "cards_taken_back") == [{"seat": 1, "cards": ("brugge", "ieper", "site")}]
    assert (shown(state, 0), shown(state, 1)) == ("gent luik", "")
    events = golden_turn(table(seats=3, golden="take", lying=["gent"]))
    assert facts(events, "cards_taken_back")[-1] == {"seat": 0, "cards": ()}


# Golden cards that are carried out

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
    """The card is told to be impossible, and the round ends (4.5: the same duty as 4.4)."""
    events = golden_turn(table(golden=golden, cities=cities, scored=scored))
    assert facts(events, "impossible") == [{"seat": 0, "card": golden, "golden": 1}]
    assert len(facts(events, "round_begun")) == 1


def test_a_golden_city_or_site_builds_and_completes_grey_and_church_alone() -> None:
    """Paragraph 5.4 and ruling 13. Rulings 56 and 59: also in a full city that is not scored."""
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
    assert asked(state) == [(0, "site")]
    assert words(state, 0, "site leuven-t1") == ("grey", "church")
    check_refused(state, "not_yours", "0 site leuven-t1 red")
    play(state, 0, "site luik-t3 grey")
    assert (is_site(state, "luik-t3"), state.sites) == (True, 9)
    is_useless("site", ALL_SITES)


ALL_SITES = {
    "gent": "t1 green site, t2 blue site, t3 yellow site",
    "ieper": "t1 red site, t2 blue site, t3 yellow site",
    "leuven": "t1 red site, t2 green site, t3 blue site, t4 grey site",
}


CHURCHES = {
    "gent": "t1 church, t2 grey, t3 church site, p2 blue, r2 church cathedral",
    "brugge": "t1 grey, p1 church-d-r1",
    "ieper": "t1 church, t2 grey",
}


def test_a_cathedral_goes_on_any_church_without_one_site_or_not() -> None:
    """Paragraph 5.6 and ruling 23: Luik's centre is one; D has one place; not in a scored city."""
    state = turned_up("cathedral", 2, cities=CHURCHES, scored="ieper")
    assert asked(state) == [(2, "cathedral")]
    assert words(state, 2, "cathedral") == ("brugge-p1", "gent-t1", "gent-t3", "luik-c")
    check_refused(state, "has_cathedral", "2 cathedral gent-r2")
    check_refused(state, "city_scored", "2 cathedral ieper-t1")
    nowhere = ("gent-t2", "gent-t4", "brugge-r1", "gent-t5")
    check_refused(state, "no_church", *(f"2 cathedral {place}" for place in nowhere))
    events = play(state, 2, "cathedral gent-t3")
    assert facts(events, "cathedral_put") == [{"seat": 2, "place": "gent-t3"}]
    assert state.cathedrals == 2
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
        pieces = {"site": state.sites, "cathedral": state.cathedrals, "leader": state.leaders}
        assert pieces[golden] == 1
        play(state, 0, line)
        assert state.round == 4


OWN = {
    "gent": "t1 green site, t2 grey, t3 blue",
    "brugge": "t1 grey site, t2 green",
    "ieper": "t1 grey",
}


def test_a_leader_goes_on_any_quarter_of_ones_own_or_of_grey_site_or_not() -> None:
    """Paragraph 5.7 and ruling 24: centres too, not in a scored city. On grey it counts for grey
    (ruling 57); the stock of quarters is no stock of leaders."""
    for place, emblem in (("gent-t1", "green"), ("gent-t2", "grey")):
        state = turned_up("leader", 1, cities=OWN, scored="brugge")
        assert asked(state) == [(1, "leader")]
        found = {*words(state, 1, "leader")}
        assert found == {"gent-t1", "gent-t2", "ieper-c", "ieper-t1", "utrecht-c"}
        foreign = ("gent-t3", "gent-c", "luik-c")
        check_refused(state, "foreign_quarter", *(f"1 leader {each}" for each in foreign))
        check_refused(state, "no_quarter", "1 leader gent-t4")
        check_refused(state, "city_scored", "1 leader brugge-t2")
        check_refused(state, "not_a_choice", "1 leader gent-p5")
        events = play(state, 1, f"leader {place}")
        put = {"seat": 1, "place": place, "emblem": emblem}
        assert facts(events, "leader_put") == [put]
        assert (state.leaders, state.round, left(state, emblem, "p")) == (
            3,
            4,
            4 + (emblem == "grey"),
        )
