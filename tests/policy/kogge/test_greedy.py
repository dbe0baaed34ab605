"""The sensible player: it beats chance, and does the obvious."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import Action, Decision
from bot.game.kogge import GAME
from bot.game.kogge.data import CITIES
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
    Office,
    Push,
    Route,
)
from bot.policy.kogge.greedy import greedy
from bot.titles import TITLES
from bot.tools.playing import ComputerPlayer, play, players
from tests.game.kogge.places import ABO, LUBECK, REVAL, RIGA
from tests.game.kogge.positions import play as positions_play
from tests.game.kogge.positions import table
from tests.game.kogge.random_games import ADVANCED
from tests.game.kogge.test_routes import remembered

SETS = [
    *[dict(zip(ADVANCED, values, strict=True)) for values in product(("off", "on"), repeat=4)],
    {"edition": "italian"},
    {"goods": "hidden"},
    {"memory": "on", "memory_fur": "three"},
]
"""Every set of the advanced rules, and what else changes the play."""
ALL_ON = dict.fromkeys(ADVANCED, "on")


@pytest.mark.parametrize("options", SETS)
def test_it_wins_at_least_four_of_five_games_against_chance(options: Mapping[str, str]) -> None:
    wins = 0
    for seed in range(5):
        seat = seed % 2
        names = ["normal", "random"] if seat == 0 else ["random", "normal"]
        seated = players(TITLES["kogge"], names, 2)
        *_, last = play(GAME, seated, options, Random(seed))
        outcome = GAME.outcome(last.state)
        assert outcome is not None
        wins += outcome.winners == (seat,)
    assert wins >= 4


@pytest.mark.parametrize("options", [{}, ALL_ON], ids=["base", "advanced"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_plays_with_its_like_to_the_end(seats: int, options: Mapping[str, str]) -> None:
    for seed in range(3):
        *_, last = play(GAME, [ComputerPlayer(greedy)] * seats, options, Random(seed))
        assert GAME.outcome(last.state) is not None


def test_many_of_its_games_end_by_development() -> None:
    endings = []
    for seed in range(6):
        *_, last = play(GAME, [ComputerPlayer(greedy)] * 2, {}, Random(seed))
        endings.append(last.state.frames[0].ending)
    assert endings.count("development") >= 2


def test_it_pays_the_tax_that_costs_it_least() -> None:
    state = table(
        ships=(REVAL, REVAL),
        hands=("os", "oa"),
        asked="advance",
        guild=ABO,
        options={"taxes": "on"},
    )
    positions_play(state, 0, "advance 1")
    assert answer(state, 0) == ("tax", "o")


def test_in_a_conflict_it_bids_a_pair_where_it_has_one() -> None:
    state = table(ships=(REVAL, REVAL), hands=("o8833", "oa7"), options={"conflicts": "on"})
    state.frames = [Conflict((0, 1), [None, None])]
    assert answer(state, 0)[1] in ("88", "33")
    state.frames = [Demand(0, 1)]
    assert len(answer(state, 0)[1]) == 3


@pytest.mark.parametrize(
    ("hand", "does"), [("88", "challenge"), ("aa88", "challenge"), ("ssa08", "pass")]
)
def test_it_begins_a_conflict_that_it_may_win_with_little_to_lose(hand: str, does: str) -> None:
    state = table(ships=(REVAL, REVAL), hands=(hand, "oaaas"), options={"conflicts": "on"})
    state.frames = [Challenge([0, 1])]
    assert answer(state, 0)[0] == does


@pytest.mark.parametrize(("goods", "does"), [("ooo", "push"), ("", "pass")])
def test_it_moves_a_loser_away_from_goods_alone(goods: str, does: str) -> None:
    state = table(ships=(REVAL, REVAL), city={REVAL: goods}, options={"conflicts": "on"})
    state.frames = [Push(0, 1, optional=True)]
    assert answer(state, 0)[0] == does


def test_it_pays_for_a_look_where_it_knows_no_route_and_has_markers_to_spare() -> None:
    state = remembered({}, hands=("ooo0123", "oa"))
    assert answer(state, 0) == ("peek", "0")
    for route in state.cities[REVAL].routes:
        route.known = 1
    assert answer(state, 0)[0] != "peek"


def test_it_exchanges_a_first_route_that_leads_nowhere_for_one_that_leads_to_salt() -> None:
    state = remembered({REVAL: ("3?", "3?")}, hands=("ooo17", "oa"))
    state.frames, state.round = [Exchange()], 0
    state.cities[LUBECK].goods = [0, 0, 0, 4]
    for route in state.cities[REVAL].routes:
        route.known = 1
    assert answer(state, 0) == ("reroute", "left", "7")


def test_it_buys_a_raid_for_markers_of_which_there_is_no_more_use() -> None:
    state = table(ships=(REVAL, ABO), hands=("555", "o"), guild=REVAL, end=RIGA, laps=1)
    assert answer(state, 0) == ("buy_raid", "5")


def answer(state: KoggeState, seat: int, seed: int = 1) -> Action:
    """What it does about the last thing that the seat is asked."""
    decision = [d for d in GAME.pending(state) if d.seat == seat][-1]
    return _asked(state, decision, Random(seed))


def answers(state: KoggeState, seat: int) -> set[Action]:
    """What it may do, as it does not always speak up."""
    return {answer(state, seat, seed) for seed in range(20)}


@pytest.mark.parametrize(
    ("partner", "deal"),
    [
        ({"ships": (REVAL, REVAL), "hands": ("ooooofff", "oaaas")}, ("1", "f", "o")),
        (
            {"hands": ("ooooofff", "aaas"), "offices": {REVAL: [(1, "oo")]}},
            ("office1", "ff", "oo"),
        ),
    ],
    ids=["ship", "office"],
)
def test_it_sometimes_offers_a_ship_or_an_office_what_is_good_for_both(
    partner: Mapping[str, Any], deal: tuple[str, str, str]
) -> None:
    state = table(**partner, options={"offices": "on"})
    assert ("offer", *deal) in answers(state, 0)
    assert len(answers(state, 0)) == 2
    positions_play(state, 0, " ".join(("offer", *deal)))
    assert answer(state, 1) == ("accept", "1")
    assert not any(action[0] == "offer" for action in answers(state, 0))


def test_it_sometimes_answers_a_bad_offer_with_a_better_one() -> None:
    state = table(ships=(REVAL, REVAL), hands=("oaaas", "ooooofff"))
    positions_play(state, 0, "offer 1 a ff")
    assert answers(state, 1) == {("decline", "1"), ("counter", "1", "f", "o")}


def test_it_takes_back_an_offer_that_would_do_harm_by_now() -> None:
    state = table(ships=(REVAL, REVAL), hands=("s", "oaaas"))
    positions_play(state, 0, "offer 1 s o")
    assert answer(state, 0) == ("withdraw", "1")


def test_four_of_its_like_find_a_city_each_though_their_hands_are_equal() -> None:
    for seed in range(10):
        chosen = 0
        for played in play(GAME, [ComputerPlayer(greedy)] * 4, {}, Random(seed)):
            chosen += played.action[0] == "found"
            if played.action[0] == "bid":
                break
        assert 4 <= chosen < 40


def test_it_looks_at_views_alone() -> None:
    """What it cannot know makes no difference to what it does."""
    rng = Random(2)
    chance = RandomChance(rng)
    state = GAME.setup(3, ALL_ON, chance)
    for _ in range(120):
        pending = GAME.pending(state)
        if not pending:
            break
        decision = pending[0]
        other = GAME.resample(state, decision.seat, rng)
        action = _asked(state, decision, Random(1))
        assert _asked(other, decision, Random(1)) == action
        GAME.apply(state, decision.seat, action, chance)


def test_it_builds_an_office_that_it_can_pay() -> None:
    state = _alone(Acting(start=2), goods=[0, 0, 0, 0])
    state.players[0].goods = [1, 0, 1, 1]
    state.players[0].markers[3] = 1
    assert _act(state) == ("build", "both")


def test_it_sells_six_alike_to_the_guild_master() -> None:
    state = _alone(Acting(start=2), goods=[0, 0, 0, 0])
    state.guild_city = 3
    state.players[0].goods = [6, 0, 0, 0]
    assert _act(state) == ("sell_six", "ore", "spaces")


def test_it_trades_ore_for_salt() -> None:
    state = _alone(Acting(start=2), goods=[0, 0, 0, 2])
    state.players[0].goods = [3, 0, 0, 0]
    assert _act(state) == ("trade", "o", "ss")


def test_it_sails_to_where_it_can_sell_six() -> None:
    state = _alone(Movement(start=3), goods=[0, 0, 0, 0])
    state.players[0].goods = [6, 0, 0, 0]
    state.cities[3].routes = [Route(5), Route(6)]
    state.guild_city = 6
    assert _act(state) == ("sail", "right", "")


def test_it_loads_all_that_its_office_holds() -> None:
    state = _alone(Movement(start=3), goods=[0, 0, 0, 0])
    state.cities[3].offices = [Office(0, [0, 2, 0, 0])]
    assert _act(state) == ("load", "ff")


def test_it_ends_the_game_when_it_leads_and_not_when_it_trails() -> None:
    state = _alone(GuildMaster(), goods=[0, 0, 0, 0])
    state.laps, state.guild_city, state.end_city = 1, 7, 0
    state.players[0].goods = [0, 0, 0, 6]
    assert _act(state) == ("advance", "2")
    state.players[0].goods, state.players[1].goods = [0, 0, 0, 0], [0, 0, 0, 6]
    assert _act(state) == ("advance", "1")


def test_it_raids_a_city_worth_more_than_the_raid() -> None:
    state = _alone(Acting(start=3), goods=[0, 0, 0, 6])
    state.players[0].goods = [0, 0, 0, 0]
    assert _act(state) == ("raid_city",)


def test_it_takes_the_better_part_of_a_cargo() -> None:
    state = _alone(Choosing(0, 1, ("oo", "ss")), goods=[0, 0, 0, 0])
    state.players[1].goods = [2, 0, 0, 2]
    assert _act(state) == ("choose", "second")


@pytest.mark.parametrize(
    ("give", "take", "answer"), [("s", "o", "accept"), ("o", "s", "decline"), ("", "f", "decline")]
)
def test_it_accepts_good_deals_alone(give: str, take: str, answer: str) -> None:
    state = _alone(Movement(start=3), goods=[0, 0, 0, 0], seat=1)
    for player in state.players:
        player.goods, player.city = [2, 1, 0, 1], 3
    GAME.apply(state, 1, ("offer", "0", give, take), RandomChance(Random(1)))
    decision = GAME.pending(state)[-1]
    assert _asked(state, decision, Random(1)) == (answer, "1")


def _alone(
    frame: Acting | Choosing | GuildMaster | Movement, goods: list[int], seat: int = 0
) -> KoggeState:
    """Two players; the seat is on turn in Reval (3), the other ship lies in Tønsberg (0)."""
    state: KoggeState = GAME.setup(2, {}, RandomChance(Random(1)))
    state.frames = [frame]
    state.order, state.bids = [seat, 1 - seat], ["", ""]
    state.guild_city, state.end_city = 1, 1
    for city in state.cities:
        city.goods = [0, 0, 0, 0]
    state.cities[3].goods = goods
    for number, player in enumerate(state.players):
        player.city = 3 if number == seat else 0
        player.goods = [0, 0, 0, 0]
        player.markers = [0] * CITIES
    return state


def _act(state: KoggeState) -> Action:
    """What seat 0 does; it is checked to be allowed."""
    (decision,) = GAME.pending(state)
    assert decision.seat == 0
    action = _asked(state, decision, Random(1))
    copy = GAME.decode(GAME.encode(state))
    GAME.apply(copy, 0, action, RandomChance(Random(1)))
    return action


def _asked(state: KoggeState, decision: Decision, rng: Random) -> Action:
    seat = decision.seat
    return greedy(GAME.view(state, seat), decision, partial(GAME.legal, state, seat), rng)


@pytest.mark.parametrize("kind", ["", "guest"], ids=["to ships", "by the owner of an office"])
def test_it_makes_offers_where_goods_are_hidden(kind: str) -> None:
    options = {"goods": "hidden", "offices": "on"}
    made = 0
    for seed in range(4):
        for played in play(GAME, [ComputerPlayer(greedy)] * 4, options, Random(seed)):
            made += played.action[0] == "offer" and played.action[1].rstrip("0123") == kind
    assert made > 0
