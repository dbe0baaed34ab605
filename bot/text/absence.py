"""Time, absence, autopilot, vacant seats, pauses and standing orders, in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from bot.text.words import Message, msg

# Matters of the table, by the kind of their event
MATTERS: Mapping[str, Message] = {
    "autopiloted": msg("🤖 A computer player is playing for {name} for now."),
    "plays_again": msg("🧑 {name} is back and playing."),
    "claimed": msg("🧑 {name} takes the seat back from the computer player."),
    "paused": msg("⏸️ {name} asked for a break and everyone agreed: the game is paused."),
    "resumed": msg("▶️ {name} asked to resume and everyone agreed: the game continues."),
    "fell_asleep": msg("💤 No moves for weeks, so this table is now asleep."),
    "came_to_rest": msg("💤 Only computers are playing now, so the game has stopped."),
    "woke": msg("▶️ {name} wakes the table and the game continues."),
}

# Buttons
TAKE_BACK = msg("Take over again")
TAKE_OVER = msg("Take over {name}")
GO_ON = msg("Resume")

# How things stand
PAUSED = msg(
    "⏸️ The game is paused. Once everyone agrees to resume, I'll ping the player whose turn it is."
)
ASLEEP = msg("💤 This table is asleep. Any of its players can press **Resume**.")
UNATTENDED = msg(
    "💤 Only computers are playing now, so the game has stopped. Any of its players can "
    "press **Resume**."
)
AUTOPILOT = msg("🤖 A computer player is playing for {name}.")
VACANT = msg("🪑 Anyone may take over {name}'s seat.")
LEFT_SERVER = msg(
    "🚪 {name} has left the server, so votes don't need them anymore. `/seat replace` gives "
    "the seat to a computer player."
)
AWAY = msg("🏖️ {name} is away until {day}.")
AWAY_FROM = msg("🏖️ {name} will be away from {first} until {day}.")
TIME = msg("⏳ {name}: time runs out {relative} ({date})")
TIME_STILL = msg("⏳ {name}: clock stopped; at this rate, time runs out {relative}")
TIME_UP = msg("⌛ {name}: time is up")

# Answers
AUTOPILOT_ON = msg(
    "A computer player is playing for you now. You'll still get your secret information. To "
    "play again, press **Take over again** or just make a move."
)
AUTOPILOT_OFF = msg("You're playing again.")
CLAIMED = msg(
    "This seat is yours now. Your hand arrives by direct message and is under **My hand**. "
    "`/game resign` gives the seat back to a computer player."
)
TAKEN_OVER = msg("🧑 {name} takes over {owner}'s seat.")
TAKEN_FROM_YOU = msg("🧑 {name} has taken over your seat after the others freed it.")
AWAKE = msg("The game continues.")

# Warnings
SHORT_OF_TIME = msg("⏳ You're running out of time for this turn: it ends {relative} ({date}).")
OUT_OF_TIME = msg("⌛ You're out of time for this turn.")
IDLE = msg(
    "💤 No one has moved here for three weeks. Without a move, this table falls asleep on "
    "{at}. One press wakes it up again."
)
PLAYED_FOR: Mapping[str, Message] = {
    "owner": msg("🤖 A computer player is playing for you, as you asked."),
    "clock": msg("🤖 You ran out of time, so a computer player is playing for you now."),
    "others": msg("🤖 The others voted to let a computer player play for you."),
}
VACATED = msg("Anyone may take over your seat.")
COME_BACK = msg("To play again, press **Take over again** or make a move.")
RESTS = msg(
    "💤 Only computers are playing now, so the game has stopped. To play again, press "
    "**Resume** or make a move."
)
BEGUN = msg("🎲 The game has started.")

# Absence
AWAY_NAME = msg("Absence")
AWAY_SET = msg(
    "You're away from {first} to {last} (time zone: {zone}). Your tables show it, your "
    "clocks stop, and reminders wait until the morning you're back."
)
AWAY_OFF = msg("You're not away.")
AWAY_SPAN = msg("{first} to {last}")

# Standing orders
ORDERS = msg(
    "**Your automatic answers at table {table}.** They are given at once, and I tell you "
    "each time. Only you can see these settings."
)
ORDER = {
    "decline": msg("Decline all offers"),
    "end": msg("End my turn when there's nothing left to do"),
}
NOT_GIVEN = msg("off")
BY_ORDER = msg("📌 Automatic answer:")
NO_ORDERS = msg("This game has no automatic answers.")

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
