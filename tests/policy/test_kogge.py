"""The computer players of Kogge do the obvious in simple positions."""

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
    """Return the normal player's action for the last decision of a seat; it must be legal."""
    decision = [each for each in GAME.pending(state) if each.seat == seat][-1]
    legal = partial(GAME.legal, state, seat)
    action = NORMAL(GAME.view(state, seat), decision, legal, Random(seed))
    copy = GAME.decode(GAME.encode(state))
    GAME.apply(copy, seat, action, RandomChance(Random(1)))
    return action


def answers(state: KoggeState, seat: int) -> set[Action]:
    """Return the possible actions, because it makes offers only sometimes."""
    return {answer(state, seat, seed) for seed in range(20)}


def alone(frame: Any, goods: str = "", **position: Any) -> KoggeState:
    """Return a table where seat 0 is alone in Reval, with these goods there."""
    usual: dict[str, Any] = {"ships": (REVAL, TONSBERG), "hands": ("", ""), "guild": 1, "end": 1}
    state = table(city={REVAL: goods}, **usual | position)
    state.frames = [frame]
    return state


def test_four_equal_players_find_different_first_cities() -> None:
    for seed in range(10):
        chosen = 0
        for played in play(GAME, [ComputerPlayer(NORMAL)] * 4, {}, Random(seed)):
            chosen += played.action[0] == "found"
            if played.action[0] == "bid":
                break
        assert 4 <= chosen < 40


def test_it_takes_the_action_with_the_highest_gain() -> None:
    acting, moving, six = Acting(start=2), Movement(start=3), ("oooooo", "")
    ending: dict[str, Any] = {"laps": 1, "guild": LUBECK, "end": TONSBERG}
    routes = {REVAL: ("5", "6")}
    useless = at("ships=3,2 hands=5550,o guild=3 end=4 laps=1")
    for reason, state, expected in (
        ("can pay an office", alone(acting, hands=("oas3", "")), "build both"),
        ("has six alike", alone(acting, hands=six, guild=REVAL), "sell_six ore spaces"),
        (
            "will sell six",
            alone(moving, hands=six, guild=STRALSUND, routes=routes),
            "sail right -",
        ),
        ("wants salt", alone(acting, "ss", hands=("ooo", "")), "trade o ss"),
        ("is worth more than the raid", alone(Acting(start=3), "ssssss"), "raid_city"),
        ("lies in its office", alone(moving, offices={REVAL: [(0, "ff")]}), "load ff"),
        ("leads", alone(GuildMaster(), hands=("ssssss", ""), **ending), "advance 2"),
        ("trails", alone(GuildMaster(), hands=("", "ssssss"), **ending), "advance 1"),
        (
            "better part",
            alone(Choosing(0, 1, ("o", "s")), hands=("", "os")),
            "choose second",
        ),
        ("has no more use for markers", useless, "buy_raid 5"),
    ):
        assert canonical(answer(state)) == expected, reason


def test_it_saves_a_marker_for_its_bid_or_buys_a_pair() -> None:
    for position, expected in (
        ("start=3 hands=ss,7", "buy 1 salt"),
        ("start=3 hands=ss1,7", "end"),
        ("asked=bid hands=o33,7", "bid 3"),
    ):
        state = at(f"{position} ships=3,0 display=51 guild=3 end=2")
        assert canonical(answer(state)) == expected


def test_it_pays_the_least_useful_good_as_a_tax() -> None:
    assert answer(follow("taxing together hands=os,oa | 0 advance 1")) == ("tax", "o")


def test_it_bids_a_pair_in_a_conflict_and_begins_none_with_much_to_lose() -> None:
    def conflict(frame: Any, hand: str, goods: str = "") -> Action:
        both = {"ships": (REVAL, REVAL), "options": {"conflicts": "on"}}
        return answer(alone(frame, goods, hands=(hand, "oaaas7"), **both))

    assert conflict(Conflict((0, 1), [None, None]), "o8833")[1] in ("88", "33")
    assert len(conflict(Demand(0, 1), "o8833")[1]) == 3
    for hand, expected in (("88", "challenge"), ("aa88", "challenge"), ("ssa08", "pass")):
        assert conflict(Challenge([0, 1]), hand)[0] == expected, hand
    # A loser is moved only away from goods.
    for goods, expected in (("ooo", "push"), ("", "pass")):
        assert conflict(Push(0, 1, optional=True), "", goods)[0] == expected


def test_it_pays_for_a_look_if_it_knows_no_route_and_has_spare_markers() -> None:
    state = at("memory hands=ooo0123,oa")
    assert answer(state) == ("peek", "0")
    for route in state.cities[REVAL].routes:
        route.known = 1
    assert answer(state)[0] != "peek"


def test_it_exchanges_a_useless_first_route_for_one_to_salt() -> None:
    state = at("memory hands=ooo17,oa routes=3:3?/3?")
    state.frames, state.round = [Exchange()], 0
    state.cities[LUBECK].goods = [0, 0, 0, 4]
    for route in state.cities[REVAL].routes:
        route.known = 1
    assert answer(state) == ("reroute", "left", "7")


def test_it_sometimes_makes_an_offer_that_is_good_for_both() -> None:
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


def test_it_counters_a_bad_offer_and_withdraws_one_that_would_be_a_loss() -> None:
    state = follow("together hands=oaaas,ooooofff | 0 offer 1 a ff")
    assert answers(state, 1) == {("decline", "1"), ("counter", "1", "f", "o")}
    state = follow("together hands=s,oaaas | 0 offer 1 s o")
    assert answer(state) == ("withdraw", "1")


def test_it_accepts_only_good_offers() -> None:
    for deal, expected in (("s o", "accept"), ("o s", "decline"), ("- f", "decline")):
        state = follow(f"together asked=move hands=oofs,oofs | 0 offer 1 {deal}")
        assert answer(state, 1) == (expected, "1"), deal


FOUR = {TONSBERG: [(0, "")], RIGA: [(0, "")], DANZIG: [(0, "")], LUBECK: [(0, ""), (1, "")]}
"""Four offices of seat 0, which are four development points."""


@pytest.mark.parametrize("seats", [2, 4])
def test_the_strong_player_finds_a_winning_action(seats: int) -> None:
    others = ["of7"] * (seats - 1)
    sailing = {"ships": (ABO, LUBECK, RIGA, ABO), "routes": {ABO: ("8", "3")}}
    for position, expected in (
        ({"hands": ["oas33", *others]}, ("build",)),
        ({"hands": ["oas33", *others], **sailing, "asked": Movement(ABO)}, ("sail", "right")),
        ({"hands": ["oooooo", *others], "guild": REVAL}, ("sell_six",)),
    ):
        state = table(seats=seats, offices=FOUR, **position)
        decision = next(each for each in GAME.pending(state) if each.seat == 0)
        legal = GAME.walk(state, 0)
        action = strong(JUDGEMENT, 150)(GAME.view(state, 0), decision, legal, Random(1))
        assert action[: len(expected)] == expected
