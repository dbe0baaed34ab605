"""What holds in random games: pieces, sacks, roads and money are counted, and what may be bought
and what is scored is what the rules say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count, islice
from random import Random

import pytest

from bot.game.chance import RandomChance
from bot.game.contract import SPECTATOR, Event
from bot.game.guatemala import GAME
from bot.game.guatemala.buying import PieceBought
from bot.game.guatemala.data import EMPTY
from bot.game.guatemala.moving import BuyerMoved
from bot.game.guatemala.placing import cover
from bot.game.guatemala.plantation import board_for
from bot.game.guatemala.production import SPACE_OF_NAME
from bot.game.guatemala.sacks import NotBlocked, SackTaken
from bot.game.guatemala.scoring import Harvested, ShipLeft
from bot.game.guatemala.state import Buying, GuatemalaState
from bot.game.guatemala.view import GuatemalaView
from tests.game.guatemala.positions import FULL, LINES, read_piece, table
from tests.game.guatemala.random_games import OPTION_SETS, next_action, steps
from tests.game.guatemala.rulebook import Rulebook, line_faced, name

RULEBOOKS = {seats: Rulebook(seats) for seats in GAME.seats}


class Box:
    """All pieces by what the events told, written here apart from the engine's own checks."""

    def __init__(self, state: GuatemalaState) -> None:
        self._state = state
        self.money = [15] * len(state.players)
        self.points = [0] * len(state.players)
        self.ships_gone = 0
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
            self.ships_gone += 1

    def is_whole(self) -> None:
        """Every piece lies somewhere, and every centavo and point was told of."""
        state, view = self._state, GAME.view(self._state, SPECTATOR)
        lying = Counter(each.kind for each in view.production if each is not None)
        plantations = [plantation for seat in view.seats for plantation in seat.plantations]
        hidden = sum(state.bag) + sum(sum(player.hand) for player in state.players)
        ships = sum(len(port.ships) for port in view.ports)
        assert lying["worker"] + sum(len(each.workers) for each in plantations) == 45
        assert lying["hut"] + sum(each.hut is not None for each in plantations) == 15
        assert lying["ship"] + ships + self.ships_gone == 15
        assert lying["sack"] + len(view.track) + hidden == 35
        assert lying["road"] + view.stock + len(view.roads) == 50
        assert len(view.track) == self.sacks_taken
        assert [seat.money for seat in view.seats] == self.money
        assert min(self.money) >= 0
        assert [seat.score for seat in view.seats] == self.points


def test_pieces_money_and_harvests_are_right_and_every_game_ends() -> None:
    """Every kind of action, event and ending happens. Pieces are counted at every fourth action."""
    actions, events, endings = set[str](), set[str](), set[str]()
    for seed, options in enumerate(OPTION_SETS * 3):
        seats, rng = 2 + seed % 3, Random(seed)
        state = GAME.setup(seats, options, RandomChance(rng))
        box = Box(state)
        for number in count():
            if GAME.outcome(state) is not None:
                break
            seat, action = next_action(state, rng)
            before = GAME.view(state, SPECTATOR) if action[0] == "block" else None
            told = GAME.apply(state, seat, action, RandomChance(rng))
            actions.add(action[0])
            events.update(event.kind for event in told)
            for event in told:
                box.hear(event)
            if number % 4 == 0:
                box.is_whole()
                assert GAME.invariants(state) == []
            if before is not None:
                check_harvest(before, told, GAME.view(state, SPECTATOR))
        result = GAME.outcome(state)
        assert result is not None
        endings.add(result.ending)
        box.is_whole()
        assert list(result.scores) == box.points
        ranks = list(zip(box.points, box.money, strict=True))
        assert [ranks[seat] for seat in result.winners] == [max(ranks)] * ranks.count(max(ranks))
    assert actions == set(GAME.moves)
    assert events == set(GAME.events)
    assert endings == {"met", "no_sacks", "no_steps", "idle"}


def check_harvest(before: GuatemalaView, events: Sequence[Event], after: GuatemalaView) -> None:
    """Sections 6.4 and 6.5; the view tells beforehand what each would score."""
    told = LINES.told(events, Harvested)
    if not LINES.told(events, NotBlocked):
        assert not told
        return
    assert before.taken is not None
    colour = before.taken.colour
    points, helping = RULEBOOKS[len(before.seats)].harvest(before, colour)
    assert {event.seat: event.points for event in told} == points
    assert {event.port for event in LINES.told(events, ShipLeft)} == helping
    assert points == {
        seat: plantation.points
        for seat, each in enumerate(before.seats)
        for plantation in each.plantations
        if plantation.colour == colour and plantation.points
    }
    for was, port in zip(before.ports, after.ports, strict=True):
        ships = list(was.ships)
        if port.port in helping:
            ships.remove(colour)
        assert list(port.ships) == ships


@pytest.mark.parametrize("seats", GAME.seats)
def test_what_may_be_bought_taken_and_laid_is_what_the_rules_allow(seats: int) -> None:
    """Sections 4 to 6, at every fifth state of some games."""
    looked_at = 0
    for seed, options in enumerate(OPTION_SETS):
        for step in islice(steps(seats, options, seed), 0, None, 5):
            view = GAME.view(step.state, SPECTATOR)
            if view.asked == "act":
                compare_purchases(step.state, view)
                looked_at += 1
    assert looked_at > 80


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


def test_any_roads_connect_what_one_can_walk_to() -> None:
    """Ruling 20, on networks that no game would have, laid in any order."""
    for seed in range(45):
        seats, rng = 2 + seed % 3, Random(seed)
        rules, board = RULEBOOKS[seats], board_for(seats)
        near = [road for road in rules.roads if int(road.partition("-")[0][1:]) < 6]
        roads = rng.sample(near, min(rng.randrange(51), len(near)))
        networks = board.networks(board.road_of_name[road] for road in roads)
        for x, y in rules.huts:
            hut = name(x, y)
            ports = board.joined_ports(networks, board.cell_of_name[hut])
            expected = [port for port in rules.ports if rules.joins(roads, port, hut)]
            assert [board.ports[port].name for port in ports] == expected


# The engine's own checks notice every piece that is made, lost or misplaced

BOARD = board_for(3)
Spoiler = Callable[[GuatemalaState], None]


def _lay(piece: str) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        state.production[SPACE_OF_NAME["11"]] = EMPTY if piece == "-" else read_piece(piece)

    return spoil


def _stand(seat: int, colour: int, name: str, *, hut: bool = False) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        cell, player = BOARD.cell_of_name[name], state.players[seat]
        if hut:
            player.huts[colour] = cell
        else:
            player.workers[colour].append(cell)
        cover(state, cell)

    return spoil


def _road(road: int) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        state.roads.append(road)
        state.stock -= 1

    return spoil


def _swap(space: str, other: str) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        lying, (here, there) = state.production, (SPACE_OF_NAME[space], SPACE_OF_NAME[other])
        lying[here], lying[there] = lying[there], lying[here]

    return spoil


def _give(sacks: int) -> Spoiler:
    def spoil(state: GuatemalaState) -> None:
        state.players[0].hand[0] -= sacks
        state.players[1].hand[0] += sacks

    return spoil


SPOILERS: dict[str, Spoiler] = {
    "white workers: 8": _lay("-"),
    "red workers: 10": _lay("red worker"),
    "black huts: 4": _lay("black hut"),
    "beige ships: 4": _lay("beige ship"),
    "red ships: 2": lambda state: state.ports[1].remove(2),
    "white sacks: 6": lambda state: state.bag.__setitem__(4, state.bag[4] - 1),
    "black sacks: 8": lambda state: state.track.append(0),
    "fewer sacks than none": _give(2),
    "roads: 49": lambda state: state.roads.clear(),
    "roads: 51": lambda state: setattr(state, "stock", state.stock + 1),
    "roads lie on": _road(BOARD.road_of_name["f1-g1"]),
    "roads lie on [": _road(BOARD.road_of_name["b1-c1"]),
    "port1 holds": lambda state: state.ports.insert(0, state.ports.pop(1)),
    "centavos": lambda state: setattr(state.players[1], "money", -1),
    "one cell": _stand(1, 4, "f2"),
    "a piece stands": _stand(0, 0, "e5"),
    "stands where it may not": _stand(0, 0, "a2", hut=True),
    "where it may not": _stand(0, 0, "b1", hut=True),
    "covered cells": lambda state: state.taken.__setitem__(0, 0),
    "red plantations are joined": _stand(1, 2, "f1"),
    "the red plantation of seat 0 falls apart": _stand(0, 2, "p9"),
    "lies on space 4": _swap("14", "15"),
    "lies on space 3": _swap("14", "15"),
    "4 pieces bought": lambda state: setattr(state, "frames", [Buying([0, 9, 18, 27])]),
}


def sound() -> GuatemalaState:
    return table(
        seats=3,
        hands=(FULL, "red white", ""),
        huts=({"red": "e2"},),
        workers=({"red": "f2"},),
        ships={"port2": "red"},
        roads="f1-g1",
    )


def test_what_is_wrong_is_told_and_a_sound_table_has_nothing_to_tell() -> None:
    assert GAME.invariants(sound()) == []
    for said, spoil in SPOILERS.items():
        state = sound()
        spoil(state)
        assert any(said in line for line in GAME.invariants(state)), (said, GAME.invariants(state))
