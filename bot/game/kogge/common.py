"""Code that several chapters share: payments, points, the end of the game, and bases of events.

In events, a city is its number, goods and markers are a word of pieces, a single good is its key,
and a route is ``left``, ``right`` or ``secret``. An event whose class ends in `Secretly` is the
public version of one that only the seats involved see.
"""

from __future__ import annotations

from msgspec import convert
from msgspec.structs import replace

from bot.game.contract import Event, Outcome, Refusal, Seat
from bot.game.events import GameEnded, PairEvent, SeatEvent
from bot.game.frames import frame_of
from bot.game.grammar import EventRecorder, Gate, refuse
from bot.game.kogge.data import (
    CITIES,
    CITY_GOOD,
    CONTENT,
    GOOD_OF_LETTER,
    GOODS,
    MARKER_LETTERS,
)
from bot.game.kogge.state import Acting, Auction, City, KoggeOver, KoggePlayer, KoggeState


class InCity(SeatEvent, frozen=True):
    """An event about a seat in a city."""

    city: int


class OfPieces(SeatEvent, frozen=True):
    """An event about a seat and pieces."""

    pieces: str


class PairInCity(PairEvent, frozen=True):
    """An event between two seats in a city."""

    city: int


class Bargain(PairEvent, frozen=True):
    """An exchange: `give` goes from `seat` to `other`, `take` the other way."""

    give: str
    take: str


def record_event(
    recorder: EventRecorder,
    event: Event,
    public: type[Event],
    seats: tuple[Seat, ...],
    *,
    secret: bool,
) -> None:
    """Record an event. If it is secret, only `seats` see it.

    The others see an event of the class `public`, which has some of its fields.
    """
    if secret:
        recorder.record(replace(event, only=seats))
        recorder.record(convert(replace(event, but=seats), public, from_attributes=True))
    else:
        recorder.record(event)


def once_a_turn(group: str) -> Gate[KoggeState]:
    """Return a gate that allows one action of this group in a turn."""

    def gate(state: KoggeState, seat: Seat) -> Refusal | None:
        acting = state.frames[-1]
        used = isinstance(acting, Acting) and group in acting.used
        return refuse("already_done", kind=group) if used else None

    return gate


def mark_used(state: KoggeState, group: str) -> None:
    """Record that an action of this group has been taken this turn."""
    frame_of(state, Acting).used.append(group)


# Pieces


def pieces(player: KoggePlayer) -> tuple[int, ...]:
    """Return the counts of all goods and markers of a player, in the order of PIECE_LETTERS."""
    return (*player.goods, *reversed(player.markers))


def held_markers(markers: list[int]) -> tuple[str, ...]:
    """Return the numbers with at least one marker, as words, highest first."""
    return tuple([letter for letter in MARKER_LETTERS if markers[int(letter)]])


def markers_of(good: int, counts: list[int]) -> tuple[str, ...]:
    """Return the numbers of a good's colour with at least one marker, lowest first."""
    return tuple(
        str(number) for number in range(CITIES) if CITY_GOOD[number] == good and counts[number]
    )


def spend(player: KoggePlayer, word: str) -> None:
    """Take pieces away from a player."""
    _move(player.goods, player.markers, word, -1)


def gain(player: KoggePlayer, word: str) -> None:
    """Give pieces to a player."""
    _move(player.goods, player.markers, word, 1)


def _move(goods: list[int], markers: list[int], word: str, by: int) -> None:
    for letter in word:
        if letter in GOOD_OF_LETTER:
            goods[GOOD_OF_LETTER[letter]] += by
        else:
            markers[int(letter)] += by


def pay(state: KoggeState, seat: Seat, word: str) -> None:
    """Move pieces from a player to the reserve and the bag.

    All payments do, except a trade with a city (rules: trade).
    """
    spend(state.players[seat], word)
    _move(state.reserve, state.bag, word, 1)


def current_city(state: KoggeState, seat: Seat) -> City:
    """Return the city of the seat's ship."""
    return state.cities[state.players[seat].city]


def ships_in(state: KoggeState, city: int) -> list[Seat]:
    """Return the seats whose ships are in a city."""
    return [seat for seat, player in enumerate(state.players) if player.city == city]


def ships_with(state: KoggeState, seat: Seat) -> list[Seat]:
    """Return the other seats whose ships are in the same city."""
    return [other for other in ships_in(state, state.players[seat].city) if other != seat]


def goods_in_offices(city: City, owner: Seat) -> list[int]:
    """Return the counts of goods in all offices of a seat in a city."""
    own = [office.goods for office in city.offices if office.seat == owner]
    return [sum(goods[good] for goods in own) for good in range(GOODS)]


def move_in_offices(city: City, owner: Seat, goods: str, by: int) -> None:
    """Put goods into an owner's offices in a city (`by` 1), or take them out (-1).

    With two offices, each good goes into the first, or comes from the first that has it.
    """
    for letter in goods:
        good = GOOD_OF_LETTER[letter]
        for office in city.offices:
            if office.seat == owner and office.goods[good] + by >= 0:
                office.goods[good] += by
                break


def marker_stocks(state: KoggeState) -> list[list[int]]:
    """Return counts of markers by number: the bag, each hand, and the table."""
    # Bids stay visible until the next round, but their markers return to the bag before that.
    bids = state.bids if isinstance(state.frames[0], Auction) else []
    words = "".join((*state.display, *bids))
    routes = [route.marker for city in state.cities for route in city.routes]
    return [
        state.bag,
        *[player.markers for player in state.players],
        [words.count(str(number)) + routes.count(number) for number in range(CITIES)],
    ]


def goods_stocks(state: KoggeState) -> list[list[int]]:
    """Return counts of goods by kind: the reserve, each ship, each city and each office."""
    return [
        state.reserve,
        *[player.goods for player in state.players],
        *[city.goods for city in state.cities],
        *[office.goods for city in state.cities for office in city.offices],
    ]


# Points and the end


def offices_of(state: KoggeState, seat: Seat) -> int:
    """Return how many offices the seat has."""
    return [office.seat for city in state.cities for office in city.offices].count(seat)


def development_points(state: KoggeState, seat: Seat) -> int:
    """Return the seat's development points: one for each office and each bonus chit."""
    return offices_of(state, seat) + sum(state.players[seat].chits)


def spaces_left(state: KoggeState) -> int:
    """Return how many cities the guild master still has to reach to the end of the game."""
    to_marker = (state.end_city - state.guild_city - 1) % CITIES + 1
    return to_marker + CITIES * (CONTENT.laps_to_end - state.laps - 1)


def end_game(state: KoggeState, ending: str, recorder: EventRecorder) -> None:
    """End the game immediately. Open offers are void."""
    state.frames = [KoggeOver(ending)]
    state.offers = []
    recorder.record(GameEnded(ending=ending))


def end_if_developed(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """End the game if the seat has five development points (ruling 30)."""
    if development_points(state, seat) >= CONTENT.development_points_to_win:
        end_game(state, "development", recorder)


def outcome(state: KoggeState) -> Outcome | None:
    """Return the result: by development points if a seat has five, otherwise by victory points."""
    frame = state.frames[-1]
    if not isinstance(frame, KoggeOver):
        return None
    seats = range(len(state.players))
    if frame.ending == "development":
        lines = [
            ("offices", tuple(offices_of(state, seat) for seat in seats)),
            ("chits", tuple(sum(player.chits) for player in state.players)),
        ]
    else:
        lines = _victory_lines(state)
    scores = tuple(sum(row[seat] for _, row in lines) for seat in seats)
    enough = CONTENT.development_points_to_win if frame.ending == "development" else max(scores)
    winners = tuple(seat for seat in seats if scores[seat] >= enough)
    return Outcome(frame.ending, winners, scores, tuple(lines))


def points_so_far(state: KoggeState, seat: Seat) -> int:
    """Return a seat's victory points if the game ended now, without goods hidden on its ship."""
    return sum(row[seat] for _, row in _victory_lines(state))


def _victory_lines(state: KoggeState) -> list[tuple[str, tuple[int, ...]]]:
    """Return the points for offices, chits, Raids in hand, and goods on ships and in offices."""
    value = CONTENT.victory_points
    seats = range(len(state.players))
    goods = [list(player.goods) or [0] * GOODS for player in state.players]
    for city in state.cities:
        for office in city.offices:
            for good, count in enumerate(office.goods):
                goods[office.seat][good] += count
    return [
        ("offices", tuple(value.office * offices_of(state, seat) for seat in seats)),
        ("chits", tuple(value.chit * sum(player.chits) for player in state.players)),
        ("raids", tuple(value.raid * player.raids for player in state.players)),
        *(
            (kind.key, tuple(kind.points * goods[seat][good] for seat in seats))
            for good, kind in enumerate(CONTENT.goods)
        ),
    ]
