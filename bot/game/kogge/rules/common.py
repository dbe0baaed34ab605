"""What several chapters use: payments, routes, and refusals."""

from __future__ import annotations

from bot.game.contract import Refusal, Seat
from bot.game.kogge.data import CITIES, CITY_GOOD, MARKER_LETTERS
from bot.game.kogge.notation import GOOD_OF_LETTER
from bot.game.kogge.state import Acting, City, Movement, Player, Push, Route, Sighting, State

SLOT = {"left": 0, "right": 1}
ROUTES = ("left", "right")


def pieces(player: Player) -> tuple[int, ...]:
    """Counts of all a player may pay with, in the order of PIECE_LETTERS."""
    return (*player.goods, *reversed(player.markers))


def highest_first(markers: list[int]) -> tuple[int, ...]:
    """Counts of markers in the order of MARKER_LETTERS."""
    return tuple(reversed(markers))


def held(markers: list[int]) -> tuple[str, ...]:
    """The numbers of which there is at least one, as words, highest first."""
    return tuple([letter for letter in MARKER_LETTERS if markers[int(letter)]])


def spend(player: Player, word: str) -> None:
    """Take pieces away from a player."""
    _move(player, word, -1)


def gain(player: Player, word: str) -> None:
    """Give pieces to a player."""
    _move(player, word, 1)


def _move(player: Player, word: str, by: int) -> None:
    for letter in word:
        good = GOOD_OF_LETTER.get(letter)
        if good is None:
            player.markers[int(letter)] += by
        else:
            player.goods[good] += by


def pay(state: State, seat: Seat, word: str) -> None:
    """Pieces go from a player back to the reserve and the bag, as every payment but a city
    trade does (general note under 3d)."""
    player = state.players[seat]
    spend(player, word)
    for letter in word:
        good = GOOD_OF_LETTER.get(letter)
        if good is None:
            state.bag[int(letter)] += 1
        else:
            state.reserve[good] += 1


def here(state: State, seat: Seat) -> City:
    """The city where the seat's ship lies."""
    return state.cities[state.players[seat].city]


def leads_somewhere(state: State, seat: Seat, route: Route) -> bool:
    """Whether the ship may sail where the marker says: not to the city it is in, and never to a
    city with the player's own Raid (3B f, disadvantages)."""
    player = state.players[seat]
    return route.marker != player.city and seat not in state.cities[route.marker].raids


def usable_routes(state: State, seat: Seat) -> tuple[str, ...]:
    """The printed routes the seat's ship may try: hidden ones cannot be ruled out.

    With Memory one that has failed is turned back, but may not be tried again before the ship
    has moved (ruling 56).
    """
    frame = state.frames[-1]
    left, right = here(state, seat).routes
    if state.rules.memory and isinstance(frame, (Movement, Push)):
        return tuple([name for name in ROUTES if name not in frame.failed])
    first = left.hidden or leads_somewhere(state, seat, left)
    if right.hidden or leads_somewhere(state, seat, right):
        return ROUTES if first else ("right",)
    return ("left",) if first else ()


def turn_up(state: State, city: int, name: str) -> Route:
    """Turn a route marker up for all to see, and return it; with Memory it is turned back."""
    slot = SLOT[name]
    route = state.cities[city].routes[slot]
    if state.rules.memory:
        see(state, city, slot, (1 << len(state.players)) - 1)
    else:
        route.hidden = False
        route.known = 0
    return route


def see(state: State, city: int, slot: int, seats: int) -> None:
    """With Memory, note that the seats of a bit mask know what lies on a square now."""
    route = state.cities[city].routes[slot]
    route.known |= seats
    for old in state.sightings[:]:
        if old.city == city and old.slot == slot:
            old.seats &= ~seats
            if not old.seats:
                state.sightings.remove(old)
    state.sightings.append(Sighting(city, slot, route.marker, state.round, seats))


def markers_of(good: int, counts: list[int]) -> tuple[str, ...]:
    """The numbers of a good's colour of which `counts` has any, lowest first."""
    return tuple(
        str(number) for number in range(CITIES) if CITY_GOOD[number] == good and counts[number]
    )


def development_points(state: State, seat: Seat) -> int:
    """One point for each office and each bonus chit."""
    return offices_of(state, seat) + sum(state.players[seat].chits)


def offices_of(state: State, seat: Seat) -> int:
    """How many offices the seat has on the board."""
    return sum(office.seat == seat for city in state.cities for office in city.offices)


def used(state: State, group: str, topic: str) -> Refusal | None:
    """The refusal of an action whose group was used this turn (3B: each only once a turn)."""
    acting = state.frames[-1]
    if isinstance(acting, Acting) and group in acting.used:
        return Refusal("already_done", topic, {"kind": group})
    return None


def use(state: State, group: str) -> None:
    """Note that an action of this group was taken this turn."""
    acting = state.frames[-1]
    assert isinstance(acting, Acting)
    acting.used.append(group)
