"""Texts for a table's terms: options that do not belong to the game."""

from __future__ import annotations

from collections.abc import Mapping

from bot.text.game_words import AnyGameWords
from bot.text.words import Words, msg

NAMES = {
    "clock": msg("Clock"),
    "weekend": msg("Weekends"),
    "at_zero": msg("When time is up"),
    "hints": msg("Hints"),
    "players": msg("Who may join"),
    "load": msg("Open tables per player"),
}

VALUES = {
    "clock": {
        "none": msg("none"),
        "m15": msg("15 minutes a turn"),
        "d1": msg("1 day a turn"),
        "d2": msg("2 days a turn"),
        "d3": msg("3 days a turn"),
        "d5": msg("5 days a turn"),
        "d7": msg("7 days a turn"),
        "reserve": msg("24 hours, plus 4 for each move, up to 72"),
    },
    "weekend": {"off": msg("count"), "frozen": msg("don't count")},
    "at_zero": {
        "nothing": msg("nothing happens"),
        "vote": msg("the others vote on a computer player"),
        "autopilot": msg("a computer player takes over"),
    },
    "hints": {
        "off": msg("off"),
        "own": msg("only with /game hint"),
        "on": msg("a button in everyone's panel"),
    },
    "players": {
        "anyone": msg("anyone"),
        "records": msg("anyone with statistics on; shows how reliable they are"),
        "reliable": msg("only players who finish at least 80% of their games"),
    },
    "load": {
        "any": msg("no limit"),
        "1": msg("at most 1 more than games finished here"),
        "3": msg("at most 3 more than games finished here"),
        "5": msg("at most 5 more than games finished here"),
    },
}


PACES = {
    "live": msg("live tonight, 15 minutes a turn"),
    "day": msg("a move a day"),
    "days": msg("a move every three days"),
}


WATCH_PACES = {
    "s10": msg("a turn every 10 seconds"),
    "m1": msg("a turn a minute"),
    "m10": msg("a turn every 10 minutes"),
    "h1": msg("a turn an hour"),
}


def option(text: AnyGameWords, name: str) -> str:
    """Return the name of an option of the game or the table; plain."""
    return text.words(NAMES[name]) if name in NAMES else text.option(name)


def option_value(text: AnyGameWords, name: str, value: str) -> str:
    """Return the name of a value of an option of the game or the table; plain."""
    if name in VALUES:
        return text.words(VALUES[name][value])
    return text.option_value(name, value)


def summary(
    words: Words,
    terms: Mapping[str, str],
    *,
    hints_are_chosen: bool = True,
    is_alone: bool = True,
) -> str:
    """Return a table's terms in one line; hints are left out if the terms have no value for them,
    and who may join if anyone may.

    If the value for hints is the default and several people play, it explains why hints are off.
    """
    chosen = {
        name: words(values[terms.get(name, next(iter(values)))]) for name, values in VALUES.items()
    }
    has_clock = terms.get("clock", "none") != "none"
    lines = [
        words("⏳ {clock}; weekends {weekend}; when time is up, {at_zero}.", **chosen)
        if has_clock
        else words("No time limit.")
    ]
    if "hints" in terms and not (hints_are_chosen or is_alone):
        lines.append(
            words(
                "💡 Hints: off, because more than one person is playing. **Options** turns them on."
            )
        )
    elif "hints" in terms:
        lines.append(words("💡 Hints: {hints}.", hints=chosen["hints"]))
    for name in ("players", "load"):
        if terms.get(name, next(iter(VALUES[name]))) != next(iter(VALUES[name])):
            option, value = words(NAMES[name]), chosen[name]
            lines.append(words("👥 {option}: {value}.", option=option, value=value))
    return " ".join(lines)
