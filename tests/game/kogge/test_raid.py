"""Phase 3B f: raids on ships and cities, and the forced move."""

from __future__ import annotations

import pytest

from bot.game.events import TurnEnded
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.raid import CargoSplit, CityRaided, Looted, Pushed, PushFailed, PushImpossible
from bot.game.kogge.state import Push
from tests.game.kogge.places import DANZIG, HIDDEN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    goods,
    hand,
    kinds,
    play,
    raided,
    refused,
    table,
    told,
    words,
)

TOGETHER = (REVAL, REVAL, LUBECK, LUBECK)


def test_a_raided_city_gives_all_its_goods_and_those_of_every_office() -> None:
    """Ruling 23: the robber's own office too."""
    state = table(city={REVAL: "ffs"}, offices={REVAL: [(0, "f"), (1, "ff")]})
    events = play(state, 0, "raid_city")
    assert hand(state, 0) == "fffffs"
    assert state.cities[REVAL].goods == goods("")
    assert [office.goods for office in state.cities[REVAL].offices] == [goods("")] * 2
    assert told(events, CityRaided) == [CityRaided(seat=0, city=REVAL, pieces="fffffs")]


def test_the_raid_stays_in_the_city_and_bars_its_owner_for_good() -> None:
    """Difference 22."""
    state = table(routes={RIGA: ("3", "5")})
    play(state, 0, "raid_city")
    assert state.cities[REVAL].raids == [0]
    assert state.players[0].raids == 0
    play(state, 1, "push left")
    play(state, 1, "stop")
    play(state, 1, "end")
    assert state.players[0].city == RIGA


def test_an_empty_city_may_be_raided() -> None:
    """Ruling 27."""
    state = table()
    assert told(play(state, 0, "raid_city"), CityRaided)[0].pieces == ""


def test_a_raid_ends_the_turn() -> None:
    state = table(hands=("oas3",))
    play(state, 0, "raid_city")
    assert refused(state, 0, "build both").code == "not_your_turn"
    events = play(state, 1, "push left")
    assert told(events, TurnEnded) == [TurnEnded(seat=0)]
    assert asked(state) == [(1, "move")]


def test_a_raid_needs_a_marker() -> None:
    state = table(raids={DANZIG: (0,)}, ships=TOGETHER)
    assert refused(state, 0, "raid_city").code == "no_raid"
    assert refused(state, 0, "raid_ship 1").code == "no_raid"


def test_the_second_raid_is_as_good_as_the_first() -> None:
    state = table(raids={DANZIG: (0,)}, second_raid=(0,))
    play(state, 0, "raid_city")
    assert state.players[0].raids == 0


# Ships


def test_the_victim_divides_the_cargo_and_the_robber_chooses() -> None:
    state = table(ships=TOGETHER, hands=("", "oofas5"))
    play(state, 0, "raid_ship 1")
    assert asked(state) == [(1, "split")]
    events = play(state, 1, "split as")
    assert told(events, CargoSplit) == [CargoSplit(seat=1, other=0, groups=("as", "oof"))]
    assert asked(state) == [(0, "choose")]
    events = play(state, 0, "choose second")
    assert (hand(state, 0), hand(state, 1)) == ("oof", "as5")
    assert told(events, Looted) == [Looted(seat=0, other=1, pieces="oof")]
    assert asked(state) == [(1, "push")]


@pytest.mark.parametrize(
    ("cargo", "groups"),
    [
        ("oo", ("o",)),
        ("of", ("f", "o")),
        ("oof", ("f", "o", "of", "oo")),
        ("ooff", ("ff", "of", "oo")),
    ],
)
def test_the_two_groups_differ_by_one_good_at_most(cargo: str, groups: tuple[str, ...]) -> None:
    """Difference 20, ruling 28: of any composition."""
    state = table(ships=TOGETHER, hands=("", cargo))
    play(state, 0, "raid_ship 1")
    assert sorted(words(state, 1, "split")) == sorted(groups)


def test_only_the_victim_divides_and_only_the_robber_chooses() -> None:
    state = table(ships=TOGETHER, hands=("", "oo"))
    play(state, 0, "raid_ship 1")
    assert refused(state, 0, "split o").facts["other"] == 1
    assert refused(state, 1, "split oo").code == "too_many"
    play(state, 1, "split o")
    assert refused(state, 1, "choose first").facts["other"] == 0
    assert refused(state, 0, "choose both").code == "not_a_choice"


def test_only_a_ship_in_the_same_city_is_raided() -> None:
    state = table(seats=4, ships=TOGETHER)
    assert words(state, 0, "raid_ship") == ("1",)
    assert refused(state, 0, "raid_ship 2").code == "not_a_choice"
    assert refused(state, 0, "raid_ship 0").code == "not_a_choice"
    assert refused(table(), 0, "raid_ship 1").code == "no_ship_here"


def test_one_of_several_ships_is_raided() -> None:
    """Difference 21."""
    state = table(seats=3, ships=(REVAL, REVAL, REVAL), hands=("", "oo", "ss"))
    play(state, 0, "raid_ship 2")
    play(state, 2, "split s")
    play(state, 0, "choose first")
    assert [hand(state, seat) for seat in range(3)] == ["s", "oo", "s"]


def test_an_empty_ship_may_be_raided() -> None:
    """Ruling 27."""
    state = table(ships=TOGETHER)
    events = play(state, 0, "raid_ship 1")
    assert told(events, Looted) == []
    assert asked(state) == [(1, "push")]


def test_a_single_good_goes_to_the_robber_without_a_question() -> None:
    state = table(ships=TOGETHER, hands=("", "s"))
    play(state, 0, "raid_ship 1")
    assert (hand(state, 0), hand(state, 1)) == ("s", "")
    assert asked(state) == [(1, "push")]


@pytest.mark.parametrize("cargo", ["", "s", "ss"])
def test_with_hidden_goods_the_victim_is_asked_whatever_the_cargo(cargo: str) -> None:
    """Ruling 27: the asking must not betray it."""
    state = table(ships=TOGETHER, hands=("", cargo), options=HIDDEN)
    play(state, 0, "raid_ship 1")
    assert asked(state) == [(1, "split")]
    play(state, 1, f"split {cargo[: len(cargo) // 2] or '-'}")
    assert asked(state) == [(0, "choose")]


def test_with_hidden_goods_the_victims_offers_fall_whatever_is_taken() -> None:
    """Otherwise their receivers would learn which half the robber chose (ruling 59)."""
    state = table(seats=3, ships=(REVAL,) * 3, hands=("", "os5", "f"), options=HIDDEN)
    play(state, 1, "offer 2 5 f")
    play(state, 2, "offer 1 f o")
    play(state, 0, "raid_ship 1")
    play(state, 1, "split o")
    events = play(state, 0, "choose first")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=1, other=2)]
    assert [offer.seat for offer in state.offers] == [2]


def test_with_hidden_goods_only_the_two_concerned_see_the_loot() -> None:
    """Ruling 59."""
    state = table(seats=3, ships=TOGETHER, hands=("", "os"), options=HIDDEN)
    play(state, 0, "raid_ship 1")
    events = play(state, 1, "split o") + play(state, 0, "choose second")
    heard = {o: [e.kind for e in events if e.heard_by(o)] for o in (-1, 0, 1, 2)}
    assert heard[0] == heard[1] == ["cargo_split", "looted"]
    assert heard[2] == heard[-1] == ["cargo_split_secretly", "looted_secretly"]


# The forced move


@pytest.mark.parametrize(
    ("seats", "robber", "pusher"), [(2, 0, 1), (2, 1, 0), (4, 1, 2), (4, 3, 0)]
)
def test_the_seat_to_the_robbers_left_pushes(seats: int, robber: int, pusher: int) -> None:
    """Ruling 25."""
    state = table(seats=seats, order=(robber, *(s for s in range(seats) if s != robber)))
    play(state, robber, "raid_city")
    assert asked(state) == [(pusher, "push")]


def test_the_forced_move_is_one_free_step_along_a_route() -> None:
    state = table(hands=("o",))
    play(state, 0, "raid_city")
    assert words(state, 1, "push") == ("left", "right")
    events = play(state, 1, "push right")
    assert told(events, Pushed) == [Pushed(seat=1, other=0, city=REVAL, to=DANZIG, route="right")]
    assert hand(state, 0) == "o"


def test_the_forced_move_is_never_by_the_secret_route() -> None:
    """Ruling 54."""
    state = raided(table(chits={0: ("secret",)}), 0)
    assert refused(state, 1, "push secret").code == "not_a_choice"


def test_nobody_is_pushed_into_his_own_raid() -> None:
    """Rulings 26 and 54."""
    state = raided(table(raids={REVAL: (0,), RIGA: (0,)}, second_raid=(0,)), 0)
    assert words(state, 1, "push") == ("right",)


def test_a_hidden_route_is_turned_up_by_the_forced_move() -> None:
    state = raided(table(routes={REVAL: ("6?", "4")}, raids={REVAL: (0,)}), 0)
    play(state, 1, "push left")
    assert state.players[0].city == STRALSUND
    assert not state.cities[REVAL].routes[0].hidden


def test_a_hidden_route_that_fails_is_turned_up_and_another_way_is_tried() -> None:
    """Ruling 54."""
    state = table(
        routes={REVAL: ("6?", "4")}, raids={REVAL: (0,), STRALSUND: (0,)}, second_raid=(0,)
    )
    raided(state, 0)
    events = play(state, 1, "push left")
    assert told(events, PushFailed) == [
        PushFailed(seat=1, other=0, city=REVAL, marker=STRALSUND, route="left")
    ]
    assert asked(state) == [(1, "push")]
    assert words(state, 1, "push") == ("right",)


def test_where_no_way_is_open_the_ship_stays() -> None:
    """Rulings 26 and 54."""
    state = table(routes={REVAL: ("6", "6")}, raids={STRALSUND: (0,)}, second_raid=(0,))
    events = play(state, 0, "raid_city")
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=REVAL)]
    assert state.players[0].city == REVAL
    assert asked(state) == [(1, "move")]


def test_where_the_last_hidden_way_fails_the_ship_stays() -> None:
    state = table(
        routes={REVAL: ("6?", "6")}, raids={STRALSUND: (0,), REVAL: (0,)}, second_raid=(0,)
    )
    raided(state, 0)
    events = play(state, 1, "push left")
    assert [event.kind for event in events][:2] == ["push_failed", "push_impossible"]


def test_a_pushed_ship_neither_loads_nor_acts() -> None:
    """Ruling 26."""
    state = raided(table(offices={RIGA: [(0, "f")]}), 0)
    play(state, 1, "push left")
    assert hand(state, 0) == ""
    assert kinds(state, 0) == ()


def test_deals_rest_while_a_raid_is_settled() -> None:
    """Ruling 48."""
    state = raided(table(ships=TOGETHER, hands=("o", "o")), 0)
    assert isinstance(state.frames[-1], Push)
    assert refused(state, 0, "offer 1 o -").code == "deals_closed"
