"""Phase 3A: sailing, and loading from one's own offices."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Decision
from bot.game.kogge.movement import GoodsLoaded, RouteFailed, Sailed, Stopped
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggePart,
    pieces,
    reader,
    route_label,
)
from bot.text.kogge.speech import ROUTES, KoggeSpeech
from bot.text.words import msg


def _sail_now(asked: Asked, label: Label) -> Label:
    fees, words = asked.view.fees, asked.speech.words
    if fees is None:
        return label
    # A button shows no description, so its label includes the cost.
    text = words("Sail on (costs {count})", count=fees[0]) if fees[0] else label.text
    return label._replace(text=text, description=_step_price(asked, fees[0]))


def _step_price(asked: Asked, fee: int) -> str:
    words = asked.speech.words
    if not fee:
        return words("This step is free")
    return words.plural(
        "This step costs one good or marker", "This step costs {count} goods or markers", fee
    )


def _route(asked: Asked, word: str) -> Label:
    speech, words, view = asked.speech, asked.speech.words, asked.view
    if word == "secret":
        to = speech.city(view.guild_city)
        text = words("Take the secret route to {to}", to=to)
        note = _step_price(asked, view.fees[1]) if view.fees else None
        return Label(text, "🗝️", note, called=to)
    city = reader(asked).city
    label = route_label(asked, word, city, msg("Take the hidden {side} route"), msg("Sail to {to}"))
    route = view.cities[city].routes[ROUTES.index(word)]
    if route.marker is None:
        return label
    note = label.description
    if route.hidden:
        # Still face down, but laid by the reader or, with Memory, seen.
        seen = next((n.round for n in view.notes if (n.city, n.route) == (city, word)), None)
        if seen is None:
            note = words("Your own hidden route. {sights}", sights=note)
        elif not seen:
            note = words("Seen at the start. {sights}", sights=note)
        else:
            note = words("Seen in round {round}. {sights}", round=seen, sights=note)
    return label._replace(description=note, style=Style.PRIMARY)


def _fee(asked: Asked) -> str:
    assert isinstance(asked.choices, Bundle)
    fee = asked.choices.least
    if not fee:
        return asked.speech.words("This step is free.")
    return asked.speech.words.plural(
        "This step costs {count} good or marker. What will you pay?",
        "This step costs {count} goods or markers. What will you pay?",
        fee,
    )


def _question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    words, city = speech.words, view.seats[decision.seat].city
    offices = view.cities[city].offices
    if any(office.seat == decision.seat and any(office.goods) for office in offices):
        return words(
            "Your ship is in {city}. Sail, load goods from your office, or stop here and act.",
            city=speech.city(city),
        )
    return words("Your ship is in {city}. Sail, or stop here and act.", city=speech.city(city))


CHAPTER = KoggeChapter(
    chapter_words("kogge", "movement"),
    parts={
        "sail": {
            "route": KoggePart(_route),
            "fee": pieces(msg("Pay {pieces}"), _fee, msg("Pay nothing")),
        },
        "load": {"pieces": pieces(msg("Load {pieces}"))},
    },
    buttons={"sail": _sail_now},
    asked={"move": _question},
    events=(
        EventWords(Sailed, "turn", msg("sails to {to}"))
        .when(lambda e: e.route == "secret", msg("pays {fee} and takes the secret route to {to}"))
        .when(lambda e: e.fee, msg("pays {fee} and sails on to {to}")),
        EventWords(
            RouteFailed,
            "turn",
            msg("reveals the {route} route in {city}: it leads to {place} and can't be used"),
        )
        .when(
            lambda e: e.fee,
            msg(
                "pays {fee} and reveals the {route} route in {city}: it leads to {place} "
                "and can't be used"
            ),
        )
        .remembered(2),
        EventWords(GoodsLoaded, "turn", msg("loads {pieces}")),
        EventWords(Stopped, "turn", msg("stops in {city}")).quiet(),
    ),
)
