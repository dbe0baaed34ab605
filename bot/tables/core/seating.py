"""Who sits at a table, and what it has agreed on: the options of its game, and its terms, which are
its clock, what happens when time is up, and whether anybody gets hints.

Functions return the table as it becomes. Anyone who sits at a lobby may change it and start it; it
is among friends.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from bot.game.contract import AnyGame, Option, Seat
from bot.game.versions import Games
from bot.tables.core import errors
from bot.tables.core.model import GOING, Player, Status, Table

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


def join(table: Table, game: AnyGame, user: int, name: str, reachable: bool) -> Table:
    """A person takes the next seat."""
    check_lobby(table)
    seat = table.seat_of(user)
    if seat is not None:
        raise errors.Rejected("already_seated", seat=seat)
    return _sit_down(table, game, Player(len(table.players), name, user, None, reachable))


def leave(table: Table, user: int) -> Table:
    """A person gets up; the last one closes the table, and a host passes it on."""
    check_lobby(table)
    table = _get_up(table, seated(table, user))
    if not table.humans:
        return replace(table, status=Status.ABANDONED)
    if user == table.host:
        heir = table.humans[0].user
        assert heir is not None
        return replace(table, host=heir)
    return table


def add_computer(
    table: Table,
    game: AnyGame,
    user: int,
    policy: str,
    name: str | None,
    policies: Collection[str],
) -> Table:
    """A computer player takes the next seat; without a name it gets that of its policy."""
    check_lobby(table)
    seated(table, user)
    if policy not in policies:
        raise errors.Rejected("unknown_policy", policy=policy)
    numbered = (f"{policy.capitalize()} {n}" for n in range(1, len(table.players) + 2))
    name = name or next(each for each in numbered if each not in table.names)
    return _sit_down(table, game, Player(len(table.players), name, None, policy))


def remove_computer(table: Table, user: int, seat: Seat | None) -> Table:
    """A computer player gets up: the one on that seat, or the last."""
    check_lobby(table)
    seated(table, user)
    computers = [player.seat for player in table.players if not player.is_human]
    if not computers or (seat is not None and seat not in computers):
        raise errors.Rejected("no_computer")
    return _get_up(table, computers[-1] if seat is None else seat)


def set_option(table: Table, game: AnyGame, user: int, name: str, value: str) -> Table:
    """One option is changed, of the game or of the table's terms."""
    check_lobby(table)
    seated(table, user)
    check_options(TERMS if is_term(name) else game.options, {name: value})
    if is_term(name):
        return replace(table, terms={**table.terms, name: value})
    return replace(table, options={**table.options, name: value})


def check_start(table: Table, game: AnyGame, user: int) -> None:
    """Raises where the game cannot begin, or this person may not begin it."""
    check_lobby(table)
    seated(table, user)
    count = len(table.players)
    if count not in game.seats:
        needed = min(n for n in game.seats if n > count)
        raise errors.Rejected("too_few_seats", seats=count, needed=needed)


def start(table: Table, order: tuple[int, ...]) -> Table:
    """The game begins, seat n going to who came as number `order[n]`."""
    players = (replace(table.players[come], seat=seat) for seat, come in enumerate(order))
    return replace(table, players=tuple(players), status=Status.PLAYING)


def with_player(table: Table, player: Player) -> Table:
    """The player sits on that seat from now on."""
    players = (player if each.seat == player.seat else each for each in table.players)
    return replace(table, players=tuple(players))


def set_reachable(table: Table, user: int, reachable: bool) -> Table:
    """Whether direct messages get through to a player."""
    player = table.players[seated(table, user)]
    return with_player(table, replace(player, reachable=reachable))


def take_back(table: Table, seat: Seat) -> Table:
    """The owner of a seat plays again."""
    return with_player(table, replace(table.players[seat], policy=None, vacant=False))


def free_seat(table: Table, user: int, seat: Seat | None) -> Seat:
    """The seat that somebody may take over: that one, or else the first vacant one, or of a
    computer player. Raises already_seated or seat_taken."""
    own = table.seat_of(user)
    if own is not None:
        raise errors.Rejected("already_seated", seat=own)
    free = [player for player in table.players if player.vacant or player.user is None]
    free.sort(key=lambda player: not player.vacant)
    found = next((p.seat for p in free if seat in (None, p.seat)), None)
    if found is None:
        raise errors.Rejected("seat_taken", seat=-1 if seat is None else seat)
    return found


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


def _sit_down(table: Table, game: AnyGame, player: Player) -> Table:
    if len(table.players) >= max(game.seats):
        raise errors.Rejected("table_full", seats=len(table.players))
    return replace(table, players=(*table.players, player))


def _get_up(table: Table, seat: Seat) -> Table:
    others = (player for player in table.players if player.seat != seat)
    return replace(table, players=tuple(replace(p, seat=n) for n, p in enumerate(others)))
