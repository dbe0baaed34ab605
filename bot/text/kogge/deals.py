"""Deals among players: between ships, and by advanced rule B with offices."""

from __future__ import annotations

from bot.game.choices import OneOf
from bot.game.contract import Decision, offer_of
from bot.game.kogge.data import GUEST, OFFICE, split_partner
from bot.game.kogge.offers import (
    Accepted,
    AcceptedSecretly,
    OfferDeclined,
    Offered,
    OfferedSecretly,
    OfferLapsed,
    OfficeAccepted,
    OfficeAcceptedSecretly,
    OfficeOffered,
    OfficeOfferedSecretly,
    Withdrawn,
)
from bot.game.kogge.view import KoggeView, OfferView
from bot.text.contract import Label
from bot.text.events import EventWords
from bot.text.game_data import chapter_words
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggePart,
    cargo,
    pieces,
    reader,
)
from bot.text.kogge.speech import KoggeSpeech
from bot.text.markup import capital
from bot.text.words import msg


def _partner(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    way, seat = split_partner(word)
    assert seat is not None, "what may be said names a seat"
    name = speech.seat(seat)
    if way == OFFICE:
        text = capital(words("{seat}'s office", seat=name))
        return Label(text, "🏠", _in_office(asked, seat, reader(asked).city))
    if way == GUEST:
        city = asked.view.seats[seat].city
        text = words("{seat}, through your office in {city}", seat=name, city=speech.city(city))
        return Label(text, "🏠", _in_office(asked, max(asked.view.observer, 0), city))
    return Label(name, "🤝", cargo(asked, seat))


def _in_office(asked: Asked, owner: int, city: int) -> str:
    """What lies in a player's offices in a city."""
    offices = asked.view.cities[city].offices
    goods = [office.goods for office in offices if office.seat == owner]
    there = asked.speech.goods([sum(counts) for counts in zip(*goods, strict=True)])
    return asked.speech.words("There: {goods}", goods=there)


def find(view: KoggeView, number: str) -> OfferView | None:
    """The open offer with this number."""
    return next((offer for offer in view.offers if str(offer.id) == number), None)


def _offer(asked: Asked, word: str) -> Label:
    words, choices, text = asked.speech.words, asked.choices, _terms(asked, word)
    assert isinstance(choices, OneOf)
    if [_terms(asked, each) for each in choices.values].count(text) > 1:
        text = words("{offer} (offer {number})", offer=text, number=word)
    offer, note = find(asked.view, word), None
    if offer is not None and offer.city is not None:
        note = words("Through the office in {city}", city=asked.speech.city(offer.city))
    return Label(text, "🤝", note)


def _terms(asked: Asked, word: str) -> str:
    """With whom the reader would deal, what they would give and get."""
    speech, words = asked.speech, asked.speech.words
    offer = find(asked.view, word)
    if offer is None:
        return words("Offer {number}", number=word)
    mine = offer.seat == asked.view.observer
    who = speech.seat(offer.other if mine else offer.seat)
    if offer.give is None or offer.take is None:
        return words("With {seat}", seat=who)
    give, take = (offer.give, offer.take) if mine else (offer.take, offer.give)
    terms = {"give": speech.pieces(give), "take": speech.pieces(take)}
    return words("With {seat}: {give} → {take}", seat=who, **terms)


def _said_offer(asked: Asked, word: str) -> str:
    speech, words = asked.speech, asked.speech.words
    offer = find(asked.view, word)
    if offer is None or offer.give is None or offer.take is None:
        return words("number {number}", number=word)
    facts = {
        "seat": speech.seat(offer.seat),
        "give": speech.pieces(offer.give),
        "take": speech.pieces(offer.take),
        "other": speech.seat(offer.other),
    }
    if offer.city is not None:
        city = speech.city(offer.city)
        return words(
            "{give} from {seat} for {take} from {other}, through the office in {city}",
            city=city,
            **facts,
        )
    return words("{give} from {seat} for {take} from {other}", **facts)


def _answer_question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    words, offer = speech.words, find(view, offer_of(decision))
    if offer is None or offer.give is None or offer.take is None:
        return words("You have an offer to answer.")
    facts = {
        "seat": speech.seat(offer.seat),
        "give": speech.pieces(offer.give),
        "take": speech.pieces(offer.take),
    }
    if offer.city is None:
        return words("{seat} offers you {give} for {take}.", **facts)
    facts["city"] = speech.city(offer.city)
    if offer.office == decision.seat:
        return words(
            "{seat} offers you {give} for {take} at your office in {city}. Goods go to and "
            "from that office, markers to and from your hand.",
            **facts,
        )
    return words(
        "{seat} offers you {give} for {take} through their office in {city}. Goods go to "
        "and from that office.",
        **facts,
    )


_OFFER = KoggePart(_offer, _said_offer)
_BARGAIN = {
    "give": pieces(msg("Give {pieces}"), none=msg("Give nothing")),
    "take": pieces(msg("Get {pieces}"), none=msg("Get nothing")),
}

CHAPTER = KoggeChapter(
    chapter_words("kogge", "deals"),
    parts={
        "offer": {
            "seat": KoggePart(_partner, lambda asked, word: asked.speech.partner(word)),
            **_BARGAIN,
        },
        "counter": {"offer": _OFFER, **_BARGAIN},
        "accept": {"offer": _OFFER},
        "decline": {"offer": _OFFER},
        "withdraw": {"offer": _OFFER},
    },
    asked={"answer": _answer_question},
    events=(
        EventWords(Offered, "turn", msg("🤝 offers {other} {give} for {take}"))
        .when(lambda e: not e.take, msg("🤝 offers {other} {give} as a gift"))
        .when(lambda e: not e.give, msg("🤝 asks {other} for {take} as a gift")),
        EventWords(OfferedSecretly, "turn", msg("🤝 makes {other} an offer")),
        EventWords(Accepted, "turn", msg("🤝 gives {other} {give} and gets {take}"))
        .when(lambda e: not e.take, msg("🤝 gives {other} {give} as a gift"))
        .when(lambda e: not e.give, msg("🤝 gets {take} from {other} as a gift"))
        .remembered(3),
        EventWords(AcceptedSecretly, "turn", msg("🤝 makes a deal with {other}")).remembered(3),
        EventWords(
            OfficeOffered,
            "turn",
            msg("🤝 offers {other} {give} for {take}, through the office in {city}"),
        ),
        EventWords(
            OfficeOfferedSecretly,
            "turn",
            msg("🤝 makes {other} an offer through the office in {city}"),
        ),
        EventWords(
            OfficeAccepted,
            "turn",
            msg("🤝 trades with {other} through the office in {city}: {give} for {take}"),
        ).remembered(3),
        EventWords(
            OfficeAcceptedSecretly,
            "turn",
            msg(
                "🤝 makes a deal with {other} through the office in {city}: goods {give} for {take}"
            ),
        ).remembered(3),
        EventWords(OfferDeclined, "turn", msg("declines {other}'s offer")),
        EventWords(Withdrawn, "turn", msg("withdraws the offer to {other}")),
        EventWords(OfferLapsed, "news", msg("{seat}'s offer to {other} no longer stands.")),
    ),
)
