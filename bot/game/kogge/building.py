"""Phase 3B a: build an office."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Refusal, Seat
from bot.game.grammar import EventRecorder, Rule, refuse, rule
from bot.game.kogge.common import InCity, development_points, here, once, pay, use
from bot.game.kogge.data import CITY_GOOD, CONTENT, GOOD_LETTERS, GOODS
from bot.game.kogge.ending import end_if_developed
from bot.game.kogge.notation import GOOD_OF_LETTER
from bot.game.kogge.state import City, KoggeState, Office

TOPIC = "office"
OTHER_GOODS = tuple(GOOD_LETTERS.replace(letter, "") for letter in GOOD_LETTERS)
"""By good, one each of the others."""


class Built(InCity, frozen=True):
    """A new office; `points` are the development points that its owner has now."""

    pieces: str
    points: int


def office_price(state: KoggeState, city: int) -> tuple[str, str]:
    """The goods (one of each kind the city does not produce) and the markers of an office: one
    of the city's number, two where an office stands already, whoever owns it (ruling 2)."""
    return OTHER_GOODS[CITY_GOOD[city]], str(city) * (1 + len(state.cities[city].offices))


def room_for_office(city: City) -> bool:
    """Whether the city can take another office."""
    return len(city.offices) < CONTENT.offices_per_city


def _build_gate(state: KoggeState, seat: Seat) -> Refusal | None:
    player = state.players[seat]
    if not room_for_office(here(state, seat)):
        return refuse("city_full", city=player.city)
    goods, markers = office_price(state, state.players[seat].city)
    missing = "".join([g for g in goods if not player.goods[GOOD_OF_LETTER[g]]])
    short = player.markers[player.city] < len(markers)
    facts = {"city": player.city, "count": len(markers), "marker": player.city}
    if state.rules.either_price:
        if missing and short:
            return refuse("needs_either", **facts, pieces=missing)
        return None
    if missing:
        return refuse("needs_goods", city=player.city, pieces=missing)
    return refuse("needs_markers", **facts) if short else None


def _price(state: KoggeState, seat: Seat) -> OneOf:
    """English text: goods and markers. Italian text: goods or markers (difference 1)."""
    if not state.rules.either_price:
        return OneOf("price", ("both",))
    player = state.players[seat]
    goods, markers = office_price(state, state.players[seat].city)
    words = []
    if all(player.goods[GOOD_OF_LETTER[letter]] for letter in goods):
        words.append("goods")
    if player.markers[player.city] >= len(markers):
        words.append("markers")
    return OneOf("price", tuple(words))


def _why_not_price(state: KoggeState, seat: Seat, word: str) -> Refusal | None:
    city = state.players[seat].city
    goods, markers = office_price(state, state.players[seat].city)
    if state.rules.either_price and word == "goods":
        return refuse("needs_goods", city=city, pieces=goods)
    if state.rules.either_price and word == "markers":
        facts = {"city": city, "count": len(markers), "marker": city}
        return refuse("needs_markers", **facts)
    return None


def _build(state: KoggeState, seat: Seat, recorder: EventRecorder, price: str) -> None:
    """A new office is a development point; a fifth one ends the game (ruling 30)."""
    goods, markers = office_price(state, state.players[seat].city)
    paid = {"both": goods + markers, "goods": goods, "markers": markers}[price]
    city = state.players[seat].city
    use(state, "build")
    pay(state, seat, paid)
    state.cities[city].offices.append(Office(seat, [0] * GOODS))
    points = development_points(state, seat)
    recorder.tell(Built(seat=seat, city=city, pieces=paid, points=points))
    end_if_developed(state, seat, recorder)


BUILD: Rule[KoggeState] = (
    rule("build", TOPIC, once("build"), _build_gate)
    .word("price", _price, _why_not_price)
    .does(_build)
)
