"""Ruling 61: no offer stands or falls by what a hand secretly holds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from bot.game.chance import ChanceMismatch, RandomChance, RecordedChance
from bot.game.contract import SPECTATOR, Event, IllegalAction, parse_action
from bot.game.kogge import auction, conflicts, deals, guild_master, partners, raid, routes
from bot.game.kogge.game import GAME
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.state import Demand, Exchange, KoggeState, Offer
from tests.game.kogge.noninterference import revealed
from tests.game.kogge.places import REVAL
from tests.game.kogge.positions import play, run, table, told
from tests.game.random_games import Step

MODES = ("markers", "open", "hidden")

TOGETHER = (REVAL, REVAL, REVAL)


class Case(NamedTuple):
    """Something that changes hands, as `seat` does what `line` says.

    `secret` are the ways to play in which it happens unseen, `whose` then the seats that lose all
    their offers. Of `offers`, by their numbers, `unmet` can no longer be met after it.
    """

    make: Callable[[str], KoggeState]
    seat: int
    line: str
    secret: frozenset[str]
    whose: frozenset[int]
    offers: tuple[Offer, ...]
    unmet: frozenset[int]


def at_reval(mode: str, *hands: str, **more: Any) -> KoggeState:
    """Three ships in Reval."""
    options = {"goods": mode, **more.pop("options", {})}
    return table(seats=3, ships=(REVAL,) * 3, hands=hands, options=options, **more)


def _route(mode: str) -> KoggeState:
    return at_reval(mode, "oo57", "f6", "s8")


def _memory(mode: str) -> KoggeState:
    routes = {city: (f"{(city + 1) % 9}?", f"{(city + 2) % 9}?") for city in range(9)}
    memory = {"memory": "on"}
    return at_reval(mode, "oo57", "f6", "s8", options=memory, asked=Exchange(), routes=routes)


def _office(mode: str) -> KoggeState:
    offices = {REVAL: [(1, "aa")]}
    return at_reval(mode, "oo57", "f6", "s8", offices=offices, options={"offices": "on"})


def _raid(mode: str) -> KoggeState:
    state = at_reval(mode, "o7", "aaff6", "s8")
    run(state, "0 raid_ship 1", "1 split fa")
    return state


def _raid_on_nothing(mode: str) -> KoggeState:
    state = at_reval(mode, "o7", "6", "s8")
    run(state, "0 raid_ship 1", "1 split -")
    return state


def _tax(mode: str) -> KoggeState:
    taxes = {"taxes": "on"}
    state = at_reval(mode, "of5", "oa6", "s8", asked="advance", guild=REVAL - 1, options=taxes)
    run(state, "0 advance 1", "0 tax o")
    if mode == "hidden":
        play(state, 2, "tax s")
    return state


def _bids(mode: str) -> KoggeState:
    state = at_reval(mode, "o57", "f6", "s8", options={"conflicts": "on"})
    run(state, "0 end", "0 challenge 1", "0 bid 5")
    return state


def _demand(mode: str) -> KoggeState:
    state = at_reval(mode, "o7", "f6", "s8", options={"conflicts": "on"})
    state.frames.append(Demand(0, 1))
    return state


def _extra(mode: str) -> KoggeState:
    return at_reval(mode, "o7", "f6", "s8", chits={1: ("marker",)}, at=2)


def _offers(*given: tuple[int, int, str]) -> tuple[Offer, ...]:
    return tuple(Offer(n, seat, to, give, "") for n, (seat, to, give) in enumerate(given, 1))


COVERED = frozenset({"markers", "hidden"})
HIDDEN = frozenset({"hidden"})
ALL = frozenset(MODES)

CASES = {
    "a route laid face down": Case(
        *(_route, 0, "reroute left 5", COVERED, frozenset({0})),
        *(_offers((0, 1, "5"), (0, 1, "7"), (0, 2, "o"), (1, 0, "6")), frozenset({1})),
    ),
    "Memory's exchange": Case(
        *(_memory, 0, "reroute left 5", COVERED, frozenset({0})),
        *(_offers((0, 1, "5"), (0, 1, "7"), (0, 2, "o"), (1, 0, "6")), frozenset({1})),
    ),
    "a deal of markers": Case(
        *(_route, 1, "accept 9", COVERED, frozenset({0, 1})),
        *(_offers((0, 2, "5"), (0, 2, "7"), (1, 2, "6"), (2, 1, "8")), frozenset({1})),
    ),
    "a deal of goods": Case(
        *(_route, 1, "accept 8", HIDDEN, frozenset({0, 1})),
        *(_offers((0, 2, "oo"), (0, 2, "7"), (1, 2, "6"), (2, 1, "8")), frozenset({1})),
    ),
    "a deal of markers with an office": Case(
        *(_office, 1, "accept 7", COVERED, frozenset({0, 1})),
        *(_offers((0, 2, "5"), (0, 2, "7"), (1, 2, "f"), (2, 1, "8")), frozenset({1})),
    ),
    "a deal of goods with an office": Case(
        *(_office, 1, "accept 6", HIDDEN, frozenset({0, 1})),
        *(_offers((0, 2, "oo"), (0, 2, "7"), (1, 2, "f"), (2, 1, "8")), frozenset({1})),
    ),
    "loot": Case(
        *(_raid, 0, "choose first", HIDDEN, frozenset({0, 1})),
        *(_offers((1, 2, "aa"), (1, 2, "6"), (0, 2, "7"), (2, 1, "8")), frozenset({1})),
    ),
    "loot from an empty ship": Case(
        *(_raid_on_nothing, 0, "choose second", HIDDEN, frozenset({0, 1})),
        *(_offers((1, 2, "6"), (0, 2, "7"), (2, 1, "8")), frozenset()),
    ),
    "a tax": Case(
        *(_tax, 1, "tax o", HIDDEN, frozenset({0, 1, 2})),
        *(_offers((1, 2, "o"), (1, 2, "6"), (0, 2, "f"), (2, 1, "8")), frozenset({1})),
    ),
    "bids in a conflict": Case(
        *(_bids, 1, "bid 6", ALL, frozenset({0, 1})),
        *(_offers((0, 2, "5"), (0, 2, "o"), (1, 2, "f"), (2, 1, "8")), frozenset()),
    ),
    "a demand": Case(
        *(_demand, 0, "demand f", ALL, frozenset({0, 1})),
        *(_offers((1, 2, "f"), (0, 2, "o"), (2, 1, "8")), frozenset()),
    ),
    "a demand that brings nothing": Case(
        *(_demand, 0, "demand -", ALL, frozenset({0, 1})),
        *(_offers((1, 2, "f"), (0, 2, "o"), (2, 1, "8")), frozenset()),
    ),
    "an extra marker": Case(
        *(_extra, 2, "end", COVERED, frozenset({1})),
        *(_offers((1, 2, "6"), (1, 0, "f"), (2, 1, "8")), frozenset()),
    ),
}
FOR_THE_DEALS = (
    Offer(6, 0, 1, "o", "a", office=1, city=REVAL),
    Offer(7, 0, 1, "5", "a", office=1, city=REVAL),
    Offer(8, 0, 1, "o", "f"),
    Offer(9, 0, 1, "5", "f"),
)
"""Those that the cases accept, by their numbers."""
EACH = [
    (name, mode)
    for name, case in CASES.items()
    for mode in MODES
    # With open goods there is nothing to choose from an empty ship.
    if mode == "hidden" or case.make is not _raid_on_nothing
]


def position(name: str, mode: str) -> KoggeState:
    """The table of a case, just before it happens, with its offers."""
    case = CASES[name]
    state = case.make(mode)
    accepted = [offer for offer in FOR_THE_DEALS if case.line == f"accept {offer.id}"]
    state.offers = [*case.offers, *accepted]
    assert GAME.invariants(state) == []
    return state


def test_what_happens_in_secret_takes_all_offers_of_that_seat_away_met_or_not() -> None:
    """What happens in the open takes only those away that can no longer be met."""
    for name, mode in EACH:
        case, state = CASES[name], position(name, mode)
        play(state, case.seat, case.line)
        if mode in case.secret:
            left = [offer.id for offer in case.offers if offer.seat not in case.whose]
        else:
            left = [offer.id for offer in case.offers if offer.id not in case.unmet]
        assert [offer.id for offer in state.offers] == left, (name, mode)


def test_an_open_payment_ends_what_might_have_been_promised() -> None:
    """Where numbers are secret, offers of markers fall by any marker that is spent; where the goods
    themselves are secret, all of them."""
    for mode, spent, give in product(MODES, ("5", "7", "75"), "57o"):
        state = at_reval(mode, "o57", "f6", "s8", asked="bid")
        state.offers = [Offer(1, 0, 1, give, "")]
        play(state, 0, f"bid {spent}")
        falls = {"hidden": True, "markers": give != "o", "open": give in spent}[mode]
        assert bool(state.offers) is not falls, (mode, spent, give)
    for mode in MODES:
        state = at_reval(mode, "oo57", "f6", "s8", display=("33",))
        state.offers = [Offer(1, 0, 1, "oo", ""), Offer(2, 0, 1, "o", ""), Offer(3, 0, 1, "5", "")]
        play(state, 0, "buy 1 ore")
        assert [offer.id for offer in state.offers] == {"hidden": []}.get(mode, [2, 3]), mode


def test_what_is_gained_in_the_open_ends_no_offer_but_those_of_the_office_it_came_from() -> None:
    for mode in MODES:
        offices, options = {REVAL: [(0, "aaf")]}, {"offices": "on"}
        state = at_reval(mode, "o57", "f6", "s8", asked="move", offices=offices, options=options)
        state.offers = [
            Offer(1, 0, 1, "aa", "", office=0, city=REVAL),
            Offer(2, 0, 1, "f", "", office=0, city=REVAL),
            Offer(3, 0, 1, "o", ""),
            Offer(4, 0, 1, "5", ""),
        ]
        play(state, 0, "load a")
        assert [offer.id for offer in state.offers] == {"hidden": [3, 4]}.get(mode, [2, 3, 4]), mode


def test_offers_of_ships_that_part_fall_in_every_way_to_play() -> None:
    for mode in MODES:
        state = at_reval(mode, "o57", "f6", "s8", asked="move", routes={REVAL: ("7", "4")})
        state.offers = [Offer(1, 0, 1, "o", ""), Offer(2, 1, 2, "f", "")]
        events = play(state, 0, "sail left -")
        assert told(events, OfferLapsed) == [OfferLapsed(seat=0, other=1)]
        assert [offer.id for offer in state.offers] == [2], mode


def differing(name: str, mode: str) -> list[tuple[int, list[Event]]]:
    """What observers hear otherwise in a twin than in the real position, where that is possible."""
    case, found = CASES[name], []
    step = Step(position(name, mode), case.seat, parse_action(case.line), Random(0))
    data = GAME.encode(step.state)
    for observer in (SPECTATOR, 0, 1, 2):
        after = GAME.decode(data)
        chance = RandomChance(Random(1))
        heard = _heard(GAME.apply(after, step.seat, step.action, chance), observer)
        for seed in range(40):
            before = GAME.resample(step.state, observer, Random(seed))
            twin = GAME.decode(GAME.encode(before))
            recorded = RecordedChance(chance.drawn)
            try:
                events = GAME.apply(twin, step.seat, step.action, recorded)
                recorded.finish()
            except (IllegalAction, ChanceMismatch):
                continue
            told = revealed(step._replace(state=before), twin, observer)
            if told == revealed(step, after, observer) and _heard(events, observer) != heard:
                found.append((observer, _heard(events, observer)))
    return found


def _heard(events: list[Event], observer: int) -> list[Event]:
    return [event for event in events if event.heard_by(observer)]


def test_nobody_can_tell_by_the_offers_that_fall_what_was_spent() -> None:
    found = {each: differing(*each) for each in EACH}
    assert {each: heard for each, heard in found.items() if heard} == {}


def test_offers_that_fall_only_when_they_cannot_be_met_are_a_leak_that_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As it was before ruling 61."""

    def spare(state: KoggeState, seats: object, telling: object) -> None:
        """Nobody loses an offer for a secret."""

    for module in (auction, conflicts, deals, guild_master, raid, routes):
        monkeypatch.setattr(module, "drop_offers_of", spare)
    spent = partners._spent
    unmet = lambda state, offer, before: spent(state, offer, {})  # noqa: E731
    monkeypatch.setattr(partners, "_spent", unmet)
    for name, mode in (
        ("a route laid face down", "markers"),
        ("a route laid face down", "hidden"),
        ("Memory's exchange", "markers"),
        ("a deal of markers", "markers"),
        ("a deal of goods", "hidden"),
        ("a deal of goods with an office", "hidden"),
        ("loot", "hidden"),
        ("a demand", "hidden"),
        ("bids in a conflict", "hidden"),
    ):
        assert differing(name, mode) != [], (name, mode)
