"""The seats, state, options and terms of a table.

Options belong to the game. Terms belong to the table: its clock, what happens when time runs out,
hints, and who may join.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from bot.game.contract import Option, Seat
from bot.game.game import AnyGame
from bot.game.versions import Games
from bot.store import Player, Status
from bot.tables.core import errors
from bot.tables.core.model import IN_PROGRESS, Table

CLOCK = "clock"
WEEKEND = "weekend"
AT_ZERO = "at_zero"
HINTS = "hints"
PLAYERS = "players"
LOAD = "load"

OFF = "off"
"""No hints."""
OWN = "own"
"""Hints by command only."""
ON = "on"
"""Hints by command, and by a button on each panel."""

ANYONE = "anyone"
"""Anyone may join."""
RECORDS = "records"
"""Anyone may join who has a record; the lobby shows it."""
RELIABLE = "reliable"
"""Like RECORDS, but those who leave too many games may not."""
NO_LIMIT = "any"
"""A player may have any number of open tables."""

TERMS = (
    Option(CLOCK, ("none", "m15", "d1", "d2", "d3", "d5", "d7", "reserve")),
    Option(WEEKEND, ("off", "frozen")),
    Option(AT_ZERO, ("nothing", "vote", "autopilot")),
    Option(HINTS, (OFF, OWN, ON)),
    Option(PLAYERS, (ANYONE, RECORDS, RELIABLE)),
    # How many more open tables than finished games a player may have in the server.
    Option(LOAD, (NO_LIMIT, "1", "3", "5")),
)
"""The first value is the default. Hints are on by default if only one person plays: with several
people they could be unfair, and a lesson has one thing to do."""

PACES: Mapping[str, Mapping[str, str]] = {
    pace: {CLOCK: clock, AT_ZERO: "vote"}
    for pace, clock in (("live", "m15"), ("day", "d1"), ("days", "d3"))
}
"""How fast people want to play, with the terms of a table at that pace."""

NEEDS_CLOCK = (WEEKEND, AT_ZERO)
"""Terms that have no meaning without a clock."""

ON_JOINING = (PLAYERS, LOAD)
"""Terms on who may join; they do not affect players who have a seat."""

_TERMS = {option.name: option.values for option in TERMS}
_NOT_GOING = {
    Status.LOBBY: "not_started",
    Status.PAUSED: "table_paused",
    Status.SLEEPING: "table_asleep",
}


def is_term(name: str) -> bool:
    """Return whether an option is a term of the table, not an option of its game."""
    return name in _TERMS


def term(table: Table, name: str) -> str:
    """Return the table's value for a term, or the default."""
    is_alone = len(table.owners) == 1 and table.lesson is None
    if name == HINTS and name not in table.terms and is_alone:
        return ON
    return table.terms.get(name, _TERMS[name][0])


def has_clock(table: Table) -> bool:
    return term(table, CLOCK) != "none"


def weekends_off(table: Table) -> bool:
    """Return whether clocks stop at weekends."""
    return term(table, WEEKEND) == "frozen"


def check_options(options: Collection[Option], chosen: Mapping[str, str]) -> None:
    """Raise unknown_option if a chosen name or value does not exist."""
    for name, value in chosen.items():
        if not any(option.name == name and value in option.values for option in options):
            raise errors.Rejected("unknown_option", option=name, value=value)


def options_of(game: AnyGame, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return all options of the game: the chosen values that it has, and defaults for the rest."""
    options = {option.name: option.values[0] for option in game.options}
    valid = [option for option in game.options if chosen.get(option.name) in option.values]
    return options | {option.name: chosen[option.name] for option in valid}


def renewed(table: Table, games: Games) -> Table:
    """Return the table with the newest rules if it is a lobby."""
    game = games.get(table.game)
    if table.status is not Status.LOBBY or game is None or table.version == game.version:
        return table
    return replace(table, version=game.version, options=options_of(game, table.options))


def with_player(table: Table, player: Player) -> Table:
    """Return the table with the player on their seat."""
    players = (player if each.seat == player.seat else each for each in table.players)
    return replace(table, players=tuple(players))


def take_back(table: Table, seat: Seat) -> Table:
    """Return the table with the owner of the seat in control again."""
    return with_player(table, replace(table.players[seat], policy=None, vacant=False))


def seated(table: Table, user: int, code: str = "not_seated") -> Seat:
    """Return the user's seat. Without one, raise Rejected with this code."""
    seat = table.seat_of(user)
    if seat is None:
        raise errors.Rejected(code)
    return seat


def check_open(table: Table) -> None:
    """Raise table_over if the table is over."""
    if table.is_over:
        raise errors.NotPlaying("table_over", status=table.status.value)


def check_playing(table: Table) -> None:
    """Raise not_started, table_paused, table_asleep or table_over unless a game is running."""
    if table.status in _NOT_GOING:
        raise errors.NotPlaying(_NOT_GOING[table.status])
    check_open(table)


def check_lobby(table: Table) -> None:
    """Raise already_started or table_over unless the table is a lobby."""
    if table.status in IN_PROGRESS:
        raise errors.Rejected("already_started")
    check_open(table)
