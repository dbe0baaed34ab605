"""A table's history: the log of the events visible to the observer, and the replay turn by turn."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial

import discord
from discord import app_commands

from bot.cogs.ui import (
    BUTTON,
    MAX_OPTIONS,
    SELECT,
    STARTED,
    Control,
    CustomId,
    Layout,
    Press,
    Reply,
    Services,
    TableOption,
    TableView,
    button,
    command,
    fixed_choices,
    integer,
    observer_of,
    only,
    option,
    route,
    select,
    text_layout,
)
from bot.cogs.ui.custom_id import MAX_NUMBER
from bot.cogs.ui.layout import THEN
from bot.game.contract import SPECTATOR
from bot.tables import PastTurn, Status, Table
from bot.tables.core.log import has_acted
from bot.text import Label, bold, clip, general, msg, newest
from bot.text.chronicle import round_name, turn_name

PAGE_ROOM = 1500
"""Characters of events on a page of the log; the rest is for titles and times."""
TURN_ROOM = 1200
"""Characters of the events in a turn of a replay."""
BEFORE, AFTER = "before", "after"
ALL, OWN = "all", "own"
"""The view that a replay shows: the public one, or that of the user's own seat."""


class HistoryDialogue:
    """The log and replays, shown in private; only the buttons store the current page or turn."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._history = services.tables.history

    # The log

    @command("game log", among=STARTED)
    async def log(self, reply: Reply, table: TableOption) -> None:
        """Show the newest page."""
        await reply.say(await self._log_page(reply, table))

    @route("log", words=(0, 1))
    async def open_log(self, press: Press) -> None:
        """Show the newest page, or the newest at the time the pressed message was sent."""
        message, words, at = press.interaction.message, press.custom_id.words, None
        if words and only(words, among=(THEN,)) and message is not None:
            at = message.created_at
        await press.reply.say(await self._log_page(press.reply, press.table, at=at))

    @route("page", words=(2,))
    async def turn_page(self, press: Press) -> None:
        """Show, in the same message, the page that ends before a turn or starts with it."""
        which, number = press.custom_id.words
        direction = -1 if only((which,), among=(BEFORE, AFTER)) == BEFORE else 1
        place = integer((number,))
        await press.reply.show(await self._log_page(press.reply, press.table, place, direction))

    async def _log_page(
        self,
        reply: Reply,
        table: Table,
        place: int | None = None,
        direction: int = -1,
        at: datetime | None = None,
    ) -> Layout:
        """Return a page of the turns before `place`, or from it on if `direction` is 1.

        Without `place` it is the newest page, or the newest as of `at`.
        """
        observer, words = observer_of(table, reply.user), reply.words
        table_view = await self._services.table_view(table.id, observer, words)
        turns = [each for each in await self._history.turns(table.id, observer) if each.events]
        if place is None:
            place = sum(at is None or turn.began <= at for turn in turns)
        place = max(min(place, len(turns) - (direction > 0)), 0)
        chosen: list[tuple[PastTurn, list[str]]] = []
        room = PAGE_ROOM
        for turn in turns[place:] if direction > 0 else reversed(turns[:place]):
            lines = [clip(line, PAGE_ROOM) for line in table_view.story(turn.events)]
            room -= sum(len(line) + 6 for line in lines) + 24
            if room < 0 and chosen:
                break
            chosen.append((turn, lines))
        shown = chosen if direction > 0 else chosen[::-1]
        start = place if direction > 0 else place - len(shown)
        title = words(
            "{game} · table {table} · log", game=words(table_view.text.title), table=table.id
        )
        lines = [bold(title), *_lines_by_round(table_view, shown)]
        if not shown:
            lines.append(words("Nothing has happened yet."))
        if any(_is_undone(turn) for turn, _ in shown):
            lines.append("-# " + words("Crossed-out moves were undone."))
        end, count = start + len(shown), len(turns)
        # Count only turns visible to the observer: entry numbers would reveal secret actions.
        pages = ((BEFORE, start, 0, msg("Older"), "◀️"), (AFTER, end, count, msg("Newer"), "▶️"))
        items = [
            button(
                CustomId("page", table.id, words=(which, str(to)), page=number),
                Label(words(name), emoji),
                disabled=to == last,
            )
            for number, (which, to, last, name, emoji) in enumerate(pages, 1)
        ]
        return text_layout("\n".join(lines), items if len(shown) < count else [])

    # The replay

    @route("replay")
    @command("game replay", among=STARTED)
    @app_commands.choices(eyes=fixed_choices("eyes"))
    async def replay(self, reply: Reply, eyes: str | None = None, *, table: TableOption) -> None:
        """Start at the set-up of a finished game, or at the newest turn of one in play."""
        default, number = (ALL, 0) if table.is_over else (OWN, MAX_NUMBER)
        await reply.say(await self._turn(reply, table, eyes or default, number))

    @route("since")
    async def step_through(self, press: Press) -> None:
        """Start at the first turn of others since the user's own last turn, as they saw it."""
        table, first = press.table, 0
        seat = await self._services.tables.reader.seat_of(table.id, press.user)
        acted = partial(has_acted, self._services.rules(table), seat)
        for number, turn in enumerate(await self._history.turns(table.id, seat), 1):
            if turn.in_effect and any(map(acted, turn.entries)):
                first = number
        await press.reply.say(await self._turn(press.reply, table, OWN, first))

    @route("step", BUTTON, SELECT, words=(1, 2))
    async def step(self, press: Press) -> None:
        """Show the turn with the number in the button or select, in the same message."""
        eyes, *number = press.custom_id.words
        turn = integer((*number, *press.values))
        eyes = only((eyes,), among=(ALL, OWN))
        await press.reply.show(await self._turn(press.reply, press.table, eyes, turn))

    async def _turn(self, reply: Reply, table: Table, eyes: str, number: int) -> Layout:
        """Return the turn with this number among the turns visible to the observer.

        Undone turns count too, but the turn before is shown instead. The number of the log entry
        would reveal how much was done in secret.
        """
        observer = observer_of(table, reply.user) if eyes == OWN else SPECTATOR
        turns = await self._history.turns(table.id, observer)
        numbers, place = find_turn(turns, number)
        turn, words = turns[numbers[place]], reply.words
        table_view = await self._services.past_view(table, observer, turn.last, words, reply.user)
        parts = [
            bold(self._services.heading(words, table)),
            *turn_name(words, turn.round, place, len(numbers) - 1),
            discord.utils.format_dt(turn.ended, "f"),
        ]
        story = newest(table_view.story(turn.events), TURN_ROOM)
        is_public = observer == SPECTATOR
        audience = words("As everyone saw it.") if is_public else words("As you saw it then.")
        lines = [" · ".join(parts), f"-# {audience}", *([story] if story else [])]
        controls = _controls(table_view, turns, numbers, place)
        is_end = table.status is Status.FINISHED and place == len(numbers) - 1
        if table.is_over:
            controls.append(button(CustomId("savereplay", table.id), words("Save replay")))
        if table.reveals_secrets_to(observer_of(table, reply.user)) and not is_end:
            at = (eyes, str(numbers[place]))
            controls += [
                button(CustomId("playfrom", table.id, words=at), words("Play from here")),
                button(CustomId("saveturn", table.id, words=at), words("Save position")),
            ]
        if await self._services.prefers_text(table_view):
            lines[2:] = [table_view.board_text(turn.events)]
            return text_layout("\n".join(lines), controls)
        picture = await self._services.picture(table_view, turn.first - 1, turn.events)
        if picture is None:
            lines = [lines[0], table_view.text.board()]
        return text_layout("\n".join(lines), controls, picture)


def _lines_by_round(
    table_view: TableView, turns: Iterable[tuple[PastTurn, Sequence[str]]]
) -> Iterable[str]:
    """Yield the lines of turns under headings for their rounds, with dates only if they change."""
    shown: int | None = None
    day: datetime | None = None
    for turn, lines in turns:
        if turn.round != shown:
            shown = turn.round
            yield f"### {round_name(table_view.words, shown)}"
        same_day = day is not None and day.date() == turn.ended.date()
        time = discord.utils.format_dt(turn.ended, "t" if same_day else "f")
        day = turn.ended
        for number, line in enumerate(lines):
            struck = f"~~{line}~~" if _is_undone(turn) else line
            yield f"{time} {struck}" if number == 0 else struck


def _is_undone(turn: PastTurn) -> bool:
    return not (turn.in_effect or turn.is_undo)


def _controls(
    table_view: TableView, turns: Sequence[PastTurn], numbers: Sequence[int], place: int
) -> list[Control]:
    """Return the buttons back and forward, and a select of the rounds; their ids have the turns."""
    words, table, last = table_view.words, table_view.table.id, len(numbers) - 1
    eyes = ALL if table_view.observer == SPECTATOR else OWN
    steps = (
        (msg("To the start"), "⏮️", 0),
        (general.BACK, "◀️", max(place - 1, 0)),
        (general.FORWARD, "▶️", min(place + 1, last)),
        (msg("To the end"), "⏭️", last),
    )
    items = [
        button(
            CustomId("step", table, words=(eyes, str(numbers[to])), page=number),
            Label(words(name), emoji),
            disabled=to == place,
        )
        for number, (name, emoji, to) in enumerate(steps, 1)
    ]
    rounds: dict[int, int] = {}
    for number in numbers[1:]:
        rounds.setdefault(turns[number].round, number)
    if len(rounds) > 1:
        # In a very long game only every second or third round fits.
        shown = list(rounds.items())[:: -(-len(rounds) // MAX_OPTIONS)]
        current = max((n for n, to in shown if to <= numbers[place]), default=None)
        options = [
            option(
                str(to),
                Label(round_name(words, each)),
                default=place > 0 and each == current,
            )
            for each, to in shown
        ]
        chosen = CustomId("step", table, words=(eyes,), page=len(steps) + 1)
        items.append(select(chosen, options, words("Go to a round…")))
    return items


def find_turn(turns: Sequence[PastTurn], number: int) -> tuple[list[int], int]:
    """Return the numbers of the turns that were not undone, and the place of this number, or the
    one before it, among them."""
    numbers = [each for each, turn in enumerate(turns) if turn.in_effect]
    return numbers, max(bisect_right(numbers, number) - 1, 0)
