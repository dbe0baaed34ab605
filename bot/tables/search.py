"""Searches for players, and alerts about new searches.

To look is to agree: a table opens as soon as enough people look for the same. Its lobby and the end
of their searches are one transaction. Each change of a server's searches schedules the task that
shows them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from datetime import datetime, timedelta
from functools import partial

from msgspec.structs import replace

from bot.store import NO_TABLE, AlertRow, SearchRow, Status, WriteBatch
from bot.tables.core import Rejected, Scheduler, Table, UnitOfWork, from_store
from bot.tables.core.seating import PACES
from bot.tables.lobby import Lobby
from bot.tables.people import People
from bot.tables.servers import FIND, Limits, Servers

ALERT = "alert"
"""The task that sends a user their alerts. Its seat is the user."""
ALERT_PAUSE = timedelta(minutes=10)
"""Minimum time between two messages with alerts to a user."""
LIVE = "live"
LASTS = {LIVE: timedelta(hours=4), "day": timedelta(days=7), "days": timedelta(days=14)}
"""How long a search lasts, by pace."""


def complete_group(
    mine: SearchRow, others: Collection[SearchRow], sizes: Collection[int]
) -> list[SearchRow]:
    """Return the largest group with this search that can play now, the longest search first.

    Game and pace are the same, all accept the number of players, all have a language in common, and
    those who want only people of their level get no others. Empty if there is no such group.
    """
    fitting = [
        each
        for each in sorted(others, key=_age)
        if each.user != mine.user and (each.game, each.pace) == (mine.game, mine.pace)
    ]
    for size in sorted({*sizes} & {*mine.seats}, reverse=True):
        groups = []
        for language in mine.languages:
            able = [each for each in fitting if size in each.seats and language in each.languages]
            alike = [each for each in able if each.level == mine.level]
            mixed = [each for each in able if not (mine.same_level or each.same_level)]
            groups += [
                sorted([mine, *each[: size - 1]], key=_age)
                for each in (alike, mixed)
                if len(each) >= size - 1
            ]
        if groups:
            return min(groups, key=lambda group: [_age(each) for each in group])
    return []


def _age(search: SearchRow) -> tuple[datetime, int]:
    return search.since, search.user


class Searches:
    """Stores searches and alerts, and opens the tables of complete groups."""

    def __init__(
        self,
        unit_of_work: UnitOfWork,
        people: People,
        servers: Servers,
        scheduler: Scheduler,
        lobby: Lobby,
    ) -> None:
        self._unit_of_work = unit_of_work
        self._people = people
        self._servers = servers
        self._scheduler = scheduler
        self._lobby = lobby

    async def of_server(self, guild: int) -> list[SearchRow]:
        """Return the searches of a server, oldest first."""
        found = await from_store(self._unit_of_work.store.searches(guild=guild))
        return [each for each in found if each.until > self._unit_of_work.clock.now()]

    async def look(self, wanted: SearchRow, limits: Limits) -> Table | None:
        """Store a search in place of the user's earlier one for the game, or open a table.

        The table of a complete group opens in the channel of this search, with its user as host.
        Raise seat_in_lobby, and the errors of `Servers.check_room` about the host.
        """
        guild, unit_of_work = wanted.guild, self._unit_of_work

        async def work() -> Table | None:
            batch, now = WriteBatch(), unit_of_work.clock.now()
            await unit_of_work.guard(batch, f"{FIND}:{guild}")
            for each in await from_store(unit_of_work.store.of_user(wanted.user, [Status.LOBBY])):
                if (each.table.guild, each.table.game) == (guild, wanted.game):
                    raise Rejected("seat_in_lobby", table=each.table.id)
            searches = await self.of_server(guild)
            # The same search again keeps its place and alerts no one.
            same = [
                each.since
                for each in searches
                if (each.user, each.game, each.pace) == (wanted.user, wanted.game, wanted.pace)
            ]
            mine = replace(wanted, since=min(same, default=now), until=now + LASTS[wanted.pace])
            batch.schedule(NO_TABLE, guild, FIND, now)
            group = await self._group(batch, mine, searches)
            if group:
                await self._servers.check_room(limits, guild, wanted.user)
                return await self._open(batch, mine, group, searches)
            batch.save(mine)
            if not same:
                batch.schedule_alerts(mine, ALERT, now)
            await from_store(unit_of_work.store.commit(batch))
            return None

        # No table has a negative number.
        return await unit_of_work.cache.run_locked(-guild, work)

    async def _group(
        self, batch: WriteBatch, mine: SearchRow, searches: Sequence[SearchRow]
    ) -> list[SearchRow]:
        """Return the complete group of a search, and delete searches of people who have left."""
        group = complete_group(mine, searches, self._unit_of_work.newest_rules(mine.game).seats)
        left = await self._unit_of_work.members.departed(
            mine.guild, [each.user for each in group if each.user != mine.user]
        )
        if not left:
            return group
        for user in left:
            batch.delete(SearchRow, guild=mine.guild, user=user)
        return await self._group(batch, mine, [each for each in searches if each.user not in left])

    async def _open(
        self,
        batch: WriteBatch,
        host: SearchRow,
        group: Sequence[SearchRow],
        searches: Sequence[SearchRow],
    ) -> Table:
        """Open the group's table and end their searches for its game, and other live ones."""
        names, unit_of_work = {each.user: each.name for each in group}, self._unit_of_work
        for each in searches:
            if each.user in names and (each.game == host.game or each.pace == host.pace == LIVE):
                batch.delete_row(each)
        server = await self._servers.get(host.guild)
        table, key = self._lobby.draft(
            await from_store(unit_of_work.store.new_table_id()),
            host.game,
            names,
            host.guild,
            host.channel,
            server.options_of(unit_of_work.newest_rules(host.game)),
            PACES[host.pace],
            host=host.user,
        )
        return await unit_of_work.open_lobby(table, key, None, batch)

    async def stop(self, user: int, server: int | None = None) -> None:
        """End a user's searches in a server, or in all (None)."""
        unit_of_work = self._unit_of_work

        async def work(guild: int, batch: WriteBatch) -> None:
            batch.delete(SearchRow, guild=guild, user=user)
            batch.schedule(NO_TABLE, guild, FIND, unit_of_work.clock.now())

        searches = await from_store(unit_of_work.store.searches(user=user))
        for guild in {each.guild for each in searches if server in (None, each.guild)}:
            await unit_of_work.cache.run_locked(
                -guild, partial(unit_of_work.guarded, f"{FIND}:{guild}", partial(work, guild))
            )

    async def refresh(self, guild: int) -> None:
        """Have the searches of a server shown again."""
        await self._scheduler.schedule(NO_TABLE, guild, FIND, self._unit_of_work.clock.now())

    def on_change(self, show: Callable[[int, Sequence[SearchRow]], Awaitable[None]]) -> None:
        """Call `show` with a server and its searches when they change. It may be called again."""

        async def work(guild: int) -> datetime | None:
            store, now = self._unit_of_work.store, self._unit_of_work.clock.now()
            await from_store(store.drop_ended_searches(guild, now))
            searches = await self.of_server(guild)
            await show(guild, searches)
            return min((each.until for each in searches), default=None)

        self._scheduler.about(FIND, work)

    async def alerts(self, user: int) -> list[AlertRow]:
        """Return a user's alerts in all servers."""
        return await from_store(self._unit_of_work.store.alerts(user))

    async def set_alerts(self, guild: int, user: int, pace: str, games: Collection[str]) -> None:
        """Have alerts for these games at a pace; an empty name stands for any."""
        before = {(each.guild, each.pace, each.game): each for each in await self.alerts(user)}
        batch, now = WriteBatch(), self._unit_of_work.clock.now()
        batch.delete(AlertRow, guild=guild, user=user, pace=pace)
        for game in games:
            batch.save(before.get((guild, pace, game), AlertRow(guild, user, game, pace, now)))
        await from_store(self._unit_of_work.store.commit(batch))

    def on_alert(self, send: Callable[[int, Sequence[SearchRow]], Awaitable[None]]) -> None:
        """Call `send` with a user and the new searches of one server that their alerts are for.

        If it fails it is called again, although the message may have been sent.
        """
        unit_of_work = self._unit_of_work

        async def work(user: int) -> datetime | None:
            now, person = unit_of_work.clock.now(), await self._people.get(user)
            free = person.free_at(person.back_at(now))
            if free > now:
                return free
            new = [
                each
                for each in await from_store(unit_of_work.store.new_searches(user, now))
                if not await unit_of_work.members.departed(each.guild, [user])
            ]
            if not new:
                return None
            found = [each for each in new if each.guild == new[0].guild]
            # Check ownership now, as Discord, unlike the database, cannot refuse it later.
            with unit_of_work.on_behalf(None):
                await send(user, found)
            await from_store(unit_of_work.store.note_alert(user, found[-1]))
            return now + ALERT_PAUSE

        self._scheduler.about(ALERT, work)
