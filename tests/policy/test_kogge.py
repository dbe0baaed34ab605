"""The computer players of Kogge in positions of plain sense, and what they expect of them."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, canonical
from bot.game.kogge import GAME
from bot.game.kogge.state import (
    Acting,
    Challenge,
    Choosing,
    Conflict,
    Demand,
    Exchange,
    GuildMaster,
    KoggeState,
    Movement,
    Push,
)
from bot.policy.kogge.judgement import JUDGEMENT
from bot.policy.search import strong
from bot.tools.playing import ComputerPlayer, play
from tests.game.kogge.places import ABO, DANZIG, LUBECK, REVAL, RIGA, STRALSUND, TONSBERG
from tests.game.kogge.positions import at, follow, table

NORMAL = JUDGEMENT.player()


def answer(state: KoggeState, seat: int = 0, seed: int = 1) -> Action:
    """What the normal player does about the last thing that the seat is asked; it is allowed."""
    decision = [each for each in GAME.pending(state) if each.seat == seat][-1]
    legal = partial(GAME.legal, state, seat)
    action = NORMAL(GAME.view(state, seat), decision, legal, Random(seed))
    copy = GAME.decode(GAME.encode(state))
    GAME.apply(copy, seat, action, RandomChance(Random(1)))
    return action


def answers(state: KoggeState, seat: int) -> set[Action]:
    """What it may do, as it does not always speak up."""
    return {answer(state, seat, seed) for seed in range(20)}


def alone(frame: Any, goods: str = "", **position: Any) -> KoggeState:
    """The first seat is asked in Reval, where these goods are; the other ship is far away."""
    usual: dict[str, Any] = {"ships": (REVAL, TONSBERG), "hands": ("", ""), "guild": 1, "end": 1}
    state = table(city={REVAL: goods}, **usual | position)
    state.frames = [frame]
    return state


def test_four_of_its_like_find_a_city_each_though_their_hands_are_equal() -> None:
    for seed in range(10):
        chosen = 0
        for played in play(GAME, [ComputerPlayer(NORMAL)] * 4, {}, Random(seed)):
            chosen += played.action[0] == "found"
            if played.action[0] == "bid":
                break
        assert 4 <= chosen < 40


def test_on_its_turn_it_does_what_gains_most() -> None:
    acting, moving, six = Acting(start=2), Movement(start=3), ("oooooo", "")
    ending: dict[str, Any] = {"laps": 1, "guild": LUBECK, "end": TONSBERG}
    routes = {REVAL: ("5", "6")}
    useless = at("ships=3,2 hands=5550,o guild=3 end=4 laps=1")
    for why, state, does in (
        ("can pay an office", alone(acting, hands=("oas3", "")), "build both"),
        ("has six alike", alone(acting, hands=six, guild=REVAL), "sell_six ore spaces"),
        ("will sell six", alone(moving, hands=six, guild=STRALSUND, routes=routes), "sail right -"),
        ("wants salt", alone(acting, "ss", hands=("ooo", "")), "trade o ss"),
        ("is worth more than the raid", alone(Acting(start=3), "ssssss"), "raid_city"),
        ("lies in its office", alone(moving, offices={REVAL: [(0, "ff")]}), "load ff"),
        ("leads", alone(GuildMaster(), hands=("ssssss", ""), **ending), "advance 2"),
        ("trails", alone(GuildMaster(), hands=("", "ssssss"), **ending), "advance 1"),
        ("better part", alone(Choosing(0, 1, ("o", "s")), hands=("", "os")), "choose second"),
        ("has no more use for markers", useless, "buy_raid 5"),
    ):
        assert canonical(answer(state)) == does, why


def test_it_keeps_a_marker_to_bid_with_and_buys_a_pair_where_it_has_none() -> None:
    for position, does in (
        ("start=3 hands=ss,7", "buy 1 salt"),
        ("start=3 hands=ss1,7", "end"),
        ("asked=bid hands=o33,7", "bid 3"),
    ):
        state = at(f"{position} ships=3,0 display=51 guild=3 end=2")
        assert canonical(answer(state)) == does


def test_it_pays_the_tax_that_costs_it_least() -> None:
    assert answer(follow("taxing together hands=os,oa | 0 advance 1")) == ("tax", "o")


def test_in_a_conflict_it_bids_a_pair_and_begins_none_with_much_to_lose() -> None:
    def conflict(frame: Any, hand: str, goods: str = "") -> Action:
        both = {"ships": (REVAL, REVAL), "options": {"conflicts": "on"}}
        return answer(alone(frame, goods, hands=(hand, "oaaas7"), **both))

    assert conflict(Conflict((0, 1), [None, None]), "o8833")[1] in ("88", "33")
    assert len(conflict(Demand(0, 1), "o8833")[1]) == 3
    for hand, does in (("88", "challenge"), ("aa88", "challenge"), ("ssa08", "pass")):
        assert conflict(Challenge([0, 1]), hand)[0] == does, hand
    # A loser is moved away from goods alone.
    for goods, does in (("ooo", "push"), ("", "pass")):
        assert conflict(Push(0, 1, optional=True), "", goods)[0] == does


def test_it_pays_for_a_look_where_it_knows_no_route_and_has_markers_to_spare() -> None:
    state = at("memory hands=ooo0123,oa")
    assert answer(state) == ("peek", "0")
    for route in state.cities[REVAL].routes:
        route.known = 1
    assert answer(state)[0] != "peek"


def test_it_exchanges_a_first_route_that_leads_nowhere_for_one_that_leads_to_salt() -> None:
    state = at("memory hands=ooo17,oa routes=3:3?/3?")
    state.frames, state.round = [Exchange()], 0
    state.cities[LUBECK].goods = [0, 0, 0, 4]
    for route in state.cities[REVAL].routes:
        route.known = 1
    assert answer(state) == ("reroute", "left", "7")


def test_it_sometimes_offers_a_ship_or_an_office_what_is_good_for_both() -> None:
    for partner, deal in (
        ("together hands=ooooofff,oaaas", "1 f o"),
        ("hands=ooooofff,aaas offices=3:1oo", "office1 ff oo"),
    ):
        state = at(f"offices {partner}")
        assert ("offer", *deal.split()) in answers(state, 0)
        assert len(answers(state, 0)) == 2
        follow(f"0 offer {deal}", state)
        assert answer(state, 1) == ("accept", "1")
        assert not any(action[0] == "offer" for action in answers(state, 0))


def test_it_answers_a_bad_offer_with_a_better_one_and_takes_back_one_that_would_do_harm() -> None:
    state = follow("together hands=oaaas,ooooofff | 0 offer 1 a ff")
    assert answers(state, 1) == {("decline", "1"), ("counter", "1", "f", "o")}
    state = follow("together hands=s,oaaas | 0 offer 1 s o")
    assert answer(state) == ("withdraw", "1")


def test_it_accepts_good_deals_alone() -> None:
    for deal, does in (("s o", "accept"), ("o s", "decline"), ("- f", "decline")):
        state = follow(f"together asked=move hands=oofs,oofs | 0 offer 1 {deal}")
        assert answer(state, 1) == (does, "1"), deal


FOUR = {TONSBERG: [(0, "")], RIGA: [(0, "")], DANZIG: [(0, "")], LUBECK: [(0, ""), (1, "")]}
"""Offices that make four development points of the first seat."""


@pytest.mark.parametrize("seats", [2, 4])
def test_the_strong_player_does_what_wins(seats: int) -> None:
    others = ["of7"] * (seats - 1)
    sailing = {"ships": (ABO, LUBECK, RIGA, ABO), "routes": {ABO: ("8", "3")}}
    for position, does in (
        ({"hands": ["oas33", *others]}, ("build",)),
        ({"hands": ["oas33", *others], **sailing, "asked": Movement(ABO)}, ("sail", "right")),
        ({"hands": ["oooooo", *others], "guild": REVAL}, ("sell_six",)),
    ):
        state = table(seats=seats, offices=FOUR, **position)
        decision = next(each for each in GAME.pending(state) if each.seat == 0)
        legal = GAME.walk(state, 0)
        action = strong(JUDGEMENT, 150)(GAME.view(state, 0), decision, legal, Random(1))
        assert action[: len(does)] == does
