"""Deals among players: between ships, and by advanced rule B with offices."""

from __future__ import annotations

from bot.game.contract import Decision, offer_of
from bot.game.kogge.data import GUEST, OFFICE
from bot.game.kogge.notation import split_partner
from bot.game.kogge.offers import (
    Accepted,
    AcceptedSecretly,
    OfferDeclined,
    Offered,
    OfferedSecretly,
    OfficeAccepted,
    OfficeAcceptedSecretly,
    OfficeOffered,
    OfficeOfferedSecretly,
    Withdrawn,
)
from bot.game.kogge.partners import OfferLapsed
from bot.game.kogge.view import KoggeView, OfferView
from bot.text.contract import Label, Style
from bot.text.events import EventWords
from bot.text.kogge.parts import (
    Asked,
    KoggeChapter,
    KoggeMove,
    KoggePart,
    KoggeQuestion,
    cargo,
    pieces,
    reader,
)
from bot.text.kogge.speech import KoggeSpeech
from bot.text.words import Message, msg


def _partner(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    way, seat = split_partner(word)
    assert seat is not None, "what may be said names a seat"
    name = speech.seat(seat)
    if way == OFFICE:
        text = words("The office of {seat}", seat=name)
        return Label(text, "🏠", _in_office(asked, seat, reader(asked).city))
    if way == GUEST:
        city = asked.view.seats[seat].city
        text = words("{seat}, by your office in {city}", seat=name, city=speech.city(city))
        return Label(text, "🏠", _in_office(asked, max(asked.view.observer, 0), city))
    return Label(name, "🤝", cargo(asked, seat))


def _in_office(asked: Asked, owner: int, city: int) -> str:
    """What lies in a player's offices in a city."""
    offices = asked.view.cities[city].offices
    goods = [office.goods for office in offices if office.seat == owner]
    there = asked.speech.goods([sum(counts) for counts in zip(*goods, strict=True)])
    return asked.speech.words("There: {goods}", goods=there)


def _find(view: KoggeView, number: str) -> OfferView | None:
    """The open offer with this number."""
    return next((offer for offer in view.offers if str(offer.id) == number), None)


def _offer(asked: Asked, word: str) -> Label:
    speech, words = asked.speech, asked.speech.words
    offer = _find(asked.view, word)
    if offer is None:
        return Label(words("Offer {number}", number=word), "🤝")
    mine = offer.seat == asked.view.observer
    who = speech.seat(offer.other if mine else offer.seat)
    text = words("To {seat}", seat=who) if mine else words("From {seat}", seat=who)
    if offer.give is None or offer.take is None:
        return Label(text, "🤝")
    give, take = (offer.give, offer.take) if mine else (offer.take, offer.give)
    note = words(
        "You give {give} and get {take}", give=speech.pieces(give), take=speech.pieces(take)
    )
    if offer.city is not None:
        note = words("Office in {city}: {offer}", offer=note, city=speech.city(offer.city))
    return Label(text, "🤝", note)


def _said_offer(asked: Asked, word: str) -> str:
    speech, words = asked.speech, asked.speech.words
    offer = _find(asked.view, word)
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
            "{seat} gives {give} for {take} of {other}, by the office in {city}", city=city, **facts
        )
    return words("{seat} gives {give} for {take} of {other}", **facts)


def _answer_question(speech: KoggeSpeech, decision: Decision, view: KoggeView) -> str:
    words, offer = speech.words, _find(view, offer_of(decision))
    if offer is None or offer.give is None or offer.take is None:
        return words("Somebody offers you a deal. Accept, counter or decline.")
    facts = {
        "seat": speech.seat(offer.seat),
        "give": speech.pieces(offer.give),
        "take": speech.pieces(offer.take),
    }
    if offer.city is None:
        return words("{seat} offers you {give} for {take}. Accept, counter or decline.", **facts)
    facts["city"] = speech.city(offer.city)
    if offer.office == decision.seat:
        return words(
            "{seat} offers you {give} for {take} at your office in {city}: goods go from and to "
            "your office there, markers from and to your hand. Accept, counter or decline.",
            **facts,
        )
    return words(
        "{seat} offers you {give} for {take}, by the office in {city}: goods go from and to that "
        "office. Accept, counter or decline.",
        **facts,
    )


def _which(prompt: Message) -> dict[str, KoggePart]:
    return {"offer": KoggePart(prompt, _offer, _said_offer)}


def _bargain(give: Message) -> dict[str, KoggePart]:
    take = msg("What do you want for it? It may be nothing.")
    return {
        "give": pieces(give, msg("Give {pieces}")),
        "take": pieces(take, msg("Get {pieces}")),
    }


CHAPTER = KoggeChapter(
    moves={
        "offer": KoggeMove(
            msg("Offer a deal"),
            "🤝",
            msg("offer a deal"),
            parts={
                "seat": KoggePart(
                    msg("To whom do you make an offer?"),
                    _partner,
                    lambda asked, word: asked.speech.partner(word),
                ),
                **_bargain(msg("What do you give? It may be nothing.")),
            },
            said=(
                msg("Offer {seat} a deal"),
                msg("Offer {seat} {give}"),
                msg("Offer {seat} {give} for {take}"),
            ),
        ),
        "counter": KoggeMove(
            msg("Make a counter-offer"),
            "🤝",
            msg("make a counter-offer"),
            parts={
                **_which(msg("Which offer do you counter?")),
                **_bargain(msg("What do you give instead? It may be nothing.")),
            },
            said=(
                msg("Counter the offer: {offer}"),
                msg("Offer {give} instead"),
                msg("Offer {give} for {take} instead"),
            ),
        ),
        "accept": KoggeMove(
            msg("Accept"),
            "✅",
            msg("accept an offer"),
            Style.SUCCESS,
            parts=_which(msg("Which offer do you accept?")),
            said=(msg("Accept the offer: {offer}"),),
        ),
        "decline": KoggeMove(
            msg("Decline"),
            "❌",
            msg("decline an offer"),
            parts=_which(msg("Which offer do you decline?")),
            said=(msg("Decline the offer: {offer}"),),
        ),
        "withdraw": KoggeMove(
            msg("Take the offer back"),
            "↩️",
            msg("take an offer back"),
            parts=_which(msg("Which offer do you take back?")),
            said=(msg("Take back the offer: {offer}"),),
        ),
    },
    questions={"answer": KoggeQuestion(msg("{seat} to answer an offer"), _answer_question)},
    refusals={
        "not_together": msg(
            "No other ship is in {city} with you, and deals need two ships together."
        ),
        "no_partner_here": msg(
            "Neither another ship nor an office of another player is in {city}, and no other ship "
            "is "
            "where you have an office. Deals need one."
        ),
        "no_office_of": msg(
            "{other} has no office in {city}, and you deal only with offices where your ship is."
        ),
        "no_guest": msg(
            "The ship of {other} is in no city where you have an office, and by an office you deal "
            "only with ships that lie there."
        ),
        "no_office_deals": msg(
            "At this table ships deal only with ships: deals with offices are an option it did not "
            "choose."
        ),
        "not_with_you": msg("The ship of {other} is elsewhere, and deals need two ships together."),
        "deals_closed": msg(
            "Deals rest until the first offices are founded, and while a raid, taxes or a "
            "conflict are "
            "settled. "
            "Try again after it."
        ),
        "offer_gone": msg("That offer no longer stands. Make a new one if you like."),
        "offer_not_yours": msg(
            "That offer was made to somebody else; only its receiver answers it."
        ),
        "offer_not_mine": msg(
            "That offer was made by somebody else; only its maker takes it back."
        ),
        "offer_empty": msg(
            "An offer with nothing on both sides is none. Give or ask for something."
        ),
        "cannot_give": msg("You do not have {pieces}. Offer what you hold, or decline."),
        "cannot_take": msg("{other} does not have {pieces}. Ask for something else."),
    },
    events=(
        EventWords(Offered, "turn", msg("🤝 offers {other} {give} for {take}")),
        EventWords(OfferedSecretly, "turn", msg("🤝 makes {other} an offer")),
        EventWords(Accepted, "turn", msg("🤝 gives {other} {give} and gets {take}")).remembered(3),
        EventWords(AcceptedSecretly, "turn", msg("🤝 makes a deal with {other}")).remembered(3),
        EventWords(
            OfficeOffered,
            "turn",
            msg("🤝 offers {other} {give} for {take}, by the office in {city}"),
        ),
        EventWords(
            OfficeOfferedSecretly, "turn", msg("🤝 makes {other} an offer, by the office in {city}")
        ),
        EventWords(
            OfficeAccepted,
            "turn",
            msg("🤝 gives {other} {give} and gets {take}, by the office in {city}"),
        ).remembered(3),
        EventWords(
            OfficeAcceptedSecretly,
            "turn",
            msg("🤝 makes a deal with {other} by the office in {city}: goods {give} for {take}"),
        ).remembered(3),
        EventWords(OfferDeclined, "turn", msg("declines the offer of {other}")),
        EventWords(Withdrawn, "turn", msg("takes the offer to {other} back")),
        EventWords(OfferLapsed, "news", msg("The offer of {seat} to {other} no longer stands.")),
    ),
)
