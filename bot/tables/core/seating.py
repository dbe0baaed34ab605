"""Who sits at a table, whether a game is going on there, and what it has agreed on: the options of
its game, and its terms, which are its clock, what happens when time is up, and whether anybody gets
hints."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from bot.game.contract import Option, Seat
from bot.game.game import AnyGame
from bot.game.versions import Games
from bot.store import Player, Status
from bot.tables.core import errors
from bot.tables.core.model import GOING, Table

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

_TERMS = {option.name: option.values for option in TERMS}
_NOT_GOING = {
    Status.LOBBY: "not_started",
    Status.PAUSED: "table_paused",
    Status.SLEEPING: "table_asleep",
}


def is_term(name: str) -> bool:
    """Whether an option belongs to the table and not to its game."""
    return name in _TERMS


def term(table: Table, name: str) -> str:
    """What the table has agreed on, or what holds where it has not."""
    if name == HINTS and name not in table.terms and len(table.owners) == 1:
        return ON
    return table.terms.get(name, _TERMS[name][0])


def has_clock(table: Table) -> bool:
    """Whether the table counts time."""
    return term(table, CLOCK) != "none"


def weekends_off(table: Table) -> bool:
    """Whether time stands still at weekends."""
    return term(table, WEEKEND) == "frozen"


def check_options(options: Collection[Option], chosen: Mapping[str, str]) -> None:
    """Raises unknown_option where none of the options has such a name and value."""
    for name, value in chosen.items():
        if not any(option.name == name and value in option.values for option in options):
            raise errors.Rejected("unknown_option", option=name, value=value)


def options_of(game: AnyGame, chosen: Mapping[str, str]) -> dict[str, str]:
    """All options of the game: as chosen where it has that, and else the defaults."""
    options = {option.name: option.values[0] for option in game.options}
    known = [option for option in game.options if chosen.get(option.name) in option.values]
    return options | {option.name: chosen[option.name] for option in known}


def renewed(table: Table, games: Games) -> Table:
    """A lobby by the newest rules: whoever begins a game now plays by those."""
    game = games.get(table.game)
    if table.status is not Status.LOBBY or game is None or table.version == game.version:
        return table
    return replace(table, version=game.version, options=options_of(game, table.options))


def with_player(table: Table, player: Player) -> Table:
    """The player sits on that seat from now on."""
    players = (player if each.seat == player.seat else each for each in table.players)
    return replace(table, players=tuple(players))


def take_back(table: Table, seat: Seat) -> Table:
    """The owner of a seat plays again."""
    return with_player(table, replace(table.players[seat], policy=None, vacant=False))


def seated(table: Table, user: int) -> Seat:
    """Where the user sits. Raises not_seated."""
    seat = table.seat_of(user)
    if seat is None:
        raise errors.Rejected("not_seated")
    return seat


def check_open(table: Table) -> None:
    """Raises table_over."""
    if table.is_over:
        raise errors.NotPlaying("table_over", status=table.status.value)


def check_playing(table: Table) -> None:
    """Raises not_started, table_paused, table_asleep or table_over where no game is going on."""
    if table.status in _NOT_GOING:
        raise errors.NotPlaying(_NOT_GOING[table.status])
    check_open(table)


def check_lobby(table: Table) -> None:
    """Raises already_started or table_over."""
    if table.status in GOING:
        raise errors.Rejected("already_started")
    check_open(table)
