"""Words that several chapters share: choices of pieces, cities and routes."""

from __future__ import annotations

from collections.abc import Callable

from bot.game.kogge.data import GOOD_KEYS
from bot.game.kogge.view import CityView, KoggeSeatView, KoggeView
from bot.text.chapter import Chapter, Part
from bot.text.contract import Label, Style
from bot.text.kogge.speech import ROUTES, KoggeSpeech, good_sign, marker_sign, piece_sign
from bot.text.labels import Asking
from bot.text.words import Message

_MOST_SIGHTS = 76
"""Characters; in a description something may stand before them."""

Asked = Asking[KoggeSpeech, KoggeView]
KoggeChapter = Chapter[KoggeSpeech, KoggeView]
KoggePart = Part[KoggeSpeech, KoggeView]


def reader(asked: Asked) -> KoggeSeatView:
    """The seat of the reader."""
    return asked.view.seats[max(asked.view.observer, 0)]


def pieces(
    text: Message, asks: Callable[[Asked], str] | None = None, none: Message | None = None
) -> KoggePart:
    """Goods and markers to choose; `text` is the label of each choice, `none` that of nothing."""

    def label(asked: Asked, word: str) -> Label:
        words = asked.speech.words
        if none and not word:
            return Label(words(none))
        return Label(words(text, pieces=said(asked, word)), piece_sign(words, word))

    def said(asked: Asked, word: str) -> str:
        return asked.speech.pieces(word)

    return Part(label, said, asks=asks)


def good(text: Message, count: int = 1, name: str = "") -> KoggePart:
    """A kind of goods, and how many are paid."""

    def label(asked: Asked, word: str) -> Label:
        speech, goods = asked.speech, reader(asked).goods
        have = goods[GOOD_KEYS.index(word)] if goods else 0
        note = speech.words("You have {count}", count=have)
        goods_said = said(asked, word)
        sign = good_sign(speech.words, word)
        return Label(speech.words(text, goods=goods_said), sign, note, called=goods_said)

    def said(asked: Asked, word: str) -> str:
        return asked.speech.counted(word, count)

    return Part(label, said, name)


def markers_held(asked: Asked, number: int) -> int:
    """How many markers of a number the reader has."""
    mine = reader(asked).markers
    return mine[number] if mine else 0


def said_marker(asked: Asked, word: str) -> str:
    """A marker by its number."""
    return asked.speech.marker(word)


def said_city(asked: Asked, word: str) -> str:
    """The city to which a marker leads."""
    return asked.speech.city(int(word))


def route_label(
    asked: Asked, word: str, city: int, unknown: Message, known: Message, **facts: str
) -> Label:
    """A route out of a city: where it leads and what is there; its side where that is not known."""
    speech, words = asked.speech, asked.speech.words
    routes = asked.view.cities[city].routes
    target = routes[ROUTES.index(word)].marker
    if target is None:
        note = words("You only learn where it leads by sailing it")
        side = speech.route(word)
        return Label(words(unknown, side=side, **facts), "❔", note, called=side)
    to = speech.city(target)
    text = words(known, to=to, side=speech.route(word), **facts)
    if routes[0].marker == routes[1].marker:
        # Only the side tells such routes apart.
        to += f" ({speech.route(word)})"
        if "{side}" not in known:
            text += f" ({speech.route(word)})"
    note = _sights(asked, target)
    if target == city:
        note = words("Leads back to this city, so no ship can use it")
    return Label(text, marker_sign(words, target), note, called=to)


def _sights(asked: Asked, number: int) -> str:
    """What is in a city, in brief."""
    speech, words, view = asked.speech, asked.speech.words, asked.view
    city: CityView = view.cities[number]
    notes = [words("There: {goods}", goods=speech.goods(city.goods))]
    if number == view.guild_city:
        notes.append(words("the guild master"))
    if city.offices:
        owners = speech.seats([office.seat for office in city.offices])
        notes.append(
            words.plural("{seats}'s office", "{seats}'s offices", len(city.offices), seats=owners)
        )
    ships = [n for n, seat in enumerate(view.seats) if seat.city == number and n != view.observer]
    if ships:
        notes.append(
            words.plural("{seats}'s ship", "{seats}'s ships", len(ships), seats=speech.seats(ships))
        )
    while len(text := "; ".join(notes)) > _MOST_SIGHTS:
        notes.pop()
    return text


def rival(text: Message) -> KoggePart:
    """The ship of another player in the same city, to attack."""

    def label(asked: Asked, word: str) -> Label:
        name = asked.speech.seat(int(word))
        said = asked.speech.words(text, seat=name)
        return Label(said, "⚔️", cargo(asked, int(word)), Style.DANGER, called=name)

    def said(asked: Asked, word: str) -> str:
        return asked.speech.seat(int(word))

    return Part(label, said)


def cargo(asked: Asked, seat: int) -> str:
    """What another player's ship carries."""
    words, goods = asked.speech.words, asked.view.seats[seat].goods
    if goods is None:
        return words("Cargo hidden")
    return words("Cargo: {goods}", goods=asked.speech.goods(goods))
