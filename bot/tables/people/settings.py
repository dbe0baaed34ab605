"""People's own settings: how they are notified, and how they are shown things."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache
from typing import Annotated, Any
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec.structs import asdict, replace

from bot.store import NoteRow, PersonRow, PlanRow, WriteBatch
from bot.tables.core import errors
from bot.tables.core.cache import from_store
from bot.tables.core.calendar import Calendar
from bot.tables.core.unit_of_work import UnitOfWork
from bot.workers import SharedTasks

logger = logging.getLogger(__name__)

PERSON = "person:"
"""Before a user's id, what their settings are called in notices of other processes."""
REMEMBERED = 4096
"""People in memory at once, with a few hundred bytes each."""

DAY_MINUTES = 24 * 60
MORNING = 9
"""The hour of reminders on the first day back; that of the daily list, where it is earlier."""
RECALL_S = 0.8
"""Seconds that an answer waits for its reader's language from the database."""


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


SettingsHook = Callable[[UserSettings, UserSettings], Awaitable[None]]
"""Called with somebody's settings after each change: (before, after)."""


class People:
    """Everybody's settings: in the database, and those last used in memory too."""

    def __init__(self, unit_of_work: UnitOfWork) -> None:
        self._unit_of_work = unit_of_work
        self._known: OrderedDict[int, UserSettings] = OrderedDict()
        self._changing = asyncio.Lock()
        self._heard = 0
        self._under_way = SharedTasks[int]()
        self.hooks: list[SettingsHook] = []

    async def get(self, user: int) -> UserSettings:
        """A user's settings. Raises StoreUnavailable."""
        known = self._known.get(user)
        if known is None:
            heard = self._heard
            read = await self._read(user)
            # Whoever changed them meanwhile knows better.
            known = self._known.get(user) or read
            self._put(known, heard)
        else:
            self._known.move_to_end(user)
        return known

    def heard(self, user: int) -> None:
        """Another process has changed a user's settings."""
        self._heard += 1
        self._known.pop(user, None)

    def drop_all(self) -> None:
        """Drops all settings from memory: any may have been changed."""
        self._heard += 1
        self._known.clear()

    def known(self, user: int) -> UserSettings:
        """The settings, if they are in memory: see `recall`."""
        return self._known.get(user) or UserSettings(user)

    async def recall(self, user: int) -> None:
        """Loads the settings before somebody is answered, if that is quick."""
        if user in self._known:
            self._known.move_to_end(user)
        else:
            await self._under_way.wait(user, lambda: self._fetch(user), RECALL_S)

    async def _fetch(self, user: int) -> None:
        with suppress(errors.StoreUnavailable):
            await self.get(user)

    async def finish(self) -> None:
        """Waits for what is in progress."""
        await self._under_way.finish()

    async def change(self, user: int, **fields: Any) -> UserSettings:
        """Sets fields of a `UserSettings`. Raises unknown_zone, bad_setting or StoreUnavailable."""

        async def work(batch: WriteBatch) -> tuple[UserSettings, UserSettings]:
            before = await self._read(user)
            person = _checked(replace(before, **fields))
            batch.save(PersonRow(user, _settings(person)))
            return before, person

        before, person = await self._write(user, work)
        for hook in self.hooks:
            await hook(before, person)
        return person

    async def forget(self, user: int) -> None:
        """Deletes all of a user's settings. Raises StoreUnavailable."""

        async def work(batch: WriteBatch) -> tuple[UserSettings, UserSettings]:
            before = await self._read(user)
            batch.delete(PersonRow, user=user)
            batch.delete(NoteRow, user=user)
            batch.delete(PlanRow, user=user)
            return before, UserSettings(user)

        before, person = await self._write(user, work)
        for hook in self.hooks:
            await hook(before, person)

    async def _read(self, user: int) -> UserSettings:
        settings = await from_store(self._unit_of_work.store.person(user))
        return _person(user, settings or {})

    async def _write(
        self,
        user: int,
        work: Callable[[WriteBatch], Awaitable[tuple[UserSettings, UserSettings]]],
    ) -> tuple[UserSettings, UserSettings]:
        """Stores what the work writes; it gives somebody's settings before and after."""
        async with self._changing:
            heard = self._heard
            before, after = await self._unit_of_work.guarded(f"{PERSON}{user}", work)
            self._put(after, heard)
        return before, after

    def _put(self, person: UserSettings, heard: int) -> None:
        if heard != self._heard:
            # Another process has changed somebody's settings since these were read.
            self._known.pop(person.user, None)
            return
        self._known[person.user] = person
        self._known.move_to_end(person.user)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)


@cache
def zones() -> frozenset[str]:
    """The names of all time zones."""
    return frozenset(available_timezones())


def _settings(person: UserSettings) -> dict[str, Any]:
    stored: dict[str, Any] = msgspec.to_builtins(person)
    del stored["user"]
    return stored


def _person(user: int, settings: Any) -> UserSettings:
    try:
        return _checked(msgspec.convert({**settings, "user": user}, UserSettings))
    except (msgspec.ValidationError, errors.Rejected):
        # Written by another version, or in a zone since removed: better notified than not.
        logger.warning("user %d: the settings cannot be read", user)
        return UserSettings(user)


def _checked(person: UserSettings) -> UserSettings:
    if person.zone is not None and person.zone not in zones():
        raise errors.Rejected("unknown_zone", zone=person.zone)
    is_half = (person.quiet_from is None) != (person.quiet_to is None)
    if is_half or (person.quiet_from is not None and person.quiet_from == person.quiet_to):
        raise errors.Rejected("bad_setting", setting="quiet")
    try:
        return msgspec.convert(asdict(person), UserSettings)
    except msgspec.ValidationError as error:
        raise errors.Rejected("bad_setting", setting=str(error)) from error
