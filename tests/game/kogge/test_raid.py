"""Phase 3B f: raids on ships and cities, and the forced move."""

from __future__ import annotations

from bot.game.events import TurnEnded
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.raid import CargoSplit, CityRaided, Looted, Pushed, PushFailed, PushImpossible
from bot.game.kogge.state import Push
from tests.game.kogge.places import DANZIG, HIDDEN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    goods,
    hand,
    kinds,
    play,
    raided,
    refused,
    run,
    table,
    told,
    words,
)

TOGETHER = (REVAL, REVAL, LUBECK, LUBECK)


def test_a_raided_city_gives_all_its_goods_and_those_of_every_office() -> None:
    """Ruling 23: the robber's own office too. Ruling 27: also where it is empty."""
    state = table(city={REVAL: "ffs"}, offices={REVAL: [(0, "f"), (1, "ff")]})
    events = play(state, 0, "raid_city")
    assert hand(state, 0) == "fffffs"
    assert state.cities[REVAL].goods == goods("")
    assert [office.goods for office in state.cities[REVAL].offices] == [goods("")] * 2
    assert told(events, CityRaided) == [CityRaided(seat=0, city=REVAL, pieces="fffffs")]
    assert told(play(table(), 0, "raid_city"), CityRaided)[0].pieces == ""


def test_the_raid_stays_in_the_city_and_bars_its_owner_for_good() -> None:
    """Difference 22."""
    state = table(routes={RIGA: ("3", "5")})
    play(state, 0, "raid_city")
    assert state.cities[REVAL].raids == [0]
    assert state.players[0].raids == 0
    run(state, "1 push left", "1 stop", "1 end")
    assert state.players[0].city == RIGA
    play(state, 0, "advance 1")
    assert words(state, 0, "sail") == ("right",)


def test_a_raid_needs_a_marker_and_ends_the_turn() -> None:
    state = table(hands=("oas3",))
    play(state, 0, "raid_city")
    check_refused(state, "not_your_turn", "0 build both")
    events = play(state, 1, "push left")
    assert told(events, TurnEnded) == [TurnEnded(seat=0)]
    assert asked(state) == [(1, "move")]
    state = table(raids={DANZIG: (0,)}, ships=TOGETHER)
    check_refused(state, "no_raid", "0 raid_city", "0 raid_ship 1")
    # The second Raid is as good as the first.
    state = table(raids={DANZIG: (0,)}, second_raid=(0,))
    play(state, 0, "raid_city")
    assert state.players[0].raids == 0


# Ships


def test_the_victim_divides_the_cargo_and_the_robber_chooses() -> None:
    state = table(ships=TOGETHER, hands=("", "oofas5"))
    play(state, 0, "raid_ship 1")
    assert asked(state) == [(1, "split")]
    assert refused(state, 0, "split o").facts["other"] == 1
    check_refused(state, "too_many", "1 split oofa")
    events = play(state, 1, "split as")
    assert told(events, CargoSplit) == [CargoSplit(seat=1, other=0, groups=("as", "oof"))]
    assert asked(state) == [(0, "choose")]
    assert refused(state, 1, "choose first").facts["other"] == 0
    check_refused(state, "not_a_choice", "0 choose both")
    events = play(state, 0, "choose second")
    assert (hand(state, 0), hand(state, 1)) == ("oof", "as5")
    assert told(events, Looted) == [Looted(seat=0, other=1, pieces="oof")]
    assert asked(state) == [(1, "push")]


def test_the_two_groups_differ_by_one_good_at_most() -> None:
    """Difference 20, ruling 28: of any composition."""
    for cargo, groups in (
        ("oo", ("o",)),
        ("of", ("f", "o")),
        ("oof", ("f", "o", "of", "oo")),
        ("ooff", ("ff", "of", "oo")),
    ):
        state = table(ships=TOGETHER, hands=("", cargo))
        play(state, 0, "raid_ship 1")
        assert sorted(words(state, 1, "split")) == sorted(groups), cargo


def test_one_ship_in_the_same_city_is_raided_and_no_other() -> None:
    """Difference 21."""
    state = table(seats=4, ships=TOGETHER)
    assert words(state, 0, "raid_ship") == ("1",)
    check_refused(state, "not_a_choice", "0 raid_ship 2", "0 raid_ship 0")
    check_refused(table(), "no_ship_here", "0 raid_ship 1")
    state = table(seats=3, ships=(REVAL, REVAL, REVAL), hands=("", "oo", "ss"))
    run(state, "0 raid_ship 2", "2 split s", "0 choose first")
    assert [hand(state, seat) for seat in range(3)] == ["s", "oo", "s"]


def test_where_there_is_nothing_to_divide_nobody_is_asked() -> None:
    """Ruling 27: an empty ship may be raided; a single good goes to the robber."""
    state = table(ships=TOGETHER)
    assert told(play(state, 0, "raid_ship 1"), Looted) == []
    assert asked(state) == [(1, "push")]
    state = table(ships=TOGETHER, hands=("", "s"))
    play(state, 0, "raid_ship 1")
    assert (hand(state, 0), hand(state, 1)) == ("s", "")
    assert asked(state) == [(1, "push")]


def test_with_hidden_goods_the_victim_is_asked_whatever_the_cargo() -> None:
    """Ruling 27: the asking must not betray it."""
    for cargo in ("", "s", "ss"):
        state = table(ships=TOGETHER, hands=("", cargo), options=HIDDEN)
        play(state, 0, "raid_ship 1")
        assert asked(state) == [(1, "split")], cargo
        play(state, 1, f"split {cargo[: len(cargo) // 2] or '-'}")
        assert asked(state) == [(0, "choose")], cargo


def test_with_hidden_goods_only_the_two_concerned_see_the_loot_and_the_victims_offers_fall() -> (
    None
):
    """Ruling 59: otherwise their receivers would learn which half the robber chose."""
    state = table(seats=3, ships=(REVAL,) * 3, hands=("", "os5", "f"), options=HIDDEN)
    run(state, "1 offer 2 5 f", "2 offer 1 f o", "0 raid_ship 1")
    events = run(state, "1 split o", "0 choose second")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=1, other=2)]
    assert [offer.seat for offer in state.offers] == [2]
    heard = {o: [e.kind for e in events if e.heard_by(o)][:2] for o in (-1, 0, 1, 2)}
    assert heard[0] == heard[1] == ["cargo_split", "looted"]
    assert heard[2] == heard[-1] == ["cargo_split_secretly", "looted_secretly"]


# The forced move


def test_the_seat_to_the_robbers_left_pushes() -> None:
    """Ruling 25."""
    for seats, robber, pusher in ((2, 0, 1), (2, 1, 0), (4, 1, 2), (4, 3, 0)):
        state = table(seats=seats, order=(robber, *(s for s in range(seats) if s != robber)))
        play(state, robber, "raid_city")
        assert asked(state) == [(pusher, "push")], (seats, robber)


def test_the_forced_move_is_one_free_step_along_a_route() -> None:
    """Ruling 54: never by the secret route. Ruling 26: a pushed ship neither loads nor acts."""
    chits, offices = {0: ("secret",)}, {RIGA: [(0, "f")], DANZIG: [(0, "f")]}
    state = table(hands=("o",), chits=chits, offices=offices)
    play(state, 0, "raid_city")
    assert words(state, 1, "push") == ("left", "right")
    check_refused(state, "not_a_choice", "1 push secret")
    events = play(state, 1, "push right")
    assert told(events, Pushed) == [Pushed(seat=1, other=0, city=REVAL, to=DANZIG, route="right")]
    assert hand(state, 0) == "o"
    assert kinds(state, 0) == ()


def test_a_hidden_route_is_turned_up_by_the_forced_move() -> None:
    state = raided(table(routes={REVAL: ("6?", "4")}, raids={REVAL: (0,)}), 0)
    play(state, 1, "push left")
    assert state.players[0].city == STRALSUND
    assert not state.cities[REVAL].routes[0].hidden


def test_nobody_is_pushed_into_his_own_raid_and_another_way_is_tried() -> None:
    """Rulings 26 and 54: a hidden route that fails is turned up."""
    state = raided(table(raids={REVAL: (0,), RIGA: (0,)}, second_raid=(0,)), 0)
    assert words(state, 1, "push") == ("right",)
    raids = {REVAL: (0,), STRALSUND: (0,)}
    state = raided(table(routes={REVAL: ("6?", "4")}, raids=raids, second_raid=(0,)), 0)
    failed = PushFailed(seat=1, other=0, city=REVAL, marker=STRALSUND, route="left")
    assert told(play(state, 1, "push left"), PushFailed) == [failed]
    assert asked(state) == [(1, "push")]
    assert words(state, 1, "push") == ("right",)


def test_where_no_way_is_open_or_the_last_hidden_one_fails_the_ship_stays() -> None:
    """Rulings 26 and 54."""
    state = table(routes={REVAL: ("6", "6")}, raids={STRALSUND: (0,)}, second_raid=(0,))
    events = play(state, 0, "raid_city")
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=REVAL)]
    assert state.players[0].city == REVAL
    assert asked(state) == [(1, "move")]
    raids = {STRALSUND: (0,), REVAL: (0,)}
    state = raided(table(routes={REVAL: ("6?", "6")}, raids=raids, second_raid=(0,)), 0)
    events = play(state, 1, "push left")
    assert [event.kind for event in events][:2] == ["push_failed", "push_impossible"]


def test_deals_rest_while_a_raid_is_settled() -> None:
    """Ruling 48."""
    state = raided(table(ships=TOGETHER, hands=("o", "o")), 0)
    assert isinstance(state.frames[-1], Push)
    check_refused(state, "deals_closed", "0 offer 1 o -")
