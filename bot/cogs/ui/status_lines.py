"""The status lines under a table's turn: pauses, clocks, absences, autopilot, free seats."""

from __future__ import annotations

from datetime import timedelta

from bot.cogs.ui import who
from bot.cogs.ui.components import Pressable, button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.tables import Status, Table
from bot.tables.clocks import Time
from bot.text import absence as text
from bot.text.contract import Style
from bot.text.markup import bold, moment
from bot.text.words import Message, Words

AHEAD = timedelta(days=14)
"""How long before it begins an absence is shown."""


async def status_lines(services: Services, snapshot: Snapshot) -> list[str]:
    """What delays or speeds up the table, a line for each thing."""
    table, words, names = snapshot.table, snapshot.words, snapshot.names
    lines = []
    rest = why_at_rest(table)
    if rest is not None:
        lines.append(words(rest))
    for seat, time in (await services.tables.clocks.at(table)).items():
        lines.append(_time(words, bold(names[seat]), time))
    for player in table.players:
        if player.is_autopiloted and not table.is_unattended:
            lines.append(words(text.AUTOPILOT, name=bold(names[player.seat])))
        if player.vacant:
            lines.append(words(text.VACANT, name=bold(names[player.seat])))
    lines += left_lines(services, words, table)
    return lines + await absences(services, words, table)


def why_at_rest(table: Table) -> Message | None:
    """Why a game rests; None where it does not."""
    if table.status is Status.SLEEPING:
        return text.UNATTENDED if table.is_unattended else text.ASLEEP
    return text.PAUSED if table.status is Status.PAUSED else None


def left_lines(services: Services, words: Words, table: Table) -> list[str]:
    """Who plays at a table and is known to have left its server, and what the others can do."""
    names, members = who.names(words, table), services.tables.server_members
    return [
        words(text.LEFT_SERVER, name=bold(names[player.seat]))
        for player in table.humans
        if members.has_left(table, player.user)
    ]


async def absences(services: Services, words: Words, table: Table) -> list[str]:
    """Who at a table has announced that they are away, or will be soon."""
    lines = []
    for player in table.owners:
        assert player.user is not None
        person = await services.tables.people.get(player.user)
        if person.away_from is None or person.away_until is None:
            continue
        today = services.tables.notifications.now().astimezone(person.timezone).date()
        if person.away_until < today or person.away_from > today + AHEAD:
            continue
        name, day = bold(who.names(words, table)[player.seat]), words.day(person.away_until)
        if person.away_from <= today:
            lines.append(words(text.AWAY, name=name, day=day))
        else:
            first = words.day(person.away_from)
            lines.append(words(text.AWAY_FROM, name=name, first=first, day=day))
    return lines


def seat_buttons(words: Words, table: Table) -> list[Pressable]:
    """A button for each vacant seat, and one for who is played for; at a sleeping table **Go on**
    does the same."""
    names = who.names(words, table)
    items = [
        button(
            CustomId("claim", table.id, None, (str(player.seat),)),
            words(text.TAKE_OVER, name=names[player.seat].plain),
            style=Style.SUCCESS,
        )
        for player in table.players
        if player.vacant
    ]
    is_asleep = table.status is Status.SLEEPING
    if not is_asleep and any(player.is_autopiloted for player in table.players):
        items.append(take_back_button(words, table.id))
    return items


def take_back_button(words: Words, table: int) -> Pressable:
    """The button by which the owner of a seat plays again themselves."""
    return button(CustomId("wheel", table), words(text.TAKE_BACK), style=Style.SUCCESS)


def go_on_button(words: Words, table: int) -> Pressable:
    """The button by which a person wakes a sleeping table and plays again, or asks to go on with a
    paused one."""
    return button(CustomId("goon", table), words(text.GO_ON), style=Style.PRIMARY)


def _time(words: Words, name: str, time: Time) -> str:
    if time.is_up:
        return words(text.TIME_UP, name=name)
    message = text.TIME_STILL if time.frozen else text.TIME
    return words(message, name=name, **moment(time.up))
