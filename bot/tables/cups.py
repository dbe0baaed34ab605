"""The life of cups and leagues: sign-up, rounds, no-shows and results.

A change of a cup is stored with a task that does everything that follows from it: it records
results, opens tables, begins the next round and shows the cup. The task is idempotent. It is
retried until nothing is left to do, and scheduled again when a table of the cup changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import Option
from bot.store import NO_TABLE, CupRow, WriteBatch
from bot.tables.core import (
    OPEN,
    LoadedTable,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
    log,
    seating,
)
from bot.tables.cup_rules import (
    MIN_ENTRANTS,
    Absent,
    Cup,
    CupGame,
    CupStatus,
    End,
    Entrant,
    Format,
    dropped,
    next_round,
    replaced,
    with_result,
)
from bot.tables.lobby import Leaving, Lobby
from bot.tables.results import NO_HOST, Rating
from bot.tables.seats import AutopilotBy, Seats
from bot.tables.servers import CUP, Limits, Servers
from bot.workers import in_thread

MAX_CUPS = 10
"""Cups of a server that are not over."""
MAX_WAITING = 64
SOON = timedelta(seconds=30)
"""When a cup is looked at again that has tables without a post."""
RETRY = timedelta(minutes=5)
"""When a cup is looked at again that could not be shown."""
LATER = timedelta(hours=1)
"""When any other cup is looked at again, although nothing is known to have changed."""
DESERTED = timedelta(days=1)
"""How long only computers may be left at a table before its game is void."""
NOT_OVER = (CupStatus.OPEN, CupStatus.PLAYING)
ENDED = (CupStatus.OVER, CupStatus.CANCELLED)
"""Only now the key of a cup is no secret."""

Show = Callable[[Cup, Mapping[int, Table], bool], Awaitable[int | None]]
"""Shows a cup with its tables by id, and whether other tables must wait for room in the server.
Returns the message's id, or None if it cannot be shown at the moment."""


class Cups:
    """The cups of all servers."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        scheduler: Scheduler,
        servers: Servers,
        lobby: Lobby,
        seats: Seats,
        leaving: Leaving,
        new_key: Callable[[], bytes],
    ) -> None:
        self._unit_of_work = unit_of_work
        self._scheduler = scheduler
        self._servers = servers
        self._lobby = lobby
        self._seats = seats
        self._leaving = leaving
        self._new_key = new_key
        self._changing = asyncio.Lock()
        unit_of_work.writers.append(self._on_change)

    async def get(self, cup_id: int) -> Cup:
        """Return a cup. Raise no_cup."""
        row = await from_store(self._unit_of_work.store.cup(cup_id))
        if row is None:
            raise errors.Rejected("no_cup")
        return msgspec.convert(row.data, Cup)

    async def of_server(self, guild: int) -> list[Cup]:
        """Return a server's cups that are not over, with drafts, and the newest of the others."""
        rows = await from_store(self._unit_of_work.store.cups_of_server(guild))
        return [msgspec.convert(row.data, Cup) for row in rows]

    async def tables(self, cup: Cup) -> dict[int, Table]:
        """Return the tables of the cup's last round that are open or over, by id."""
        ids = [game.table for game in last_round(cup)]
        stored = await from_store(self._unit_of_work.store.heads(ids))
        return {each.table.id: self._unit_of_work.cache.table_of(each) for each in stored}

    async def draft(self, game: str, options: Mapping[str, str], **settings: Any) -> Cup:
        """Store a new cup, which only its organiser knows for now, instead of their last draft.

        Raise unknown_game, cup_seats or too_many_cups.
        """
        rules, store = self._unit_of_work.newest_rules(game), self._unit_of_work.store
        key = self._new_key()
        cup = Cup(
            id=await from_store(store.new_table_id()),
            game=game,
            options=seating.options_of(rules, options),
            key=key.hex(),
            key_hash=commitment(key),
            status=CupStatus.DRAFT,
            **settings,
        )
        if not {*range(2, cup.seats + 1)} <= {*rules.seats}:
            raise errors.Rejected("cup_seats", seats=max(rules.seats))
        others, batch = await self.of_server(cup.guild), WriteBatch()
        if sum(each.status in NOT_OVER for each in others) >= MAX_CUPS:
            raise errors.Rejected("too_many_cups", most=MAX_CUPS)
        for other in others:
            if (other.status, other.organiser) == (cup.status, cup.organiser):
                batch.delete(CupRow, id=other.id)
        batch.save(_row(cup))
        await from_store(store.commit(batch))
        return cup

    async def change(
        self, cup_id: int, change: Callable[[Cup], Cup], *, is_due: bool = True
    ) -> Cup:
        """Store a changed cup and, if `is_due`, do what follows. Raise no_cup."""

        async def work(batch: WriteBatch) -> Cup:
            after = change(await self.get(cup_id))
            batch.save(_row(after))
            if is_due:
                batch.schedule(NO_TABLE, cup_id, CUP, self._unit_of_work.clock.now())
            return after

        async with self._changing:
            return await self._unit_of_work.guarded(f"{CUP}:{cup_id}", work)

    async def forget(self, user: int, name: str) -> None:
        """Take the user out of all cups. In those that are over, their name becomes `name`."""
        for row in await from_store(self._unit_of_work.store.cups_of(user)):
            await self.change(row.id, lambda cup: _forgotten(cup, user, name))

    # What follows from changes

    def on_due(self, show: Show, limits: Limits) -> None:
        """Do what follows from changes of cups, within these limits of open tables."""
        self._scheduler.about(CUP, partial(self._advance, show=show, limits=limits))

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        table = change.table
        if table.cup is not None and (table.is_over or table.players != before.table.players):
            change.batch.schedule(NO_TABLE, table.cup, CUP, self._unit_of_work.clock.now())

    async def _advance(self, cup_id: int, show: Show, limits: Limits) -> datetime | None:
        """Do what is due, and return when to look again; None for never."""
        store, now = self._unit_of_work.store, self._unit_of_work.clock.now()
        row = await from_store(store.cup(cup_id))
        if row is None or row.data["status"] == CupStatus.DRAFT:
            return None
        cup = msgspec.convert(row.data, Cup)
        if cup.status is CupStatus.PLAYING:
            cup = await self._record(cup, await self.tables(cup))
            await self._seat_replacements(cup, await self.tables(cup))
            cup = await self._begin_round(cup, now)
        tables, server = await self.tables(cup), await self._servers.get(cup.guild)
        room = limits.tables_in(server) - await from_store(store.count_in(cup.guild, OPEN))
        missing = [game for game in running(cup) if game.table not in tables]
        message = await show(cup, tables, len(missing) > room)
        if message is None:
            return now + RETRY
        if (message, stage(cup)) != (cup.message, cup.posted):
            posted = {"message": message, "posted": stage(cup)}
            await self.change(
                cup_id,
                lambda new: replace(new, **posted) if new.channel == cup.channel else new,
                is_due=False,
            )
        if cup.status not in NOT_OVER:
            return None
        await self._open(cup, missing[: max(0, room)])
        if cup.status is CupStatus.PLAYING and not running(cup):
            return now
        linked = [table.id for table in tables.values() if table.panel_message is not None]
        if not {game.table for game in running(cup)} <= {*linked}:
            return now + SOON
        until = datetime.fromtimestamp(cup.until, UTC)
        return min(until, now + LATER) if until > now else now + LATER

    async def _record(self, cup: Cup, tables: Mapping[int, Table]) -> Cup:
        """Record the results of tables that are over, handle no-shows, and close tables."""
        results: dict[int, tuple[int, ...]] = {}
        for game in last_round(cup):
            table = tables.get(game.table)
            if table is None or (game.end is not None and table.is_over):
                continue
            if table.is_over:
                results[table.id] = await self._places(cup, game, table)
            elif game.end is not None or await self._is_deserted(table):
                with suppress(errors.NotPlaying):
                    await self._leaving.decide(table.id)
        absent = await self._absent(cup, tables)

        def change(cup: Cup) -> Cup:
            for table, places in results.items():
                cup = with_result(cup, table, places, End.PLAYED if places else End.VOID)
            for user in absent:
                if cup.absent is Absent.REPLACE and cup.waiting:
                    cup = replaced(cup, user, cup.waiting[0].user)
                else:
                    cup = dropped(cup, user)
            return cup

        return await self.change(cup.id, change, is_due=False) if results or absent else cup

    async def _is_deserted(self, table: Table) -> bool:
        if not table.is_unattended:
            return False
        entries = await from_store(self._unit_of_work.store.entries(table.id))
        return entries[-1].at + DESERTED <= self._unit_of_work.clock.now()

    async def _places(self, cup: Cup, game: CupGame, table: Table) -> tuple[int, ...]:
        """Return the users' places among each other; none if the game has no result.

        People who resigned or never showed up come last.
        """
        now, last = (await self._unit_of_work.cache.read(table.id)).now, len(table.players) + 1
        if now is None or now.outcome is None:
            return ()
        left = {entrant.user for entrant in cup.entrants if entrant.dropped}
        stayed = [p for p in table.owners if not (p.user in left and p.is_autopiloted)]
        places = {player.user: now.outcome.places[player.seat] for player in stayed}
        ranks = [places.get(user, last) for user in game.users]
        if min(ranks) == last:
            return ()
        return tuple(1 + sum(other < rank for other in ranks) for rank in ranks)

    async def _absent(self, cup: Cup, tables: Mapping[int, Table]) -> list[int]:
        """Return the entrants whose time ran out before they did anything in this round."""
        by = self._seats.autopiloted_by
        late = {
            player.user
            for game in running(cup)
            if game.table in tables
            for player in tables[game.table].players
            if player.is_autopiloted and player.user in game.users
            if await by(game.table, player.seat) is AutopilotBy.CLOCK
        }
        absent = []
        for user in [entrant.user for entrant in cup.active if entrant.user in late]:
            own = [game.table for game in running(cup) if user in game.users]
            if not any([await self._has_acted(table, user) for table in own]):
                absent.append(user)
        return absent

    async def _has_acted(self, table: int, user: int) -> bool:
        entries = await from_store(self._unit_of_work.store.entries(table))
        # A seat that the bot gave them is no action of theirs.
        return any(row.user == user and row.action != log.CLAIM for row in entries)

    async def _seat_replacements(self, cup: Cup, tables: Mapping[int, Table]) -> None:
        """Give the seats of replaced entrants to those who replace them."""
        names = {entrant.user: entrant.name for entrant in cup.entrants}
        for game in running(cup):
            table = tables.get(game.table)
            if table is None or table.is_over:
                continue
            gone = [p for p in table.owners if p.is_autopiloted and p.user not in game.users]
            new = [user for user in game.users if table.seat_of(user) is None]
            for player, user in zip(gone, new, strict=False):
                # Not to people who had a seat here and gave it up.
                if not await self._has_acted(table.id, user):
                    seat, absent = player.seat, player.user
                    await self._seats.claim(table.id, user, names[user], seat, instead_of=absent)

    async def _begin_round(self, cup: Cup, now: datetime) -> Cup:
        """Begin the next round or season if this one is over, or end the cup."""
        after, is_league = cup, cup.format is Format.LEAGUE
        if is_league and now.timestamp() >= cup.until:
            for game in running(cup):
                after = with_result(after, game.table, (), End.VOID)
        if running(after):
            return cup
        following = await in_thread(next_round, after)
        if following is None:
            after = replace(after, status=CupStatus.OVER)
        else:
            after, games = following
            ids = await from_store(self._unit_of_work.store.new_table_ids(len(games)))
            games = tuple(
                game if game.is_bye else replace(game, table=table)
                for game, table in zip(games, ids, strict=True)
            )
            until = int((now + timedelta(weeks=cup.weeks)).timestamp()) if is_league else 0
            after = replace(after, rounds=(*after.rounds, games), until=until)
        return await self.change(
            cup.id, lambda current: after if current == cup else current, is_due=False
        )

    async def _open(self, cup: Cup, games: Sequence[CupGame]) -> None:
        names = {entrant.user: entrant.name for entrant in cup.entrants}
        terms = {seating.AT_ZERO: "autopilot", seating.HINTS: seating.OFF}
        for game in games:
            await self._lobby.open_game(
                game.table,
                cup.game,
                {user: names[user] for user in game.users},
                host=cup.organiser,
                guild=cup.guild,
                channel=cup.channel,
                options=cup.options,
                terms={**seating.PACES[cup.pace], **terms},
                cup=cup.id,
            )


def _row(cup: Cup) -> CupRow:
    return CupRow(cup.id, cup.guild, msgspec.to_builtins(cup))


def last_round(cup: Cup) -> tuple[CupGame, ...]:
    """Return the games of the last round, also those that have ended."""
    return cup.rounds[-1] if cup.rounds else ()


def running(cup: Cup) -> list[CupGame]:
    """Return the games of the last round that have not ended."""
    return [game for game in last_round(cup) if game.end is None]


def stage(cup: Cup) -> int:
    """Return a number that grows whenever the cup's message must be posted again."""
    return len(cup.rounds) + (cup.status is CupStatus.OVER)


# Changes by users, for `Cups.change`


def published(cup: Cup) -> Cup:
    """Open the sign-up of a draft."""
    return replace(cup, status=CupStatus.OPEN) if cup.status is CupStatus.DRAFT else cup


def with_option(cup: Cup, options: Collection[Option], name: str, value: str) -> Cup:
    """Set one of the game's options in a draft. Raise cup_open or unknown_option."""
    seating.check_options(options, {name: value})
    if cup.status is not CupStatus.DRAFT:
        raise errors.Rejected("cup_open")
    return replace(cup, options={**cup.options, name: value})


def joined(cup: Cup, user: int, name: str) -> Cup:
    """Add a user, or put them on the waiting list. Raise cup_over, in_cup, cup_started, cup_full.

    Once a cup has started, people wait for the next season of a league, or to replace a no-show.
    """
    _check_not_over(cup)
    if user in {each.user for each in (*cup.active, *cup.waiting)}:
        raise errors.Rejected("in_cup")
    has_left = user in {entrant.user for entrant in cup.entrants}
    if cup.status is CupStatus.PLAYING and not may_wait(cup, has_left=has_left):
        raise errors.Rejected("cup_started")
    if len(cup.waiting) >= MAX_WAITING:
        raise errors.Rejected("cup_full")
    waiting = (*cup.waiting, Entrant(user, name))
    if cup.status is CupStatus.PLAYING:
        return replace(cup, waiting=waiting)
    return _lined_up(cup, (*cup.entrants, *waiting))


def may_wait(cup: Cup, *, has_left: bool = False) -> bool:
    """Return whether people may join after the start, to wait for a place."""
    return cup.format is Format.LEAGUE or (cup.absent is Absent.REPLACE and not has_left)


def left(cup: Cup, user: int) -> Cup:
    """Remove a user; after the start, from later rounds only. Raise cup_over or not_in_cup."""
    _check_not_over(cup)
    if user not in {each.user for each in (*cup.active, *cup.waiting)}:
        raise errors.Rejected("not_in_cup")
    return _without(cup, user)


def started(cup: Cup, ratings: Mapping[int, int]) -> Cup:
    """Seed the entrants by these ratings. Raise cup_started or cup_too_small."""
    if cup.status is not CupStatus.OPEN:
        raise errors.Rejected("cup_started")
    if len(cup.entrants) < MIN_ENTRANTS:
        raise errors.Rejected("cup_too_small", needed=MIN_ENTRANTS)
    usual = Rating().points
    rated = (replace(each, rating=ratings.get(each.user, usual)) for each in cup.entrants)
    return replace(cup, entrants=tuple(rated), status=CupStatus.PLAYING)


def decided(cup: Cup, table: int, users: Sequence[int]) -> Cup:
    """End a game of the running round with its users' order, or as void (none).

    Users who are left out share the last place. Raise not_in_round or not_at_table.
    """
    game = next((each for each in last_round(cup) if each.table == table), None)
    if cup.status is not CupStatus.PLAYING or game is None or game.is_bye:
        raise errors.Rejected("not_in_round")
    if not {*users} <= {*game.users} or len({*users}) < len(users):
        raise errors.Rejected("not_at_table")
    order = [*users, *({*game.users} - {*users})]
    places = [min(order.index(user), len(users)) + 1 for user in game.users]
    return with_result(cup, table, places, End.DECIDED if users else End.VOID)


def cancelled(cup: Cup) -> Cup:
    """End a cup; its tables play on. Raise cup_over."""
    _check_not_over(cup)
    return replace(cup, status=CupStatus.CANCELLED)


def _check_not_over(cup: Cup) -> None:
    if cup.status not in NOT_OVER:
        raise errors.Rejected("cup_over")


def _lined_up(cup: Cup, people: Sequence[Entrant]) -> Cup:
    return replace(cup, entrants=tuple(people[: cup.size]), waiting=tuple(people[cup.size :]))


def _without(cup: Cup, user: int) -> Cup:
    if cup.status is CupStatus.PLAYING:
        return dropped(cup, user)
    return _lined_up(cup, [each for each in (*cup.entrants, *cup.waiting) if each.user != user])


def _forgotten(cup: Cup, user: int, name: str) -> Cup:
    if cup.organiser == user:
        cup = replace(cup, organiser=NO_HOST)
    if cup.status in NOT_OVER:
        return _without(cup, user)
    # Every user of a cup needs a different number.
    number = -1 - sum(entrant.user < 0 for entrant in cup.entrants)
    cup = replace(cup, waiting=(Entrant(number, name),))
    return replace(replaced(cup, user, number), waiting=())
