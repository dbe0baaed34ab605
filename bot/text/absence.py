"""Time, absence, autopilot, vacant seats, pauses and standing orders, in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from bot.text.words import Message, msg

# Matters of the table, by the kind of their event
MATTERS: Mapping[str, Message] = {
    "autopiloted": msg("🤖 A computer player plays for {name} for now."),
    "plays_again": msg("🧑 {name} plays again."),
    "claimed": msg("🧑 {name} takes the seat over from the computer player."),
    "paused": msg("⏸️ The game is paused, as {name} asked and all agreed."),
    "resumed": msg("▶️ The game goes on, as {name} asked and all agreed."),
    "fell_asleep": msg("💤 Nobody has moved for weeks, so this table is asleep now."),
    "came_to_rest": msg("💤 Nobody is playing for themselves any more, so the game rests."),
    "woke": msg("▶️ {name} wakes the table; the game goes on."),
}

# Buttons
TAKE_BACK = msg("Take over again")
TAKE_OVER = msg("Take over {name}")
GO_ON = msg("Go on")

# How things stand
PAUSED = msg("⏸️ The game is paused. Once all agree to go on, I tell whoever is on turn.")
ASLEEP = msg("💤 This table is asleep. Any of its players can press **Go on**.")
UNATTENDED = msg(
    "💤 The game rests while nobody plays for themselves. Any of its players can press **Go on**."
)
AUTOPILOT = msg("🤖 A computer player plays for {name}.")
VACANT = msg("🪑 The seat of {name} may be taken over by anybody.")
LEFT_SERVER = msg(
    "🚪 {name} has left the server and isn't asked anymore. `/seat replace` gives the seat to a "
    "computer player."
)
AWAY = msg("🏖️ {name} is away until {day}.")
AWAY_FROM = msg("🏖️ {name} will be away from {first} until {day}.")
TIME = msg("⏳ {name}: time until {date} ({relative})")
TIME_STILL = msg("⏳ {name}: clock stopped; at this rate time runs out {relative}")
TIME_UP = msg("⌛ {name}: time is up")

# Answers
AUTOPILOT_ON = msg(
    "A computer player now plays for you. Secrets still come to you. To play again, "
    "press **Take over again** or simply make a move."
)
AUTOPILOT_OFF = msg("You are playing again.")
CLAIMED = msg(
    "This seat is yours now. Your hand comes by direct message and is under **My "
    "hand**. `/game resign` gives the seat back to a computer player."
)
TAKEN_OVER = msg("🧑 {name} takes over the seat of {owner}.")
TAKEN_FROM_YOU = msg("🧑 {name} has taken over your seat, which the others had freed.")
AWAKE = msg("The game goes on.")

# Warnings
SHORT_OF_TIME = msg(
    "⏳ Your time for this turn is getting short: you have until {date} ({relative})."
)
OUT_OF_TIME = msg("⌛ Your time for this turn is up.")
IDLE = msg(
    "💤 Nobody has moved here for three weeks. Unless somebody does, this table falls asleep on "
    "{at}; after that one press wakes it."
)
PLAYED_FOR: Mapping[str, Message] = {
    "owner": msg("🤖 A computer player plays for you, as you asked."),
    "clock": msg("🤖 Your time ran out, so a computer player plays for you now."),
    "others": msg("🤖 The others agreed to let a computer player play for you."),
}
VACATED = msg("Anyone may take over your seat.")
COME_BACK = msg("To play again, press **Take over again** or make a move.")
RESTS = msg(
    "💤 Nobody is playing for themselves any more, so the game rests. To play again, press **Go "
    "on** or make a move."
)
BEGUN = msg("🎲 The game has begun.")

# Absence
AWAY_NAME = msg("Absence")
AWAY_SET = msg(
    "You are away from {first} to {last} (time zone: {zone}). Your tables show it, your clocks "
    "stop, and reminders wait until the morning you are back."
)
AWAY_OFF = msg("You are not away.")
AWAY_SPAN = msg("{first} to {last}")

# Standing orders
ORDERS = msg(
    "**Your standing orders at table {table}.** Your seat answers by them at once; I tell you each "
    "time. Nobody else sees them."
)
ORDER = {
    "decline": msg("Decline all offers"),
    "end": msg("End my turn when everyone can see that it is over"),
}
NOT_GIVEN = msg("off")
BY_ORDER = msg("📌 By your standing order:")
NO_ORDERS = msg("There are no standing orders in this game.")

MOST_DIGITS = 4
"""Digits of each number in a typed date, at most."""


def read_day(typed: str, today: date) -> date | None:
    """The date typed as ``2026-12-24``, ``24.12.2026``, ``24.12.`` or ``24/12``; else None.

    Without a year it is the next such date.
    """
    parts = typed.strip().rstrip(".").replace("/", ".").replace("-", ".").split(".")
    if len(parts) not in (2, 3):
        return None
    if not all(part.isdecimal() and len(part) <= MOST_DIGITS for part in parts):
        return None
    numbers = [int(part) for part in parts]
    if len(parts[0]) == 4:
        numbers.reverse()
    try:
        if len(numbers) == 3:
            return date(numbers[2], numbers[1], numbers[0])
        found = date(today.year, numbers[1], numbers[0])
        return found if found >= today - timedelta(days=1) else found.replace(year=today.year + 1)
    except ValueError:
        return None
