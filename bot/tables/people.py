"""People's own settings: how they are notified, and how they are shown things; and how they are
called: as on Discord when they last acted, at tables that are not over and in results.

A table that is over keeps the names it ended with, as its last posts do.
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
from bot.store import NoteRow, PersonRow, PlanRow, ServerRow, WriteBatch
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

REMEMBERED = 4096
"""People, and names, in memory at once, with a few hundred bytes each."""

DAY_MINUTES = 24 * 60
MORNING = 9
"""The hour of reminders on the first day back; that of the daily list, where it is earlier."""
RECALL_S = 0.8
"""Seconds that an answer waits for its reader's language from the database."""


class CachedSettings(Generic[S]):
    """Settings by the id of whose they are, which is their first field: in the database, and those
    last used in memory too. Every method raises StoreUnavailable.

    A subclass says what they are, how they are stored, how they are called in the notices of other
    processes, and by which code bad ones are refused.
    """

    KIND: type[S]
    ROW: type[PersonRow | ServerRow]
    NAME: str
    REFUSAL: str

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._known: OrderedDict[int, S] = OrderedDict()
        self._changing = asyncio.Lock()
        self._heard = 0
        self.subscribers: list[Callable[[S, S], Awaitable[None]]] = []
        """Called with somebody's settings after each change: (before, after)."""

    async def get(self, owner: int) -> S:
        """Somebody's settings."""
        heard, known = self._heard, self._known.get(owner)
        if known is None:
            read = await self._read(owner)
            # Whoever changed them meanwhile knows better.
            known = self._known.get(owner) or read
        self._put(owner, known, heard)
        return known

    def invalidate(self, name: str) -> None:
        """Another process has changed the settings that are called so, if these are such."""
        if name.startswith(self.NAME):
            self.drop(int(name.removeprefix(self.NAME)))

    def drop(self, owner: int) -> None:
        """Drops somebody's settings from memory: they may have been changed."""
        self._heard += 1
        self._known.pop(owner, None)

    def drop_all(self) -> None:
        """Drops all settings from memory: any may have been changed."""
        self._heard += 1
        self._known.clear()

    async def change(self, owner: int, **fields: Any) -> S:
        """Sets fields of somebody's settings. Raises what `_checked` does."""
        return await self._change(owner, lambda before: replace(before, **fields))

    async def _change(
        self, owner: int, changed: Callable[[S], S], *, deleted: Iterable[type[StoredRow]] = ()
    ) -> S:
        """Stores changed settings, deletes such rows, and tells the subscribers."""
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
            heard = self._heard
            before, after = await self._unit_of_work.guarded(f"{self.NAME}{owner}", work)
            self._put(owner, after, heard)
        for subscriber in self.subscribers:
            await subscriber(before, after)
        return after

    async def _stored(self, owner: int) -> Mapping[str, Any] | None:
        """Somebody's settings as they are stored, where there are any."""
        raise NotImplementedError

    async def _read(self, owner: int) -> S:
        settings = await from_store(self._stored(owner)) or {}
        try:
            return self._checked(msgspec.convert({**settings, self.ROW.KEY[0]: owner}, self.KIND))
        except (msgspec.ValidationError, errors.Rejected):
            # Written by another version, or in a zone since removed: better notified than not.
            logger.warning("settings unreadable, using defaults owner=%s%d", self.NAME, owner)
            return self.KIND(owner)

    def _checked(self, settings: S) -> S:
        try:
            return msgspec.convert(asdict(settings), self.KIND)
        except msgspec.ValidationError as error:
            raise errors.Rejected(self.REFUSAL, setting=str(error)) from error

    def _put(self, owner: int, settings: S, heard: int) -> None:
        if heard == self._heard:
            remember(self._known, owner, settings, REMEMBERED)
        else:
            # Another process has changed somebody's settings since these were read.
            self._known.pop(owner, None)


class Notices(StrEnum):
    """Where somebody is told that they are awaited."""

    CHANNEL = "channel"
    DM = "dm"
    BOTH = "both"


Minutes = Annotated[int, msgspec.Meta(ge=0, lt=DAY_MINUTES)]
"""A time of day, in minutes since midnight."""


class UserSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """A user's own settings; the defaults are those of the fields."""

    user: int
    language: str | None = None
    """A locale; None for the one that Discord reports."""
    notices: Notices = Notices.CHANNEL
    reminder_h: Annotated[int, msgspec.Meta(ge=0, le=24 * 14)] = 24
    """Hours until the first reminder; 0 for none."""
    quiet_from: Minutes | None = None
    quiet_to: Minutes | None = None
    """Quiet hours, from then to then; both are set, or neither."""
    zone: str | None = None
    """An IANA time zone, by which all times of day are meant; None until one is set, for UTC."""
    told_next: bool = False
    """Whether they are told that they are on turn after the present one."""
    snoozed_until: datetime | None = None
    """Nobody is notified until then."""
    digest: Annotated[int, msgspec.Meta(ge=0, lt=24)] | None = None
    """The hour of the day at which the daily list of tables comes; None for no list."""
    text_board: bool = False
    """Whether boards come as text."""
    palette: str = "standard"
    confirm_end: bool = True
    """Whether to ask before a turn ends with something useful left to do."""
    away_from: date | None = None
    away_until: date | None = None
    counted: bool = True
    """Whether results count for statistics."""

    @property
    def timing(self) -> tuple[object, ...]:
        """All settings that say where and when they are notified."""
        return (
            *(self.notices, self.reminder_h, self.quiet_from, self.quiet_to, self.zone),
            *(self.snoozed_until, self.away_from, self.away_until),
        )

    @property
    def timezone(self) -> ZoneInfo:
        """The time zone of all their times of day."""
        return ZoneInfo(self.zone or "UTC")

    def free_at(self, at: datetime) -> datetime:
        """When they may be notified: at `at` itself, or once snooze and quiet hours end."""
        if self.snoozed_until is not None:
            at = max(at, self.snoozed_until)
        if self.quiet_since(at) is None or self.quiet_to is None:
            return at
        local = at.astimezone(self.timezone)
        minute = local.hour * 60 + local.minute
        # By the clock on the wall, also in nights that are longer or shorter.
        end = local.replace(minute=0, second=0, microsecond=0, hour=0)
        end += timedelta(days=self.quiet_to <= minute, minutes=self.quiet_to)
        return max(end.replace(fold=local.fold).astimezone(UTC), at)

    def quiet_since(self, at: datetime) -> datetime | None:
        """When the quiet hours began that last at that time; None outside of them."""
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
        """The days on which their time runs."""
        return Calendar(self.timezone.key, weekends_off, self.away_from, self.away_until)

    def back_at(self, at: datetime, *, weekends_off: bool = False) -> datetime:
        """When they may be reminded: at `at`, or on the morning after an absence or a weekend."""
        calendar = self.calendar(weekends_off=weekends_off)
        day = at.astimezone(self.timezone).date()
        if not (calendar.is_off(day) or calendar.is_off(day - timedelta(days=1))):
            return at
        while calendar.is_off(day):
            day += timedelta(days=1)
        hour = MORNING if self.digest is None else min(self.digest, MORNING)
        return max(datetime.combine(day, time(hour), self.timezone).astimezone(UTC), at)

    def digest_at(self, after: datetime) -> datetime | None:
        """When the next list of tables comes, outside quiet hours; None for never."""
        if self.digest is None:
            return None
        local = after.astimezone(self.timezone)
        at = local.replace(hour=self.digest, minute=0, second=0, microsecond=0, fold=0)
        if at.astimezone(UTC) <= after:
            at += timedelta(days=1)
        back = self.back_at(at.astimezone(UTC)).astimezone(local.tzinfo)
        if back > at:
            # The first day back has its list at the usual hour.
            at = back.replace(hour=self.digest, fold=0)
        return self.free_at(at.astimezone(UTC))


Place = tuple[int, int | None]
"""A user, and the server where they have a name; None for direct messages."""


class People(CachedSettings[UserSettings]):
    """Everybody's settings, and names.

    Names are compared in memory; the database is asked once for each person, and told of changes.
    """

    KIND = UserSettings
    ROW = PersonRow
    NAME = "person:"
    REFUSAL = "bad_setting"

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        super().__init__(unit_of_work)
        self._names: OrderedDict[Place, str] = OrderedDict()
        self._under_way = SharedTasks[Hashable]()

    def known(self, user: int) -> UserSettings:
        """The settings, if they are in memory: see `recall`."""
        return self._known.get(user) or UserSettings(user)

    async def recall(self, user: int) -> None:
        """Loads the settings before somebody is answered, if that is quick."""
        if user not in self._known:
            await self._under_way.wait(user, lambda: self._fetch(user), RECALL_S)

    async def _fetch(self, user: int) -> None:
        with suppress(errors.StoreUnavailable):
            await self.get(user)

    async def finish(self) -> None:
        """Waits for what is in progress."""
        await self._under_way.finish()

    async def forget(self, user: int) -> None:
        """Deletes all of a user's settings, notes and plans."""
        kinds = (PersonRow, NoteRow, PlanRow)
        await self._change(user, lambda _: UserSettings(user), deleted=kinds)

    async def note_name(self, user: int, guild: int | None, name: str) -> None:
        """Somebody acts, and has that name there. The update goes on in the background."""
        place = user, guild
        if self._names.get(place) != name:
            await self._under_way.wait(place, lambda: self._rename(place, name), RECALL_S)

    def forget_server(self, guild: int) -> None:
        """Drops from memory how people are called in a server."""
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
            # Then they are called as before, until they act again.
            logger.info("name not updated user=%d code=%s", user, error.code)
            return
        remember(self._names, place, name, REMEMBERED)

    async def _rename_at(self, table_id: int, user: int, name: str) -> None:
        def change(table: Table, _: AnyGame) -> Table:
            player = table.players[seating.seated(table, user)]
            return seating.with_player(table, replace(player, name=name))

        try:
            # A lobby's message is written anew; a game shows the name with its next post.
            await self._unit_of_work.change(table_id, None, change, outbox_drafts.in_lobby)
        except errors.StoreUnavailable:
            raise
        except errors.Rejected as error:
            # Meanwhile they have got up, or the table cannot be read here.
            logger.info("name not updated table=%d user=%d code=%s", table_id, user, error.code)

    async def _stored(self, owner: int) -> Mapping[str, Any] | None:
        return await self._unit_of_work.store.person(owner)

    def _checked(self, settings: UserSettings) -> UserSettings:
        """Raises unknown_zone or bad_setting."""
        if settings.zone is not None and settings.zone not in zones():
            raise errors.Rejected("unknown_zone", zone=settings.zone)
        quiet = settings.quiet_from, settings.quiet_to
        if quiet != (None, None) and (None in quiet or quiet[0] == quiet[1]):
            raise errors.Rejected("bad_setting", setting="quiet")
        return super()._checked(settings)


@cache
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())
