"""What is asked: whole decisions, and the next word of an action being built."""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.choices import Bundle, Choices, Done
from bot.game.contract import Action, Decision
from bot.game.kogge.view import View
from bot.text.kogge.labels import offer_of, pushed_seat
from bot.text.kogge.names import AWAITED
from bot.text.kogge.speech import Speech
from bot.text.words import Message, msg

_QUESTIONS: Mapping[str, Message] = {
    "bid": msg(
        "Bid for the order of play with one or more markers. "
        "Each also brings two goods to its city."
    ),
    "advance": msg("Move the guild master on from {guild}, one city or two."),
    "move": msg("Your ship is in {city}. Sail, or stop here and act."),
    "act": msg("You are in {city}. Take any actions, each once, then end your turn."),
    "split": msg(
        "Your ship is being raided. Divide your cargo in two halves; the robber takes one."
    ),
    "choose": msg("The cargo is divided. Take one half: {groups}."),
    "push": msg("{pushed} has raided in {away}. Choose by which route the ship must leave."),
    "exchange": msg(
        "You have looked at the routes of {city}. You may exchange one of them for a marker of "
        "yours, or leave it at that."
    ),
    "challenge": msg(
        "The turn is over, and ships lie together in {city}. Challenge one of them, or leave it at "
        "that."
    ),
    "conflict": msg(
        "{first} has challenged {second}. Bid markers in secret; they go to the other side. "
        "The better bid wins up to three goods of its owner's choice."
    ),
    "demand": msg("You have won. Name up to three goods; you get those that {second} has."),
}

_LOSER = msg("{pushed} has lost the conflict in {away}. Send the ship away, or leave it there.")
_BID_MADE = msg("You have bid {pieces}. You may choose anew until the other side has bid.")

_TAX = msg("The guild master takes taxes in {city}: pay one good of your choice.")
_EMPTY_TAX = msg(
    "The guild master takes taxes in {city}. Your ship is empty, so you pay nothing; "
    "confirm it, for the others do not see your goods."
)
_TAX_CHOSEN = msg("Your tax will be {pieces}. You may choose anew until all have chosen.")

_OFFICE_OFFERED = (
    msg(
        "{seat} offers you {give} for {take}, by the office in {city}: goods go from and to that "
        "office. Accept, counter or decline."
    ),
    msg(
        "{seat} offers you {give} for {take} at your office in {city}: goods go from and to your "
        "office there, markers from and to your hand. Accept, counter or decline."
    ),
)
"""By whether the office is the reader's own."""

_PROMPTS: Mapping[tuple[str, str], Message] = {
    ("found", "marker"): msg("In which city will your first office stand?"),
    ("bid", "markers"): msg("Which markers do you bid?"),
    ("advance", "steps"): msg("How far does the guild master go?"),
    ("tax", "pieces"): msg("Which good do you pay?"),
    ("sail", "route"): msg("Where do you sail?"),
    ("load", "pieces"): msg("Which goods do you load?"),
    ("build", "price"): msg("How do you pay for the office?"),
    ("buy_raid", "marker"): msg("Which three equal markers do you pay?"),
    ("sell_six", "good"): msg("Which six goods do you sell?"),
    ("sell_six", "chit"): msg("Which bonus chit do you take?"),
    ("swap_good", "good"): msg("Which good do you give?"),
    ("swap_good", "marker"): msg("Which marker do you take? These are in the bag."),
    ("swap_marker", "marker"): msg("Which marker do you give?"),
    ("buy", "pair"): msg("Which pair do you buy?"),
    ("buy", "good"): msg("Which good do you pay?"),
    ("trade", "give"): msg("What do you give the city?"),
    ("reroute", "route"): msg("Which route do you change?"),
    ("reroute", "marker"): msg("Where shall the new, hidden route lead?"),
    ("raid_ship", "seat"): msg("Whose ship do you raid?"),
    ("split", "group"): msg("Which goods make the first half?"),
    ("choose", "group"): msg("Which half do you take?"),
    ("push", "route"): msg("Which way must the ship go?"),
    ("challenge", "seat"): msg("Whom do you challenge?"),
    ("demand", "goods"): msg("Which goods do you demand? Up to three."),
    ("offer", "seat"): msg("To whom do you make an offer?"),
    ("offer", "give"): msg("What do you give? It may be nothing."),
    ("offer", "take"): msg("What do you want for it? It may be nothing."),
    ("counter", "offer"): msg("Which offer do you counter?"),
    ("counter", "give"): msg("What do you give instead? It may be nothing."),
    ("counter", "take"): msg("What do you want for it? It may be nothing."),
    ("accept", "offer"): msg("Which offer do you accept?"),
    ("decline", "offer"): msg("Which offer do you decline?"),
    ("withdraw", "offer"): msg("Which offer do you take back?"),
}


def question(speech: Speech, decision: Decision, view: View) -> str:
    """What is asked of the decision's seat."""
    words, me = speech.words, view.seats[decision.seat]
    if decision.kind == "found":
        return _founding(speech, view)
    if decision.kind == "tax":
        return _tax(speech, view, me.city)
    if decision.kind == "answer":
        return _offered(speech, decision, view)
    facts = {"guild": speech.city(view.guild_city), "city": speech.city(me.city)}
    if decision.kind == "choose" and view.groups:
        facts["groups"] = speech.groups(view.groups)
    if decision.kind == "push":
        pushed = pushed_seat(view)
        facts |= {"pushed": speech.seat(pushed), "away": speech.city(view.seats[pushed].city)}
        if view.may_pass:
            return words(_LOSER, **facts)
    if view.conflict is not None:
        first, second = view.conflict
        facts |= {"first": speech.seat(first), "second": speech.seat(second)}
        if decision.kind == "conflict" and view.sealed is not None:
            return words(_BID_MADE, pieces=speech.pieces(view.sealed))
    if decision.kind == "move" and _goods_wait(view, decision.seat):
        return words("Your ship is in {city}. Sail, load from your office, or stop.", **facts)
    if decision.kind == "choose" and not view.groups:
        return words("The cargo is divided. Take one half.")
    return words(_QUESTIONS[decision.kind], **facts)


def _goods_wait(view: View, seat: int) -> bool:
    offices = view.cities[view.seats[seat].city].offices
    return any(office.seat == seat and any(office.goods) for office in offices)


def awaited(speech: Speech, decision: Decision) -> str:
    """Whom the others wait for, and for what."""
    return speech.words(AWAITED[decision.kind], seat=speech.seat(decision.seat))


def prompt(speech: Speech, prefix: Action, choices: Choices, view: View) -> str:
    """The question for the next word after `prefix`."""
    words = speech.words
    if isinstance(choices, Done):
        return words("That is all there is to say.")
    if not prefix:
        return words("What do you do?")
    if prefix[0] == "peek":
        return words("Which good or marker do you pay for the look?")
    if choices.param == "fee" and isinstance(choices, Bundle):
        if not choices.least:
            return words("This step is free.")
        return words.plural(
            "This step costs {count} good or marker. What do you pay?",
            "This step costs {count} goods or markers. What do you pay?",
            choices.least,
        )
    if prefix[0] == "trade" and choices.param == "take" and isinstance(choices, Bundle):
        return words(
            "For {give} you get {least} to {most} goods of other kinds. Which?",
            give=speech.pieces(prefix[1]),
            least=choices.least,
            most=choices.most,
        )
    return words(_PROMPTS[prefix[0], choices.param])


def _founding(speech: Speech, view: View) -> str:
    if view.chosen is not None:
        return speech.words(
            "Your first office will stand in {city}. You may choose anew until all have chosen.",
            city=speech.city(view.chosen),
        )
    return speech.words(
        "Choose the city of your first office by one of your markers. "
        "Nobody sees it until all have chosen."
    )


def _tax(speech: Speech, view: View, city: int) -> str:
    if view.sealed is not None:
        return speech.words(_TAX_CHOSEN, pieces=speech.pieces(view.sealed))
    text = _TAX if any(view.seats[view.observer].goods or ()) else _EMPTY_TAX
    return speech.words(text, city=speech.city(city))


def _offered(speech: Speech, decision: Decision, view: View) -> str:
    offer = offer_of(view, decision.id.removeprefix("o"))
    if offer is None or offer.give is None or offer.take is None:
        return speech.words("Somebody offers you a deal. Accept, counter or decline.")
    facts = {
        "seat": speech.seat(offer.seat),
        "give": speech.pieces(offer.give),
        "take": speech.pieces(offer.take),
    }
    if offer.city is not None:
        facts["city"] = speech.city(offer.city)
        return speech.words(_OFFICE_OFFERED[offer.office == decision.seat], **facts)
    return speech.words("{seat} offers you {give} for {take}. Accept, counter or decline.", **facts)
