"""Phase 3A: sailing, and loading from one's own offices."""

from __future__ import annotations

from bot.game.choices import Bundle
from bot.game.contract import Decision
from bot.game.kogge.movement import GoodsLoaded, RouteFailed, Sailed, Stopped
from bot.game.kogge.view import KoggeView
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggeMove,
    KoggePart,
    KoggeQuestion,
    pieces,
    reader,
    route_label,
)
from bot.text.kogge.speech import ROUTES, KoggeSpeech
from bot.text.words import forms, msg


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
        text = words("Sail the secret route to {to}", to=to)
        note = _step_price(asked, view.fees[1]) if view.fees else None
        return Label(text, "🗝️", note, called=to)
    city = reader(asked).city
    label = route_label(
        asked, word, city, msg("Sail the hidden route ({side})"), msg("Sail to {to}")
    )
    route = view.cities[city].routes[tuple(ROUTES).index(word)]
    if route.marker is None:
        return label
    note = label.description
    if route.hidden:
        # Still face down, but laid by the reader or, with Memory, seen.
        seen = next((n.round for n in view.notes if (n.city, n.route) == (city, word)), None)
        if seen is None:
            note = words("Your own hidden route. {sights}", sights=note)
        else:
            note = words("Seen in round {round}. {sights}", round=seen, sights=note)
    return label._replace(description=note, style=Style.PRIMARY)


def _fee(asked: Asked) -> str:
    assert isinstance(asked.choices, Bundle)
    fee = asked.choices.least
    if not fee:
        return asked.speech.words("This step is free.")
    return asked.speech.words.plural(
        "This step costs {count} good or marker. What do you pay?",
        "This step costs {count} goods or markers. What do you pay?",
        fee,
    )


def _question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    words, city = speech.words, view.seats[decision.seat].city
    offices = view.cities[city].offices
    if any(office.seat == decision.seat and any(office.goods) for office in offices):
        return words(
            "Your ship is in {city}. Sail, load from your office, or stop.", city=speech.city(city)
        )
    return words("Your ship is in {city}. Sail, or stop here and act.", city=speech.city(city))


CHAPTER = KoggeChapter(
    moves={
        "sail": KoggeMove(
            msg("Sail"),
            "⛵",
            msg("sail"),
            Style.PRIMARY,
            None,
            {
                "route": KoggePart(msg("Where do you sail?"), _route),
                "fee": pieces(_fee, msg("Pay {pieces}")),
            },
            (msg("{route}"), msg("{route}, paying {fee}")),
            _sail_now,
        ),
        "load": KoggeMove(
            msg("Load goods from your office"),
            "📦",
            msg("load goods"),
            note=msg("Take goods from your office aboard, as much as you like"),
            parts={"pieces": pieces(msg("Which goods do you load?"), msg("Load {pieces}"))},
            said=(msg("Load {pieces}"),),
        ),
        "stop": KoggeMove(
            msg("Stop here and act"),
            "⚓",
            msg("end your movement"),
            note=msg("Your movement ends; then come your actions"),
        ),
    },
    questions={"move": KoggeQuestion(msg("{seat} to sail"), _question)},
    refusals={
        "no_route_open": msg(
            "No route leads you out of {city}: they end where you may not go. "
            "End your movement and act here."
        ),
        "route_to_same_city": msg(
            "That route leads to {city}, where your ship is already. "
            "Take another or end your movement."
        ),
        "cannot_pay_fee": forms(
            "That step costs {count} good or marker, and you have none to pay with. "
            "End your movement here.",
            "That step costs {count} goods or markers, and you have too few. "
            "Take a cheaper way or end your movement here.",
        ),
        "wrong_fee": forms(
            "That step costs exactly {count} good or marker of your choice.",
            "That step costs exactly {count} goods or markers of your choice.",
        ),
        "step_free": msg("This step is free; pay nothing."),
        "secret_needs_chit": msg(
            "The secret route is for holders of its bonus chit; the guild master sells it "
            "for six equal goods. Sail by one of the two open ways."
        ),
        "secret_at_guild_master": msg(
            "The secret route leads to the guild master, and he is here in {city} already. "
            "Sail by one of the other ways."
        ),
        "nothing_to_load": msg(
            "You have no goods in an office in {city}. Only offices of your own can be unloaded, "
            "where your ship is."
        ),
    },
    events=(
        EventWords(Sailed, "turn", msg("sails to {to}"))
        .when(lambda e: e.route == "secret", msg("takes the secret route to {to}, paying {fee}"))
        .when(lambda e: e.fee, msg("pays {fee} and sails on to {to}")),
        EventWords(
            RouteFailed, "turn", msg("turns up {marker} in {city} ({route}) and cannot sail there")
        )
        .when(
            lambda e: e.fee,
            msg("pays {fee}, turns up {marker} in {city} ({route}) and cannot sail there"),
        )
        .remembered(2),
        EventWords(GoodsLoaded, "turn", msg("loads {pieces}")),
        EventWords(Stopped, "turn", msg("stops in {city}")).quiet(),
    ),
)
