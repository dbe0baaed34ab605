"""The round of three and four players: golden card, choice, order, taking back (4 and 5.3)."""

from __future__ import annotations

import pytest

from bot.game.contract import SPECTATOR
from bot.game.flandern import GAME
from bot.game.flandern.data import CARDS
from tests.game.flandern.positions import (
    FILLED,
    asked,
    facts,
    golden_turn,
    hand,
    held,
    lay,
    look,
    one_plays,
    play,
    refused,
    shown,
    table,
    words,
)

ALL_CARDS = "brugge gent ieper leuven utrecht luik site take"


def card(key: str) -> int:
    return CARDS.index(key)


# Phase 1: the golden card


def test_the_first_player_alone_sees_the_golden_card() -> None:
    """Ruling 4."""
    state = table(seats=3, golden_left="leader site")
    events = golden_turn(state, drawn=[card("leader")])
    (drawn,) = (event for event in events if event.kind == "golden_drawn")
    (hidden,) = (event for event in events if event.kind == "golden_face_down")
    assert (drawn.facts, drawn.only) == ({"seat": 1, "card": "leader"}, (1,))
    assert (hidden.facts, hidden.but) == ({"seat": 1, "deck": "a"}, (1,))
    assert [GAME.view(state, seat).golden_card for seat in (SPECTATOR, 0, 1, 2)] == [
        None, None, "leader", None,
    ]  # fmt: skip


def test_it_is_drawn_before_the_first_player_lays_out_a_card_and_nobody_else_waits() -> None:
    state = table(seats=3, golden="", first=1)
    assert GAME.view(state, SPECTATOR).golden_waits
    assert refused(state, 1, "choose gent 0").code == "look_first"
    assert refused(state, 0, "look").code == "not_first_player"
    play(state, 0, "choose gent 0")
    play(state, 2, "choose gent 0", drawn=())
    assert asked(state) == [(1, "look")]
    play(state, 1, "look")
    assert asked(state) == [(1, "choose")]
    assert refused(state, 1, "look").code == "golden_drawn"


def test_deck_a_lies_on_deck_b() -> None:
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


def test_the_golden_card_of_a_scored_city_is_put_aside_and_another_drawn() -> None:
    """Ruling 3: openly; all learn which."""
    state = table(scored="brugge gent", golden_left="brugge gent leader site")
    events = golden_turn(state, drawn=[card("gent"), card("brugge"), card("leader")])
    aside = [event for event in events if event.kind == "golden_set_aside"]
    assert [event.facts for event in aside] == [
        {"seat": 1, "card": "gent"},
        {"seat": 1, "card": "brugge"},
    ]
    assert all(not event.only and not event.but for event in aside)
    assert state.golden_card == card("leader")
    assert "gent" in GAME.view(state, 2).golden_out


def test_where_the_deck_runs_out_so_there_is_no_golden_card_and_the_round_is_the_last() -> None:
    """Ruling 3."""
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


def test_the_golden_card_of_a_city_that_is_full_but_not_scored_is_no_such_card() -> None:
    """Rulings 56 and 59."""
    state = table(cities={"brugge": FILLED.replace("p2 grey", "p2 grey site")}, golden="brugge")
    golden_turn(state)
    assert asked(state) == [(0, "city")]
    assert words(state, 0) == ("complete",)
    assert words(state, 0, "complete") == ("brugge-p2",)


# Phase 2: the choice


def test_all_choose_at_the_same_time() -> None:
    state = table(first=2)
    assert asked(state) == [(0, "choose"), (1, "choose"), (2, "choose"), (3, "choose")]
    assert all(decision.sealed for decision in GAME.pending(state))


def test_exactly_one_action_card_and_any_number_of_influence_cards_is_laid_out() -> None:
    """Paragraph 4.2 and ruling 5."""
    state = table(influence=[3, 0, 1, 5])
    assert words(state, 0) == ("choose",)
    assert words(state, 0, "choose") == tuple(ALL_CARDS.split())
    numbers = [words(state, seat, "choose gent") for seat in range(4)]
    assert numbers == [("0", "1", "2", "3"), ("0",), ("0", "1"), ("0", "1", "2", "3", "4", "5")]
    assert refused(state, 0, "choose gent").code == "incomplete"
    assert refused(state, 0, "choose influence 1").code == "not_a_choice"
    assert refused(state, 2, "choose gent 2").code == "too_little_influence"
    assert refused(state, 2, "choose gent 77").code == "not_a_choice"


def test_cards_lying_open_cannot_be_laid_out() -> None:
    state = table(lying=["gent site", "", "", ""])
    assert words(state, 0, "choose") == ("brugge", "ieper", "leuven", "utrecht", "luik", "take")
    assert refused(state, 0, "choose gent 0").code == "card_lies_open"
    assert words(state, 1, "choose") == tuple(ALL_CARDS.split())


def test_cards_of_scored_cities_cannot_be_laid_out() -> None:
    """Ruling 7."""
    state = table(scored="gent")
    assert "gent" not in words(state, 0, "choose")
    assert refused(state, 0, "choose gent 0").code == "city_scored"


def test_influence_may_be_laid_out_with_take() -> None:
    """Ruling 61."""
    state = table()
    assert words(state, 0, "choose take") == ("0", "1", "2", "3")


def test_take_is_always_in_hand_when_cards_are_chosen() -> None:
    """Ruling 6: it returns itself."""
    state = table(lying=["brugge gent ieper leuven utrecht luik site", "", "", ""])
    assert words(state, 0, "choose") == ("take",)
    golden_turn(state)
    assert hand(state, 0) == ALL_CARDS


def test_a_choice_may_be_changed_until_the_last_has_chosen() -> None:
    state = table(seats=3)
    play(state, 1, "choose gent 3")
    play(state, 1, "choose brugge 1")
    assert [(d.seat, d.optional) for d in GAME.pending(state)] == [
        (0, False),
        (2, False),
        (1, True),
    ]
    play(state, 0, "choose take 0")
    events = play(state, 2, "choose take 0")
    assert facts(events, "card_revealed")[1] == {"seat": 1, "card": "brugge", "influence": 1}
    assert (hand(state, 1).split()[0], held(state)[1]) == ("gent", 2)


def test_until_the_last_has_chosen_nothing_leaves_a_hand() -> None:
    state = table(seats=3)
    play(state, 1, "choose gent 3")
    assert (hand(state, 1), shown(state, 1), held(state)) == (
        ALL_CARDS.replace("leuven ", ""),
        "",
        [3, 3, 3],
    )


def test_what_was_chosen_is_heard_by_its_owner_alone() -> None:
    state = table(seats=3)
    (event,) = play(state, 1, "choose gent 2")
    assert (event.kind, event.facts, event.only) == (
        "card_chosen",
        {"seat": 1, "card": "gent", "influence": 2},
        (1,),
    )


def test_the_order_in_which_seats_choose_has_no_effect() -> None:
    """Ruling 47."""
    states = [table(seats=3), table(seats=3)]
    chosen = {0: "choose gent 1", 1: "choose site 2", 2: "choose take 0"}
    for state, order in zip(states, ((0, 1, 2), (2, 1, 0)), strict=True):
        for seat in order:
            play(state, seat, chosen[seat])
    assert states[0] == states[1]


# Phase 3: reveal and order


def test_the_example_of_the_order_of_play() -> None:
    """Paragraph 4.3: yellow, the first player, lays out one card, red three, green and blue two
    each, clockwise. The order is red, green, blue, yellow."""
    state = table(guilds="yellow red green blue")
    events = lay(state, "gent 0", "gent 2", "gent 1", "gent 1")
    assert facts(events, "seats_ordered") == [{"seats": (1, 2, 3, 0)}]


@pytest.mark.parametrize(
    ("first", "laid", "order"),
    [
        (0, "0 0 0 0", (0, 1, 2, 3)),
        (2, "0 0 0 0", (2, 3, 0, 1)),
        (3, "1 1 1 1", (3, 0, 1, 2)),
        (0, "0 1 2 3", (3, 2, 1, 0)),
        (2, "3 2 1 0", (0, 1, 2, 3)),
        (1, "1 0 1 0", (2, 0, 1, 3)),
        (3, "2 0 2 1", (0, 2, 3, 1)),
    ],
)
def test_most_cards_act_first_equal_ones_clockwise_from_the_first_player(
    first: int, laid: str, order: tuple[int, ...]
) -> None:
    """Ruling 8."""
    state = table(first=first)
    events = lay(state, *(f"leuven {count}" for count in laid.split()))
    assert facts(events, "seats_ordered") == [{"seats": order}]
    acted = []
    for plot in ("t1", "t2", "t3", "t4"):
        acted.append(state.turn)
        play(state, state.turn, f"build leuven-{plot} grey")
    assert tuple(acted) == order


def test_all_cards_are_revealed_together() -> None:
    """Ruling 46: told from the first player on."""
    state = table(seats=3, first=1)
    events = lay(state, "gent 2", "take", "site 1")
    assert facts(events, "card_revealed") == [
        {"seat": 1, "card": "take", "influence": 0},
        {"seat": 2, "card": "site", "influence": 1},
        {"seat": 0, "card": "gent", "influence": 2},
    ]
    assert all(not event.only and not event.but for event in events)


def test_influence_laid_out_is_out_of_the_game_and_action_cards_lie_open() -> None:
    """Ruling 9."""
    state = table(seats=3, influence=[3, 4, 3])
    lay(state, "gent 2", "brugge 4", "site 0")
    assert held(state) == [1, 0, 3]
    assert [shown(state, seat) for seat in range(3)] == ["gent", "brugge", "site"]
    assert "gent" not in hand(state, 0)


# Phase 4: actions


def test_seats_act_one_after_the_other_then_comes_the_golden_card() -> None:
    state = table(seats=3, golden="leader")
    lay(state, "gent 0", "brugge 1", "ieper 2")
    for seat, place in ((2, "ieper-t1"), (1, "brugge-t1"), (0, "gent-t1")):
        assert asked(state) == [(seat, "city")]
        assert refused(state, (seat + 1) % 3, f"build {place} grey").code == "not_your_turn"
        play(state, seat, f"build {place} grey")
    assert asked(state) == [(0, "leader")]


@pytest.mark.parametrize("wrong", ["end", "pass", "take", "choose take 0", "draw"])
def test_an_action_may_not_be_declined_or_exchanged(wrong: str) -> None:
    """Paragraph 4.4 and ruling 10."""
    state = table(seats=3)
    one_plays(state, "gent")
    assert refused(state, 0, wrong).code in ("not_now", "unknown_kind")


def test_a_card_that_can_do_nothing_counts_as_played() -> None:
    """Ruling 11: Gent is full, and no site there is the seat's own."""
    state = table(cities={"brugge": FILLED.replace("p1 yellow", "p1 yellow site")})
    events = lay(state, "take", "take", "brugge", "brugge")
    assert facts(events, "impossible") == [{"seat": 2, "card": "brugge", "golden": 0}]
    assert asked(state) == [(3, "city")]
    assert shown(state, 2) == "brugge"
    play(state, 3, "complete brugge-p1")


# Paragraph 5.3: take


def test_take_brings_back_all_cards_lying_before_its_owner_itself_included() -> None:
    state = table(seats=3, golden="influence", lying=["gent site", "brugge", ""])
    events = one_plays(state, "luik", seat=2)
    assert facts(events, "cards_taken_back") == [
        {"seat": 0, "cards": ("gent", "site", "take")},
        {"seat": 1, "cards": ("brugge", "take")},
    ]
    assert [hand(state, seat) for seat in range(2)] == [
        "brugge gent ieper utrecht luik site take",
    ] * 2
    assert [shown(state, seat) for seat in range(3)] == ["", "", "luik"]


def test_take_may_be_played_with_no_other_card_lying_there() -> None:
    state = table(seats=3)
    events = golden_turn(state)
    assert {"seat": 2, "cards": ("take",)} in facts(events, "cards_taken_back")


def test_influence_never_comes_back() -> None:
    state = table(seats=3, influence=3)
    lay(state, "take 1", "take 2", "take 3")
    assert held(state) == [2, 1, 0]


# Phase 5: golden influence and golden take


def test_golden_influence_comes_to_the_hand_after_all_actions() -> None:
    """Paragraph 4.5 and ruling 60."""
    state = table(seats=3, first=1, golden="influence")
    lay(state, "gent", "take 3", "take")
    assert held(state) == [3, 0, 3]
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "golden_revealed") == [{"seat": 1, "card": "influence"}]
    assert held(state) == [3, 1, 3]
    assert words(state, 1, "choose gent") == ("0", "1")
    assert GAME.view(state, SPECTATOR).golden_out.count("influence") == 1


def test_golden_take_returns_the_cards_of_the_first_player_that_of_this_round_too() -> None:
    """Paragraph 5.5 and ruling 52."""
    state = table(seats=3, first=1, golden="take", lying=["luik", "site brugge", ""])
    lay(state, "gent", "ieper", "take")
    play(state, 1, "build ieper-t1 grey")
    assert shown(state, 1) == "brugge ieper site"
    events = play(state, 0, "build gent-t1 grey")
    assert facts(events, "golden_revealed") == [{"seat": 1, "card": "take"}]
    assert facts(events, "cards_taken_back") == [{"seat": 1, "cards": ("brugge", "ieper", "site")}]
    assert (shown(state, 0), shown(state, 1)) == ("gent luik", "")


def test_golden_take_after_a_silver_take_returns_nothing_more() -> None:
    state = table(seats=3, golden="take", lying=["gent"])
    events = golden_turn(state)
    assert facts(events, "cards_taken_back")[-1] == {"seat": 0, "cards": ()}
    assert hand(state, 0) == ALL_CARDS.replace("leuven ", "")


def test_a_golden_card_used_lies_on_the_discards() -> None:
    state = table(golden="take", golden_left="leader leader site")
    golden_turn(state, drawn=[card("leader")])
    view = GAME.view(state, SPECTATOR)
    assert view.golden_out.count("take") == 4
    assert view.golden_out.count("leader") == 2
    assert sum(view.golden_left) == 2


# Phase 6: the next round


@pytest.mark.parametrize(("seats", "first"), [(3, 0), (3, 2), (4, 1), (4, 3)])
def test_the_next_seat_clockwise_is_the_new_first_player(seats: int, first: int) -> None:
    state = table(seats=seats, first=first, round_=7)
    events = golden_turn(state)
    after = (first + 1) % seats
    assert facts(events, "round_begun") == [{"first": after, "round": 8}]
    assert (state.first, state.round, state.turn) == (after, 8, after)
    assert (state.order, state.acted) == ([], 0)
    assert [(player.card, player.laid) for player in state.players] == [(-1, 0)] * seats
    assert asked(state) == [(seat, "choose") for seat in range(seats)]
