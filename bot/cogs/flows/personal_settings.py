"""A person's own settings: their possible values, in words, and what each value sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import discord

from bot.cogs.ui.services import Services
from bot.tables import Rejected
from bot.tables.people import Notices, UserSettings, zones
from bot.text import personal_settings as text
from bot.text.words import Message, Words

OFF = "off"
DISCORD = "discord"
REMINDERS = (6, 12, 24, 48, 72, 0)
SNOOZES = (1, 3, 8, 24, 48, 72, 168)
QUIET = ("21:00-08:00", "22:00-07:00", "22:00-08:00", "23:00-07:00", "23:00-09:00", "00:00-08:00")
ZONES = (
    "Pacific/Honolulu", "America/Los_Angeles", "America/Denver", "America/Chicago",
    "America/New_York", "America/Sao_Paulo", "Atlantic/Azores", "UTC", "Europe/London",
    "Europe/Berlin", "Europe/Rome", "Europe/Athens", "Europe/Istanbul", "Africa/Johannesburg",
    "Asia/Dubai", "Asia/Karachi", "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai",
    "Asia/Tokyo", "Australia/Sydney", "Pacific/Auckland",
)  # fmt: skip
"""Those offered without typing."""


class PersonalSetting(NamedTuple):
    """One setting: its `values` with their names, a person's current one, and what a value sets.

    `shown` puts their current value into words where it is none of `values`.
    """

    values: Callable[[Services, Words], Mapping[str, str]]
    read: Callable[[UserSettings, datetime], str]
    fields: Callable[[str, datetime], Mapping[str, Any]]
    shown: Callable[[Words, UserSettings], str] | None = None
    admits: Callable[[str], bool] | None = None
    """Whether a value other than those offered is valid."""


def _fixed(names: Mapping[str, Message]) -> Callable[[Services, Words], Mapping[str, str]]:
    return lambda _, words: {value: words(name) for value, name in names.items()}


def _quiet_values(_: Services, words: Words) -> Mapping[str, str]:
    return {OFF: words(text.OFF)} | {each: _span(words, each) for each in QUIET}


def _span(words: Words, value: str) -> str:
    start, _, end = value.partition("-")
    return words(text.FROM_TO, start=start, end=end)


def _quiet(person: UserSettings, _now: datetime) -> str:
    if person.quiet_from is None or person.quiet_to is None:
        return OFF
    return f"{text.time_of_day(person.quiet_from)}-{text.time_of_day(person.quiet_to)}"


def _set_quiet(value: str, _now: datetime) -> Mapping[str, Any]:
    start, _dash, end = value.partition("-")
    # "off" is no time, so that neither is set.
    return {"quiet_from": text.read_time(start), "quiet_to": text.read_time(end)}


def _is_span(value: str) -> bool:
    start, _, end = value.partition("-")
    return text.read_time(start) is not None and text.read_time(end) is not None


def _snoozed(words: Words, person: UserSettings) -> str:
    assert person.snoozed_until is not None
    return words(text.UNTIL, time=discord.utils.format_dt(person.snoozed_until, "f"))


def _set_snooze(value: str, now: datetime) -> Mapping[str, Any]:
    return {"snoozed_until": None if value == OFF else now + timedelta(hours=int(value))}


SETTINGS: Mapping[str, PersonalSetting] = {
    "notices": PersonalSetting(
        _fixed(text.NOTICES),
        lambda person, _: person.notices.value,
        lambda value, _: {"notices": Notices(value)},
    ),
    "reminder": PersonalSetting(
        lambda _, words: {str(each): text.after_hours(words, each) for each in REMINDERS},
        lambda person, _: str(person.reminder_h),
        lambda value, _: {"reminder_h": int(value)},
    ),
    "next": PersonalSetting(
        _fixed(text.TOLD_NEXT),
        lambda person, _: "on" if person.told_next else "off",
        lambda value, _: {"told_next": value == "on"},
    ),
    "quiet": PersonalSetting(
        _quiet_values,
        _quiet,
        _set_quiet,
        lambda words, person: _span(words, _quiet(person, datetime.min)),
        _is_span,
    ),
    "snooze": PersonalSetting(
        lambda services, words: (
            {OFF: words(text.OFF)} | {str(each): text.hours(words, each) for each in SNOOZES}
        ),
        lambda person, now: (
            "" if person.snoozed_until is not None and person.snoozed_until > now else OFF
        ),
        _set_snooze,
        _snoozed,
    ),
    "digest": PersonalSetting(
        lambda _, words: (
            {OFF: words(text.NEVER)}
            | {str(hour): words(text.AT_HOUR, hour=hour) for hour in range(24)}
        ),
        lambda person, _: OFF if person.digest is None else str(person.digest),
        lambda value, _: {"digest": None if value == OFF else int(value)},
    ),
    "zone": PersonalSetting(
        lambda *_: {zone: zone for zone in ZONES},
        lambda person, _: person.zone or "",
        lambda value, _: {"zone": value},
        lambda words, person: person.zone or words(text.NO_ZONE),
        zones().__contains__,
    ),
    "language": PersonalSetting(
        lambda _, words: {DISCORD: words(text.AS_DISCORD), **text.languages()},
        lambda person, _: person.language or DISCORD,
        lambda value, _: {"language": None if value == DISCORD else value},
        lambda _, person: str(person.language),
    ),
    "board": PersonalSetting(
        _fixed(text.BOARDS),
        lambda person, _: "text" if person.text_board else "picture",
        lambda value, _: {"text_board": value == "text"},
    ),
    "palette": PersonalSetting(
        _fixed(text.PALETTES),
        lambda person, _: person.palette,
        lambda value, _: {"palette": value},
        lambda _, person: person.palette,
    ),
    "confirm": PersonalSetting(
        _fixed(text.CONFIRM),
        lambda person, _: "on" if person.confirm_end else "off",
        lambda value, _: {"confirm_end": value == "on"},
    ),
    "statistics": PersonalSetting(
        _fixed(text.STATISTICS),
        lambda person, _: "on" if person.counted else "off",
        lambda value, _: {"counted": value == "on"},
    ),
}
"""All settings chosen from a list, in the order shown."""


def shown(services: Services, words: Words, name: str, person: UserSettings) -> str:
    """What a person has set, in words."""
    setting = SETTINGS[name]
    value = setting.read(person, services.tables.notifications.now())
    known = setting.values(services, words).get(value)
    if known is not None:
        return known
    return setting.shown(words, person) if setting.shown is not None else value


async def change(services: Services, user: int, values: Mapping[str, str]) -> UserSettings:
    """Sets what was chosen or typed. Raises Rejected for a value that a setting cannot have."""
    fields: dict[str, Any] = {}
    english = services.words_for(None)
    for name, value in values.items():
        setting = SETTINGS[name]
        if value not in setting.values(services, english) and not (
            setting.admits is not None and setting.admits(value)
        ):
            raise Rejected("unknown_zone" if name == "zone" else "not_a_choice", zone=value)
        fields |= setting.fields(value, services.tables.notifications.now())
    return await services.tables.people.change(user, **fields)
