"""Who sits at a table, and its options. Each function returns the table as it becomes.

Anyone who sits at a lobby may change it and start it; it is among friends.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec.structs import replace

from bot.game.contract import AnyGame, Seat
from bot.game.versions import Games
from bot.tables.core import errors, terms
from bot.tables.core.model import GOING, Player, Status, Table


def options_of(game: AnyGame, chosen: Mapping[str, str]) -> dict[str, str]:
    """All options of the game, the defaults where nothing was chosen. Raises unknown_option."""
    options = {option.name: option.values[0] for option in game.options}
    for name, value in chosen.items():
        options[name] = _checked(game, name, value)
    return options


def renewed(table: Table, games: Games) -> Table:
    """A lobby by the newest rules: whoever begins a game now plays by those.

    Options that no longer exist are left out, new ones have their defaults.
    """
    game = games.get(table.game)
    if table.status is not Status.LOBBY or game is None or table.version == game.version:
        return table
    return replace(table, version=game.version, options=options_of(game, kept_options(table, game)))


def kept_options(table: Table, game: AnyGame) -> dict[str, str]:
    """The options of a table, as far as the other rules have them as well."""
    return {
        option.name: table.options[option.name]
        for option in game.options
        if table.options.get(option.name) in option.values
    }


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
    seat = seated(table, user)
    table = _seated_anew(table, [p for p in table.players if p.seat != seat])
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
    name = name or _free_name(table, policy.capitalize())
    return _sit_down(table, game, Player(len(table.players), name, None, policy))


def remove_computer(table: Table, user: int, seat: Seat | None) -> Table:
    """A computer player gets up: the one on that seat, or the last."""
    check_lobby(table)
    seated(table, user)
    computers = [p.seat for p in table.players if not p.is_human]
    if not computers or (seat is not None and seat not in computers):
        raise errors.Rejected("no_computer")
    gone = computers[-1] if seat is None else seat
    return _seated_anew(table, [p for p in table.players if p.seat != gone])


def set_option(table: Table, game: AnyGame, user: int, name: str, value: str) -> Table:
    """One option is changed, of the game or of the table's terms."""
    check_lobby(table)
    seated(table, user)
    if terms.is_term(name):
        return replace(table, terms={**table.terms, name: terms.checked(name, value)})
    return replace(table, options={**table.options, name: _checked(game, name, value)})


def start(table: Table, order: tuple[int, ...]) -> Table:
    """The game begins, seat n going to who came as number `order[n]`."""
    players = [table.players[come] for come in order]
    return replace(_seated_anew(table, players), status=Status.PLAYING)


def check_start(table: Table, game: AnyGame, user: int) -> None:
    """Raises where the game cannot begin, or this person may not begin it."""
    check_lobby(table)
    seated(table, user)
    if len(table.players) not in game.seats:
        raise errors.Rejected(
            "too_few_seats",
            seats=len(table.players),
            needed=min(n for n in game.seats if n > len(table.players)),
        )


def rename(table: Table, user: int, name: str) -> Table:
    """A person has another name from now on."""
    player = table.players[seated(table, user)]
    return _with_player(table, replace(player, name=name))


def set_reachable(table: Table, user: int, reachable: bool) -> Table:
    """Whether direct messages get through to a player."""
    player = table.players[seated(table, user)]
    return _with_player(table, replace(player, reachable=reachable))


def hand_over(table: Table, seat: Seat, policy: str) -> Table:
    """A computer player takes a seat over, and keeps its name; without people the game ends."""
    player = Player(seat, table.players[seat].name, None, policy, vacant=True)
    table = _with_player(table, player)
    return table if table.owners else replace(table, status=Status.ABANDONED)


def autopilot(table: Table, seat: Seat, policy: str, *, vacant: bool) -> Table:
    """A computer player acts for the owner of a seat, or others may even take it over."""
    return _with_player(table, replace(table.players[seat], policy=policy, vacant=vacant))


def take_back(table: Table, seat: Seat) -> Table:
    """The owner of a seat plays again."""
    return _with_player(table, replace(table.players[seat], policy=None, vacant=False))


def free_seat(table: Table, user: int, seat: Seat | None) -> Seat:
    """The seat that somebody may take over: that one, or else the first vacant one, or of a
    computer player. Raises already_seated or seat_taken."""
    own = table.seat_of(user)
    if own is not None:
        raise errors.Rejected("already_seated", seat=own)
    free = [p.seat for p in table.players if p.vacant]
    free += [p.seat for p in table.players if p.user is None and not p.vacant]
    wanted = free[:1] if seat is None else [seat]
    if not wanted or wanted[0] not in free:
        raise errors.Rejected("seat_taken", seat=-1 if seat is None else seat)
    return wanted[0]


def claim(table: Table, seat: Seat, user: int, name: str) -> Table:
    """Somebody takes a seat over, with a name of their own."""
    return _with_player(table, Player(seat, name, user, None))


def set_order(table: Table, user: int, name: str, value: str | None) -> Table:
    """One standing order of a person is changed, or taken back."""
    player = table.players[seated(table, user)]
    orders = {known: said for known, said in player.orders.items() if known != name}
    if value is not None:
        orders[name] = value
    return _with_player(table, replace(player, orders=orders))


def check_close(table: Table, user: int) -> None:
    """Raises where a person may not close a lobby: only its host may."""
    seated(table, user)
    if user != table.host:
        raise errors.Rejected("not_host")


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
    if table.status is Status.LOBBY:
        raise errors.NotPlaying("not_started")
    if table.status is Status.PAUSED:
        raise errors.NotPlaying("table_paused")
    if table.status is Status.SLEEPING:
        raise errors.NotPlaying("table_asleep")
    check_open(table)


def check_lobby(table: Table) -> None:
    """Raises already_started or table_over."""
    if table.status in GOING:
        raise errors.Rejected("already_started")
    check_open(table)


def _checked(game: AnyGame, name: str, value: str) -> str:
    if not any(option.name == name and value in option.values for option in game.options):
        raise errors.Rejected("unknown_option", option=name, value=value)
    return value


def _with_player(table: Table, player: Player) -> Table:
    players = (player if each.seat == player.seat else each for each in table.players)
    return replace(table, players=tuple(players))


def _sit_down(table: Table, game: AnyGame, player: Player) -> Table:
    if len(table.players) >= max(game.seats):
        raise errors.Rejected("table_full", seats=len(table.players))
    return replace(table, players=(*table.players, player))


def _seated_anew(table: Table, players: list[Player]) -> Table:
    moved = (replace(player, seat=seat) for seat, player in enumerate(players))
    return replace(table, players=tuple(moved))


def _free_name(table: Table, base: str) -> str:
    numbered = (f"{base} {n}" for n in range(1, len(table.players) + 2))
    return next(name for name in numbered if name not in table.names)
