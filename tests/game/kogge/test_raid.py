"""Phase 3B f: raids on ships and cities, and the forced move; and advanced rule C: conflicts."""

from __future__ import annotations

from collections.abc import Sequence

from bot.game.contract import SPECTATOR
from bot.game.events import TurnEnded
from bot.game.kogge import GAME
from bot.game.kogge.conflicts import (
    ConflictBids,
    ConflictDeclined,
    ConflictTied,
    ConflictWon,
    Demanded,
)
from bot.game.kogge.offers import OfferLapsed
from bot.game.kogge.raid import CargoSplit, CityRaided, Looted, Pushed, PushFailed, PushImpossible
from bot.game.kogge.setup import rules_of
from bot.game.kogge.state import SECRET, Challenge, KoggeState, Push
from tests.game.kogge.places import DANZIG, HIDDEN, LUBECK, REVAL, RIGA, STRALSUND
from tests.game.kogge.positions import (
    asked,
    check_refused,
    goods,
    hand,
    kinds,
    known,
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


def test_the_victim_divides_the_cargo_into_two_even_groups_and_the_robber_chooses() -> None:
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
    # Difference 20, ruling 28: of any composition.
    for cargo, groups in (
        ("oo", ("o",)),
        ("of", ("f", "o")),
        ("oof", ("f", "o", "of", "oo")),
        ("ooff", ("ff", "of", "oo")),
    ):
        state = table(ships=TOGETHER, hands=("", cargo))
        play(state, 0, "raid_ship 1")
        assert sorted(words(state, 1, "split")) == sorted(groups), cargo


def test_one_ship_in_the_same_city_is_raided_and_divided_where_it_has_something() -> None:
    """Difference 21."""
    state = table(seats=4, ships=TOGETHER)
    assert words(state, 0, "raid_ship") == ("1",)
    check_refused(state, "not_a_choice", "0 raid_ship 2", "0 raid_ship 0")
    check_refused(table(), "no_ship_here", "0 raid_ship 1")
    state = table(seats=3, ships=(REVAL, REVAL, REVAL), hands=("", "oo", "ss"))
    run(state, "0 raid_ship 2", "2 split s", "0 choose first")
    assert [hand(state, seat) for seat in range(3)] == ["s", "oo", "s"]
    # Ruling 27: an empty ship may be raided; a single good goes to the robber.
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
    state = raided(table(routes={REVAL: ("6?", "4")}, raids={REVAL: (0,)}), 0)
    play(state, 1, "push left")
    assert state.players[0].city == STRALSUND
    assert not state.cities[REVAL].routes[0].hidden
    # Ruling 25: the seat to the robber's left pushes.
    for seats, robber, pusher in ((2, 0, 1), (2, 1, 0), (4, 1, 2), (4, 3, 0)):
        state = table(seats=seats, order=(robber, *(s for s in range(seats) if s != robber)))
        play(state, robber, "raid_city")
        assert asked(state) == [(pusher, "push")], (seats, robber)
    # Ruling 48: deals rest meanwhile.
    state = raided(table(ships=TOGETHER, hands=("o", "o")), 0)
    assert isinstance(state.frames[-1], Push)
    check_refused(state, "deals_closed", "0 offer 1 o -")


def test_nobody_is_pushed_into_his_own_raid_and_where_no_way_is_open_the_ship_stays() -> None:
    """Rulings 26 and 54: a hidden route that fails is turned up."""
    state = raided(table(raids={REVAL: (0,), RIGA: (0,)}, second_raid=(0,)), 0)
    assert words(state, 1, "push") == ("right",)
    raids = {REVAL: (0,), STRALSUND: (0,)}
    state = raided(table(routes={REVAL: ("6?", "4")}, raids=raids, second_raid=(0,)), 0)
    failed = PushFailed(seat=1, other=0, city=REVAL, marker=STRALSUND, route="left")
    assert told(play(state, 1, "push left"), PushFailed) == [failed]
    assert asked(state) == [(1, "push")]
    assert words(state, 1, "push") == ("right",)
    # Rulings 26 and 54: where no way is open, the ship stays.
    state = table(routes={REVAL: ("6", "6")}, raids={STRALSUND: (0,)}, second_raid=(0,))
    events = play(state, 0, "raid_city")
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=REVAL)]
    assert state.players[0].city == REVAL
    assert asked(state) == [(1, "move")]
    raids = {STRALSUND: (0,), REVAL: (0,)}
    state = raided(table(routes={REVAL: ("6?", "6")}, raids=raids, second_raid=(0,)), 0)
    events = play(state, 1, "push left")
    assert [event.kind for event in events][:2] == ["push_failed", "push_impossible"]


CONFLICTS = {"conflicts": "on"}


def meeting(
    hands: Sequence[str] = ("oo84", "fa55"),
    *,
    ships: Sequence[int] = (STRALSUND,) * 4,
    order: Sequence[int] | None = None,
    routes: tuple[str, str] = ("3", "7"),
    raids: dict[int, Sequence[int]] | None = None,
) -> KoggeState:
    """The first seat in order of play has acted where other ships lie as well."""
    state = table(
        seats=len(hands),
        ships=ships,
        hands=hands,
        order=order,
        routes={STRALSUND: routes},
        raids=raids,
        options=CONFLICTS,
    )
    play(state, state.order[0], "end")
    return state


def test_hands_are_secret_where_conflicts_are_played() -> None:
    """Difference 30: the option outranks open goods. Without it no conflict follows."""
    assert rules_of({**CONFLICTS, "goods": "open"}).hidden
    assert known(meeting(), 0).players[1].goods == []
    state = table(ships=(STRALSUND, STRALSUND), hands=("oo84", "fa55"))
    play(state, 0, "end")
    assert asked(state) == [(1, "move")]


def test_the_example_blue_and_yellow_in_stralsund() -> None:
    """Blue arrives with seven goods and trades one for two amber; yellow has four goods."""
    blue, yellow = 0, 1
    state = table(
        ships=(STRALSUND, STRALSUND),
        hands=("fffffff84", "ooff55"),
        city={STRALSUND: "aa"},
        routes={STRALSUND: ("3", "7")},
        options=CONFLICTS,
    )
    run(state, "0 trade f aa", "0 end")
    assert asked(state) == [(blue, "challenge")]
    play(state, blue, "pass")
    assert asked(state) == [(yellow, "challenge")]
    play(state, yellow, "challenge 0")
    assert asked(state) == [(yellow, "conflict"), (blue, "conflict")]
    events = run(state, "0 bid 84", "1 bid 55")
    assert told(events, ConflictWon) == [ConflictWon(seat=yellow, other=blue)]
    assert asked(state) == [(yellow, "demand")]
    events = play(state, yellow, "demand oaa")
    assert told(events, Demanded) == [Demanded(seat=1, other=0, pieces="oaa", take="aa")]
    # Both keep the markers of the other.
    assert hand(state, blue) == "ffffff55"
    assert hand(state, yellow) == "ooffaa84"
    assert words(state, yellow, "push") == ("left", "right")
    play(state, yellow, "push right")
    assert state.players[blue].city == LUBECK
    assert asked(state) == [(yellow, "move")]


def test_first_the_active_player_is_asked_then_the_others_there_in_order_of_play() -> None:
    """Rulings 24 and 51. A ship alone in its city ends its turn."""
    assert asked(meeting(ships=(STRALSUND, RIGA))) == [(1, "move")]
    ships = (STRALSUND, STRALSUND, RIGA, STRALSUND)
    state = meeting(("o1", "f2", "a3", "s4"), ships=ships, order=(3, 2, 1, 0))
    order = []
    while isinstance(state.frames[-1], Challenge):
        seat = asked(state)[0][0]
        order.append(seat)
        events = play(state, seat, "pass")
        assert told(events, ConflictDeclined) == [ConflictDeclined(seat=seat)]
    assert order == [3, 1, 0]
    assert asked(state) == [(2, "move")]


def test_there_is_one_conflict_a_turn_of_ships_in_the_city() -> None:
    state = meeting(("o1", "f2", "a3", "s4"), ships=(STRALSUND, STRALSUND, STRALSUND, RIGA))
    play(state, 0, "pass")
    assert words(state, 1, "challenge") == ("0", "2")
    check_refused(state, "not_a_choice", "1 challenge 3", "1 challenge 1")
    play(state, 1, "challenge 2")
    assert asked(state) == [(1, "conflict"), (2, "conflict")]
    # One conflict a turn; ruling 50: none follows a raid.
    state = meeting(("o1", "f2", "a3"))
    run(state, "0 challenge 1", "0 bid 1", "1 bid 2", "1 demand ooo", "1 pass")
    assert asked(state) == [(1, "move")]
    ships, routes = (STRALSUND, STRALSUND), {STRALSUND: ("3", "7")}
    state = table(ships=ships, hands=("oo84", "fa55"), routes=routes, options=CONFLICTS)
    run(state, "0 raid_city", "1 push left")
    assert asked(state) == [(1, "move")]


def test_a_bid_is_sealed_and_may_be_changed_until_the_other_is_made() -> None:
    state = meeting()
    play(state, 0, "challenge 1")
    ids = {decision.id for decision in GAME.pending(state)}
    events = play(state, 0, "bid 4")
    assert [(event.kind, event.only) for event in events] == [("conflict_bid", (0,))]
    seen = [known(state, observer).frames[-1] for observer in (0, 1, SPECTATOR)]
    assert [frame.bids for frame in seen] == [  # type: ignore[union-attr]
        [word, None] for word in ("4", SECRET, SECRET)
    ]
    assert asked(state) == [(1, "conflict")]
    assert {decision.id for decision in GAME.pending(state)} == ids
    run(state, "0 bid 84", "1 bid 5")
    assert hand(state, 1) == "fa854"


def test_bids_of_a_conflict_are_ranked_as_in_the_auction_and_equal_ones_tie() -> None:
    """Ruling 42; a side without markers bids nothing and loses to any bid."""
    state = meeting(("oo", "fa0"))
    play(state, 0, "challenge 1")
    check_refused(state, "too_few", "1 bid -")
    check_refused(state, "not_in_stock", "1 bid 5")
    assert words(state, 0, "bid") == ("",)
    events = run(state, "0 bid -", "1 bid 0")
    assert told(events, ConflictWon) == [ConflictWon(seat=1, other=0)]
    assert hand(state, 0) == "oo0"
    # Ruling 52; two empty hands tie as well.
    state = meeting(("oo842", "fa841"))
    events = run(state, "0 challenge 1", "0 bid 84", "1 bid 84")
    assert told(events, ConflictTied) == [ConflictTied(seat=0, other=1)]
    assert asked(state) == [(1, "move")]
    assert told(events, ConflictBids) == [ConflictBids(seat=0, other=1, give="84", take="84")]
    state = meeting(("oo", "fa", "s"), ships=(STRALSUND, STRALSUND, RIGA))
    events = run(state, "0 challenge 1", "1 bid -", "0 bid -")
    assert told(events, ConflictTied) == [ConflictTied(seat=0, other=1)]
    for first, second, winner in (("87", "00", 1), ("111", "88", 0), ("87", "86", 0)):
        state = meeting((first, second))
        events = run(state, "0 challenge 1", f"0 bid {first}", f"1 bid {second}")
        assert told(events, ConflictWon)[0].seat == winner, (first, second)


def test_up_to_three_goods_are_demanded_whatever_the_loser_has() -> None:
    """Ruling 64: also fewer than three."""
    state = meeting(("84", "55o"))
    run(state, "0 challenge 1", "0 bid 4", "1 bid 5")
    assert refused(state, 1, "demand oooo").code == "not_in_stock"
    assert told(play(state, 1, "demand fas"), Demanded)[0].take == ""
    assert hand(state, 1) == "o54"
    for demanded in ("-", "o", "of", "fas"):
        state = meeting(("84", "55of"))
        run(state, "0 challenge 1", "0 bid 84", "1 bid 5")
        events = play(state, 0, f"demand {demanded}")
        assert told(events, Demanded)[0].pieces == demanded.strip("-")
        assert refused(state, 0, "demand o").code == "not_now"


def test_only_who_won_is_public() -> None:
    state = meeting(("oo84", "fa55", "s1"))
    events = run(state, "0 challenge 1", "0 bid 84", "1 bid 55", "1 demand ooo")
    heard = [event.kind for event in events if event.heard_by(2)]
    assert heard == ["challenged", "conflict_won", "demanded_secretly"]


LOST = ("0 challenge 1", "0 bid 4", "1 bid 5", "1 demand ooo")


def test_the_loser_need_not_be_moved_but_a_robber_must() -> None:
    """Ruling 53."""
    state = meeting()
    run(state, *LOST)
    assert kinds(state, 1) == ("push", "pass")
    play(state, 1, "pass")
    assert state.players[0].city == STRALSUND
    assert asked(state) == [(1, "move")]
    state = table(ships=(STRALSUND, REVAL), routes={STRALSUND: ("3", "7")}, options=CONFLICTS)
    play(state, 0, "raid_city")
    assert kinds(state, 1) == ("push",)
    assert refused(state, 1, "pass").code == "must_push"
    # Ruling 53: as a forced move; and where no way is open, the ship stays.
    state = meeting(routes=("3", "4"), raids={REVAL: (0,)})
    run(state, *LOST)
    assert words(state, 1, "push") == ("right",)
    state = meeting(routes=("3", "3"), raids={REVAL: (0,)})
    events = run(state, *LOST)
    assert told(events, PushImpossible) == [PushImpossible(other=0, city=STRALSUND)]
    assert asked(state) == [(1, "move")]


def test_before_a_conflict_players_may_still_deal_but_the_bids_end_their_offers() -> None:
    """Ruling 48."""
    state = meeting()
    run(state, "1 offer 0 f o", "0 accept 1")
    assert asked(state) == [(0, "challenge")]
    play(state, 0, "challenge 1")
    assert refused(state, 1, "offer 0 a o").code == "deals_closed"
    # Otherwise its receiver would learn which marker was bid (ruling 61).
    state = meeting(("oo84", "fa55", "s1"))
    run(state, "0 offer 2 8 s", "1 offer 2 f s", "2 offer 1 s f", "0 challenge 1", "0 bid 4")
    events = play(state, 1, "bid 5")
    assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=2), OfferLapsed(seat=1, other=2)]
    assert [offer.seat for offer in state.offers] == [2]


def test_a_bid_for_the_order_of_play_is_not_refused_by_the_rules_of_conflicts() -> None:
    state = table(ships=(STRALSUND, RIGA), hands=("oo84", "fa55"))
    refusal = refused(state, 1, "bid 5")
    assert (refusal.code, refusal.topic) == ("not_your_turn", "auction")
    assert GAME.moves["bid"].topic == "auction"
    assert GAME.moves["reroute"].topic == "reroute"
    state = meeting(("oo84", "fa55", "s1"))
    play(state, 0, "challenge 1")
    assert refused(state, 2, "bid 1").topic == "conflicts"
