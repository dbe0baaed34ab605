"""`/me`: personal settings for notifications and display, and the daily list of tables."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import discord

from bot.cogs.ui import (
    BUTTON,
    SELECT,
    Choice,
    Control,
    CustomId,
    Dialogue,
    Forged,
    Interaction,
    MessageSender,
    Press,
    Reply,
    Services,
    Unreachable,
    button,
    command,
    confirmation,
    focused,
    matching,
    only,
    option,
    route,
    select,
    table_lines,
    table_link,
    tables_of,
    text_layout,
    with_file,
)
from bot.tables import NotificationPlace, Rejected
from bot.tables.people import UserSettings, zones
from bot.text import Label, Message, Words, bold, msg
from bot.text import personal_settings as text

log = logging.getLogger(__name__)

MAX_AWAY_DAYS = 90
"""Days ahead for which an absence may be announced."""
TIMES = ("quiet", "digest")
"""Settings that depend on the time zone."""
MAX_LISTED = 8
"""Tables shown in a daily list; the rest is counted."""
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
"""Time zones offered before anything is typed."""


class PersonalSetting(NamedTuple):
    """A setting: its `values` with their names, how to `read` it, and the `fields` a value sets.

    `describe` returns the text of a user's current value if it is none of `values`.
    """

    values: Callable[[Words], Mapping[str, str]]
    read: Callable[[UserSettings, datetime], str]
    fields: Callable[[str, datetime], Mapping[str, Any]]
    describe: Callable[[Words, UserSettings], str] | None = None
    accepts: Callable[[str], bool] = lambda _: False
    """Returns whether a value that is not offered is valid."""


def _fixed(names: Mapping[str, Message]) -> Callable[[Words], Mapping[str, str]]:
    return lambda words: {value: words(name) for value, name in names.items()}


def _span(words: Words, value: str) -> str:
    start, _, end = value.partition("-")
    return words("{start} to {end}", start=start, end=end)


def _times(span: str) -> tuple[Any, Any]:
    """Return when a span such as `22:00-07:00` begins and ends; None for "off" and the like."""
    start, _, end = span.partition("-")
    return text.read_time(start), text.read_time(end)


def _quiet(person: UserSettings) -> str:
    if person.quiet_from is None or person.quiet_to is None:
        return OFF
    return f"{text.time_of_day(person.quiet_from)}-{text.time_of_day(person.quiet_to)}"


SETTINGS: Mapping[str, PersonalSetting] = {
    "notices": PersonalSetting(
        _fixed(
            {
                "channel": msg("in the channel"),
                "dm": msg("by direct message"),
                "both": msg("in the channel and by direct message"),
            }
        ),
        lambda person, _: person.notices.value,
        lambda value, _: {"notices": NotificationPlace(value)},
    ),
    "reminder": PersonalSetting(
        lambda words: {
            str(each): words.plural("after {count} hour", "after {count} hours", each)
            if each
            else words(text.NEVER)
            for each in REMINDERS
        },
        lambda person, _: str(person.reminder_h),
        lambda value, _: {"reminder_h": int(value)},
    ),
    "next": PersonalSetting(
        _fixed(
            {
                "off": msg("off"),
                "on": msg("a direct message when you're next"),
            }
        ),
        lambda person, _: "on" if person.told_next else "off",
        lambda value, _: {"told_next": value == "on"},
    ),
    "quiet": PersonalSetting(
        lambda words: {OFF: words(text.OFF)} | {each: _span(words, each) for each in QUIET},
        lambda person, _: _quiet(person),
        lambda value, _: dict(zip(("quiet_from", "quiet_to"), _times(value), strict=True)),
        lambda words, person: _span(words, _quiet(person)),
        lambda value: None not in _times(value),
    ),
    "snooze": PersonalSetting(
        lambda words: (
            {OFF: words(text.OFF)} | {str(each): text.hours(words, each) for each in SNOOZES}
        ),
        lambda person, now: (
            "" if person.snoozed_until is not None and person.snoozed_until > now else OFF
        ),
        lambda value, now: {
            "snoozed_until": None if value == OFF else now + timedelta(hours=int(value))
        },
        lambda words, person: words(
            "until {time}", time=discord.utils.format_dt(person.snoozed_until or datetime.max, "f")
        ),
    ),
    "digest": PersonalSetting(
        lambda words: (
            {OFF: words(text.NEVER)}
            | {str(hour): words("at {hour}:00", hour=hour) for hour in range(24)}
        ),
        lambda person, _: OFF if person.digest is None else str(person.digest),
        lambda value, _: {"digest": None if value == OFF else int(value)},
    ),
    "zone": PersonalSetting(
        lambda _: {zone: zone for zone in ZONES},
        lambda person, _: person.zone or "",
        lambda value, _: {"zone": value},
        lambda words, person: person.zone or words("UTC (not set)"),
        zones().__contains__,
    ),
    "language": PersonalSetting(
        lambda words: {DISCORD: words(text.AS_DISCORD), **text.languages()},
        lambda person, _: person.language or DISCORD,
        lambda value, _: {"language": None if value == DISCORD else value},
        lambda _, person: str(person.language),
    ),
    "board": PersonalSetting(
        _fixed({"picture": msg("as a picture"), "text": msg("as text")}),
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
        _fixed(
            {
                "on": msg("ask me if I could still do something useful"),
                "off": msg("never ask"),
            }
        ),
        lambda person, _: "on" if person.confirm_end else "off",
        lambda value, _: {"confirm_end": value == "on"},
    ),
    "statistics": PersonalSetting(
        _fixed(
            {
                "on": msg("my results count and others can see them"),
                "off": msg("my results don't count and no one can see them"),
            }
        ),
        lambda person, _: "on" if person.counted else "off",
        lambda value, _: {"counted": value == "on"},
    ),
}
"""All settings chosen from a list, in the order shown."""


class MeDialogue(Dialogue):
    """Personal settings, all shown in private."""

    def __init__(self, services: Services, sender: MessageSender) -> None:
        super().__init__(services, sender)
        self._people = services.tables.people
        self._now = services.tables.notifications.now
        services.tables.notifications.on_digest(self._send_digest)

    async def _offer_values(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Offer the values of the setting being typed; for time zones, all that exist."""
        name = focused(interaction) or ""
        if name not in SETTINGS:
            return []
        values = SETTINGS[name].values(self._services.words_of(interaction))
        if name == "zone" and typed:
            values = {zone: zone.replace("_", " ") for zone in sorted(zones())}
        return matching(values.items(), typed)

    @route("me", BUTTON, SELECT, at_table=False, has_decision=True)
    async def choose(self, press: Press) -> None:
        """Show the values of a setting, or set the chosen one."""
        reply, name, values = press.reply, press.custom_id.decision, press.values
        if name is None:
            await self._show(reply, only(values, among=SETTINGS) if values else None)
        elif name in SETTINGS:
            await self._change(reply.user, {name: only(values)})
            await self._show(reply)
        else:
            raise Forged(name)

    @command("me show")
    async def show(self, reply: Reply) -> None:
        """Show all settings, with a select to change them."""
        await self._show(reply)

    async def _show(self, reply: Reply, name: str | None = None) -> None:
        """Show the settings, with a select of the values of one, or of the settings to change."""
        words, person = reply.words, await self._people.get(reply.user)
        lines = [
            words("**Your settings**"),
            *(
                f"{bold(words(text.NAMES[each]))}: {self._shown(words, each, person)}"
                for each in SETTINGS
            ),
            words(
                "-# Reminders come less and less often, at least once a week, seven at most. Every "
                "move of yours resets them. During quiet hours nothing is sent; it all arrives "
                "afterwards."
            ),
        ]
        if person.away_from is not None and person.away_until is not None:
            first, last = words.day(person.away_from), words.day(person.away_until)
            span = words("{first} to {last}", first=first, last=last)
            lines.append(bold(words("Absence")) + f": {span}")
        if name is None:
            names = [option(each, Label(words(text.NAMES[each]))) for each in SETTINGS]
            asked, zones = self._ask_for_zone(words, person)
            lines += asked
            items = [select(CustomId("me", 0), names, words("Change a setting…")), *zones]
        else:
            items = [self._values(words, name, person), _all_settings(words)]
        await reply.show(text_layout("\n".join(lines), items))

    def _shown(self, words: Words, name: str, person: UserSettings) -> str:
        """Return the text of a user's current value."""
        setting = SETTINGS[name]
        value = setting.read(person, self._now())
        chosen = setting.values(words).get(value)
        if chosen is not None:
            return chosen
        return setting.describe(words, person) if setting.describe is not None else value

    def _values(self, words: Words, name: str, person: UserSettings) -> Control:
        """Return a select of the values of a setting."""
        now = SETTINGS[name].read(person, self._now())
        title = words(text.NAMES[name])
        return select(
            CustomId("me", 0, name),
            [
                option(value, Label(f"{title}: {label}"), default=value == now)
                for value, label in SETTINGS[name].values(words).items()
            ],
            title,
        )

    def _ask_for_zone(self, words: Words, person: UserSettings) -> tuple[list[str], list[Control]]:
        """Return a question for the time zone if times are set but the zone is not."""
        times = {person.quiet_from, person.digest, person.away_from}
        if person.zone is not None or times == {None}:
            return [], []
        line = words(
            "🕒 You haven't set a time zone, so times are in UTC. Choose yours here or with "
            "`/me set`."
        )
        return [line], [self._values(words, "zone", person)]

    @command("me set", _offer_values)
    async def set(
        self,
        reply: Reply,
        notices: str | None = None,
        reminder: str | None = None,
        next: str | None = None,
        zone: str | None = None,
        digest: str | None = None,
        language: str | None = None,
        board: str | None = None,
        palette: str | None = None,
        confirm: str | None = None,
        statistics: str | None = None,
    ) -> None:
        """Change settings."""
        typed = {
            "notices": notices,
            "reminder": reminder,
            "next": next,
            "zone": zone,
            "digest": digest,
            "language": language,
            "board": board,
            "palette": palette,
            "confirm": confirm,
            "statistics": statistics,
        }
        values = {name: value for name, value in typed.items() if value is not None}
        if not values:
            raise Rejected("nothing_to_set")
        await self._set(reply, values)

    @command("me snooze", _offer_values)
    async def snooze(self, reply: Reply, snooze: str) -> None:
        """Snooze notifications for a while."""
        await self._set(reply, {"snooze": snooze})

    @command("me quiet", zone=_offer_values)
    async def quiet(
        self, reply: Reply, start: str, end: str | None = None, zone: str | None = None
    ) -> None:
        """Set the quiet hours."""
        value = OFF
        if not text.is_off(start):
            times = [(typed, text.read_time(typed)) for typed in (start, end or "")]
            for typed, time in times:
                if time is None:
                    raise Rejected("bad_time", typed=typed)
            value = "-".join(text.time_of_day(time) for _, time in times if time is not None)
        await self._set(reply, {"quiet": value} | ({} if zone is None else {"zone": zone}))

    async def _set(self, reply: Reply, values: Mapping[str, str]) -> None:
        person, words = await self._change(reply.user, values), reply.words
        lines = [
            words(
                "{name}: {value}.",
                name=words(text.NAMES[name]),
                value=self._shown(words, name, person),
            )
            for name in values
        ]
        items = [_all_settings(words)]
        if not values.keys().isdisjoint(TIMES):
            asked, zones = self._ask_for_zone(words, person)
            lines, items = [*lines, *asked], [*zones, *items]
        await reply.say(text_layout("\n".join(lines), items))

    async def _change(self, user: int, values: Mapping[str, str]) -> UserSettings:
        """Store values that were chosen or typed. Raise Rejected for an invalid one."""
        fields: dict[str, Any] = {}
        english = self._services.words_for(None)
        for name, value in values.items():
            setting = SETTINGS[name]
            if value not in setting.values(english) and not setting.accepts(value):
                raise Rejected("unknown_zone" if name == "zone" else "not_a_choice", zone=value)
            fields |= setting.fields(value, self._now())
        return await self._people.change(user, **fields)

    async def _offer_days(self, interaction: Interaction, typed: str) -> list[Choice]:
        zone = self._people.cached(interaction.user.id).timezone
        words, today = self._services.words_of(interaction), self._now().astimezone(zone).date()
        days = [today + timedelta(days=ahead) for ahead in range(MAX_AWAY_DAYS + 1)]
        return matching(((day.isoformat(), words.day(day)) for day in days), typed)

    @command("me away", until=_offer_days, first=_offer_days)
    async def away(self, reply: Reply, until: str, first: str | None = None) -> None:
        """Set or end the user's absence."""
        words, user = reply.words, reply.user
        if text.is_off(until):
            await self._people.change(user, away_from=None, away_until=None)
            await reply.say(words("You're not away."))
            return
        today = self._now().astimezone((await self._people.get(user)).timezone).date()
        start = today if first is None else _day(first, today)
        end = _day(until, today)
        if end < start:
            raise Rejected("bad_day", typed=until)
        person = await self._people.change(user, away_from=start, away_until=end)
        days = {"first": words.day(start), "last": words.day(end)}
        answer = words(
            "You're away from {first} to {last} (time zone: {zone}). Your tables show it, your "
            "clocks stop, and reminders wait until the morning you're back.",
            **days,
            zone=person.timezone.key,
        )
        asked, zones = self._ask_for_zone(words, person)
        await reply.say(text_layout("\n".join([answer, *asked]), zones))

    @command("me export")
    async def export(self, reply: Reply) -> None:
        """Send a file with everything stored about the user."""
        data = await self._tables.exports.personal_data(reply.user)
        content = reply.words(
            "Everything I store about you. It doesn't include what others did or my posts in "
            "channels."
        )
        await reply.say(with_file(content, "my-data.json", data))

    @command("me forget")
    async def ask_to_forget(self, reply: Reply) -> None:
        """Ask to confirm the deletion of the user's data."""
        question = reply.words(
            "Delete your settings, results, ratings, records, predictions, lessons, notes and "
            "plans, and your name at finished tables? You also leave all cups and stop looking "
            "for players. You can't undo this.\n"
            "My old posts and direct messages stay, as do backups until they expire and games "
            "still running: leave those with `/game resign` first. `/me export` gives you a copy."
        )
        await reply.say(confirmation(reply.words, question, CustomId("forgetme", 0)))

    @route("forgetme", at_table=False)
    async def forget(self, press: Press) -> None:
        """Delete the user's data."""
        reply, words = press.reply, press.reply.words
        # The settings last, as they may turn off the recording of new results.
        await self._tables.results.forget(reply.user, words("Former player"))
        await self._tables.searches.stop(reply.user)
        await self._tables.cups.forget(reply.user, words("Former player"))
        await self._tables.lessons.forget(reply.user)
        await self._people.forget(reply.user)
        await reply.show(
            words(
                "Your data has been deleted, and finished tables no longer show your name. My old "
                "posts and running games still show it, as do backups until they expire."
            )
        )

    async def _send_digest(self, user: int) -> None:
        """Send a user a direct message with the tables that wait for them, if any."""
        words = await self._services.user_words(user, self._services.words_for(None))
        waiting = [each for each in await tables_of(self._services, user) if each[2] is not None]
        if not waiting:
            return
        shown = waiting[:MAX_LISTED]
        described = zip(shown, await table_lines(self._services, words, shown), strict=True)
        lines = [
            words("**Your tables, longest wait first**"),
            *(f"{line} {table_link(table)}" for (table, *_), line in described),
        ]
        if len(waiting) > len(shown):
            lines.append(words(text.MORE, count=len(waiting) - len(shown)))
        try:
            await self._sender.send_direct(
                user,
                "\n".join(lines),
                nonce=f"{user % 10**12}.{self._now():%Y%m%d}.d",
            )
        except Unreachable:
            log.info("daily list not sent user=%s", user)


def _all_settings(words: Words) -> Control:
    return button(CustomId("me", 0), words("All settings"))


def _day(typed: str, today: date) -> date:
    """Return the typed or chosen day. Raise Rejected if it is not valid."""
    day = text.read_day(typed, today)
    if day is None or not today <= day <= today + timedelta(days=MAX_AWAY_DAYS):
        raise Rejected("bad_day", typed=typed)
    return day
