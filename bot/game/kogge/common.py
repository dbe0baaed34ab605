"""What several chapters use: payments, points, the end of the game, and the shapes of events.

In events a city is its number, goods and markers a word of pieces, a single good its key, a route
``left``, ``right`` or ``secret``. Kinds that end in `Secretly` are the public twins of events that
only those concerned hear in full.
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
    """Something that a seat does in a city."""

    city: int


class OfPieces(SeatEvent, frozen=True):
    """Something that a seat does with pieces."""

    pieces: str


class PairInCity(PairEvent, frozen=True):
    """Something between two seats in a city."""

    city: int


class Bargain(PairEvent, frozen=True):
    """What goes from a seat to another one, and what comes back."""

    give: str
    take: str


def tell(
    recorder: EventRecorder, event: Event, twin: type[Event], to: tuple[Seat, ...], *, secret: bool
) -> None:
    """Tell everybody of an event; of a secret one those concerned, and the others its twin, which
    has fewer fields."""
    if secret:
        recorder.record(replace(event, only=to))
        recorder.record(convert(replace(event, but=to), twin, from_attributes=True))
    else:
        recorder.record(event)


def once(group: str) -> Gate[KoggeState]:
    """The gate of an action of a group of which only one is taken in a turn."""

    def gate(state: KoggeState, seat: Seat) -> Refusal | None:
        acting = state.frames[-1]
        used = isinstance(acting, Acting) and group in acting.used
        return refuse("already_done", kind=group) if used else None

    return gate


def use(state: KoggeState, group: str) -> None:
    """Record that an action of this group was taken this turn."""
    frame_of(state, Acting).used.append(group)


# Pieces


def pieces(player: KoggePlayer) -> tuple[int, ...]:
    """Counts of all a player may pay with, in the order of PIECE_LETTERS."""
    return (*player.goods, *reversed(player.markers))


def held(markers: list[int]) -> tuple[str, ...]:
    """The numbers with at least one marker, as words, highest first."""
    return tuple([letter for letter in MARKER_LETTERS if markers[int(letter)]])


def markers_of(good: int, counts: list[int]) -> tuple[str, ...]:
    """The numbers of a good's colour of which `counts` has any, lowest first."""
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
    """Move pieces from a player back to the reserve and the bag, as every payment except a trade
    with a city does (rules: trade)."""
    spend(state.players[seat], word)
    _move(state.reserve, state.bag, word, 1)


def here(state: KoggeState, seat: Seat) -> City:
    """The city where the seat's ship lies."""
    return state.cities[state.players[seat].city]


def ships_in(state: KoggeState, city: int) -> list[Seat]:
    """The seats whose ships lie in a city."""
    return [seat for seat, player in enumerate(state.players) if player.city == city]


def ships_with(state: KoggeState, seat: Seat) -> list[Seat]:
    """The other ships in the city of the seat's."""
    return [other for other in ships_in(state, state.players[seat].city) if other != seat]


def goods_in_offices(city: City, owner: Seat) -> list[int]:
    """The goods in the offices that a seat has in a city."""
    own = [office.goods for office in city.offices if office.seat == owner]
    return [sum(goods[good] for goods in own) for good in range(GOODS)]


def move_in_offices(city: City, owner: Seat, goods: str, by: int) -> None:
    """Put goods into an owner's offices in a city (1), or take them out (-1); of two offices each
    good goes into or comes out of the first that can."""
    for letter in goods:
        good = GOOD_OF_LETTER[letter]
        for office in city.offices:
            if office.seat == owner and office.goods[good] + by >= 0:
                office.goods[good] += by
                break


def marker_stocks(state: KoggeState) -> list[list[int]]:
    """Counts of markers by number, for each place where any lie."""
    # A bid stays visible until the next round, but its markers go back with the new order.
    bids = state.bids if isinstance(state.frames[0], Auction) else []
    lying = "".join((*state.display, *bids))
    laid = [route.marker for city in state.cities for route in city.routes]
    return [
        state.bag,
        *[player.markers for player in state.players],
        [lying.count(str(number)) + laid.count(number) for number in range(CITIES)],
    ]


def goods_stocks(state: KoggeState) -> list[list[int]]:
    """Counts of goods by kind, for each place where any lie."""
    return [
        state.reserve,
        *[player.goods for player in state.players],
        *[city.goods for city in state.cities],
        *[office.goods for city in state.cities for office in city.offices],
    ]


# Points and the end


def offices_of(state: KoggeState, seat: Seat) -> int:
    """How many offices the seat has on the board."""
    return [office.seat for city in state.cities for office in city.offices].count(seat)


def development_points(state: KoggeState, seat: Seat) -> int:
    """One point for each office and each bonus chit."""
    return offices_of(state, seat) + sum(state.players[seat].chits)


def end_game(state: KoggeState, ending: str, recorder: EventRecorder) -> None:
    """Stop at once; open offers are void."""
    state.frames = [KoggeOver(ending)]
    state.offers = []
    recorder.record(GameEnded(ending=ending))


def end_if_developed(state: KoggeState, seat: Seat, recorder: EventRecorder) -> None:
    """End the game if the seat has five development points (ruling 30)."""
    if development_points(state, seat) >= CONTENT.development_points_to_win:
        end_game(state, "development", recorder)


def outcome(state: KoggeState) -> Outcome | None:
    """The result: by development points where somebody reached five, else by victory points."""
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
    """A seat's victory points if the game ended now, without goods that are hidden on its ship."""
    return sum(row[seat] for _, row in _victory_lines(state))


def _victory_lines(state: KoggeState) -> list[tuple[str, tuple[int, ...]]]:
    """Offices, chits, unused Raids in hand, and goods on the ship or in own offices."""
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
