"""What plantations score, and the ships that leave with the harvest (sections 6.4 and 6.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.game.contract import Event, Seat
from bot.game.events import SeatEvent
from bot.game.grammar import EventRecorder
from bot.game.guatemala.data import COLOUR_KEYS
from bot.game.guatemala.plantation import Corner
from bot.game.guatemala.state import NONE, GuatemalaState, board_of
from bot.game.sides import clockwise


class Harvested(SeatEvent, frozen=True):
    """A plantation has scored: a point a worker, times the ships of its colour and one more."""

    colour: str
    workers: int
    times: int
    points: int


class NothingHarvested(Event, frozen=True):
    """No plantation of the colour of the sack scores."""

    colour: str


class ShipLeft(Event, frozen=True):
    """A ship that has raised a score leaves the game."""

    port: str
    colour: str


class Crop(NamedTuple):
    """What a plantation scores: the ports to which roads connect its hut, the ships of its colour
    there, whoever brought them (rulings 22 and 23), and points, which are none without a hut or
    without workers (ruling 44)."""

    ports: tuple[int, ...]
    ships: int
    points: int


def crop(state: GuatemalaState, networks: Mapping[Corner, int], seat: Seat, colour: int) -> Crop:
    """What the seat's plantation of a colour would score where roads form these networks."""
    player = state.players[seat]
    hut = player.huts[colour]
    if hut == NONE:
        return Crop((), 0, 0)
    ports = board_of(state).joined_ports(networks, hut)
    ships = sum(state.ports[port].count(colour) for port in ports)
    return Crop(ports, ships, len(player.workers[colour]) * (ships + 1))


def harvest(state: GuatemalaState, colour: int, recorder: EventRecorder) -> None:
    """Every player's plantation of the colour scores; then a ship leaves each port that helped."""
    networks = board_of(state).networks(state.roads)
    helping: set[int] = set()
    scored = False
    for seat in clockwise(state.turn, len(state.players)):
        ports, ships, points = crop(state, networks, seat, colour)
        if not points:
            continue
        scored = True
        helping.update(port for port in ports if colour in state.ports[port])
        player = state.players[seat]
        player.points[colour] += points
        recorder.tell(
            Harvested(
                seat=seat,
                colour=COLOUR_KEYS[colour],
                workers=len(player.workers[colour]),
                times=ships + 1,
                points=points,
            )
        )
    if not scored:
        recorder.tell(NothingHarvested(colour=COLOUR_KEYS[colour]))
    for port in sorted(helping):
        # The one at the cheapest dock; the others move up (ruling 25).
        state.ports[port].remove(colour)
        state.gone[colour] += 1
        name = board_of(state).port_names[port]
        recorder.tell(ShipLeft(port=name, colour=COLOUR_KEYS[colour]))
