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

from bot.store import NO_TABLE, AlertRow, ScheduledRow, SearchRow, Status, WriteBatch
from bot.tables.core import Rejected, Scheduler, StoreUnavailable, Table, UnitOfWork, from_store
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
LEVELS = ("new", "some", "experienced")
"""A user's experience with a game."""


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
            enough = [each for each in (alike, mixed) if len(each) >= size - 1]
            groups += [sorted([mine, *each[: size - 1]], key=_age) for each in enough]
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
        now = self._unit_of_work.clock.now()
        found = await from_store(self._unit_of_work.store.searches(guild=guild))
        return [each for each in found if each.until > now]

    async def look(
        self, wanted: SearchRow, limits: Limits, may_open: Callable[[int], bool]
    ) -> tuple[Table | None, Rejected | None]:
        """Store a search in place of the user's earlier one for the game, or open its table.

        `may_open` returns whether a table may be opened in a channel. If the table of a complete
        group may not be opened, return the reason; the searches stay. Raise seat_in_lobby.
        """
        guild, unit_of_work = wanted.guild, self._unit_of_work

        async def work() -> tuple[Table | None, Rejected | None]:
            batch, now = WriteBatch(), unit_of_work.clock.now()
            await unit_of_work.guard(batch, f"{FIND}:{guild}")
            for stored in await from_store(
                unit_of_work.store.of_user(wanted.user, (Status.LOBBY,))
            ):
                if (stored.table.guild, stored.table.game) == (guild, wanted.game):
                    raise Rejected("seat_in_lobby", table=stored.table.id)
            searches = await self.of_server(guild)
            # The same search again keeps its place and alerts no one.
            same = [e for e in searches if e.user == wanted.user and e.game == wanted.game]
            since = min((each.since for each in same if each.pace == wanted.pace), default=now)
            mine = replace(wanted, since=since, until=now + LASTS[wanted.pace])
            batch.schedule(NO_TABLE, guild, FIND, now)
            group = await self._group(batch, mine, searches)
            place = await self._place(mine, group, limits, may_open) if group else None
            if isinstance(place, tuple):
                return await self._open(batch, searches, group, *place), None
            batch.save(mine)
            if since == now:
                batch.schedule_alerts(mine, ALERT, now)
            await from_store(unit_of_work.store.commit(batch))
            return None, place

        # No table has a negative number.
        return await unit_of_work.cache.run_locked(-guild, work)

    async def _group(
        self, batch: WriteBatch, mine: SearchRow, searches: Sequence[SearchRow]
    ) -> list[SearchRow]:
        """Return the complete group of a search, and delete searches of people who have left."""
        sizes = self._unit_of_work.newest_rules(mine.game).seats
        while group := complete_group(mine, searches, sizes):
            users = [each.user for each in group if each.user != mine.user]
            left = await self._unit_of_work.members.departed(mine.guild, users)
            if not left:
                break
            for user in left:
                batch.delete(SearchRow, guild=mine.guild, user=user)
            searches = [each for each in searches if each.user not in left]
        return group

    async def _place(
        self,
        mine: SearchRow,
        group: Sequence[SearchRow],
        limits: Limits,
        may_open: Callable[[int], bool],
    ) -> tuple[SearchRow, int] | Rejected:
        """Return the first of the group who may host a table, and its channel.

        If there is none, return the reason why the user of this search may not.
        """
        server, reasons = await self._servers.get(mine.guild), dict[int, Rejected]()
        wanted = (server.find_channel, mine.channel, *(each.channel for each in group))
        channels = [each for each in wanted if each and may_open(each)]
        if not channels:
            return Rejected("no_permission")
        for each in group:
            try:
                await self._servers.check_room(limits, mine.guild, each.user)
                return each, channels[0]
            except StoreUnavailable:
                raise
            except Rejected as error:
                reasons[each.user] = error
        return reasons[mine.user]

    async def _open(
        self,
        batch: WriteBatch,
        searches: Sequence[SearchRow],
        group: Sequence[SearchRow],
        host: SearchRow,
        channel: int,
    ) -> Table:
        """Open the group's table and end their searches for its game, and other live ones."""
        users = {each.user for each in group}
        for each in searches:
            is_live = each.pace == host.pace == LIVE
            if each.user in users and (each.game == host.game or is_live):
                batch.delete_row(each)
        server, unit_of_work = await self._servers.get(host.guild), self._unit_of_work
        table, key = self._lobby.draft(
            await from_store(unit_of_work.store.new_table_id()),
            host.game,
            {each.user: each.name for each in group},
            host.guild,
            channel,
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
            store = partial(unit_of_work.guarded, f"{FIND}:{guild}", partial(work, guild))
            await unit_of_work.cache.run_locked(-guild, store)

    async def refresh(self, guild: int) -> None:
        """Have the searches of a server shown again."""
        await self._scheduler.schedule(NO_TABLE, guild, FIND, self._unit_of_work.clock.now())

    def on_change(self, show: Callable[[int], Awaitable[None]]) -> None:
        """Call `show` with each server whose searches have changed. It may be called again."""

        async def work(guild: int) -> datetime | None:
            batch = WriteBatch()
            batch.drop_ended_searches(guild, self._unit_of_work.clock.now())
            await from_store(self._unit_of_work.store.commit(batch))
            await show(guild)
            return min((each.until for each in await self.of_server(guild)), default=None)

        self._on(FIND, work)

    async def alerts(self, user: int) -> list[AlertRow]:
        """Return a user's alerts in all servers."""
        return await from_store(self._unit_of_work.store.alerts(user))

    async def set_alert(self, alert: AlertRow, *, on: bool) -> None:
        """Add or remove an alert."""
        batch = WriteBatch()
        change = batch.save if on else batch.delete_row
        change(alert)
        await from_store(self._unit_of_work.store.commit(batch))

    def on_alert(self, send: Callable[[int, Sequence[SearchRow]], Awaitable[None]]) -> None:
        """Call `send` with a user and the new searches that their alerts are for.

        If it fails it is called again, although the message may have been sent.
        """

        async def work(user: int) -> datetime | None:
            now, alerts = self._unit_of_work.clock.now(), await self.alerts(user)
            person = await self._people.get(user)
            free = person.free_at(person.back_at(now))
            if alerts and free > now:
                return free
            batch, found = WriteBatch(), list[SearchRow]()
            for alert in alerts:
                left = await self._unit_of_work.members.departed(alert.guild, [user])
                searches = [] if left else await self.of_server(alert.guild)
                news = [each for each in searches if _is_news(each, alert)]
                found += [each for each in news if each not in found]
                if news:
                    batch.update(replace(alert, told=news[-1].since), "told")
            if not found:
                return None
            # Check ownership now, as Discord, unlike the database, cannot refuse it later.
            with self._unit_of_work.on_behalf(None):
                await send(user, found)
            batch.schedule(NO_TABLE, user, ALERT, now + ALERT_PAUSE)
            await from_store(self._unit_of_work.store.commit(batch))
            return now + ALERT_PAUSE

        self._on(ALERT, work)

    def _on(self, kind: str, work: Callable[[int], Awaitable[datetime | None]]) -> None:
        """Register the work of a kind of task about a user or a server.

        It returns when to do it again, or None. A change during the work has scheduled it already.
        """
        store = self._unit_of_work.store

        async def handle(row: ScheduledRow) -> None:
            at = await from_store(store.scheduled_at(NO_TABLE, row.seat, kind)) or row.at
            again, batch = await work(row.seat), WriteBatch()
            if again is not None:
                await from_store(store.postpone(replace(row, at=at), again))
                return
            batch.delete(ScheduledRow, table=NO_TABLE, seat=row.seat, kind=kind, at=at)
            await from_store(store.commit(batch))

        self._scheduler.on(kind, handle)


def _is_news(search: SearchRow, alert: AlertRow) -> bool:
    """Return whether an alert is for this search and has not been sent."""
    fits = alert.game in ("", search.game) and alert.pace in ("", search.pace)
    is_new = alert.told is None or search.since > alert.told
    return fits and is_new and search.user != alert.user
