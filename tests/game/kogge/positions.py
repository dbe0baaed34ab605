"""Positions of Kogge in a short notation, and scripts of actions and checks.

All pieces that a position does not mention are in the reserve or the bag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from bot.game.contract import Event, Observer
from bot.game.kogge import GAME
from bot.game.kogge.common import goods_stocks, marker_stocks
from bot.game.kogge.data import CHIT_KEYS, CITIES, CONTENT, GOOD_LETTERS, goods_word, markers_word
from bot.game.kogge.routes import is_still_there, sightings_of
from bot.game.kogge.setup import rules_of
from bot.game.kogge.state import (
    Acting,
    Auction,
    City,
    Founding,
    Frame,
    GuildMaster,
    KoggeOver,
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
play, refused, words, asked = LINES.play, LINES.refused, LINES.words, LINES.asked


def known(state: KoggeState, observer: Observer) -> KoggeState:
    """Return the state as an observer knows it."""
    return GAME.view(state, observer).known


def sightings(state: KoggeState, seat: int) -> list[tuple[int, int, int, int, bool]]:
    """With Memory, return a seat's sightings: city, slot, marker, round, whether still current."""
    view = known(state, seat)
    return [
        (each.city, each.slot, each.marker, each.round, is_still_there(view, each, seat))
        for each in sightings_of(view, seat)
    ]


def goods(word: str) -> list[int]:
    """Return the counts of goods in a word such as ``oof``, ignoring other pieces."""
    return [word.count(letter) for letter in GOOD_LETTERS]


def markers(word: str) -> list[int]:
    """Return the counts of markers in a word such as ``553``, ignoring other pieces."""
    return [word.count(str(number)) for number in range(CITIES)]


def route(word: str) -> Route:
    """Return a route: ``7`` is open, ``7?`` face down, ``7?1`` face down and known to seat 1."""
    marker, hidden, seat = word[0], word[1:2], word[2:]
    return Route(int(marker), bool(hidden), 1 << int(seat) if seat else 0)


def table(
    *,
    seats: int = 2,
    ships: Sequence[int] = (REVAL, LUBECK, RIGA, ABO),
    hands: Sequence[str] = (),
    chits: Mapping[int, Sequence[str]] | None = None,
    city: Mapping[int, str] | None = None,
    routes: Mapping[int, tuple[str, str]] | None = None,
    offices: Mapping[int, Sequence[tuple[int, str]]] | None = None,
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
    """Return a table in the middle of a game.

    `hands` are words of goods and markers by seat. By city, `city` has its goods, `offices` their
    owners and goods, `raids` the seats with a Raid there. `asked` is the question: bid, advance,
    move or act for the seat at `at` in the turn order, or found, push, over. `start` is where the
    ship began the turn (-1: elsewhere). With `reserve` and `bag`, other pieces go where they do not
    matter.
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
        on_board = sum(each.raids.count(seat) for each in cities)
        player.raids = 1 + player.bought_raid - on_board
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
        "found": Founding([-1] * seats, [-1] * seats),
        "push": Push(seats - 1, 0),
        "over": KoggeOver("laps"),
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


def _fill(state: KoggeState, reserve: str | None, bag: str | None) -> None:
    """Put all other pieces into the reserve and the bag, or if these are given, elsewhere."""
    for good, kind in enumerate(CONTENT.goods):
        left = kind.total - sum(stock[good] for stock in goods_stocks(state))
        state.reserve[good] = left if reserve is None else reserve.count(kind.letter)
        # No test of a short reserve uses this city.
        state.cities[TONSBERG].goods[good] += left - state.reserve[good]
    for number, total in enumerate(CONTENT.markers):
        left = total - sum(stock[number] for stock in marker_stocks(state))
        state.bag[number] = left if bag is None else bag.count(str(number))
        # The last seat holds the markers that must not be in the bag.
        state.players[-1].markers[number] += left - state.bag[number]


def hand(state: KoggeState, seat: int) -> str:
    """Return a seat's goods and markers as a word, the highest markers first."""
    player = state.players[seat]
    return goods_word(player.goods) + markers_word(player.markers)


POSITIONS = {
    "hidden": "options=goods:hidden",
    "together": "ships=3,3,3,7",
    "advancing": "asked=advance guild=2",
    "barred": "asked=move raids=4:0,5:0 second_raid=0",
    "secret": "asked=move hands=of chits=0:secret",
    "useless": "asked=move routes=3:7?/5 raids=7:0",
    "taxing": "advancing options=taxes:on",
    "conflicts": "options=conflicts:on",
    "meeting": "conflicts ships=6,6,6,6 hands=oo84,fa55",
    "offices": "options=offices:on",
    "office": "offices seats=3 ships=3,4,6 hands=oa55,s73,a6 offices=3:1ff",
    "short": "asked=bid hands=6,0",
    "trading": "hands=ffassss city=3:ooooooss",
    "red": "ships=6,7 hands=oo routes=6:3/7,3:4/6? offices=3:0ff raids=4:0 asked=move",
    "four_offices": "offices=1:0,2:0,4:0,5:0",
    "memory": "asked=move ships=3,4 hands=oo55,ff66 options=memory:on routes=0:1?/2?,1:0?/2?,"
    + ",".join(f"{city}:0?/1?" for city in range(2, CITIES)),
    "eight_raided": "asked=advance seats=4 raids=0:0,1:0,2:1,3:1,4:2,5:2,6:3,7:3"
    " second_raid=0,1,2,3",
}
"""Positions that several cases use, by name.

The ship of seat 0 is in Reval (3), that of seat 1 in Lübeck (7). `useless`: the left route is face
down and leads to an own Raid. `office`: seat 1, whose ship is in Riga, has an office in Reval.
`memory`: all routes are face down.
"""


def cases() -> list[ParameterSet]:
    """Return the cases of cases.txt: a name, and scripts that begin with a position.

    A script follows the name and ``::``, or it is indented in the lines below; lines with a deeper
    indent continue it.
    """
    found: dict[str, list[str]] = {}
    scripts: list[str] = []
    for line in Path(__file__).with_name("cases.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" " * 8):
            scripts[-1] += f" {line.strip()}"
        elif line.startswith(" "):
            scripts.append(line.strip())
        elif line and not line.startswith("#"):
            name, _, script = line.partition(" :: ")
            assert name not in found, name
            scripts = found[name] = [script] if script else []
    return [pytest.param(scripts, id=name) for name, scripts in found.items()]


def at(words: str, **position: Any) -> KoggeState:
    """Return the table of a position such as ``taxing hands=oo5,- offices=3:0ff+1 routes=3:7?/5``.

    Its words are names of `POSITIONS` and arguments of `table`. Items of a list are separated by
    commas. Values by city or seat begin with the number and ``:``; several values of one city or
    seat are separated by ``+``.
    """
    return table(**_position(words) | position)


def _position(words: str) -> dict[str, Any]:
    position: dict[str, Any] = {}
    for word in words.split():
        key, has_value, value = word.partition("=")
        parts = {key: _parse(key, value)} if has_value else _position(POSITIONS[key])
        for name, part in parts.items():
            adds = isinstance(part, dict) and name in position
            position[name] = position[name] | part if adds else part
    return position


def _parse(key: str, value: str) -> object:
    words = ["" if word == "-" else word for word in value.split(",")]
    if key in ("hands", "display"):
        return words
    if key in ("ships", "order", "second_raid"):
        return [int(word) for word in words]
    if key in ("asked", "reserve", "bag"):
        return words[0]
    if ":" not in value:
        return int(value)
    values = dict(word.split(":") for word in words)
    if key == "options":
        return values
    if key in ("city", "routes"):
        return {int(n): each.split("/") if "/" in each else each for n, each in values.items()}
    lists = {int(number): word.split("+") for number, word in values.items()}
    if key == "offices":
        return {n: [(int(each[0]), each[1:]) for each in lists[n] if each] for n in lists}
    if key == "raids":
        return {number: [int(each) for each in lists[number]] for number in lists}
    return lists


def follow(script: str, state: KoggeState | None = None) -> KoggeState:
    """Run a script, whose steps are separated by ``;``, and return the state after it.

    Without a state, the script begins with a position and ``|``. These steps take or try actions:
    ``0 bid 5`` is an action of seat 0, ``0 bid 5 ! bid_taken seat=1`` a refused one with some of
    the facts, ``0 bid ? 5 6`` lists the next words, and ``0 ? stop`` the kinds of action. The other
    steps are checks of: the seats to act and their questions (`asked`), the turn `order`, the open
    `offers`, the `guild` master's city; the `hand` of a seat, or its city (`at`); the goods of a
    `city` and of its `offices`, their `owners`, the city's `routes`; an `event` of the last action
    with some of its facts, or that there is none (`no_event`), and the kinds of event `seen` by an
    observer; the count of `pairs` for sale; the `winners`, all `scores`, and the points for one
    item (`line`). ``-`` is an empty word.
    """
    begin, _, script = script.rpartition("| ")
    state = state or at(begin)
    events: list[Event] = []
    for step in map(str.strip, script.split(";")):
        word, *rest = step.split()
        if not word.isdecimal():
            _check(state, events, word, rest, step)
        elif " !" in step:
            line, _, expected = step[len(word) :].partition(" !")
            refusal = refused(state, int(word), line)
            code, *facts = expected.split()
            assert (refusal.code, _missing(refusal.facts, facts)) == (code, []), step
        elif "?" in rest:
            index = rest.index("?")
            found = words(state, int(word), " ".join(rest[:index]))
            assert sorted(found) == sorted(each.strip("-") for each in rest[index + 1 :]), step
        else:
            events = play(state, int(word), " ".join(rest))
    return state


def _check(
    state: KoggeState, events: Sequence[Event], word: str, rest: Sequence[str], step: str
) -> None:
    if word in ("event", "no_event"):
        kind, *facts = rest
        fits = [each for each in events if each.kind == kind and not _missing(each.facts, facts)]
        assert bool(fits) == (word == "event"), (step, events)
        return
    number = int(rest[0]) if rest and rest[0].removeprefix("-").isdecimal() else 0
    city, outcome = state.cities[number % CITIES], GAME.outcome(state)
    values: dict[str, Callable[[], Iterable[object]]] = {
        "asked": lambda: [word for pair in asked(state) for word in pair],
        "order": lambda: state.order,
        "offers": lambda: [offer.id for offer in state.offers],
        "guild": lambda: [state.guild_city],
        "pairs": lambda: [len(state.display)],
        "winners": lambda: outcome.winners if outcome else (),
        "scores": lambda: outcome.scores if outcome else (),
        "line": lambda: [rest[0], *dict(outcome.lines if outcome else ())[rest[0]]],
        "hand": lambda: [number, hand(state, number)],
        "at": lambda: [number, state.players[number].city],
        "city": lambda: [number, goods_word(city.goods)],
        "offices": lambda: [number, *(goods_word(office.goods) for office in city.offices)],
        "owners": lambda: [number, *(office.seat for office in city.offices)],
        "routes": lambda: [number, *(f"{r.marker}{'?' * r.hidden}" for r in city.routes)],
        "seen": lambda: [number, *(each.kind for each in events if each.visible_to(number))],
    }
    assert list(map(str, values[word]())) == ["" if each == "-" else each for each in rest], step


def _missing(facts: Mapping[str, object], expected: Sequence[str]) -> list[str]:
    """Return the expected facts, such as ``city=3`` or ``seats=0,1``, that are not in `facts`."""
    have = {
        f"{name}={','.join(map(str, fact)) if isinstance(fact, tuple) else fact}"
        for name, fact in facts.items()
    }
    return [each for each in expected if each not in have]
