"""What golden cards alone can do: cathedrals and leaders (5.6 and 5.7)."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.flandern.city import NONE, FlandernCity, emblem_at
from bot.game.flandern.data import EMBLEM_KEYS
from bot.game.flandern.places import church_plots, leader_plots, place_at, places_of, why_not_place
from bot.game.flandern.plan import PLACE_OF_NAME
from bot.game.flandern.state import FlandernState, any_time, open_cities
from bot.game.grammar import EventRecorder, Rule, refuse, rule


class CathedralPut(SeatEvent, frozen=True):
    """A cathedral put on a quarter of the church."""

    place: str


class LeaderPut(SeatEvent, frozen=True):
    """A leader put on a quarter of this emblem."""

    place: str
    emblem: str


def _cathedral_places(state: FlandernState, seat: Seat) -> OneOf:
    return places_of((city, church_plots(city)) for city in open_cities(state))


def _put_cathedral(state: FlandernState, seat: Seat, recorder: EventRecorder, place: str) -> None:
    city, plot = place_at(state, place)
    city.cathedrals |= 1 << plot
    state.cathedral_pieces -= 1
    state.frames.pop()
    recorder.tell(CathedralPut(seat=seat, place=place))


def _why_not_church(city: FlandernCity, plot: int, place: str) -> Refusal:
    code = "has_cathedral" if city.cathedrals >> plot & 1 else "no_church"
    return refuse(code, place=place)


PUT_CATHEDRAL: Rule[FlandernState] = (
    rule("cathedral", "church", any_time)
    .word("place", _cathedral_places, why_not_place(_why_not_church), PLACE_OF_NAME)
    .does(_put_cathedral)
)


def _leader_places(state: FlandernState, seat: Seat) -> OneOf:
    guild = state.players[seat].guild
    return places_of((city, leader_plots(city, guild)) for city in open_cities(state))


def _put_leader(state: FlandernState, seat: Seat, recorder: EventRecorder, place: str) -> None:
    city, plot = place_at(state, place)
    city.placed_leaders.append(plot)
    state.leader_pieces -= 1
    state.frames.pop()
    emblem = EMBLEM_KEYS[emblem_at(city, plot)]
    recorder.tell(LeaderPut(seat=seat, place=place, emblem=emblem))


def _why_not_leader(city: FlandernCity, plot: int, place: str) -> Refusal:
    emblem = emblem_at(city, plot)
    if emblem == NONE:
        return refuse("no_quarter", place=place)
    return refuse("foreign_quarter", place=place, emblem=EMBLEM_KEYS[emblem])


PUT_LEADER: Rule[FlandernState] = (
    rule("leader", "golden", any_time)
    .word("place", _leader_places, why_not_place(_why_not_leader), PLACE_OF_NAME)
    .does(_put_leader)
)
