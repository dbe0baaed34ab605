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
    "fell_asleep": msg("💤 Nobody has acted for weeks, so this table sleeps now."),
    "woke": msg("▶️ {name} wakes the table; the game goes on."),
}

# Buttons
TAKE_BACK = msg("Take the wheel back")
TAKE_OVER = msg("Take over {name}")
GO_ON = msg("Go on")

# How things stand
PAUSED = msg("⏸️ The game is paused. When all agree to go on, whoever is to act is called.")
ASLEEP = msg("💤 This table sleeps. Any of its players may press **Go on**.")
AUTOPILOT = msg("🤖 A computer player plays for {name}.")
VACANT = msg("🪑 The seat of {name} may be taken over by anybody.")
AWAY = msg("🏖️ {name} is away until {day}.")
AWAY_FROM = msg("🏖️ {name} will be away from {first} until {day}.")
TIME = msg("⏳ {name}: time until {at}")
TIME_STILL = msg("⏳ {name}: the clock stands still; at this rate time is up {at}")
TIME_UP = msg("⌛ {name}: time is up")

# Answers
AUTOPILOT_ON = msg(
    "A computer player acts for you from now on. What is secret still comes to you. Press "
    "**Take the wheel back**, or just act, to play yourself again."
)
AUTOPILOT_OFF = msg("You play yourself again.")
CLAIMED = msg(
    "This seat is yours now, with all that it holds: your hand comes by direct message and is "
    "under **My hand**. `/game resign` gives the seat back to a computer player."
)
AWAKE = msg("The game goes on.")

# Warnings
SHORT_OF_TIME = msg("⏳ {mention}: a third of the time for this turn is left, until {at}.")
OUT_OF_TIME = msg("⌛ {mention}: the time for this turn is up.")
IDLE = msg(
    "💤 Nobody has acted here for three weeks. In a week this table falls asleep, unless somebody "
    "acts; after that one press brings it back."
)

# Absence
AWAY_NAME = msg("Absence")
AWAY_SET = msg(
    "You are away from {first} until {last}. Your tables show it, your clocks stand still, and I "
    "remind you of nothing until you are back."
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
    "end": msg("End my turn when nothing else can be done"),
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
