"""No output for an observer depends on anything hidden from them, in random games of all titles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from bot.game.burgundy.state import BurgundyOver, Castles
from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Event, Observer
from bot.game.flandern.game import Flandern
from bot.game.flandern.state import CardChoice, FlandernOver, FlandernState, FlandernView
from bot.game.game import AnyGame
from bot.game.guatemala.state import Blocking
from bot.game.kogge.common import current_city
from bot.game.kogge.data import GOOD_LETTERS
from bot.game.kogge.rounds import rank
from bot.game.kogge.routes import SLOT
from bot.game.kogge.setup import choosers
from bot.game.kogge.state import (
    NO_SEAT,
    NOWHERE,
    Auction,
    Conflict,
    Demand,
    Exchange,
    Founding,
    KoggeState,
    Push,
    Split,
    Taxing,
)
from tests.game.random_games import Step, named
from tests.game.sampled import SAMPLED
from tests.leaks.game import Kind, domain, explore, rules_outputs, try_apply, visible_to

Revealed = Callable[[Step, Any, Observer], object]
"""Returns everything hidden that a step reveals to the observer by the rules.

It is called with the state after the step. It uses only states, because the events are tested."""


def of_kogge(step: Step, after: KoggeState, observer: Observer) -> object:
    frame = step.state.frames[-1]
    return [
        *_routes_shown(step, observer),
        *_auction_shown(step, after),
        *_choices_shown(step, observer),
        *_cargo_shown(step, observer),
        *([_routes_of(after, observer)] if isinstance(frame, (Founding, Exchange)) else ()),
    ]


def _routes_shown(step: Step, observer: Observer) -> Iterator[object]:
    """A marker that is revealed, and one that goes to a hand that the observer sees."""
    state, (kind, *words) = step.state, step.action
    frame = state.frames[-1]
    if kind in ("sail", "push") and words[0] in SLOT:
        ship = frame.pushed if isinstance(frame, Push) else step.seat
        yield current_city(state, ship).routes[SLOT[words[0]]].marker
    if kind == "reroute" and (observer == step.seat or state.rules.open):
        yield current_city(state, step.seat).routes[SLOT[words[0]]].marker
    if kind == "peek" and observer == step.seat:
        yield _routes_of(state, observer)


def _routes_of(state: KoggeState, observer: Observer) -> object:
    """With Memory, the routes of its city that a seat sees before its exchange."""
    frame = state.frames[-1]
    if observer == SPECTATOR or (isinstance(frame, Exchange) and state.order[frame.at] != observer):
        return None
    return [route.marker for route in current_city(state, observer).routes]


def _auction_shown(step: Step, after: KoggeState) -> Iterator[object]:
    """A seat that cannot bid is skipped, which everyone sees."""
    frame = after.frames[-1]
    if isinstance(frame, Auction) or isinstance(step.state.frames[-1], Auction):
        yield frame.at if isinstance(frame, Auction) else None


def _choices_shown(step: Step, observer: Observer) -> Iterator[object]:
    """The last choice reveals all: cities, the winner of a conflict (and to its sides the bids),
    and taxes, by seat or, with hidden goods, in total."""
    state, frame = step.state, step.state.frames[-1]
    if step.action[0] not in ("found", "bid", "tax"):
        return
    if isinstance(frame, Founding):
        others = [frame.chosen[seat] for seat in choosers(state) if seat != step.seat]
        if NOWHERE not in others:
            yield others
    elif isinstance(frame, Taxing):
        taxes = [frame.chosen[seat] for seat in frame.asked if seat != step.seat]
        if None not in taxes:
            yield sorted(map(str, taxes)) if state.rules.hidden else taxes
    elif isinstance(frame, Conflict):
        theirs = frame.bids[1 - frame.sides.index(step.seat)]
        if theirs is not None:
            mine = step.action[1]
            yield mine == theirs, rank(mine) > rank(theirs)
            yield theirs if observer in frame.sides else None


def _cargo_shown(step: Step, observer: Observer) -> Iterator[object]:
    """The demanded goods that the loser has, the groups for a raider, and goods into or out of an
    office."""
    state, frame, (kind, *words) = step.state, step.state.frames[-1], step.action
    if isinstance(frame, Demand) and kind == "demand" and observer == frame.winner:
        have = state.players[frame.loser].goods
        yield [min(n, words[0].count(c)) for n, c in zip(have, GOOD_LETTERS, strict=True)]
    if isinstance(frame, Split) and kind == "split" and observer == frame.raider:
        yield state.players[frame.victim].goods
    if kind == "accept":
        offer = next(offer for offer in state.offers if str(offer.id) == words[0])
        if offer.office != NO_SEAT:
            yield [[w.count(c) for c in GOOD_LETTERS] for w in (offer.give, offer.take)]


def of_burgundy(step: Step, after: Any, observer: Observer) -> object:
    """The last castle reveals all of them, and the end reveals the goods sold."""
    frame = step.state.frames[-1]
    if isinstance(after.frames[-1], BurgundyOver):
        return [player.sold for player in after.players]
    return frame.chosen if isinstance(frame, Castles) and after.round else None


def of_guatemala(step: Step, after: Any, observer: Observer) -> object:
    """The seat that blocks, once it is decided, and the last sack of a hand, which is played
    automatically."""
    before, frame = step.state, step.state.frames[-1]
    if not isinstance(frame, Blocking) or isinstance(after.frames[-1], Blocking):
        return None
    gave = [
        seat
        for seat, (now, was) in enumerate(zip(after.players, before.players, strict=True))
        if sum(now.hand) < sum(was.hand)
    ]
    last = gave == [before.turn] and sum(before.players[before.turn].hand) == 1
    blocker = [seat for seat in gave if seat != before.turn]
    return blocker, last and after.production[frame.space]


def of_flandern(step: Step, after: FlandernState, observer: Observer) -> object:
    """The cards once all have chosen, and the golden card once it is revealed."""
    before: FlandernState = step.state
    chosen = isinstance(before.frames[-1], CardChoice) and not isinstance(
        after.frames[-1], CardChoice
    )
    # A round may pass without a question; then the cards of all are revealed too.
    passed = after.round != before.round or not after.frames
    golden = (
        passed or after.revealed != before.revealed or isinstance(after.frames[-1], FlandernOver)
    )
    cards = [
        (sorted(player.open), player.influence, sorted(player.hand)) for player in after.players
    ]
    return (cards if chosen or passed else None, golden and (before.golden_card, after.golden_out))


REVEALED: dict[str, Revealed] = {
    "kogge": of_kogge,
    "burgundy": of_burgundy,
    "guatemala": of_guatemala,
    "flandern": of_flandern,
}


def leaks(name: str, seats: int, options: Mapping[str, str], game: AnyGame) -> Iterator[str]:
    """Yield all differences in a game, for each observer and one twin of each sampled state."""
    for number, step in SAMPLED[name].sampled_steps(seats, options, seats, sealed=True):
        for observer in (SPECTATOR, *range(seats)):
            twin = game.resample(step.state, observer, Random(number))
            assert game.invariants(twin) == []
            for kind in differences(game, step, twin, observer, REVEALED[name]):
                yield f"step {number}, observer {observer}: {kind}"


def differences(
    game: AnyGame, step: Step, twin: Any, observer: Observer, revealed: Revealed
) -> Iterator[str]:
    """Yield all outputs by which the observer can tell the state from its twin, now and after the
    step.

    If the step reveals different things in the two, the outputs after it are not compared.
    """
    state = game.decode(game.encode(step.state))
    yield from differing(game, observer, (state, []), (twin, []), explores=True)
    before, chance = game.decode(game.encode(twin)), RandomChance(Random(1))
    events = game.apply(state, step.seat, step.action, chance)
    others = try_apply(game, twin, step.seat, step.action, chance.drawn)
    if others is None or game.outcome(state) is not None:
        return
    if revealed(step, state, observer) != revealed(step._replace(state=before), twin, observer):
        return
    yield from differing(game, observer, (state, events), (twin, others))


def differing(
    game: AnyGame,
    observer: Observer,
    *moments: tuple[Any, Sequence[Event]],
    explores: bool = False,
) -> list[str]:
    """Return the kinds of output that differ between two moments."""
    one, other = (
        rules_outputs(game, state, observer, visible_to(events, observer))
        for state, events in moments
    )
    if explores and observer != SPECTATOR:
        for given, (state, _) in zip((one, other), moments, strict=True):
            offered = explore(game, state, observer, Random(1))
            given[Kind.CHOICES] = "\n".join(f"{each} {domain(kinds)}" for each, kinds in offered)
    return [kind for kind in one if one[kind] != other[kind]]


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [(name, *each) for name, sampled in SAMPLED.items() for each in sampled.few_tables()],
    ids=lambda value: named(value) if isinstance(value, Mapping) else str(value),
)
def test_no_output_depends_on_hidden_parts(
    name: str, seats: int, options: Mapping[str, str]
) -> None:
    assert list(leaks(name, seats, options, SAMPLED[name].game)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLED)
def test_no_output_depends_on_hidden_parts_at_all_other_tables(name: str) -> None:
    done = SAMPLED[name].few_tables()
    for seats, options in SAMPLED[name].tables():
        if (seats, options) not in done:
            assert list(leaks(name, seats, options, SAMPLED[name].game)) == [], (seats, options)


FLANDERN = Flandern()


class LeakyGolden(Flandern):
    """Shows the golden card to all."""

    def view(self, state: FlandernState, observer: Observer) -> FlandernView:
        view = super().view(state, observer)
        view.known.golden_card = state.golden_card
        return view

    def resample(self, state: FlandernState, observer: Observer, rng: Random) -> FlandernState:
        return FLANDERN.resample(state, observer, rng)


def test_a_deliberate_leak_is_found() -> None:
    assert next(leaks("flandern", 4, {}, LeakyGolden()), None) is not None
