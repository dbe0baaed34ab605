"""Personal settings in words: names, reminders and the daily list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.text.folding import fold
from bot.text.markup import bold
from bot.text.words import Message, Words, all_words, forms, msg

# The settings
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
"""The name of each setting, in the order shown."""

NOTICES = {
    "channel": msg("in the channel"),
    "dm": msg("by direct message"),
    "both": msg("in the channel and by direct message"),
}
TOLD_NEXT = {
    "off": msg("off"),
    "on": msg("a direct message when you're next"),
}
BOARDS = {"picture": msg("as a picture"), "text": msg("as text")}
CONFIRM = {
    "on": msg("ask me if I could still do something useful"),
    "off": msg("never ask"),
}
STATISTICS = {
    "on": msg("my results count and others can see them"),
    "off": msg("my results don't count and no one can see them"),
}
PALETTES = {
    "standard": msg("standard"),
    "red_green": msg("red-green colour-blind"),
    "blue_yellow": msg("blue-yellow colour-blind"),
    "contrast": msg("high contrast"),
}
OFF = msg("off")
NEVER = msg("never")
AS_DISCORD = msg("same as Discord")
NO_ZONE = msg("UTC (not set)")
UNTIL = msg("until {time}")
AT_HOUR = msg("at {hour}:00")
FROM_TO = msg("{start} to {end}")

_AFTER_HOURS = forms("after {count} hour", "after {count} hours")
_FOR_HOURS = forms("for {count} hour", "for {count} hours")
_FOR_DAYS = forms("for {count} day", "for {count} days")

TITLE = msg("**Your settings**")
HOW = msg(
    "-# Reminders come less and less often, at least once a week, seven at most. Every move "
    "of yours resets them. During quiet hours nothing is sent; it all arrives afterwards."
)
CHANGE = msg("Change a setting…")
WHICH_ZONE = msg(
    "🕒 You haven't set a time zone, so times are in UTC. Choose yours here or with `/me set`."
)
CHANGED = msg("{name}: {value}.")
ALL = msg("All settings")
FORGOTTEN = msg(
    "Your settings, results, ratings, notes and plans have been deleted, and finished "
    "tables no longer show your name. My old posts and running games still show it, as do "
    "backups until they expire."
)
FORGET = msg(
    "Delete your settings, results, ratings, notes and plans, and your name at finished "
    "tables? You can't undo this.\nMy old posts and direct messages stay, as do backups "
    "until they expire and games still running: leave those with `/game resign` first. `/me "
    "export` gives you a copy."
)
EXPORTED = msg(
    "Everything I store about you. It doesn't include what others did or my posts in channels."
)

# Calls
REMINDED = msg("🔔 {awaited} · waiting since {date} ({relative})")
NEXT = msg("⏭️ You're next, after {name}.")
MORE = msg("and {count} more")
DIGEST = msg("**Your tables, longest wait first**")


def hours(words: Words, count: int) -> str:
    """How long something lasts, in hours; whole days from two on in days."""
    if count >= 48 and count % 24 == 0:
        return words.phrase(_FOR_DAYS, count // 24)
    return words.phrase(_FOR_HOURS, count)


def after_hours(words: Words, count: int) -> str:
    """After how many hours somebody is reminded, or that they never are, for 0."""
    return words.phrase(_AFTER_HOURS, count) if count else words(NEVER)


def time_of_day(minutes: int) -> str:
    """Minutes since midnight as ``22:30``."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def read_time(typed: str) -> int | None:
    """Minutes since midnight from ``22:30``, ``22.30`` or ``22``; None for anything else."""
    hour, _, minute = typed.strip().replace(".", ":").partition(":")
    if not hour.isdecimal() or not (minute or "0").isdecimal():
        return None
    read = int(hour) * 60 + int(minute or 0)
    return read if int(hour) < 24 and int(minute or 0) < 60 else None


def is_off(typed: str) -> bool:
    """Whether somebody has typed the word for off, in any language."""
    return fold(typed).strip() in {fold(words(OFF)) for words in all_words()}


def languages() -> dict[str, str]:
    """The available languages, each by its own name."""
    return {words.locale: words.own_name() for words in all_words()}


def settings(words: Words, values: Mapping[str, str]) -> str:
    """All settings with their values, a line each."""
    lines = [f"{bold(words(NAMES[name]))}: {value}" for name, value in values.items()]
    return "\n".join([words(TITLE), *lines, words(HOW)])


def digest(words: Words, lines: Sequence[str], more: int) -> str:
    """The list of the tables that wait for somebody; `more` are left out."""
    rest = [words(MORE, count=more)] if more else []
    return "\n".join([words(DIGEST), *lines, *rest])
