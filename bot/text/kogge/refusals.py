"""Why something is not allowed: what is wrong, the rule in a clause, what can be done instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.game.contract import Fact, Refusal
from bot.game.kogge.notation import split_partner
from bot.text.kogge.names import DOINGS, PARAMS
from bot.text.kogge.speech import GOODS, Speech
from bot.text.markup import code
from bot.text.words import Forms, Message, forms, msg

MESSAGES: Mapping[str, Message | Forms] = {
    # Whose turn, and what for
    "not_your_turn": msg("It is not your turn: {other} is asked now. You will be called."),
    "nothing_asked": msg("Nothing is asked of you just now. The others are still choosing."),
    "unknown_kind": msg("Kogge has no action “{kind}”. **Take your turn** shows what there is."),
    "not_now": msg(
        "You cannot {kind} in this part of the turn: first all movement, then the actions. "
        "**Take your turn** shows what is possible now."
    ),
    "game_over": msg("The game is over; nothing can be played any more."),
    "already_done": msg(
        "You may {kind} only once a turn, and have done so. Take another action or end your turn."
    ),
    # The words of an action
    "incomplete": msg("To {kind}, say all of it: {param} is missing."),
    "too_many_words": msg("That is more than it takes to {kind}. Leave the rest away."),
    "not_a_choice": msg("“{word}” is not possible here. Choose {param} from what is offered."),
    "too_few": forms(
        "That is too few: at least {count} is needed.",
        "That is too few: at least {count} are needed.",
    ),
    "too_many": forms(
        "That is too many: at most {count} is possible.",
        "That is too many: at most {count} are possible.",
    ),
    "not_in_stock": msg("You ask for {pieces}: that is more than there is. Choose fewer."),
    # Founding and auction
    "no_such_marker": msg("You have no marker {marker} any more. Choose a number that you hold."),
    "city_barred": msg(
        "{city} was wanted by too many, so whoever chose it needs another city now."
    ),
    "bid_taken": msg(
        "{seat} has already bid exactly {pieces}, and no bid may be made twice. "
        "Add a marker or choose others."
    ),
    # Movement
    "no_route_open": msg(
        "No route leads you out of {city}: they end where you may not go. "
        "End your movement and act here."
    ),
    "route_to_same_city": msg(
        "That route leads to {city}, where your ship is already. Take another or end your movement."
    ),
    "own_raid": msg(
        "Your Raid lies in {city}, and a robber never enters such a city again. Take another way."
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
    # Offices
    "city_full": msg("{city} has two offices, and no city takes a third. Choose another city."),
    "needs_goods": msg(
        "For an office in {city} you still lack {pieces}: it costs one of each good "
        "the city does not produce. Trade for it, or build elsewhere."
    ),
    "needs_markers": forms(
        "For an office in {city} you need {count} marker of number {marker}. "
        "Buy a pair or ask the guild master for it.",
        "For a second office in {city} you need {count} markers of number {marker}. "
        "Buy pairs or ask the guild master for them.",
    ),
    "needs_either": forms(
        "For an office in {city} you need {pieces} more, or else {count} marker of number "
        "{marker}. Trade or buy a pair, or build elsewhere.",
        "For a second office in {city} you need {pieces} more, or else {count} markers of number "
        "{marker}. Trade or buy pairs, or build elsewhere.",
    ),
    # The guild master and the chits
    "no_guild_master": msg(
        "The guild master is in {city}, and he deals only with ships in his city. Sail there first."
    ),
    "raid_already_bought": msg(
        "You have bought your second Raid already, and nobody gets a third."
    ),
    "needs_three_alike": msg(
        "A second Raid costs {count} equal markers, and you have no {count} of a number. "
        "Buy pairs to get there."
    ),
    "needs_six_alike": msg(
        "A bonus chit costs {count} goods of one kind, and you have no {count} alike. "
        "Load and trade for more."
    ),
    "all_chits_gone": msg("All bonus chits are sold. Take another of the guild master's deals."),
    "chits_gone": msg("No bonus chit “{chit}” is left. Choose another kind."),
    "bag_short": msg(
        "The bag has no marker of the colour of {good} now. Pay with another good, or come back."
    ),
    "bag_lacks_marker": msg("The bag has no marker {marker} now. Choose another number."),
    "wrong_colour": msg(
        "Marker {marker} is not of the colour of {good}: a good brings a marker for a city "
        "that produces it. Choose such a number."
    ),
    "reserve_short": msg("The reserve has no {good} left. Swap a marker of another colour."),
    # Buying and trading
    "pair_sold": msg("Pair {count} is sold. Choose one that is still on display."),
    "pairs_gone": msg("All pairs of this round are sold; new ones come next round."),
    "nothing_to_pay": msg("This costs one good, and your ship carries none. Load or trade first."),
    "trade_needs_move": msg(
        "Your ship began its movement in {city}, and you may trade only in another city than "
        "that. Take another action; next turn, sail first."
    ),
    "city_empty": msg("{city} has no goods to trade. Goods in offices do not count."),
    "nothing_to_trade": msg("Your ship carries nothing that you could trade."),
    "trade_same_good": msg(
        "{city} has only what you offer yourself, and goods are never traded for their own kind."
    ),
    "trade_too_much": msg(
        "For {pieces}, {city} has too little of other kinds: each good given must bring at least "
        "one of another kind. Give less."
    ),
    "trade_too_little": forms(
        "You give {count} good, so take at least {count} in return.",
        "You give {count} goods, so take at least {count} in return.",
    ),
    "trade_for_itself": msg(
        "Trading {give} for {take} would pay a good with its own kind. Every good you take must "
        "be paid with another kind."
    ),
    "not_in_city": msg(
        "{city} does not have {pieces}. Take what lies in the city; goods in offices do not count."
    ),
    # Routes
    "route_hidden": msg(
        "That route in {city} is face down, and only open ones can be changed: a new route "
        "stays until somebody has sailed it."
    ),
    "marker_of_city": msg(
        "A route out of {city} cannot lead to {city} itself. Lay a marker of another number."
    ),
    "no_markers": msg("You have no markers. Buy a pair or swap a good for one."),
    # Memory
    "no_memory": msg(
        "At this table route markers lie open; looks are for Memory, an option it did not choose."
    ),
    "peek_too_late": msg(
        "You may look at the routes of a city only before your ship moves. Try next turn."
    ),
    "cannot_pay_peek": msg("A look costs one good or marker, and you have none. Sail or stop."),
    "route_has_failed": msg(
        "You have tried that route out of {city}, and it cannot be used. Take the other one, or "
        "end your movement."
    ),
    # Raids
    "no_raid": msg(
        "You have no Raid left. The guild master sells a second one for three equal markers, once."
    ),
    "no_ship_here": msg("No other ship is in {city}. You can still raid the city itself."),
    "must_push": msg("The ship of {other} must leave, if there is any way. Choose one."),
    # Deals
    "not_together": msg("No other ship is in {city} with you, and deals need two ships together."),
    "no_partner_here": msg(
        "Neither another ship nor an office of another player is in {city}, and no other ship is "
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
        "Deals rest until the first offices are founded, and while a raid, taxes or a conflict are "
        "settled. "
        "Try again after it."
    ),
    "offer_gone": msg("That offer no longer stands. Make a new one if you like."),
    "offer_not_yours": msg("That offer was made to somebody else; only its receiver answers it."),
    "offer_not_mine": msg("That offer was made by somebody else; only its maker takes it back."),
    "offer_empty": msg("An offer with nothing on both sides is none. Give or ask for something."),
    "cannot_give": msg("You do not have {pieces}. Offer what you hold, or decline."),
    "cannot_take": msg("{other} does not have {pieces}. Ask for something else."),
    # What people type (bot.text.kogge.reading)
    "unreadable": msg("I cannot read “{word}” as {param}. You can write, for example: {examples}."),
    "ambiguous": msg("“{word}” can mean several things: {examples}. Write a bit more."),
}


def refusal_text(speech: Speech, refusal: Refusal) -> str:
    """The refusal in words. Raises KeyError for a code that has no message."""
    facts = dict(refusal.facts)
    code = "step_free" if refusal.code == "wrong_fee" and facts.get("count") == 0 else refusal.code
    said = speech.facts(facts) | _names(speech, facts)
    count = facts.get("count", 1)
    return speech.words.phrase(MESSAGES[code], count if isinstance(count, int) else 1, **said)


def _names(speech: Speech, facts: Mapping[str, Fact]) -> dict[str, str]:
    words = speech.words
    names: dict[str, str] = {}
    for name, table in (("kind", DOINGS), ("param", PARAMS)):
        value = facts.get(name)
        if isinstance(value, str) and value in table:
            names[name] = words(table[value])
    examples = facts.get("examples")
    if isinstance(examples, tuple):
        said = [_example(speech, str(facts.get("param")), str(example)) for example in examples]
        names["examples"] = words.either([code(example) for example in said])
    return names


def _example(speech: Speech, param: str, word: str) -> str:
    """A word of the notation as a person would write it."""
    plain = replace(speech, rich=False)
    if param in ("markers", "fee", "pieces", "goods", "give", "take") or (
        param == "group" and word not in ("first", "second")
    ):
        return " ".join(word) if word.isdecimal() else plain.pieces(word)
    if param == "marker" and word.isdecimal():
        return plain.city(int(word))
    if param == "good" and word in GOODS:
        return plain.good(word)
    if param == "seat" and split_partner(word)[1] is not None:
        return plain.partner(word)
    if param in ("route", "chit"):
        return plain.facts({param: word})[param]
    return word
