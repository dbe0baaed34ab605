"""What golden cards alone can do: cathedrals and leaders (5.6 and 5.7)."""

from __future__ import annotations

from collections.abc import Iterator

from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.events import SeatEvent
from bot.game.flandern.city import NONE, emblem_at
from bot.game.flandern.data import CHURCH, EMBLEM_KEYS, GREY
from bot.game.flandern.places import place_at, places_of, where, why_closed
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


def church_places(state: FlandernState) -> Iterator[tuple[int, int]]:
    """Quarters of the church without a cathedral, sites too, in cities not scored (ruling 23)."""
    for number, city in open_cities(state):
        plots = city.emblems[CHURCH] & ~city.bar & ~city.cathedrals
        if plots:
            yield number, plots


def _cathedral_places(state: FlandernState, seat: Seat) -> OneOf:
    return places_of(church_places(state))


def _put_cathedral(state: FlandernState, seat: Seat, recorder: EventRecorder, place: str) -> None:
    city, plot = place_at(state, place)
    city.cathedrals |= 1 << plot
    state.cathedrals -= 1
    state.frames.pop()
    recorder.tell(CathedralPut(seat=seat, place=place))


def _why_not_church(state: FlandernState, seat: Seat, word: str) -> Refusal | None:
    city, plot = where(state, word)
    refusal = why_closed(city, word)
    if refusal is not None or city is None:
        return refusal
    if city.cathedrals >> plot & 1:
        return refuse("has_cathedral", place=word)
    return refuse("no_church", place=word)


PUT_CATHEDRAL: Rule[FlandernState] = (
    rule("cathedral", "church", any_time)
    .word("place", _cathedral_places, _why_not_church, PLACE_OF_NAME)
    .does(_put_cathedral)
)


def leader_places(state: FlandernState, seat: Seat) -> Iterator[tuple[int, int]]:
    """Quarters of one's own and of the grey guild in cities not scored (ruling 24)."""
    for number, city in open_cities(state):
        plots = city.emblems[state.players[seat].guild] | city.emblems[GREY]
        if plots:
            yield number, plots


def _leader_places(state: FlandernState, seat: Seat) -> OneOf:
    return places_of(leader_places(state, seat))


def _put_leader(state: FlandernState, seat: Seat, recorder: EventRecorder, place: str) -> None:
    city, plot = place_at(state, place)
    city.leaders.append(plot)
    state.leaders -= 1
    state.frames.pop()
    emblem = EMBLEM_KEYS[emblem_at(city, plot)]
    recorder.tell(LeaderPut(seat=seat, place=place, emblem=emblem))


def _why_not_leader(state: FlandernState, seat: Seat, word: str) -> Refusal | None:
    city, plot = where(state, word)
    refusal = why_closed(city, word)
    if refusal is not None or city is None:
        return refusal
    emblem = emblem_at(city, plot)
    if emblem == NONE:
        return refuse("no_quarter", place=word)
    return refuse("foreign_quarter", place=word, emblem=EMBLEM_KEYS[emblem])


PUT_LEADER: Rule[FlandernState] = (
    rule("leader", "golden", any_time)
    .word("place", _leader_places, _why_not_leader, PLACE_OF_NAME)
    .does(_put_leader)
)
