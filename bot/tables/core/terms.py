"""What a table agrees on besides the options of its game: its clock, what happens when time is up,
and whether anybody gets hints."""

from __future__ import annotations

from bot.game.contract import Option
from bot.tables.core import errors
from bot.tables.core.model import Table

CLOCK = "clock"
WEEKEND = "weekend"
AT_ZERO = "at_zero"
HINTS = "hints"

OFF = "off"
"""Nobody gets hints."""
OWN = "own"
"""Hints are for those who ask for them by the command."""
ON = "on"
"""Everybody's panel has a button for them as well."""

TERMS = (
    Option(CLOCK, ("none", "d1", "d2", "d3", "d5", "d7", "reserve")),
    Option(WEEKEND, ("off", "frozen")),
    Option(AT_ZERO, ("nothing", "vote", "autopilot")),
    Option(HINTS, (OFF, OWN, ON)),
)
"""The first value of each holds where nothing was chosen; hints are then on for whoever plays
without other people, against whom they would be unfair."""

NEEDS_CLOCK = (WEEKEND, AT_ZERO)
"""What means something only where time is counted."""

_KNOWN = {option.name: option for option in TERMS}


def is_term(name: str) -> bool:
    """Whether an option belongs to the table and not to its game."""
    return name in _KNOWN


def term(table: Table, name: str) -> str:
    """What the table has agreed on, or what holds where it has not."""
    if name == HINTS and name not in table.terms and len(table.owners) == 1:
        return ON
    return table.terms.get(name, _KNOWN[name].values[0])


def has_clock(table: Table) -> bool:
    """Whether the table counts time."""
    return term(table, CLOCK) != "none"


def weekends_off(table: Table) -> bool:
    """Whether time stands still at weekends."""
    return term(table, WEEKEND) == "frozen"


def checked(name: str, value: str) -> str:
    """The value. Raises unknown_option where the term cannot have it."""
    if value not in _KNOWN[name].values:
        raise errors.Rejected("unknown_option", option=name, value=value)
    return value
