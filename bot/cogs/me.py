"""`/me`: how and when a person is notified, and how things are shown to them."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from discord.ext import commands

from bot.cogs.flows import personal_settings
from bot.cogs.flows.personal_settings import OFF, SETTINGS
from bot.cogs.ui.access import Scope
from bot.cogs.ui.autocomplete import Choice, focused, matching
from bot.cogs.ui.channels import Places, Unreachable
from bot.cogs.ui.custom_id import CustomId, Forged, only
from bot.cogs.ui.layout import (
    Control,
    Document,
    Interaction,
    Layout,
    Text,
    button,
    option,
    said,
    select,
)
from bot.cogs.ui.localized_commands import command
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import Routes, Verb, Way
from bot.cogs.ui.services import Services
from bot.cogs.ui.waiting import table_lines, table_link, tables_of
from bot.tables import Rejected
from bot.tables.people import UserSettings, zones
from bot.text import absence, general
from bot.text import personal_settings as text
from bot.text.commands import COMMANDS
from bot.text.contract import Label, Style
from bot.text.markup import bold
from bot.text.results import FORMER
from bot.text.words import Words

log = logging.getLogger(__name__)

LONGEST_AWAY = 90
"""How many days ahead somebody may announce an absence."""
TIMES = ("quiet", "digest")
"""Settings that go by the time zone."""
LISTED = 8
"""Tables in a daily list; the rest is counted."""


class MeCog(
    commands.GroupCog,
    name="me",
    group_name="me",
    group_description=COMMANDS["me"].description,
):
    """Personal settings, all shown in private; and the daily list of tables."""

    def __init__(self, services: Services, places: Places, router: Routes) -> None:
        super().__init__()
        self._services = services
        self._people = services.tables.people
        self._places = places
        self._router = router

    async def cog_load(self) -> None:
        """Register the selects under /me, and schedule the daily lists."""
        ways = (Way.BUTTON, Way.SELECT)
        self._router.on("me", Verb(self._choose, ways, Scope.NO_TABLE, decided=True))
        self._router.on("forgetme", Verb(self._forget, scope=Scope.NO_TABLE))
        self._services.tables.notifications.on_digest(self._send_digest)

    async def cog_unload(self) -> None:
        """Remove the verbs."""
        self._router.off("me", "forgetme")

    async def _offered(self, interaction: Interaction, typed: str) -> list[Choice]:
        """Values for the setting being typed; for time zones, every one there is."""
        name = focused(interaction) or ""
        if name not in SETTINGS:
            return []
        words = self._services.words_of(interaction)
        values = SETTINGS[name].values(self._services, words)
        if name == "zone" and typed:
            values = {zone: zone.replace("_", " ") for zone in sorted(zones())}
        return matching(values.items(), typed)

    @command("me show")
    async def show(self, interaction: Interaction) -> None:
        """Show all settings, and a select to change them."""
        async with Reply(interaction) as reply:
            await self._show(reply)

    @command("me set", _offered)
    async def set(
        self,
        interaction: Interaction,
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
        """Change one setting or several."""
        said = {
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
        async with Reply(interaction) as reply:
            values = {name: value for name, value in said.items() if value is not None}
            if not values:
                raise Rejected("nothing_to_set")
            await self._set(reply, values)

    @command("me quiet")
    async def quiet(
        self, interaction: Interaction, start: str, end: str | None = None, zone: str | None = None
    ) -> None:
        """Sets the quiet hours."""
        async with Reply(interaction) as reply:
            value = OFF
            if not text.is_off(start):
                times = [(typed, text.read_time(typed)) for typed in (start, end or "")]
                for typed, time in times:
                    if time is None:
                        raise Rejected("bad_time", typed=typed)
                value = "-".join(text.time_of_day(time) for _, time in times if time is not None)
            await self._set(reply, {"quiet": value} | ({} if zone is None else {"zone": zone}))

    @quiet.autocomplete("zone")
    async def _zones(self, interaction: Interaction, typed: str) -> list[Choice]:
        return await self._offered(interaction, typed)

    @command("me snooze", _offered)
    async def snooze(self, interaction: Interaction, snooze: str) -> None:
        """Snoozes notifications for a while."""
        async with Reply(interaction) as reply:
            await self._set(reply, {"snooze": snooze})

    @command("me away")
    async def away(self, interaction: Interaction, until: str, first: str | None = None) -> None:
        """Set from when to when the person is away."""
        async with Reply(interaction) as reply:
            words = self._services.words_of(interaction)
            if text.is_off(until):
                await self._people.change(reply.user, away_from=None, away_until=None)
                await reply.say(words(absence.AWAY_OFF))
                return
            person = await self._people.get(reply.user)
            today = self._services.tables.notifications.now().astimezone(person.timezone).date()
            start = today if first is None else _day(first, today)
            end = _day(until, today)
            if end < start:
                raise Rejected("bad_day", typed=until)
            person = await self._people.change(reply.user, away_from=start, away_until=end)
            first_day, last_day = words.day(start), words.day(end)
            zone = person.timezone.key
            answer = words(absence.AWAY_SET, first=first_day, last=last_day, zone=zone)
            asked, zones = self._which_zone(words, person)
            await reply.say(said("\n".join([answer, *asked]), zones))

    @away.autocomplete("until")
    @away.autocomplete("first")
    async def _days(self, interaction: Interaction, typed: str) -> list[Choice]:
        words, now = self._services.words_of(interaction), self._services.tables.notifications.now()
        today = now.astimezone(self._people.known(interaction.user.id).timezone).date()
        days = [today + timedelta(days=ahead) for ahead in range(LONGEST_AWAY + 1)]
        return matching(((day.isoformat(), words.day(day)) for day in days), typed)

    @command("me export")
    async def export(self, interaction: Interaction) -> None:
        """Send all that is stored about the person, as a file."""
        async with Reply(interaction) as reply:
            data = await self._services.tables.exports.personal_data(reply.user)
            content = self._services.words_of(interaction)(text.EXPORTED)
            await reply.say(Layout([Text(content), Document("my-data.json", content, data)]))

    @command("me forget")
    async def forget(self, interaction: Interaction) -> None:
        """Delete all settings and results, once confirmed."""
        async with Reply(interaction) as reply:
            words = self._services.words_of(interaction)
            sure = button(CustomId("forgetme", 0), words(general.CONFIRM), style=Style.DANGER)
            await reply.say(said(words(text.FORGET), [sure]))

    # Buttons

    async def _choose(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        """Handle a setting that was chosen, perhaps with a value."""
        if custom_id.decision is None:
            await self._show(reply, only(values, among=SETTINGS) if values else None)
        elif custom_id.decision in SETTINGS:
            await personal_settings.change(
                self._services, reply.user, {custom_id.decision: only(values)}
            )
            await self._show(reply)
        else:
            raise Forged(custom_id.decision)

    async def _forget(self, reply: Reply, _custom_id: CustomId, _values: Sequence[str]) -> None:
        words = reply.words
        # The settings last: they include what keeps new results from being recorded.
        await self._services.tables.results.forget(reply.user, words(FORMER))
        await self._people.forget(reply.user)
        await reply.show(words(text.FORGOTTEN))

    async def _set(self, reply: Reply, values: Mapping[str, str]) -> None:
        person = await personal_settings.change(self._services, reply.user, values)
        words = reply.words
        lines = [
            words(
                text.CHANGED,
                name=words(text.NAMES[name]),
                value=personal_settings.shown(self._services, words, name, person),
            )
            for name in values
        ]
        items: list[Control] = [button(CustomId("me", 0), words(text.ALL))]
        if not values.keys().isdisjoint(TIMES):
            asked, zones = self._which_zone(words, person)
            lines, items = [*lines, *asked], [*zones, *items]
        await reply.say(said("\n".join(lines), items))

    async def _show(self, reply: Reply, name: str | None = None) -> None:
        """Show the settings; below, the values of one of them, or a choice of which to change."""
        words = reply.words
        person = await self._people.get(reply.user)
        shown = {
            each: personal_settings.shown(self._services, words, each, person) for each in SETTINGS
        }
        lines = [text.settings(words, shown), *_absence(words, person)]
        if name is None:
            names = [option(each, Label(words(text.NAMES[each]))) for each in SETTINGS]
            asked, zones = self._which_zone(words, person)
            lines += asked
            items = [select(CustomId("me", 0), names, words(text.CHANGE)), *zones]
        else:
            items = [
                self._values(words, name, person),
                button(CustomId("me", 0), words(text.ALL)),
            ]
        await reply.show(said("\n".join(lines), items))

    def _values(self, words: Words, name: str, person: UserSettings) -> Control:
        """A select of the values of a setting."""
        setting = SETTINGS[name]
        now = setting.read(person, self._services.tables.notifications.now())
        title = words(text.NAMES[name])
        values = [
            option(value, Label(f"{title}: {label}"), default=value == now)
            for value, label in setting.values(self._services, words).items()
        ]
        return select(CustomId("me", 0, name), values, title)

    def _which_zone(self, words: Words, person: UserSettings) -> tuple[list[str], list[Control]]:
        """Ask for the time zone, where times are set and it is not."""
        times = (person.quiet_from, person.digest, person.away_from)
        if person.zone is not None or all(each is None for each in times):
            return [], []
        return [words(text.WHICH_ZONE)], [self._values(words, "zone", person)]

    # The daily list

    async def _send_digest(self, user: int) -> None:
        """Tell somebody by direct message which tables wait for them, if any does."""
        words = await self._services.own(user, self._services.words_for(None))
        waiting = [each for each in await tables_of(self._services, user) if each[2] is not None]
        if not waiting:
            return
        shown = waiting[:LISTED]
        lines = [
            f"{line} {table_link(table)}"
            for (table, *_), line in zip(
                shown, await table_lines(self._services, words, shown), strict=True
            )
        ]
        try:
            await self._places.say_direct(
                user,
                text.digest(words, lines, len(waiting) - len(shown)),
                nonce=f"{user % 10**12}.{self._services.tables.notifications.now():%Y%m%d}.d",
            )
        except Unreachable:
            log.info("user=%s gets no direct messages; no daily list", user)


def _day(typed: str, today: date) -> date:
    """The day that was typed or chosen. Raises Rejected where it is not valid."""
    day = absence.read_day(typed, today)
    if day is None or not today <= day <= today + timedelta(days=LONGEST_AWAY):
        raise Rejected("bad_day", typed=typed)
    return day


def _absence(words: Words, person: UserSettings) -> list[str]:
    """The absence that somebody has announced, from when to when."""
    if person.away_from is None or person.away_until is None:
        return []
    first, last = words.day(person.away_from), words.day(person.away_until)
    span = words(absence.AWAY_SPAN, first=first, last=last)
    return [f"{bold(words(absence.AWAY_NAME))}: {span}"]
