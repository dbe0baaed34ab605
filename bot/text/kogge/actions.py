"""An action said back, whole or as far as it has been built, for a confirmation."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.choices import OneOf
from bot.game.contract import Action
from bot.game.kogge.view import View
from bot.text.kogge.labels import Asked, label, offer_of, office_price
from bot.text.kogge.speech import Speech
from bot.text.words import Message, msg

_PARAMS: Mapping[str, tuple[str, ...]] = {
    "found": ("city",),
    "bid": ("markers",),
    "advance": ("steps",),
    "tax": ("pieces",),
    "sail": ("route", "fee"),
    "load": ("pieces",),
    "peek": ("fee",),
    "build": ("price",),
    "buy_raid": ("marker",),
    "sell_six": ("six", "chit"),
    "swap_good": ("good", "marker"),
    "swap_marker": ("marker",),
    "buy": ("pair", "good"),
    "trade": ("give", "take"),
    "reroute": ("route", "city"),
    "raid_ship": ("seat",),
    "split": ("half",),
    "choose": ("group",),
    "push": ("route",),
    "challenge": ("seat",),
    "demand": ("goods",),
    "offer": ("seat", "give", "take"),
    "counter": ("offer", "give", "take"),
    "accept": ("offer",),
    "decline": ("offer",),
    "withdraw": ("offer",),
}
"""What each word of an action is called in the templates below."""

_SAID: Mapping[str, tuple[Message, ...]] = {
    "found": (msg("First office in {city}"),),
    "bid": (msg("Bid {markers}"),),
    "advance": (msg("Move the guild master: {steps}"),),
    "tax": (msg("Pay {pieces} in taxes"),),
    "sail": (msg("{route}"), msg("{route}, paying {fee}")),
    "peek": (msg("Look at the routes here, paying {fee}"),),
    "load": (msg("Load {pieces}"),),
    "build": (msg("Build an office for {price}"),),
    "buy_raid": (msg("Buy a second Raid for three markers {marker}"),),
    "sell_six": (msg("Sell {six}"), msg("Sell {six} for the bonus chit {chit}")),
    "swap_good": (msg("Swap {good}"), msg("Swap {good} for marker {marker}")),
    "swap_marker": (msg("Swap marker {marker} for a good of its colour"),),
    "buy": (msg("Buy the pair {pair}"), msg("Buy the pair {pair} for {good}")),
    "trade": (msg("Trade {give}"), msg("Trade {give} for {take}")),
    "reroute": (msg("{route}"), msg("{route} by a hidden one to {city}")),
    "raid_ship": (msg("Raid the ship of {seat}"),),
    "split": (msg("One half is {half}"),),
    "choose": (msg("{group}"),),
    "push": (msg("{route}"),),
    "challenge": (msg("Challenge {seat}"),),
    "demand": (msg("Demand {goods}"),),
    "offer": (
        msg("Offer {seat} a deal"),
        msg("Offer {seat} {give}"),
        msg("Offer {seat} {give} for {take}"),
    ),
    "counter": (
        msg("Counter the offer: {offer}"),
        msg("Offer {give} instead"),
        msg("Offer {give} for {take} instead"),
    ),
    "accept": (msg("Accept the offer: {offer}"),),
    "decline": (msg("Decline the offer: {offer}"),),
    "withdraw": (msg("Take back the offer: {offer}"),),
}


def action_text(speech: Speech, action: Action, view: View) -> str:
    """The action in words, without a full stop. Raises KeyError for a kind there is not."""
    kind, said = action[0], action[1:]
    if kind == "sail" and said[1:] == ("",):
        # A free step: there is no fee to tell of.
        said = said[:1]
    if not said:
        return label(Asked(speech, (), OneOf("kind", (kind,)), view), kind).text
    facts = {
        name: _fact(speech, kind, name, word, view)
        for name, word in zip(_PARAMS[kind], said, strict=False)
    }
    return speech.words(_SAID[kind][len(said) - 1], **facts)


def _fact(speech: Speech, kind: str, name: str, word: str, view: View) -> str:
    match name:
        case "city":
            return speech.city(int(word))
        case "seat":
            return speech.partner(word)
        case "marker":
            return speech.marker(word)
        case "good":
            return speech.counted(word, 1)
        case "six":
            return speech.counted(word, 6)
        case "chit":
            return speech.chit(word)
        case "price":
            goods, markers = office_price(view, max(view.observer, 0))
            return speech.pieces({"both": goods + markers, "goods": goods}.get(word, markers))
        case "pair":
            return " + ".join(view.display[int(word) - 1])
        case "markers":
            return " + ".join(word) or speech.pieces(word)
        case "offer":
            return _offer(speech, word, view)
        case "route" | "steps" | "group":
            return label(Asked(speech, (kind,), OneOf(name, (word,)), view), word).text
    return speech.pieces(word)


def _offer(speech: Speech, number: str, view: View) -> str:
    offer = offer_of(view, number)
    if offer is None or offer.give is None or offer.take is None:
        return speech.words("number {number}", number=number)
    facts = {
        "seat": speech.seat(offer.seat),
        "give": speech.pieces(offer.give),
        "take": speech.pieces(offer.take),
        "other": speech.seat(offer.other),
    }
    if offer.city is not None:
        city = speech.city(offer.city)
        return speech.words(
            "{seat} gives {give} for {take} of {other}, by the office in {city}", city=city, **facts
        )
    return speech.words("{seat} gives {give} for {take} of {other}", **facts)
