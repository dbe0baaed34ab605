"""Texts about waiting: the players to act at a table, and one user's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Control, button, link_button
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import TableView, names_of
from bot.game.contract import Observer, Seat
from bot.tables import Rejected, Status, Table
from bot.tables.clocks import Time
from bot.tables.core.model import WATCH
from bot.text import Message, Style, Words, bold, general, moment, msg, terms
from bot.workers import TimeSlice


def to_act_lines(table_view: TableView, since: Mapping[Seat, datetime]) -> list[str]:
    """Return a line for each decision of these seats that the game waits for."""
    return [
        table_view.words(
            "{who} · waiting since {date} ({relative})",
            who=table_view.text.to_act(decision),
            **moment(since[decision.seat]),
        )
        for decision in table_view.pending
        if not decision.optional and decision.seat in since
    ]


Seated = tuple[Table, Observer | None, datetime | None]
"""A table, how a user sees it (None if they may not), and since when it waits for them; None if it
doesn't."""


async def tables_of(services: Services, user: int) -> list[Seated]:
    """Return a user's open tables, the longest wait first."""
    since = {
        notification.table: notification.since
        for notification in await services.tables.notifications.of_user(user)
    }
    found = [
        (table, seat, since.get(table.id))
        for table, seat in await services.tables.reader.seats_of(user)
    ]
    return sorted(found, key=lambda each: (each[2] is None, each[2] or each[0].created))


async def next_table(services: Services, table_view: TableView, user: int) -> list[Control]:
    """Return a link to the table that has waited longest for the user, except this one."""
    # The panel must not fail because of it.
    with suppress(Rejected):
        for each in await services.tables.notifications.of_user(user):
            if each.table != table_view.table.id:
                table, words = await services.tables.reader.get(each.table), table_view.words
                label = words("Next: {table}", table=services.heading(words, table))
                return [link_button(label, table_link(table))]
    return []


async def table_lines(services: Services, words: Words, seated: Iterable[Seated]) -> list[str]:
    """Return the lines of a user's tables, yielding to the event loop between them."""
    lines = []
    time_slice = TimeSlice()
    for table, seat, since in seated:
        await time_slice.take()
        table_view = None
        if table.status is Status.PLAYING and seat is not None:
            # An unreadable table is still listed.
            with suppress(Rejected):
                table_view = await services.table_view(table.id, seat, words)
        line = general.table_line(
            words,
            table=table.id,
            game=services.title(words, table.game),
            status=table.status.value,
            unrated=table.unrated,
            place=place_of(table),
            to_act=table_view.to_act() if table_view is not None and since is None else (),
        )
        if table_view is not None and seat is not None and since is not None:
            line = "\n".join([line, *to_act_lines(table_view, {seat: since})])
        lines.append(line)
    return lines


def place_of(table: Table) -> str:
    """Return a mention of the table's thread or channel."""
    return f"<#{table.thread or table.channel}>"


def table_link(table: Table) -> str:
    """Return the address of a table's newest post, or of its thread or channel."""
    return place_link(table, table.thread or table.channel, table.panel_message)


def place_link(table: Table, place: int, message: int | None) -> str:
    """Return the address of a table's message, or of the place without one."""
    address = f"https://discord.com/channels/{table.guild or '@me'}/{place}"
    return f"{address}/{message}" if message else address


SHOWN_AHEAD = timedelta(days=14)
"""How early a coming absence is shown."""


async def status_lines(services: Services, table_view: TableView) -> list[str]:
    """Return the lines on everything that delays or speeds up a table."""
    table, words, names = table_view.table, table_view.words, table_view.names
    lines = []
    reason = pause_reason(table)
    if reason is not None:
        lines.append(words(reason))
    if table.watch_pace is not None:
        lines.append(
            words(
                "👀 A game to watch: only computers play, {pace}. Predict the winner with "
                "`/table predict`.",
                pace=words(terms.WATCH_PACES[table.terms[WATCH]]),
            )
        )
    for seat, time in (await services.tables.clocks.times(table)).items():
        lines.append(_time(words, bold(names[seat]), time))
    for player in table.players:
        if player.is_autopiloted and not table.is_unattended:
            lines.append(
                words("🤖 A computer player is playing for {name}.", name=bold(names[player.seat]))
            )
        if player.vacant:
            lines.append(
                words("🪑 Anyone may take over {name}'s seat.", name=bold(names[player.seat]))
            )
    lines += left_lines(services, words, table)
    return lines + await absences(services, words, table)


def pause_reason(table: Table) -> Message | None:
    """Return why a game is paused or asleep; None if it isn't."""
    if table.status is Status.PAUSED:
        return msg(
            "⏸️ The game is paused. Once everyone agrees to resume, I'll ping the player whose "
            "turn it is."
        )
    if table.status is not Status.SLEEPING:
        return None
    if table.is_unattended:
        return msg(
            "💤 Only computers are playing now, so the game has stopped. Any of its players can "
            "press **Resume**."
        )
    return msg("💤 This table is asleep. Any of its players can press **Resume**.")


def left_lines(services: Services, words: Words, table: Table) -> list[str]:
    """Return a line for each player who is known to have left the table's server."""
    names, members = names_of(words, table), services.tables.server_members
    return [
        words(
            "🚪 {name} has left the server, so votes don't need them anymore. `/seat replace` "
            "gives the seat to a computer player.",
            name=bold(names[player.seat]),
        )
        for player in table.humans
        if members.has_left(table, player.user)
    ]


async def absences(services: Services, words: Words, table: Table) -> list[str]:
    """Return a line for each player who is away, or will be soon."""
    lines = []
    for player in table.owners:
        assert player.user is not None
        person = await services.tables.people.get(player.user)
        if person.away_from is None or person.away_until is None:
            continue
        today = services.tables.notifications.now().astimezone(person.timezone).date()
        if person.away_until < today or person.away_from > today + SHOWN_AHEAD:
            continue
        name, day = bold(names_of(words, table)[player.seat]), words.day(person.away_until)
        if person.away_from <= today:
            lines.append(words("🏖️ {name} is away until {day}.", name=name, day=day))
        else:
            first = words.day(person.away_from)
            lines.append(
                words(
                    "🏖️ {name} will be away from {first} until {day}.",
                    name=name,
                    first=first,
                    day=day,
                )
            )
    return lines


def seat_buttons(words: Words, table: Table) -> list[Control]:
    """Return a button for each vacant seat, and one to take over again from a computer player.

    The latter is not needed at a sleeping table, where **Resume** does it.
    """
    names = names_of(words, table)
    items = [
        button(
            CustomId("claim", table.id, None, (str(player.seat),)),
            words("Take over {name}", name=names[player.seat].plain),
            style=Style.SUCCESS,
        )
        for player in table.players
        if player.vacant
    ]
    is_asleep = table.status is Status.SLEEPING
    if not is_asleep and any(player.is_autopiloted for player in table.players):
        items.append(take_back_button(words, table.id))
    return items


def take_back_button(words: Words, table: int) -> Control:
    """Return the button with which a seat's owner takes over from the computer player."""
    return button(CustomId("wheel", table), words("Take over again"), style=Style.SUCCESS)


def resume_button(words: Words, table: int) -> Control:
    """Return the button that wakes a sleeping table, or asks to resume a paused one."""
    return button(CustomId("goon", table), words("Resume"), style=Style.PRIMARY)


def _time(words: Words, name: str, time: Time) -> str:
    if time.is_up:
        return words("⌛ {name}: time is up", name=name)
    runs = msg("⏳ {name}: time runs out {relative} ({date})")
    frozen = msg("⏳ {name}: clock stopped; at this rate, time runs out {relative}")
    return words(frozen if time.frozen else runs, name=name, **moment(time.up))
