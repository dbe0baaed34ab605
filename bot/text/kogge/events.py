"""What happened, in words: a template for each kind of event (see `bot.text.telling`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.game.contract import Event
from bot.text.kogge.speech import Speech
from bot.text.telling import Frame, Line, Teller, Template, template
from bot.text.words import Message, msg

_FRAMES = {
    "turn": Frame(msg("{seat} {what}."), by_seat=True),
    "bids": Frame(msg("Bids: {what}.")),
    "supply": Frame(msg("New goods: {what}.")),
    "round": Frame(msg("{what}"), joint=" "),
    "guild": Frame(msg("{what}"), joint=" "),
    "news": Frame(msg("{what}"), alone=True),
}

_QUIET = ("stopped", "turn_ended")
"""Kinds that go without saying: what follows them tells as much."""


def _turn(*lines: Line | Message) -> Template:
    return template("turn", *lines)


TEMPLATES: Mapping[str, Template] = {
    # Founding
    "founding_chosen": template(
        "news", msg("Your first office will stand in {city}. Nobody else knows it yet.")
    ),
    "founded": _turn(msg("founds an office in {city}")),
    "crowded": template(
        "news", msg("Too many for {city}: {seats} choose again, and not that city.")
    ),
    # A new round
    "round_began": template("round", msg("Round {count}.")),
    "order_set": template("news", msg("Order of play: {seats}.")),
    "extra_marker": template("round", msg("{seat} draws {marker} as extra marker.")),
    "extra_marker_secretly": template("round", msg("{seat} draws an extra marker.")),
    "pairs_laid_out": template(
        "round",
        Line(msg("For sale: {pairs}."), "pairs"),
        msg("The bag is too short for any pair."),
    ),
    # Auction and supply
    "bid": template("bids", msg("{seat} {pieces}")),
    "no_bid": template("bids", msg("{seat} none (cannot bid)")),
    "supplied": template(
        "supply",
        Line(msg("{city} {count} {good} (offices first: {seats})"), "seats"),
        msg("{city} {count} {good}"),
    ),
    "supply_short": template("supply", msg("{city} goes without {count} {good}")),
    # Guild master
    "guild_master_moved": template("guild", msg("{seat} moves the guild master to {city}.")),
    "guild_master_brought": template(
        "guild",
        Line(msg("He would bring {good}, but none is left."), "count", 0),
        msg("He brings {count} {good}."),
    ),
    "lap_completed": template("guild", msg("🏁 Lap {count} is complete.")),
    # Taxes
    "confiscated": template("guild", msg("He confiscates {pieces} in {city}.")),
    "tax_chosen": template("news", msg("Your tax will be {pieces}. Nobody else knows it yet.")),
    "tax_paid": _turn(
        Line(msg("pays {pieces} in taxes"), "pieces"), msg("has no good to pay in taxes")
    ),
    "tax_paid_secretly": template(
        "news",
        Line(msg("Taxes of {seats}: {pieces} in all."), "pieces"),
        msg("Taxes of {seats}: nothing could be paid."),
    ),
    # Movement
    "sailed": _turn(
        Line(msg("takes the secret route to {to}, paying {fee}"), "route", "secret"),
        Line(msg("pays {fee} and sails on to {to}"), "fee"),
        msg("sails to {to}"),
    ),
    "route_failed": _turn(
        Line(msg("pays {fee}, turns up {marker} in {city} ({route}) and cannot sail there"), "fee"),
        msg("turns up {marker} in {city} ({route}) and cannot sail there"),
    ),
    "loaded": _turn(msg("loads {pieces}")),
    "stopped": _turn(msg("stops in {city}")),
    # Actions
    "built": _turn(msg("🏠 builds an office in {city} for {pieces} (now {points} points)")),
    "raid_marker_bought": _turn(msg("buys a second Raid for {pieces}")),
    "chit_bought": _turn(msg("🎖️ sells {pieces} for the bonus chit {chit} (now {points} points)")),
    "good_exchanged": _turn(msg("swaps {good} for marker {marker}")),
    "marker_exchanged": _turn(msg("swaps marker {marker} for {good}")),
    "pair_bought": _turn(msg("buys the pair {pieces} for {good}")),
    "traded": _turn(msg("trades {give} for {take}")),
    "rerouted": _turn(msg("lays a new hidden route in {city} and takes back {marker}")),
    "rerouted_with": template("news", msg("Your new route in {city} leads to {marker}.")),
    "city_raided": _turn(msg("⚔️ raids {city} and takes {pieces}")),
    "ship_raided": _turn(msg("⚔️ raids the ship of {other} in {city}")),
    "cargo_split": _turn(msg("divides the cargo: {groups}")),
    "cargo_split_secretly": _turn(msg("divides the cargo")),
    "looted": _turn(msg("takes {pieces} from {other}")),
    "looted_secretly": _turn(msg("takes half the cargo of {other}")),
    "pushed": _turn(msg("sends {other} from {city} to {to}")),
    "push_failed": _turn(
        msg("turns up {marker} in {city} ({route}) for {other}, who cannot sail there")
    ),
    "push_impossible": template("news", msg("No way leads {other} out of {city}; the ship stays.")),
    "turn_ended": _turn(msg("ends the turn")),
    # Memory
    "rerouted_secretly": _turn(msg("exchanges a hidden route in {city}")),
    "routes_kept": _turn(msg("keeps the routes of {city}")),
    "looked": _turn(msg("pays {fee} and looks at the routes of {city}")),
    "saw": template("news", msg("You see the routes of {city}: left to {left}, right to {right}.")),
    # Conflicts
    "challenged": _turn(msg("⚔️ challenges {other} in {city}")),
    "conflict_declined": _turn(msg("starts no conflict")),
    "conflict_bid": template(
        "news",
        Line(msg("Your bid in the conflict will be {pieces}. Nobody else knows it yet."), "pieces"),
        msg("You have no markers to bid in the conflict. Nobody else knows it yet."),
    ),
    "conflict_bids": template(
        "news", msg("In the conflict {seat} gives {give} and {other} gives {take}.")
    ),
    "conflict_won": _turn(msg("⚔️ wins the conflict with {other}")),
    "conflict_tied": template(
        "news", msg("⚔️ The conflict of {seat} and {other} is undecided: their bids are equal.")
    ),
    "demanded": _turn(msg("demands {pieces} of {other} and gets {take}")),
    "demanded_secretly": _turn(msg("demands goods of {other}")),
    "push_declined": _turn(msg("leaves the ship of {other} where it is")),
    # Deals
    "offered": _turn(msg("🤝 offers {other} {give} for {take}")),
    "offered_secretly": _turn(msg("🤝 makes {other} an offer")),
    "accepted": _turn(msg("🤝 gives {other} {give} and gets {take}")),
    "accepted_secretly": _turn(msg("🤝 makes a deal with {other}")),
    "office_offered": _turn(msg("🤝 offers {other} {give} for {take}, by the office in {city}")),
    "office_offered_secretly": _turn(msg("🤝 makes {other} an offer, by the office in {city}")),
    "office_accepted": _turn(
        msg("🤝 gives {other} {give} and gets {take}, by the office in {city}")
    ),
    "office_accepted_secretly": _turn(
        msg("🤝 makes a deal with {other} by the office in {city}: goods {give} for {take}")
    ),
    "declined": _turn(msg("declines the offer of {other}")),
    "withdrawn": _turn(msg("takes the offer to {other} back")),
    "lapsed": template("news", msg("The offer of {seat} to {other} no longer stands.")),
    # The end
    "game_ended": template("news", msg("🏆 The game ends: {ending}.")),
}


WEIGHTS = {
    "ship_raided": 8,
    "city_raided": 7,
    "conflict_won": 7,
    "chit_bought": 7,
    "lap_completed": 6,
    "conflict_tied": 5,
    "crowded": 5,
    "built": 4,
    "pushed": 4,
    "push_failed": 4,
    "demanded": 4,
    "raid_marker_bought": 4,
    "confiscated": 3,
    "accepted": 3,
    "accepted_secretly": 3,
    "office_accepted": 3,
    "office_accepted_secretly": 3,
    "route_failed": 2,
}
"""How well an event is remembered when the game is over; what is not listed is not."""


def _quiet(event: Event) -> bool:
    # A city that gets nothing at all is told of by the shortage that follows.
    return event.kind in _QUIET or (event.kind == "supplied" and event.facts.get("count") == 0)


_TELLER = Teller(_FRAMES, TEMPLATES, _quiet)


def event_line(speech: Speech, event: Event) -> str | None:
    """One event as a line; None where it is not worth one."""
    return _TELLER.line(speech, event)


def story(speech: Speech, events: Sequence[Event]) -> list[str]:
    """The events as lines; neighbours that belong together share one."""
    return _TELLER.story(speech, events)
