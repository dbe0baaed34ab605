"""Texts for personal settings, and parsing of typed dates and times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from bot.text.matching import fold
from bot.text.words import Message, Words, all_words, msg

NAMES: Mapping[str, Message] = {
    "notices": msg("Notifications"),
    "reminder": msg("Reminder"),
    "next": msg("Heads-up before your turn"),
    "quiet": msg("Quiet hours"),
    "snooze": msg("Snooze"),
    "digest": msg("Daily summary"),
    "zone": msg("Time zone"),
    "language": msg("Language"),
    "board": msg("Board"),
    "palette": msg("Colours"),
    "confirm": msg("Ending your turn"),
    "statistics": msg("Statistics"),
}
"""The names of the settings, in the order shown."""

PALETTES = {
    "standard": msg("standard"),
    "red_green": msg("red-green colour-blind"),
    "blue_yellow": msg("blue-yellow colour-blind"),
    "contrast": msg("high contrast"),
}
MAX_DIGITS = 4
"""Maximum digits of each number in a typed date."""

OFF = msg("off")
NEVER = msg("never")
AS_DISCORD = msg("same as Discord")


MORE = msg("and {count} more")


def hours(words: Words, count: int) -> str:
    """Return a duration in hours, or in days if it is at least two whole days."""
    if count >= 48 and count % 24 == 0:
        return words.plural("for {count} day", "for {count} days", count // 24)
    return words.plural("for {count} hour", "for {count} hours", count)


def time_of_day(minutes: int) -> str:
    """Format minutes since midnight as ``22:30``."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def read_time(typed: str) -> int | None:
    """Parse ``22:30``, ``22.30`` or ``22`` to minutes since midnight; None for anything else."""
    hour, _, minute = typed.strip().replace(".", ":").partition(":")
    if not hour.isdecimal() or not (minute or "0").isdecimal():
        return None
    read = int(hour) * 60 + int(minute or 0)
    return read if int(hour) < 24 and int(minute or 0) < 60 else None


def read_day(typed: str, today: date) -> date | None:
    """Parse ``2026-12-24``, ``24.12.2026``, ``24.12.`` or ``24/12``; None for anything else.

    Without a year it is the next such date, or yesterday.
    """
    parts = typed.strip().rstrip(".").replace("/", ".").replace("-", ".").split(".")
    if len(parts) not in (2, 3):
        return None
    if not all(part.isdecimal() and len(part) <= MAX_DIGITS for part in parts):
        return None
    numbers = [int(part) for part in parts]
    if len(parts[0]) == 4:
        numbers.reverse()
    try:
        if len(numbers) == 3:
            return date(numbers[2], numbers[1], numbers[0])
        day = date(today.year, numbers[1], numbers[0])
        return day if day >= today - timedelta(days=1) else day.replace(year=today.year + 1)
    except ValueError:
        return None


def is_off(typed: str) -> bool:
    """Return whether the typed text means off in any language."""
    return fold(typed).strip() in {fold(words(OFF)) for words in all_words()}


def languages() -> dict[str, str]:
    """Return the own names of the available languages, by locale."""
    return {words.locale: words.own_name() for words in all_words()}
