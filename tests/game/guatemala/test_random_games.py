"""What holds in random games: pieces, sacks, roads and money are counted after every action, and
what may be bought and what is scored is what the rules say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Event
from bot.game.events import TurnEnded
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import PieceBought
from bot.game.guatemala.moving import BuyerMoved
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.sacks import NotBlocked, SackTaken
from bot.game.guatemala.scoring import Harvested, ShipLeft
from bot.game.guatemala.state import GuatemalaState
from bot.game.guatemala.view import GuatemalaView
from tests.game.guatemala.positions import LINES
from tests.game.guatemala.random_games import OPTION_SETS, next_action, steps
from tests.game.guatemala.rulebook import Rulebook, line_faced, name
from tests.game.random_games import named

COLOURS = ("black", "brown", "red", "beige", "white")
RULEBOOKS = {seats: Rulebook(seats) for seats in GAME.seats}


class Box:
    """All pieces by what the events told, written here apart from the engine's own checks."""

    def __init__(self, state: GuatemalaState) -> None:
        self._state = state
        self.money = [15] * len(state.players)
        self.points = [0] * len(state.players)
        self.ships_gone = Counter[str]()
        self.sacks_taken = 0

    def hear(self, event: Event) -> None:
        """Add what an event tells of."""
        if isinstance(event, BuyerMoved):
            self.money[event.seat] -= event.paid
        elif isinstance(event, PieceBought):
            self.money[event.seat] -= event.price
        elif isinstance(event, SackTaken):
            self.money[event.seat] += event.money
            self.sacks_taken += 1
        elif isinstance(event, Harvested):
            self.points[event.seat] += event.points
        elif isinstance(event, ShipLeft):
            self.ships_gone[event.colour] += 1

    def is_whole(self) -> None:
        """Every piece lies somewhere, and every centavo and point was told of."""
        state, view = self._state, GAME.view(self._state, SPECTATOR)
        lying = Counter((each.kind, each.colour) for each in view.production if each is not None)
        plantations = [plantation for seat in view.seats for plantation in seat.plantations]
        for number, colour in enumerate(COLOURS):
            own = [plantation for plantation in plantations if plantation.colour == colour]
            workers = sum(len(plantation.workers) for plantation in own)
            huts = sum(plantation.hut is not None for plantation in own)
            ships = sum(port.ships.count(colour) for port in view.ports)
            hidden = state.bag[number] + sum(player.hand[number] for player in state.players)
            assert lying["worker", colour] + workers == 9
            assert lying["hut", colour] + huts == 3
            assert lying["ship", colour] + ships + self.ships_gone[colour] == 3
            assert lying["sack", colour] + view.track.count(colour) + hidden == 7
        assert lying["road", ""] + view.stock + len(view.roads) == 50
        assert len(set(view.roads)) == len(view.roads)
        assert len(view.track) == self.sacks_taken
        assert [seat.money for seat in view.seats] == self.money
        assert min(self.money) >= 0
        assert [seat.score for seat in view.seats] == self.points


@settings(max_examples=20)
@given(st.sampled_from(GAME.seats), st.sampled_from(OPTION_SETS), st.integers())
def test_pieces_sacks_roads_and_money_are_right_after_every_action_and_every_game_ends(
    seats: int, options: Mapping[str, str], seed: int
) -> None:
    rng = Random(seed)
    state = GAME.setup(seats, options, RandomChance(rng))
    box = Box(state)
    while GAME.outcome(state) is None:
        seat, action = next_action(state, rng)
        for event in GAME.apply(state, seat, action, RandomChance(rng)):
            box.hear(event)
        box.is_whole()
        assert GAME.invariants(state) == []
    result = GAME.outcome(state)
    assert result is not None
    assert list(result.scores) == box.points
    ranks = list(zip(box.points, box.money, strict=True))
    assert [ranks[seat] for seat in result.winners] == [max(ranks)] * ranks.count(max(ranks))


@pytest.mark.parametrize("options", OPTION_SETS, ids=named)
@pytest.mark.parametrize("seats", GAME.seats)
def test_what_may_be_bought_taken_and_laid_is_what_the_rules_allow(
    seats: int, options: Mapping[str, str]
) -> None:
    """Sections 4 to 6, at every fifth state of some games."""
    looked_at = 0
    for seed in range(3):
        for step in islice(steps(seats, options, seed), 0, None, 5):
            view = GAME.view(step.state, SPECTATOR)
            if view.asked == "act":
                compare_purchases(step.state, view)
                looked_at += 1
    assert looked_at > 20


def compare_purchases(state: GuatemalaState, view: GuatemalaView) -> None:
    """The engine's offers against those of the rulebook."""
    seat, line = view.turn, line_faced(view)
    expected = RULEBOOKS[len(view.seats)].buys(view, line)
    kinds = LINES.words(state, seat)
    offered = set()
    if "buy" in kinds:
        for space in LINES.words(state, seat, "buy"):
            places = LINES.words(state, seat, f"buy {space}")
            assert len(set(places)) == len(places) > 0
            offered |= {(space, place) for place in places}
    assert offered == expected
    here = [view.production[9 * (int(space[0]) - 1) + int(space[1]) - 1] for space in line]
    sack = any(piece is not None and piece.kind == "sack" for piece in here)
    assert ("take" in kinds) == (sack and not view.emptied and not view.blocked)
    assert "end" in kinds


@pytest.mark.parametrize("options", OPTION_SETS[:2], ids=named)
@pytest.mark.parametrize("seats", GAME.seats)
def test_every_harvest_brings_what_the_rules_say(seats: int, options: Mapping[str, str]) -> None:
    """Section 6.4, and the ships of section 6.5; views tell beforehand what each would bring."""
    multiplied = False
    for seed in range(4):
        for step in steps(seats, options, seed):
            if step.action[0] != "block":
                continue
            view = GAME.view(step.state, SPECTATOR)
            copy = GAME.decode(GAME.encode(step.state))
            events = GAME.apply(copy, step.seat, step.action, RandomChance(step.rng))
            if not LINES.told(events, NotBlocked):
                assert not LINES.told(events, Harvested)
                continue
            assert view.taken is not None
            points, helping = RULEBOOKS[seats].harvest(view, view.taken.colour)
            told = LINES.told(events, Harvested)
            assert {event.seat: event.points for event in told} == points
            assert {event.port for event in LINES.told(events, ShipLeft)} == helping
            assert foretold(view, view.taken.colour) == points
            after = GAME.view(copy, SPECTATOR)
            for before, port in zip(view.ports, after.ports, strict=True):
                ships = list(before.ships)
                if port.port in helping:
                    ships.remove(view.taken.colour)
                assert list(port.ships) == ships
            multiplied = multiplied or bool(helping)
    assert multiplied


@settings(max_examples=60)
@given(st.sampled_from(GAME.seats), st.integers(0, 50), st.randoms(use_true_random=False))
def test_any_roads_connect_what_one_can_walk_to(seats: int, count: int, rng: Random) -> None:
    """Ruling 20, on networks that no game would have, laid in any order."""
    rules, board = RULEBOOKS[seats], board_for(seats)
    near = [road for road in rules.roads if int(road.partition("-")[0][1:]) < 6]
    roads = rng.sample(near, min(count, len(near)))
    networks = board.networks(board.road_of_name[road] for road in roads)
    for x, y in rules.huts:
        hut = name(x, y)
        ports = board.joined_ports(networks, board.cell_of_name[hut])
        expected = [port for port in rules.ports if rules.joins(roads, port, hut)]
        assert [board.ports[port].name for port in ports] == expected


def foretold(view: GuatemalaView, colour: str) -> dict[int, int]:
    """What the view says that each seat would score now."""
    return {
        seat: plantation.points
        for seat, each in enumerate(view.seats)
        for plantation in each.plantations
        if plantation.colour == colour and plantation.points
    }


@pytest.mark.parametrize("seats", GAME.seats)
def test_turns_go_clockwise_in_steps_of_one_to_four(seats: int) -> None:
    """Section 2.5 and 4.1; never is more than one sack taken or three pieces bought in a turn."""
    for seed in range(4):
        rng = Random(seed)
        state = GAME.setup(seats, {}, RandomChance(rng))
        turn: list[Event] = []
        expected = state.first
        while GAME.outcome(state) is None:
            seat, action = next_action(state, rng)
            turn += GAME.apply(state, seat, action, RandomChance(rng))
            if isinstance(turn[-1], TurnEnded):
                assert turn[-1].seat == expected
                check_turn(turn, expected)
                expected = (expected + 1) % seats
                assert state.turn == expected
                turn = []


def check_turn(events: Sequence[Event], seat: int) -> None:
    """What the events of a turn may be at most."""
    moved = LINES.told(events, BuyerMoved)
    bought = LINES.told(events, PieceBought)
    taken = LINES.told(events, SackTaken)
    assert len(moved) <= 1
    assert [(1 <= each.steps <= 4, each.paid) for each in moved] == [
        (True, 2 if each.steps == 4 else 0) for each in moved
    ]
    assert len(bought) <= 3
    assert len(taken) <= 1
    assert {each.seat for each in (*moved, *bought, *taken)} <= {seat}
    if taken and bought:
        assert LINES.facts(events, "blocked")
    huts = [each.colour for each in bought if each.piece == "hut"]
    assert len(set(huts)) == len(huts)


def test_every_kind_of_action_event_and_ending_happens_in_random_games() -> None:
    actions, events, endings = set[str](), set[str](), set[str]()
    for seed, options in enumerate(OPTION_SETS * 5):
        rng = Random(seed)
        state = GAME.setup(2 + seed % 3, options, RandomChance(rng))
        while GAME.outcome(state) is None:
            seat, action = next_action(state, rng)
            actions.add(action[0])
            events.update(e.kind for e in GAME.apply(state, seat, action, RandomChance(rng)))
        result = GAME.outcome(state)
        assert result is not None
        endings.add(result.ending)
    assert actions == set(GAME.moves)
    assert events == set(GAME.events)
    assert endings == {"met", "no_sacks", "no_steps", "idle"}
