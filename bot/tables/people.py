"""Users' settings and names.

A user's name is the one they had on Discord when they last acted. It is updated in results and at
tables that are not over. A table that is over keeps its names, as its last posts do.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Generic, TypeVar
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec.structs import asdict, replace

from bot.game.game import AnyGame
from bot.store import (
    AlertRow,
    AwardRow,
    FollowRow,
    NoteRow,
    PersonRow,
    PlanRow,
    PredictionRow,
    SearchRow,
    ServerRow,
    WriteBatch,
)
from bot.store.rows import StoredRow
from bot.tables.core import (
    NOT_OVER,
    Calendar,
    Table,
    UnitOfWork,
    errors,
    from_store,
    outbox_drafts,
    remember,
    seating,
)
from bot.workers import SharedTasks

logger = logging.getLogger(__name__)

S = TypeVar("S", bound=msgspec.Struct)

MAX_CACHED = 4096
"""Settings and names in each cache, at a few hundred bytes each."""

DAY_MINUTES = 24 * 60
MORNING = 9
"""The hour of reminders on the first day after an absence, unless the daily list is earlier."""
RECALL_S = 0.8
"""Maximum seconds that a reply waits for the user's settings from the database."""


class CachedSettings(Generic[S]):
    """A cache of settings by the id of their owner, which is their first field.

    A subclass sets their type, their row, the prefix of their names in the announcements of other
    processes, and the error code for invalid ones. Every method raises StoreUnavailable.
    """

    KIND: type[S]
    ROW: type[PersonRow | ServerRow]
    NAME: str
    REFUSAL: str

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._cached: OrderedDict[int, S] = OrderedDict()
        self._changing = asyncio.Lock()
        self._drops = 0
        self.subscribers: list[Callable[[S, S], Awaitable[None]]] = []
        """Called after each change of settings: (before, after)."""

    async def get(self, owner: int) -> S:
        drops, settings = self._drops, self._cached.get(owner)
        if settings is None:
            read = await self._read(owner)
            # A change during the read is newer.
            settings = self._cached.get(owner) or read
        self._put(owner, settings, drops)
        return settings

    def invalidate(self, name: str) -> None:
        """Drop the settings with this name, if it belongs to this cache."""
        if name.startswith(self.NAME):
            self.drop(int(name.removeprefix(self.NAME)))

    def drop(self, owner: int) -> None:
        self._drops += 1
        self._cached.pop(owner, None)

    def drop_all(self) -> None:
        self._drops += 1
        self._cached.clear()

    async def change(self, owner: int, **fields: Any) -> S:
        """Set fields of the owner's settings. Raise the errors of `_checked`."""
        return await self._change(owner, lambda before: replace(before, **fields))

    async def _change(
        self, owner: int, changed: Callable[[S], S], *, deleted: Iterable[type[StoredRow]] = ()
    ) -> S:
        """Store changed settings, delete the owner's rows of some kinds, and notify subscribers."""
        key = self.ROW.KEY[0]

        async def work(batch: WriteBatch) -> tuple[S, S]:
            before = await self._read(owner)
            after = self._checked(changed(before))
            settings = msgspec.to_builtins(after)
            batch.save(self.ROW(owner, {name: settings[name] for name in settings if name != key}))
            for kind in deleted:
                batch.delete(kind, **{key: owner})
            return before, after

        async with self._changing:
            drops = self._drops
            before, after = await self._unit_of_work.guarded(f"{self.NAME}{owner}", work)
            self._put(owner, after, drops)
        for subscriber in self.subscribers:
            await subscriber(before, after)
        return after

    async def _stored(self, owner: int) -> Mapping[str, Any] | None:
        """Return the owner's stored settings, if there are any."""
        raise NotImplementedError

    async def _read(self, owner: int) -> S:
        settings = await from_store(self._stored(owner)) or {}
        try:
            return self._checked(msgspec.convert({**settings, self.ROW.KEY[0]: owner}, self.KIND))
        except (msgspec.ValidationError, errors.Rejected):
            # Another version wrote them, or the time zone no longer exists: use the defaults, so
            # that the user still gets notifications.
            logger.warning("settings unreadable, using defaults owner=%s%d", self.NAME, owner)
            return self.KIND(owner)

    def _checked(self, settings: S) -> S:
        try:
            return msgspec.convert(asdict(settings), self.KIND)
        except msgspec.ValidationError as error:
            raise errors.Rejected(self.REFUSAL, setting=str(error)) from error

    def _put(self, owner: int, settings: S, drops: int) -> None:
        if drops == self._drops:
            remember(self._cached, owner, settings, MAX_CACHED)
        else:
            # Settings were dropped during the read, perhaps these.
            self._cached.pop(owner, None)


class NotificationPlace(StrEnum):
    """Where a user gets notifications of their turn."""

    CHANNEL = "channel"
    DM = "dm"
    BOTH = "both"


Minutes = Annotated[int, msgspec.Meta(ge=0, lt=DAY_MINUTES)]
"""A time of day, in minutes since midnight."""


class UserSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    user: int
    language: str | None = None
    """A locale; None for the user's locale on Discord."""
    notices: NotificationPlace = NotificationPlace.CHANNEL
    reminder_h: Annotated[int, msgspec.Meta(ge=0, le=24 * 14)] = 24
    """Hours until the first reminder; 0 for none."""
    quiet_from: Minutes | None = None
    quiet_to: Minutes | None = None
    """Start and end of the quiet hours. Both are set, or neither."""
    zone: str | None = None
    """The IANA time zone of all times of day; None for UTC."""
    told_next: bool = False
    """Whether they get a heads-up when their turn is next."""
    snoozed_until: datetime | None = None
    """They get no notifications before this time."""
    digest: Annotated[int, msgspec.Meta(ge=0, lt=24)] | None = None
    """The hour of the daily list of tables; None for no list."""
    text_board: bool = False
    """Whether boards are shown as text."""
    palette: str = "standard"
    confirm_end: bool = True
    """Whether to ask before a turn ends with something useful left to do."""
    away_from: date | None = None
    away_until: date | None = None
    counted: bool = True
    """Whether results count for statistics."""
    lessons: Mapping[str, tuple[str, ...]] = {}
    """The names of the lessons they have done, by game."""

    @property
    def timing(self) -> tuple[object, ...]:
        """All settings that affect where and when the user is notified."""
        return (
            *(self.notices, self.reminder_h, self.quiet_from, self.quiet_to, self.zone),
            *(self.snoozed_until, self.away_from, self.away_until),
        )

    @property
    def timezone(self) -> ZoneInfo:
        return ZoneInfo(self.zone or "UTC")

    def free_at(self, at: datetime) -> datetime:
        """Return `at`, or the later time at which snooze and quiet hours are over."""
        if self.snoozed_until is not None:
            at = max(at, self.snoozed_until)
        if self.quiet_since(at) is None or self.quiet_to is None:
            return at
        local = at.astimezone(self.timezone)
        minute = local.hour * 60 + local.minute
        # In local time, so that it is right when the clocks change.
        end = local.replace(minute=0, second=0, microsecond=0, hour=0)
        end += timedelta(days=self.quiet_to <= minute, minutes=self.quiet_to)
        return max(end.replace(fold=local.fold).astimezone(UTC), at)

    def quiet_since(self, at: datetime) -> datetime | None:
        """Return when the current quiet hours began, or None outside them."""
        if self.quiet_from is None or self.quiet_to is None:
            return None
        local = at.astimezone(self.timezone)
        minute = local.hour * 60 + local.minute
        since = (minute - self.quiet_from) % DAY_MINUTES
        if since >= (self.quiet_to - self.quiet_from) % DAY_MINUTES:
            return None
        start = local.replace(minute=0, second=0, microsecond=0, hour=0, fold=0)
        start += timedelta(days=-(minute < self.quiet_from), minutes=self.quiet_from)
        return min(start.astimezone(UTC), at)

    def calendar(self, *, weekends_off: bool) -> Calendar:
        """Return the times at which the user's clocks run, without outages."""
        return Calendar(self.timezone.key, weekends_off, self.away_from, self.away_until)

    def back_at(self, at: datetime, *, weekends_off: bool = False) -> datetime:
        """Return `at`, or the first morning after an absence or a weekend off."""
        calendar = self.calendar(weekends_off=weekends_off)
        day = at.astimezone(self.timezone).date()
        if not (calendar.is_off(day) or calendar.is_off(day - timedelta(days=1))):
            return at
        while calendar.is_off(day):
            day += timedelta(days=1)
        hour = MORNING if self.digest is None else min(self.digest, MORNING)
        return max(datetime.combine(day, time(hour), self.timezone).astimezone(UTC), at)

    def digest_at(self, after: datetime) -> datetime | None:
        """Return the time of the next daily list, outside quiet hours, or None for no list."""
        if self.digest is None:
            return None
        local = after.astimezone(self.timezone)
        at = local.replace(hour=self.digest, minute=0, second=0, microsecond=0, fold=0)
        if at.astimezone(UTC) <= after:
            at += timedelta(days=1)
        back = self.back_at(at.astimezone(UTC)).astimezone(local.tzinfo)
        if back > at:
            # On the first day back the list comes at the usual hour.
            at = back.replace(hour=self.digest, fold=0)
        return self.free_at(at.astimezone(UTC))


Place = tuple[int, int | None]
"""A user and a server, or None for direct messages."""


class People(CachedSettings[UserSettings]):
    """The settings and names of all users.

    Names are cached, so that the database is only used for a user's first action and for changes.
    """

    KIND = UserSettings
    ROW = PersonRow
    NAME = "person:"
    REFUSAL = "bad_setting"

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        super().__init__(unit_of_work)
        self._names: OrderedDict[Place, str] = OrderedDict()
        self._tasks = SharedTasks[Hashable]()

    def cached(self, user: int) -> UserSettings:
        """Return the cached settings, or the defaults; see `recall`."""
        return self._cached.get(user) or UserSettings(user)

    async def recall(self, user: int) -> None:
        """Cache the user's settings before a reply, if that is quick."""
        if user not in self._cached:
            await self._tasks.wait(user, lambda: self._fetch(user), RECALL_S)

    async def _fetch(self, user: int) -> None:
        with suppress(errors.StoreUnavailable):
            await self.get(user)

    async def finish(self) -> None:
        """Wait for tasks in progress."""
        await self._tasks.finish()

    async def forget(self, user: int) -> None:
        """Delete everything stored about a user apart from tables and results."""
        settings = (PersonRow, NoteRow, PlanRow, SearchRow, AlertRow, FollowRow)
        kinds = (*settings, PredictionRow, AwardRow)
        await self._change(user, lambda _: UserSettings(user), deleted=kinds)

    async def learned(self, user: int, game: str, lesson: str) -> None:
        """Note that a user has done a lesson."""
        if lesson in (await self.get(user)).lessons.get(game, ()):
            return

        def changed(before: UserSettings) -> UserSettings:
            names = dict.fromkeys((*before.lessons.get(game, ()), lesson))
            return replace(before, lessons={**before.lessons, game: tuple(names)})

        await self._change(user, changed)

    async def note_name(self, user: int, guild: int | None, name: str) -> None:
        """Update a user's name in this server; a slow update continues in the background."""
        place = user, guild
        if self._names.get(place) != name:
            await self._tasks.wait(place, lambda: self._rename(place, name), RECALL_S)

    def forget_server(self, guild: int) -> None:
        """Drop the cached names of a server."""
        for place in [place for place in self._names if place[1] == guild]:
            del self._names[place]

    async def _rename(self, place: Place, name: str) -> None:
        user, guild = place
        store = self._unit_of_work.store
        try:
            for table_id in await from_store(store.misnamed(user, guild, name, NOT_OVER)):
                await self._rename_at(table_id, user, name)
            if guild is not None and await from_store(store.has_misnamed_result(user, guild, name)):
                batch = WriteBatch()
                batch.rename_results(user, guild, name)
                await from_store(store.commit(batch))
        except errors.Rejected as error:
            # The old name stays until the user acts again.
            logger.info("name not updated user=%d code=%s", user, error.code)
            return
        remember(self._names, place, name, MAX_CACHED)

    async def _rename_at(self, table_id: int, user: int, name: str) -> None:
        def change(table: Table, _: AnyGame) -> Table:
            player = table.players[seating.seated(table, user)]
            return seating.with_player(table, replace(player, name=name))

        try:
            # This edits a lobby's post. A game shows the name in its next post.
            await self._unit_of_work.change(table_id, None, change, outbox_drafts.in_lobby)
        except errors.StoreUnavailable:
            raise
        except errors.Rejected as error:
            # They have left in the meantime, or the table cannot be read here.
            logger.info("name not updated table=%d user=%d code=%s", table_id, user, error.code)

    async def _stored(self, owner: int) -> Mapping[str, Any] | None:
        return await self._unit_of_work.store.person(owner)

    def _checked(self, settings: UserSettings) -> UserSettings:
        """Raise unknown_zone or bad_setting if the settings are invalid."""
        if settings.zone is not None and settings.zone not in zones():
            raise errors.Rejected("unknown_zone", zone=settings.zone)
        quiet = settings.quiet_from, settings.quiet_to
        if quiet != (None, None) and (None in quiet or quiet[0] == quiet[1]):
            raise errors.Rejected("bad_setting", setting="quiet")
        return super()._checked(settings)


@cache
def zones() -> frozenset[str]:
    return frozenset(available_timezones())
