"""The life of cups and leagues: sign-up, rounds, no-shows and results.

A change of a cup is stored with a task that does everything that follows from it: it records
results, opens tables, begins the next round and shows the cup. The task is idempotent. It is
retried until nothing is left to do, and scheduled again when a table of the cup changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.game.contract import Option
from bot.store import NO_TABLE, CupRow, Player, WriteBatch
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
    MAX_ENTRANTS,
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
MAX_WAITING = 2 * MAX_ENTRANTS
AGAIN = timedelta(minutes=1)
"""When a cup is looked at again that is played or could not be shown."""
DESERTED = timedelta(days=1)
"""How long only computers may be left at a table before its game is void."""
NOT_OVER = (CupStatus.OPEN, CupStatus.PLAYING)

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
        """Return a server's cups that are not over, and the newest of the others."""
        rows = await from_store(self._unit_of_work.store.cups_of_server(guild))
        return [msgspec.convert(row.data, Cup) for row in rows]

    async def tables(self, cup: Cup) -> dict[int, Table]:
        """Return the tables of the cup's last round that are open or over, by id."""
        ids = [game.table for game in last_round(cup)]
        stored = await from_store(self._unit_of_work.store.heads(ids))
        return {each.table.id: self._unit_of_work.cache.table_of(each) for each in stored}

    async def open(self, game: str, options: Mapping[str, str], **settings: Any) -> Cup:
        """Open the sign-up of a new cup. Raise unknown_game, cup_seats or too_many_cups."""
        rules, store = self._unit_of_work.newest_rules(game), self._unit_of_work.store
        key = self._new_key()
        cup = Cup(
            id=await from_store(store.new_table_id()),
            game=game,
            options=seating.options_of(rules, options),
            key=key.hex(),
            key_hash=commitment(key),
            **settings,
        )
        if not {*range(2, cup.seats + 1)} <= {*rules.seats}:
            raise errors.Rejected("cup_seats", seats=max(rules.seats))
        others = await self.of_server(cup.guild)
        if sum(each.status in NOT_OVER for each in others) >= MAX_CUPS:
            raise errors.Rejected("too_many_cups", most=MAX_CUPS)
        batch = WriteBatch()
        batch.save(_row(cup))
        batch.schedule(NO_TABLE, cup.id, CUP, self._unit_of_work.clock.now())
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

        guild = (await self.get(cup_id)).guild
        async with self._changing:
            return await self._unit_of_work.guarded(f"{CUP}:{guild}", work)

    async def forget(self, user: int, name: str) -> None:
        """Take the user out of all cups. In those that have started, their name becomes `name`."""
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
        """Do what is due, and return when to look again; None if nothing is left to do."""
        store, now = self._unit_of_work.store, self._unit_of_work.clock.now()
        row = await from_store(store.cup(cup_id))
        if row is None:
            return None
        cup = msgspec.convert(row.data, Cup)
        if cup.status is CupStatus.PLAYING:
            cup = await self._follow_tables(cup, await self.tables(cup), now)
        tables, server = await self.tables(cup), await self._servers.get(cup.guild)
        room = limits.tables_in(server) - await from_store(store.count_in(cup.guild, OPEN))
        names = {entrant.user: entrant.name for entrant in cup.entrants}
        # Not those of a user whose data was deleted just now: the next time, these are void.
        missing = [
            game for game in running(cup) if game.table not in tables and min(game.users) > 0
        ]
        is_full = len(missing) > room
        # Not the newest post of a table, as the picture would be uploaded again for each.
        links = [(each.id, each.thread, each.panel_message is None) for each in tables.values()]
        content = replace(cup, message=None, posted=0), links, is_full
        digest = crc32(msgspec.json.encode(content))
        if digest != cup.posted:
            message = await show(cup, tables, is_full)
            if message is None:
                return now + AGAIN if cup.status is CupStatus.PLAYING else None
            cup = await self._replace(cup, replace(cup, message=message, posted=digest))
        if cup.status is not CupStatus.PLAYING:
            return None
        terms = {seating.AT_ZERO: "autopilot", seating.HINTS: seating.OFF}
        for game in missing[: max(0, room)]:
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
        return now + AGAIN

    async def _replace(self, cup: Cup, after: Cup) -> Cup:
        """Store a cup that follows from another. If that has changed, its task is due again."""
        return await self.change(
            cup.id, lambda current: after if current == cup else current, is_due=False
        )

    async def _follow_tables(self, cup: Cup, tables: Mapping[int, Table], now: datetime) -> Cup:
        """Record results and no-shows, close tables, fill seats, and begin the next round."""
        after = cup
        for game in last_round(cup):
            table = tables.get(game.table)
            if table is None:
                if min(game.users) < 0:
                    # A user whose data was deleted gets no seat.
                    after = with_result(after, game.table, (), End.VOID)
            elif table.is_over:
                if game.end is None:
                    places = await self._places(cup, game, table)
                    after = with_result(after, table.id, places, End.PLAYED if places else End.VOID)
            elif game.end is not None or (
                table.is_unattended and await self._is_deserted(table, now)
            ):
                with suppress(errors.NotPlaying):
                    await self._leaving.dissolve(table.id)
            else:
                for player, user in zip(table.players, game.users, strict=True):
                    if player.is_autopiloted or player.user != user:
                        after = await self._after_absence(after, tables, table, player, user)
        return await self._replace(cup, await self._next_round(after, now))

    async def _after_absence(
        self, cup: Cup, tables: Mapping[int, Table], table: Table, player: Player, user: int
    ) -> Cup:
        """Drop or replace an entrant who never showed up, if this seat of theirs is on autopilot.

        Their replacement gets the seat before the cup changes, as the entrant may come back at any
        moment. Someone from the waiting list who has the seat already replaces them, too: the cup
        may not have been stored after that.
        """
        active, store = {each.user for each in cup.active}, self._unit_of_work.store
        # A seat that the bot gave them is no action of theirs.
        if user not in active or await from_store(
            store.has_acted(user, [*tables], without=[log.CLAIM])
        ):
            return cup
        has_seat, known = player.user == user, {each.user for each in cup.entrants}
        free = [
            each
            for each in cup.waiting
            if cup.absent is Absent.REPLACE
            and each.user not in known
            and (has_seat or each.user == player.user)
        ]
        if (
            has_seat
            and await self._seats.autopiloted_by(table.id, player.seat) is not AutopilotBy.CLOCK
        ):
            return cup
        if not free:
            return dropped(cup, user) if has_seat else cup
        new, *_ = free
        # This seat first: the others follow even if no computer player acts for them.
        for each in sorted(tables.values(), key=lambda other: other.id != table.id):
            if each.seat_of(user) is not None:
                is_this = each.id == table.id
                try:
                    await self._seats.claim(
                        each.id, new.user, new.name, instead_of=user, if_absent=is_this
                    )
                except errors.Rejected:
                    if is_this:
                        return cup
        return replaced(cup, user, new.user)

    async def _is_deserted(self, table: Table, now: datetime) -> bool:
        entries = await from_store(self._unit_of_work.store.entries(table.id))
        return entries[-1].at + DESERTED <= now

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

    async def _next_round(self, cup: Cup, now: datetime) -> Cup:
        """Return the cup in its next round or season if this one is over, or at its end."""
        is_league = cup.format is Format.LEAGUE
        if is_league and now.timestamp() >= cup.until:
            for game in running(cup):
                cup = with_result(cup, game.table, (), End.VOID)
        if running(cup):
            return cup
        following = await in_thread(next_round, cup)
        if following is None:
            return replace(cup, status=CupStatus.OVER, posted=0)
        cup, games = following
        ids = await from_store(self._unit_of_work.store.new_table_ids(len(games)))
        games = tuple(
            game if game.is_bye else replace(game, table=table)
            for game, table in zip(games, ids, strict=True)
        )
        until = int((now + timedelta(weeks=cup.weeks)).timestamp()) if is_league else 0
        return replace(cup, rounds=(*cup.rounds, games), until=until, posted=0)


def _row(cup: Cup) -> CupRow:
    return CupRow(cup.id, cup.guild, msgspec.to_builtins(cup))


def last_round(cup: Cup) -> tuple[CupGame, ...]:
    """Return the games of the last round, also those that have ended."""
    return cup.rounds[-1] if cup.rounds else ()


def running(cup: Cup) -> list[CupGame]:
    """Return the games of the last round that have not ended."""
    return [game for game in last_round(cup) if game.end is None]


# Changes by users, for `Cups.change`


def with_option(cup: Cup, options: Collection[Option], name: str, value: str) -> Cup:
    """Set one of the game's options before anyone has joined. Raise cup_open or unknown_option."""
    seating.check_options(options, {name: value})
    if cup.status is not CupStatus.OPEN or cup.waiting:
        raise errors.Rejected("cup_open")
    return replace(cup, options={**cup.options, name: value})


def joined(cup: Cup, user: int, name: str) -> Cup:
    """Add a user to the waiting list. Raise cup_over, in_cup, cup_started or cup_full.

    The cup starts with the first on the list. Then people wait for the next season of a league, or
    to replace a no-show.
    """
    _check_not_over(cup)
    if user in {each.user for each in (*cup.active, *cup.waiting)}:
        raise errors.Rejected("in_cup")
    has_left = user in {entrant.user for entrant in cup.entrants}
    if cup.status is CupStatus.PLAYING and not may_wait(cup, has_left=has_left):
        raise errors.Rejected("cup_started")
    if len(cup.waiting) >= MAX_WAITING:
        raise errors.Rejected("cup_full")
    return replace(cup, waiting=(*cup.waiting, Entrant(user, name)))


def may_wait(cup: Cup, *, has_left: bool = False) -> bool:
    """Return whether people may join after the start, to wait for a place."""
    return cup.format is Format.LEAGUE or (cup.absent is Absent.REPLACE and not has_left)


def left(cup: Cup, user: int) -> Cup:
    """Remove a user; after the start, from later rounds only. Raise cup_over or not_in_cup."""
    _check_not_over(cup)
    if user not in {each.user for each in (*cup.active, *cup.waiting)}:
        raise errors.Rejected("not_in_cup")
    return dropped(cup, user)


def started(cup: Cup, ratings: Mapping[int, int]) -> Cup:
    """Seed the entrants by these ratings. Raise cup_started or cup_too_small."""
    if cup.status is not CupStatus.OPEN:
        raise errors.Rejected("cup_started")
    if len(cup.waiting) < MIN_ENTRANTS:
        raise errors.Rejected("cup_too_small", needed=MIN_ENTRANTS)
    usual = Rating().points
    rated = [replace(each, rating=ratings.get(each.user, usual)) for each in cup.waiting]
    return replace(
        cup,
        entrants=tuple(rated[: cup.size]),
        waiting=cup.waiting[cup.size :],
        status=CupStatus.PLAYING,
    )


def decided(cup: Cup, table: int, users: Sequence[int]) -> Cup:
    """End a running game with its users' order, or as void (none).

    Users who are left out share the last place. Raise not_in_round or not_at_table.
    """
    game = next((each for each in running(cup) if each.table == table), None)
    if cup.status is not CupStatus.PLAYING or game is None:
        raise errors.Rejected("not_in_round")
    if not {*users} <= {*game.users} or len({*users}) < len(users):
        raise errors.Rejected("not_at_table")
    places = [1 + (users.index(user) if user in users else len(users)) for user in game.users]
    return with_result(cup, table, places, End.DECIDED if users else End.VOID)


def cancelled(cup: Cup) -> Cup:
    """End a cup; its tables play on. Raise cup_over."""
    _check_not_over(cup)
    return replace(cup, status=CupStatus.CANCELLED)


def _check_not_over(cup: Cup) -> None:
    if cup.status not in NOT_OVER:
        raise errors.Rejected("cup_over")


def _forgotten(cup: Cup, user: int, name: str) -> Cup:
    """Take a user out of a cup and replace them, in all its rounds, by a number and this name."""
    if cup.organiser == user:
        cup = replace(cup, organiser=NO_HOST)
    # The cup may be over, or the user have left it before.
    with suppress(errors.Rejected):
        cup = left(cup, user)
    waiting = tuple(each for each in cup.waiting if each.user != user)
    # Every user of a cup needs a different number.
    number = -1 - sum(entrant.user < 0 for entrant in cup.entrants)
    cup = replaced(replace(cup, waiting=(Entrant(number, name),)), user, number)
    return replace(cup, waiting=waiting)
