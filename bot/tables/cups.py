"""The life of cups and leagues: sign-up, rounds, no-shows and results.

A change of a cup is stored with a task that does everything that follows from it: it records
results, opens tables, begins the next round and shows the cup. The task is idempotent. It is
retried until nothing is left to do, and scheduled again when a table of the cup changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from msgspec.structs import replace

from bot.game.chance import commitment
from bot.store import NO_TABLE, CupRow, ScheduledRow, WriteBatch
from bot.tables.core import (
    OPEN,
    LoadedTable,
    Scheduler,
    Table,
    TableChange,
    UnitOfWork,
    errors,
    from_store,
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
    season_end,
    with_result,
)
from bot.tables.lobby import Leaving, Lobby
from bot.tables.results import NO_HOST, Rating, Results
from bot.tables.seats import AutopilotBy, Seats
from bot.tables.servers import CUP, Limits, Servers
from bot.workers import in_thread

MAX_CUPS = 10
"""Cups of a server that are not over."""
MAX_WAITING = 64
DRAFT_LIFETIME = timedelta(days=1)
SOON = timedelta(seconds=30)
"""When a cup is looked at again that has tables without a post."""
RETRY = timedelta(minutes=5)
"""When a cup is looked at again that could not be shown."""
LATER = timedelta(hours=1)
"""When any other cup is looked at again, although nothing is known to have changed."""
UNATTENDED = timedelta(days=1)
"""How long only computers may be left at a table before its game is void."""
NOT_OVER = (CupStatus.OPEN, CupStatus.PLAYING)

Show = Callable[[Cup, Mapping[int, Table], bool], Awaitable[int | None]]
"""Shows a cup with its tables by id, and whether other tables must wait for room in the server.
Returns the message's id, or None if it cannot be shown at the moment."""


class Cups:
    """The cups of all servers. Methods that change one raise no_cup if it does not exist."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        scheduler: Scheduler,
        servers: Servers,
        results: Results,
        lobby: Lobby,
        seats: Seats,
        leaving: Leaving,
        new_key: Callable[[], bytes],
    ) -> None:
        self._unit_of_work = unit_of_work
        self._scheduler = scheduler
        self._servers = servers
        self._results = results
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
        """Return the cups of a server, newest first, including drafts."""
        rows = await from_store(self._unit_of_work.store.cups_of_server(guild))
        return [msgspec.convert(row.data, Cup) for row in rows]

    async def tables(self, cup: Cup) -> dict[int, Table]:
        """Return the tables of the cup's last round that are open or over, by id."""
        ids = [game.table for game in last_round(cup)]
        stored = await from_store(self._unit_of_work.store.heads(ids))
        return {each.table.id: self._unit_of_work.cache.table_of(each) for each in stored}

    # Changes by users

    async def draft(self, game: str, options: Mapping[str, str], **settings: Any) -> Cup:
        """Store a new cup with these settings, which only its organiser knows for now.

        It replaces their earlier draft in the server. Raise unknown_game or cup_seats.
        """
        rules, key = self._unit_of_work.newest_rules(game), self._new_key()
        now = self._unit_of_work.clock.now()
        cup = Cup(
            id=await from_store(self._unit_of_work.store.new_table_id()),
            game=game,
            options=seating.options_of(rules, options),
            key=key.hex(),
            key_hash=commitment(key),
            created=int(now.timestamp()),
            status=CupStatus.DRAFT,
            **settings,
        )
        if not {*range(2, cup.seats + 1)} <= {*rules.seats}:
            raise errors.Rejected("cup_seats", seats=max(rules.seats))
        batch = WriteBatch()
        for other in await self.of_server(cup.guild):
            if (other.status, other.organiser) == (CupStatus.DRAFT, cup.organiser):
                batch.delete(CupRow, id=other.id)
        batch.save(_row(cup))
        batch.schedule(NO_TABLE, cup.id, CUP, now + DRAFT_LIFETIME)
        await from_store(self._unit_of_work.store.commit(batch))
        return cup

    async def set_option(self, cup_id: int, name: str, value: str) -> Cup:
        """Set an option of the game in a draft. Raise cup_open or unknown_option."""

        def change(cup: Cup) -> Cup:
            if cup.status is not CupStatus.DRAFT:
                raise errors.Rejected("cup_open")
            options = self._unit_of_work.newest_rules(cup.game).options
            seating.check_options(options, {name: value})
            return replace(cup, options={**cup.options, name: value})

        return await self._change(cup_id, change, is_due=False)

    async def publish(self, cup_id: int) -> Cup:
        """Open the sign-up of a draft. Raise too_many_cups."""
        cups = await self.of_server((await self.get(cup_id)).guild)

        def change(cup: Cup) -> Cup:
            if cup.status is not CupStatus.DRAFT:
                return cup
            if sum(each.status in NOT_OVER for each in cups) >= MAX_CUPS:
                raise errors.Rejected("too_many_cups", most=MAX_CUPS)
            return replace(cup, status=CupStatus.OPEN)

        return await self._change(cup_id, change)

    async def join(self, cup_id: int, user: int, name: str) -> Cup:
        """Sign the user up, or put them on the waiting list.

        Raise cup_over, in_cup, cup_started or cup_full.
        """

        def change(cup: Cup) -> Cup:
            _check_not_over(cup)
            if user in {each.user for each in (*cup.active, *cup.waiting)}:
                raise errors.Rejected("in_cup")
            new, has_left = Entrant(user, name), user in {each.user for each in cup.entrants}
            if cup.status is CupStatus.OPEN and len(cup.entrants) < cup.size:
                return replace(cup, entrants=(*cup.entrants, new))
            if cup.status is CupStatus.PLAYING and not may_wait(cup, has_left=has_left):
                raise errors.Rejected("cup_started")
            if len(cup.waiting) >= MAX_WAITING:
                raise errors.Rejected("cup_full")
            return replace(cup, waiting=(*cup.waiting, new))

        return await self._change(cup_id, change)

    async def leave(self, cup_id: int, user: int) -> Cup:
        """Remove the user; after the start they only miss later rounds. Raise not_in_cup."""

        def change(cup: Cup) -> Cup:
            _check_not_over(cup)
            if user not in {each.user for each in (*cup.active, *cup.waiting)}:
                raise errors.Rejected("not_in_cup")
            return _without(cup, user)

        return await self._change(cup_id, change)

    async def start(self, cup_id: int) -> Cup:
        """Seed the entrants and let the first round begin. Raise cup_started or cup_too_small."""
        cup = await self.get(cup_id)
        leaders = await self._results.standings(cup.guild, cup.game)
        ratings = {each.user: each.rating.points for each in leaders}

        def change(cup: Cup) -> Cup:
            if cup.status is not CupStatus.OPEN:
                raise errors.Rejected("cup_started")
            if len(cup.entrants) < MIN_ENTRANTS:
                raise errors.Rejected("cup_too_small", needed=MIN_ENTRANTS)
            entrants = (
                replace(each, rating=ratings.get(each.user, Rating().points))
                for each in cup.entrants
            )
            return replace(cup, entrants=tuple(entrants), status=CupStatus.PLAYING)

        return await self._change(cup_id, change)

    async def decide(self, cup_id: int, table: int, users: Sequence[int]) -> Cup:
        """End the game at a table of the running round, with its users' order or as void (none).

        Users who are left out share the last place. Raise not_in_round or not_at_table.
        """

        def change(cup: Cup) -> Cup:
            game = next((each for each in last_round(cup) if each.table == table), None)
            if cup.status is not CupStatus.PLAYING or game is None or game.is_bye:
                raise errors.Rejected("not_in_round")
            if not {*users} <= {*game.users} or len({*users}) < len(users):
                raise errors.Rejected("not_at_table")
            if not users:
                return with_result(cup, table, (), End.VOID)
            places = {user: place for place, user in enumerate(users, 1)}
            order = [places.get(user, len(users) + 1) for user in game.users]
            return with_result(cup, table, order, End.DECIDED)

        change(await self.get(cup_id))
        if not users:
            # First, so that the game is void even if the bot is killed in between.
            await self._close(table)
        return await self._change(cup_id, change)

    async def cancel(self, cup_id: int) -> Cup:
        """End the cup; its tables play on. Raise cup_over."""

        def change(cup: Cup) -> Cup:
            _check_not_over(cup)
            return replace(cup, status=CupStatus.CANCELLED)

        return await self._change(cup_id, change)

    async def move(self, cup_id: int, channel: int) -> Cup:
        """Post the cup in a channel anew, which also gets its further tables."""
        return await self._change(cup_id, lambda cup: replace(cup, channel=channel, posted=-1))

    async def forget(self, user: int, name: str) -> None:
        """Take the user out of all cups. In those that are over, their name becomes `name`."""
        for row in await from_store(self._unit_of_work.store.cups_of(user)):
            await self._change(row.id, lambda cup: _forgotten(cup, user, name))

    async def _change(
        self, cup_id: int, change: Callable[[Cup], Cup | None], *, is_due: bool = True
    ) -> Cup:
        """Store a changed cup, or delete it (None). If `is_due`, do what follows from that."""

        async def work(batch: WriteBatch) -> Cup:
            before = await self.get(cup_id)
            after = change(before)
            if after is None:
                batch.delete(CupRow, id=cup_id)
                return before
            batch.save(_row(after))
            if is_due:
                batch.schedule(NO_TABLE, cup_id, CUP, self._unit_of_work.clock.now())
            return after

        async with self._changing:
            return await self._unit_of_work.guarded(f"{CUP}:{cup_id}", work)

    # What follows from changes

    def on_due(self, show: Show, limits: Limits) -> None:
        """Do what follows from changes of cups, within these limits of open tables."""

        async def work(task: ScheduledRow) -> None:
            store, cup_id = self._unit_of_work.store, task.seat
            postponed = await from_store(store.scheduled_at(NO_TABLE, cup_id, CUP))
            again = await self._advance(cup_id, show, limits)
            done = replace(task, at=postponed or task.at)
            until = again or self._unit_of_work.clock.now()
            # If the cup or a table has changed in the meantime, the task is already due again.
            if await from_store(store.postpone(done, until)) and again is None:
                await self._scheduler.schedule(NO_TABLE, cup_id, CUP, None)

        self._scheduler.on(CUP, work)

    async def _on_change(self, change: TableChange, before: LoadedTable) -> None:
        table, was = change.table, before.table
        if table.cup is not None and (
            (table.is_over, table.players) != (was.is_over, was.players) or table is was
        ):
            now = self._unit_of_work.clock.now()
            change.batch.schedule(NO_TABLE, table.cup, CUP, now)

    async def _advance(self, cup_id: int, show: Show, limits: Limits) -> datetime | None:
        """Do what is due, and return when to look again; None for never."""
        unit_of_work = self._unit_of_work
        now, row = unit_of_work.clock.now(), await from_store(unit_of_work.store.cup(cup_id))
        if row is None or row.data["status"] == CupStatus.DRAFT:
            if row is not None:
                await self._change(cup_id, lambda cup: cup if cup.status in NOT_OVER else None)
            return None
        cup = msgspec.convert(row.data, Cup)
        if cup.status is CupStatus.PLAYING:
            cup = await self._record(cup, await self.tables(cup))
            await self._seat_replacements(cup, await self.tables(cup))
            cup = await self._begin_round(cup, now)
        tables, server = await self.tables(cup), await self._servers.get(cup.guild)
        open_tables = await from_store(unit_of_work.store.count_in(cup.guild, OPEN))
        room = max(0, limits.tables_in(server) - open_tables)
        missing = [each for each in running(cup) if each.table not in tables]
        message = await show(cup, tables, len(missing) > room)
        if message is None:
            return now + RETRY
        if (message, stage(cup)) != (cup.message, cup.posted):
            await self._change(cup_id, lambda now: _posted(now, cup, message), is_due=False)
        if cup.status not in NOT_OVER:
            return None
        await self._open(cup, missing[:room])
        if cup.status is CupStatus.PLAYING and not running(cup):
            return now
        posted = [each.id for each in tables.values() if each.panel_message is not None]
        if any(each.table not in posted for each in running(cup)):
            return now + SOON
        until = datetime.fromtimestamp(cup.until, UTC)
        return min(until, now + LATER) if until > now else now + LATER

    async def _record(self, cup: Cup, tables: Mapping[int, Table]) -> Cup:
        """Record the results of tables that are over, and handle no-shows."""
        results: list[tuple[int, tuple[int, ...], End]] = []
        for game in last_round(cup):
            table = tables.get(game.table)
            if table is None:
                continue
            if game.end is End.DECIDED and not table.is_over:
                await self._close(table.id)
            elif game.end is None and table.is_over:
                places = await self._places(cup, game, table)
                results.append((table.id, places, End.PLAYED if places else End.VOID))
            elif game.end is None and table.is_unattended:
                entries = await from_store(self._unit_of_work.store.entries(table.id))
                if entries[-1].at + UNATTENDED <= self._unit_of_work.clock.now():
                    await self._close(table.id)
                    results.append((table.id, (), End.VOID))
        absent = await self._absent(cup, tables)

        def change(cup: Cup) -> Cup:
            for table, places, end in results:
                cup = with_result(cup, table, places, end)
            for user in absent:
                if cup.absent is Absent.REPLACE and cup.waiting:
                    cup = replaced(cup, user, cup.waiting[0].user)
                else:
                    cup = dropped(cup, user)
            return cup

        if results or absent:
            cup = await self._change(cup.id, change, is_due=False)
        return cup

    async def _places(self, cup: Cup, game: CupGame, table: Table) -> tuple[int, ...]:
        """Return the users' places among each other; none if the game has no result.

        People who resigned or never showed up come last.
        """
        now = (await self._unit_of_work.cache.read(table.id)).now
        if now is None or now.outcome is None:
            return ()
        last, away = len(table.players) + 1, {each.user for each in cup.entrants if each.dropped}
        ranks = []
        for user in game.users:
            seat = table.seat_of(user)
            is_absent = seat is None or (user in away and table.players[seat].is_autopiloted)
            ranks.append(last if seat is None or is_absent else now.outcome.places[seat])
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
        for user in [each.user for each in cup.active if each.user in late]:
            own = [game.table for game in running(cup) if user in game.users]
            if not any([await self._has_acted(table, user) for table in own]):
                absent.append(user)
        return absent

    async def _has_acted(self, table: int, user: int) -> bool:
        entries = await from_store(self._unit_of_work.store.entries(table))
        return any(row.user == user for row in entries)

    async def _seat_replacements(self, cup: Cup, tables: Mapping[int, Table]) -> None:
        """Give the seats of replaced entrants to those who replace them."""
        names = {each.user: each.name for each in cup.entrants}
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
        if is_league and cup.rounds:
            after = season_end(after)
        following = await in_thread(next_round, after)
        if following is None:
            after = replace(after, status=CupStatus.OVER)
        else:
            after, games = following
            ids = await from_store(self._unit_of_work.store.new_table_ids(len(games)))
            games = tuple(
                each if each.end is End.BYE else replace(each, table=table)
                for each, table in zip(games, ids, strict=True)
            )
            until = int((now + timedelta(weeks=cup.weeks)).timestamp()) if is_league else 0
            after = replace(after, rounds=(*after.rounds, games), until=until)
        return await self._change(
            cup.id, lambda current: after if current == cup else current, is_due=False
        )

    async def _open(self, cup: Cup, games: Sequence[CupGame]) -> None:
        names = {each.user: each.name for each in cup.entrants}
        terms = {**seating.PACES[cup.pace], seating.AT_ZERO: "autopilot"}
        for game in games:
            await self._lobby.open_game(
                game.table,
                cup.game,
                {user: names[user] for user in game.users},
                host=cup.organiser,
                guild=cup.guild,
                channel=cup.channel,
                options=cup.options,
                terms={**terms, seating.HINTS: seating.OFF},
                cup=cup.id,
            )

    async def _close(self, table: int) -> None:
        # It may be over, or not open yet.
        with suppress(errors.NotPlaying, errors.UnknownTable):
            await self._leaving.decide(table)


def _row(cup: Cup) -> CupRow:
    return CupRow(cup.id, cup.guild, msgspec.to_builtins(cup))


def last_round(cup: Cup) -> tuple[CupGame, ...]:
    """Return the games of the last round, also those that have ended."""
    return cup.rounds[-1] if cup.rounds else ()


def running(cup: Cup) -> list[CupGame]:
    """Return the games of the last round that have not ended."""
    return [game for game in last_round(cup) if game.end is None]


def stage(cup: Cup) -> int:
    """Return a number that grows when the cup's message is to be posted anew."""
    return len(cup.rounds) + (cup.status is CupStatus.OVER)


def may_wait(cup: Cup, *, has_left: bool = False) -> bool:
    """Return whether people may join after the start, to wait for a place."""
    return cup.format is Format.LEAGUE or (cup.absent is Absent.REPLACE and not has_left)


def _check_not_over(cup: Cup) -> None:
    if cup.status not in NOT_OVER:
        raise errors.Rejected("cup_over")


def _without(cup: Cup, user: int) -> Cup:
    """Return the cup without the user. Before the start, the next in line takes their place."""
    if cup.status is CupStatus.PLAYING:
        return dropped(cup, user)
    entrants = [each for each in cup.entrants if each.user != user]
    waiting = [each for each in cup.waiting if each.user != user]
    free = cup.size - len(entrants)
    return replace(cup, entrants=(*entrants, *waiting[:free]), waiting=tuple(waiting[free:]))


def _posted(cup: Cup, shown: Cup, message: int) -> Cup:
    """Return the cup with its message, unless it has moved since it was `shown`."""
    if cup.channel != shown.channel:
        return cup
    return replace(cup, message=message, posted=stage(shown))


def _forgotten(cup: Cup, user: int, name: str) -> Cup:
    if cup.organiser == user:
        cup = replace(cup, organiser=NO_HOST)
    if cup.status in NOT_OVER:
        return _without(cup, user)
    # Every user of a cup needs a different number.
    numbers = {each.user: -place for place, each in enumerate(cup.entrants, 1)}
    number = numbers.get(user, 0)
    entrants = (
        replace(each, user=number, name=name) if each.user == user else each
        for each in cup.entrants
    )
    rounds = (
        tuple(
            replace(game, users=tuple(number if each == user else each for each in game.users))
            for game in games
        )
        for games in cup.rounds
    )
    return replace(cup, entrants=tuple(entrants), rounds=tuple(rounds), waiting=())
