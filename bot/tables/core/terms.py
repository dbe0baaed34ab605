"""What a table agrees on besides the options of its game: its clock, and how a pause or an end
is decided."""

from __future__ import annotations

from bot.game.contract import Option
from bot.tables.core import errors
from bot.tables.core.model import Table

CLOCK = "clock"
WEEKEND = "weekend"
AT_ZERO = "at_zero"

TERMS = (
    Option(CLOCK, ("none", "d1", "d2", "d3", "d5", "d7", "reserve")),
    Option(WEEKEND, ("off", "frozen")),
    Option(AT_ZERO, ("nothing", "vote", "autopilot")),
)
"""The first value of each holds where nothing was chosen."""

_KNOWN = {option.name: option for option in TERMS}


def is_term(name: str) -> bool:
    """Whether an option belongs to the table and not to its game."""
    return name in _KNOWN


def term(table: Table, name: str) -> str:
    """What the table has agreed on."""
    return table.terms.get(name, _KNOWN[name].values[0])


def has_clock(table: Table) -> bool:
    """Whether the table counts time."""
    return term(table, CLOCK) != "none"


def checked(name: str, value: str) -> str:
    """The value. Raises UnknownOption where the term cannot have it."""
    if value not in _KNOWN[name].values:
        raise errors.UnknownOption(option=name, value=value)
    return value
