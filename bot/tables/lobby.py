"""The start and end of a table: the lobby, resignations, and closing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import Seat
from bot.game.game import AnyGame
from bot.store import (
    WHOLE_TABLE,
    OutboxItem,
    OutboxKind,
    Player,
    ProposalRow,
    Status,
    Verdict,
)
from bot.tables.choosing import Policies, of_table
from bot.tables.core import (
    IN_PROGRESS,
    RESIGN,
    SUBSTITUTE,
    LoadedTable,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    log,
    outbox_drafts,
    position,
    seating,
)
from bot.tables.core.model import WATCH, WATCH_PACES
from bot.tables.votes import ABANDON, Proposal, Voting

MAX_WATCHED = 2
"""Tables to watch that run in a server at the same time; each person may have one."""


class Lobby:
    """Lets players join and leave a lobby, change its settings and start the game.

    Any player may change settings and start: players trust each other. Every method raises
    UnknownTable, already_started and the errors of `Tables`.
    """

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        policies: Policies,
        new_key: Callable[[], bytes],
        check_may_join: Callable[[Table, int], Awaitable[None]],
    ) -> None:
        self._unit_of_work = unit_of_work
        self._policies = policies
        self._new_key = new_key
        self._check_may_join = check_may_join

    async def open(
        self,
        game: str,
        user: int,
        name: str,
        guild: int | None,
        channel: int,
        options: Mapping[str, str] = MappingProxyType({}),
        *,
        delivery: str | None = None,
    ) -> Table:
        """Open a new table with the user as host. Raise unknown_game or unknown_option."""
        seating.check_options(self._unit_of_work.newest_rules(game).options, options)
        table_id = await from_store(self._unit_of_work.store.new_table_id())
        table, key = self.draft(table_id, game, {user: name}, guild, channel, options, host=user)

        async def work() -> Table:
            return await self._unit_of_work.open_lobby(table, key, delivery)

        return await self._unit_of_work.run_idempotent(
            table.id, delivery, work, self._unit_of_work.opened_table
        )

    async def open_game(
        self,
        table_id: int,
        game: str,
        names: Mapping[int, str],
        *,
        host: int,
        guild: int,
        channel: int,
        options: Mapping[str, str],
        terms: Mapping[str, str],
        cup: int,
    ) -> None:
        """Open a table of a cup with that new id, and start its game at once.

        `names` are its players, by user. Raise unknown_game.
        """

        async def work() -> None:
            table, key = self.draft(
                table_id, game, names, guild, channel, options, terms, host=host, cup=cup
            )
            # The cup's message has links to its tables, so they need none of their own.
            await self._begun(LoadedTable(table, key)).store()

        await self._unit_of_work.cache.run_locked(table_id, work)

    async def open_to_watch(
        self,
        game: str,
        names: Sequence[str],
        policy: str,
        pace: str,
        *,
        host: int,
        guild: int,
        channel: int,
        options: Mapping[str, str],
        delivery: str | None = None,
    ) -> Table:
        """Open a table of computer players with these names, and start its game at once.

        The host has no seat. Raise unknown_game, wrong_seats, watches_already or too_many_watched.
        """
        unit_of_work, store = self._unit_of_work, self._unit_of_work.store
        table_id = await from_store(store.new_table_id())
        terms = {WATCH: pace}
        table, key = self.draft(table_id, game, {}, guild, channel, options, terms, host=host)
        if len(names) not in unit_of_work.rules(table).seats:
            raise errors.Rejected("wrong_seats", seats=unit_of_work.rules(table).seats)
        players = [Player(table_id, seat, name, None, policy) for seat, name in enumerate(names)]

        async def work() -> Table:
            hosts = await from_store(store.hosts_of_watched(guild, host, IN_PROGRESS))
            if host in hosts:
                raise errors.Rejected("watches_already")
            if len(hosts) >= MAX_WATCHED:
                raise errors.Rejected("too_many_watched", most=MAX_WATCHED)
            change = self._begun(LoadedTable(replace(table, players=tuple(players)), key))
            first_turn = unit_of_work.clock.now() + WATCH_PACES[pace]
            change.batch.schedule(table_id, WHOLE_TABLE, WATCH, first_turn)
            await change.store(delivery)
            return change.table

        return await unit_of_work.run_idempotent(
            table_id, delivery, work, unit_of_work.opened_table
        )

    def _begun(self, new: LoadedTable) -> TableChange:
        """Return a change that opens a table and starts its game without a lobby's message."""
        change = TableChange(self._unit_of_work, new, is_new=True)
        _begin(change, self._unit_of_work.rules(new.table), None)
        change.drafts = [each for each in change.drafts if each.kind is not OutboxKind.LOBBY]
        return change

    def draft(
        self,
        table_id: int,
        game: str,
        names: Mapping[int, str],
        guild: int | None,
        channel: int,
        options: Mapping[str, str],
        terms: Mapping[str, str] = MappingProxyType({}),
        *,
        host: int,
        cup: int | None = None,
    ) -> tuple[Table, bytes]:
        """Return a new lobby, which is not stored yet, and its key. Raise unknown_game.

        `names` are its players, by user. Unknown options are left out.
        """
        rules, key = self._unit_of_work.newest_rules(game), self._new_key()
        table = Table(
            id=table_id,
            game=rules.name,
            version=rules.version,
            status=Status.LOBBY,
            options=seating.options_of(rules, options),
            players=tuple(
                Player(table_id, seat, name, user, None)
                for seat, (user, name) in enumerate(names.items())
            ),
            host=host,
            guild=guild,
            channel=channel,
            key_hash=commitment(key),
            created=self._unit_of_work.clock.now(),
            terms=dict(terms),
            cup=cup,
        )
        return table, key

    async def join(
        self,
        table_id: int,
        user: int,
        name: str,
        *,
        delivery: str | None = None,
    ) -> Table:
        """Give the user a seat.

        Raise already_seated or table_full, and the errors of `Results.check_may_join`.
        """

        def change(table: Table, game: AnyGame) -> Table:
            seat = table.seat_of(user)
            if seat is not None:
                raise errors.Rejected("already_seated", seat=seat)
            player = Player(table_id, len(table.players), name, user, None)
            return _sit_down(table, game, player)

        async def check(table: Table) -> None:
            if table.status is Status.LOBBY and table.seat_of(user) is None:
                await self._check_may_join(table, user)

        return await self._change(table_id, change, delivery, check)

    async def leave(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Remove the user. If they are the host, another person becomes host.

        The table closes with the last person. Raise not_seated.
        """

        def change(table: Table, _: AnyGame) -> Table:
            table = _get_up(table, seating.seated(table, user))
            heirs = [player.user for player in table.humans if player.user is not None]
            if not heirs:
                return replace(table, status=Status.ABANDONED)
            return replace(table, host=heirs[0]) if user == table.host else table

        return await self._change(table_id, change, delivery)

    async def add_computer(
        self,
        table_id: int,
        user: int,
        policy: str,
        *,
        name: str,
        delivery: str | None = None,
    ) -> Table:
        """Add a computer player. Raise not_seated, unknown_policy or table_full."""

        def change(table: Table, game: AnyGame) -> Table:
            seating.seated(table, user)
            if policy not in of_table(self._policies, table):
                raise errors.Rejected("unknown_policy", policy=policy)
            return _sit_down(table, game, Player(table_id, len(table.players), name, None, policy))

        return await self._change(table_id, change, delivery)

    async def remove_computer(
        self, table_id: int, user: int, *, delivery: str | None = None
    ) -> Table:
        """Remove the last computer player. Raise not_seated or no_computer."""

        def change(table: Table, _: AnyGame) -> Table:
            seating.seated(table, user)
            computers = [player.seat for player in table.players if not player.is_human]
            if not computers:
                raise errors.Rejected("no_computer")
            return _get_up(table, computers[-1])

        return await self._change(table_id, change, delivery)

    async def set_option(
        self, table_id: int, user: int, name: str, value: str, *, delivery: str | None = None
    ) -> Table:
        """Set an option of the game or a term of the table. Raise not_seated or unknown_option."""

        def change(table: Table, game: AnyGame) -> Table:
            seating.seated(table, user)
            is_term = seating.is_term(name)
            seating.check_options(seating.TERMS if is_term else game.options, {name: value})
            if is_term:
                return replace(table, terms={**table.terms, name: value})
            return replace(table, options={**table.options, name: value})

        return await self._change(table_id, change, delivery)

    async def set_reachable(self, table_id: int, user: int, reachable: bool) -> Table:
        """Store whether direct messages reach a player. Raise not_seated."""

        def change(table: Table, _: AnyGame) -> Table:
            player = table.players[seating.seated(table, user)]
            return seating.with_player(table, replace(player, reachable=reachable))

        in_lobby = outbox_drafts.in_lobby
        return await self._unit_of_work.change(table_id, None, change, in_lobby, is_activity=False)

    async def start(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Shuffle the seats and start the game. Raise not_seated or too_few_seats."""

        async def work(change: TableChange) -> None:
            table, game = change.table, self._unit_of_work.rules(change.table)
            seating.check_lobby(table)
            seating.seated(table, user)
            seats = len(table.players)
            if seats not in game.seats:
                needed = min(n for n in game.seats if n > seats)
                raise errors.Rejected("too_few_seats", seats=seats, needed=needed)
            _begin(change, game, user)

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def _change(
        self,
        table_id: int,
        change: Callable[[Table, AnyGame], Table],
        delivery: str | None,
        check: Callable[[Table], Awaitable[None]] | None = None,
    ) -> Table:
        def in_lobby(table: Table, game: AnyGame) -> Table:
            seating.check_lobby(table)
            return change(table, game)

        drafts = outbox_drafts.in_lobby
        return await self._unit_of_work.change(table_id, delivery, in_lobby, drafts, check=check)


def _begin(change: TableChange, game: AnyGame, user: int | None) -> None:
    """Shuffle the seats of a lobby and start its game."""
    table, at = change.table, change.unit_of_work.clock.now()
    now, order = position.begin(game, table, change.after.key, at)
    seated = [replace(table.players[index], seat=n) for n, index in enumerate(order)]
    change.after = change.after.with_table(
        replace(table, players=tuple(seated), status=Status.PLAYING)
    )
    change.enter(now, user)
    change.drafts += outbox_drafts.at_start(change.table)


def _sit_down(table: Table, game: AnyGame, player: Player) -> Table:
    if len(table.players) >= max(game.seats):
        raise errors.Rejected("table_full", seats=len(table.players))
    return replace(table, players=(*table.players, player))


def _get_up(table: Table, seat: Seat) -> Table:
    others = (player for player in table.players if player.seat != seat)
    return replace(table, players=tuple(replace(p, seat=n) for n, p in enumerate(others)))


class Leaving:
    """Handles resignations and closes tables."""

    def __init__(self, unit_of_work: UnitOfWork, votes: Voting) -> None:
        self._unit_of_work = unit_of_work
        self._votes = votes

    async def resign(self, table_id: int, user: int, *, delivery: str | None = None) -> Table:
        """Replace the user by a computer player for good.

        If no people are left, the game is abandoned. If only people on autopilot are left, who may
        come back, the table falls asleep. Raise not_seated, not_started or table_over.
        """

        async def work(change: TableChange) -> None:
            seating.check_playing(change.table)
            seat = seating.seated(change.table, user)
            change.batch.delete(OutboxItem, table=table_id, seat=seat)
            name = change.table.names[seat]
            table = seating.with_player(
                change.table, Player(table_id, seat, name, None, SUBSTITUTE, vacant=True)
            )
            if not table.owners:
                table = replace(table, status=Status.ABANDONED)
            change.note(table, seat, user, RESIGN)
            if table.is_over:
                change.post(OutboxKind.END)

        return await self._unit_of_work.table_after(table_id, delivery, work)

    async def abandon(self, table_id: int, user: int, *, delivery: str | None = None) -> Proposal:
        """Propose to stop the game without a result, or close a lobby as its host.

        Raise not_seated, not_host or table_over.
        """
        loaded = await self._unit_of_work.cache.read(table_id)
        if loaded.seq() >= 0 or loaded.problem is not None:
            return await self._votes.propose(table_id, user, ABANDON, delivery=delivery)
        if loaded.table.status is Status.LOBBY:
            seating.seated(loaded.table, user)
            if user != loaded.table.host:
                raise errors.Rejected("not_host")
        closed = await self.dissolve(table_id, delivery=delivery)
        at = closed.created
        row = ProposalRow(table_id, ABANDON, "", user, at, at, Verdict.PASSED)
        return Proposal(closed, row)

    async def dissolve(self, table_id: int, *, delivery: str | None = None) -> Table:
        """Close a table without a result or a vote; the caller checks who may. Raise table_over.

        The log of a game of a cup gets an entry.
        """

        async def work(change: TableChange) -> None:
            table = change.table
            seating.check_open(table)
            if table.cup is None or change.after.problem is not None:
                change.become(Status.ABANDONED)
            else:
                change.note(replace(table, status=Status.ABANDONED), log.NO_SEAT, None, log.DECIDED)
            in_lobby = table.status is Status.LOBBY
            change.post(OutboxKind.LOBBY if in_lobby else OutboxKind.END)

        return await self._unit_of_work.table_after(table_id, delivery, work)
