"""Positions of Kogge in plain words, and moves by their canonical lines.

Whatever a position does not mention lies in the reserve or the bag, so that no piece is lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import Observer
from bot.game.kogge import GAME
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_LETTERS
from bot.game.kogge.routes import sightings_of, still_lies
from bot.game.kogge.setup import rules_of
from bot.game.kogge.state import (
    Acting,
    Auction,
    City,
    Frame,
    GuildMaster,
    KoggePlayer,
    KoggeState,
    Movement,
    Office,
    Push,
    Route,
)
from tests.game.kogge.places import ABO, KOPENHAGEN, LUBECK, REVAL, RIGA, TONSBERG
from tests.game.lines import Lines

LINES = Lines(GAME)
play, refused, domain = LINES.play, LINES.refused, LINES.domain
words, asked, told = LINES.words, LINES.asked, LINES.told
run, check_refused = LINES.run, LINES.check_refused
kinds = words
"""Without a line: the kinds of action open to a seat."""


def known(state: KoggeState, observer: Observer) -> KoggeState:
    """What an observer knows of a table."""
    return GAME.view(state, observer).known


def notes(state: KoggeState, seat: int) -> list[tuple[int, int, int, int, bool]]:
    """With Memory, what a seat has seen: city, slot, marker, round, and whether it still lies."""
    there = known(state, seat)
    return [
        (each.city, each.slot, each.marker, each.round, still_lies(there, each, seat))
        for each in sightings_of(there, seat)
    ]


Offices = Mapping[int, Sequence[tuple[int, str]]]


def goods(word: str) -> list[int]:
    """Counts of goods from a word such as ``oof``; other pieces do not count."""
    return [word.count(letter) for letter in GOOD_LETTERS]


def markers(word: str) -> list[int]:
    """Counts of markers from a word such as ``553``; other pieces do not count."""
    return [word.count(str(number)) for number in range(CITIES)]


def route(word: str) -> Route:
    """A route: ``7`` is open, ``7?`` face down, ``7?1`` face down and known to seat 1."""
    marker, hidden, knows = word[0], word[1:2], word[2:]
    return Route(int(marker), bool(hidden), 1 << int(knows) if knows else 0)


def table(
    *,
    seats: int = 2,
    ships: Sequence[int] = (REVAL, LUBECK, RIGA, ABO),
    hands: Sequence[str] = (),
    chits: Mapping[int, Sequence[str]] | None = None,
    city: Mapping[int, str] | None = None,
    routes: Mapping[int, tuple[str, str]] | None = None,
    offices: Offices | None = None,
    raids: Mapping[int, Sequence[int]] | None = None,
    second_raid: Sequence[int] = (),
    guild: int = KOPENHAGEN,
    end: int | None = None,
    laps: int = 0,
    order: Sequence[int] | None = None,
    at: int = 0,
    display: Sequence[str] = (),
    asked: str | Frame = "act",
    start: int = -1,
    steps: int = 0,
    reserve: str | None = None,
    bag: str | None = None,
    options: Mapping[str, str] | None = None,
) -> KoggeState:
    """A table in the middle of a game.

    `hands` are words of goods and markers by seat, `city` the goods lying in a city, `offices`
    their owners and goods, `raids` the seats whose Raid lies in a city. `asked` is what the seat
    at `at` in the order of play is doing: bid, advance, move or act; `start` where its ship
    began the turn (-1: elsewhere). `reserve` and `bag`, where given, are all that is left there:
    the surplus is laid where it does no harm.
    """
    order = list(order or range(seats))
    words = [*hands, "", "", "", ""][:seats]
    players = [
        KoggePlayer(goods(word), markers(word), ships[seat], bought_raid=seat in second_raid)
        for seat, word in enumerate(words)
    ]
    cities = []
    for number in range(CITIES):
        left, right = (routes or {}).get(
            number, (str((number + 1) % CITIES), str((number + 2) % CITIES))
        )
        cities.append(
            City(
                goods((city or {}).get(number, "")),
                [route(left), route(right)],
                [Office(seat, goods(word)) for seat, word in (offices or {}).get(number, ())],
                list((raids or {}).get(number, ())),
            )
        )
    for seat, player in enumerate(players):
        laid = sum(place.raids.count(seat) for place in cities)
        player.raids = 1 + player.bought_raid - laid
        for key in (chits or {}).get(seat, ()):
            player.chits[CHIT_KEYS.index(key)] += 1
    left_chits = [
        kind.copies - sum(player.chits[index] for player in players)
        for index, kind in enumerate(CONTENT.chits)
    ]
    frames: dict[str, Frame] = {
        "bid": Auction(at),
        "advance": GuildMaster(),
        "move": Movement(ships[order[at]] if start < 0 else start, steps),
        "act": Acting(start),
    }
    state = KoggeState(
        rules=rules_of(options or {}),
        players=players,
        cities=cities,
        reserve=[0] * len(GOOD_LETTERS),
        bag=[0] * CITIES,
        guild_city=guild,
        end_city=guild if end is None else end,
        chits=left_chits,
        frames=[frames[asked] if isinstance(asked, str) else asked],
        display=list(display),
        order=order,
        at=at,
        round=1,
        laps=laps,
        bids=[""] * seats,
    )
    _fill(state, reserve, bag)
    assert GAME.invariants(state) == []
    return state


def raided(state: KoggeState, seat: int, pusher: int | None = None) -> KoggeState:
    """The same table where the seat's ship is about to be pushed."""
    state.frames = [Push((seat + 1) % len(state.players) if pusher is None else pusher, seat)]
    return state


def _fill(state: KoggeState, reserve: str | None, bag: str | None) -> None:
    """What is nowhere else comes to the reserve and the bag, or, beyond them, out of the way."""
    for good, kind in enumerate(CONTENT.goods):
        lying = sum(player.goods[good] for player in state.players)
        for place in state.cities:
            lying += place.goods[good] + sum(office.goods[good] for office in place.offices)
        left = kind.total - lying
        state.reserve[good] = left if reserve is None else reserve.count(kind.letter)
        # A city that no test of a short reserve visits.
        state.cities[TONSBERG].goods[good] += left - state.reserve[good]
    for number, total in enumerate(CONTENT.markers):
        lying = sum(player.markers[number] for player in state.players)
        lying += "".join(state.display).count(str(number))
        lying += sum(r.marker == number for place in state.cities for r in place.routes)
        state.bag[number] = total - lying if bag is None else bag.count(str(number))
        # The last seat holds what must not be in the bag.
        state.players[-1].markers[number] += total - lying - state.bag[number]


def hand(state: KoggeState, seat: int) -> str:
    """A seat's goods and markers as a word, markers highest first."""
    player = state.players[seat]
    cargo = "".join(letter * n for letter, n in zip(GOOD_LETTERS, player.goods, strict=True))
    return cargo + "".join(str(n) * player.markers[n] for n in reversed(range(CITIES)))
