"""What a table posts after its game has ended: the story, the chart of points, an animation.

Each is an outbox item of its own, sent once. They are made turn by turn, so that neither the event
loop nor the drawing threads are held for long. The result of the game, and the end of one that
cannot be read here, are put into words here too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from bot.cogs.posting.cosmetic import Cosmetics
from bot.cogs.ui.channels import Nowhere, Places
from bot.cogs.ui.components import button
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Image, Layout, Row, Text
from bot.cogs.ui.services import OF_TABLE, Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import SPECTATOR, Event
from bot.render import chart
from bot.render.film import Film
from bot.render.palettes import CHART
from bot.tables import OutboxItem, OutboxKind, PastTurn, Rejected, SentMessage, Table
from bot.text import chronicle as text
from bot.text import general, results
from bot.text import history as history_text
from bot.text import review as review_text
from bot.text.chronicle import ChronicleTurn, chronicle
from bot.text.user_text import plain
from bot.text.words import Words
from bot.workers import describe

log = logging.getLogger(__name__)

MAX_FILM = 8 * 1024 * 1024
MAX_FRAMES = 150
"""In a longer game a frame shows several turns."""
HOLD_MS = 900
LAST_HOLD_MS = 6000


_Maker = Callable[[Snapshot], Awaitable[Layout | None]]
"""What to send for a table; None for nothing."""


class GameOverPosts:
    """Tells and shows a whole game, once it is over and its last turn has been posted."""

    def __init__(self, services: Services, places: Places, cosmetics: Cosmetics) -> None:
        self._services = services
        self._tables = services.tables
        self._places = places
        self._cosmetics = cosmetics

    async def deliver(self, snapshot: Snapshot, outbox_items: Sequence[OutboxItem]) -> None:
        """Sends the items of this kind. Raises Closed where the table cannot be written to."""
        for row in outbox_items:
            if row.kind is OutboxKind.STORY:
                await self._send_once(snapshot, row, self._story)
            elif row.kind is OutboxKind.FILM:
                await self._send_once(snapshot, row, self._film)

    async def result(self, snapshot: Snapshot) -> tuple[str | None, str]:
        """The outcome in words, None where the table was abandoned; and the key of the draws."""
        outcome = snapshot.outcome
        key = (await self._tables.reader.key(snapshot.table.id)).hex()
        if outcome is None:
            return None, key
        looks = self._services.looks(snapshot)
        result = snapshot.text.outcome(snapshot.words, outcome, snapshot.names, looks)
        if await self._tables.results.is_unrated(snapshot.table):
            result += f"\n-# {snapshot.words(results.UNRATED)}"
        return result, key

    async def unread(self, words: Words, table: Table) -> None:
        """Posts the end of a table whose game cannot be read here, in words alone.

        Acknowledges all items of the table. Raises Closed as `deliver` does.
        """
        rows = [
            row
            for row in await self._tables.outbox.items(table.id)
            if row.kind is not OutboxKind.LOBBY
        ]
        sent: list[SentMessage] = []
        if any(row.kind is OutboxKind.END for row in rows):
            title = words(
                general.BOARD_TITLE, game=self._services.title(words, table.game), table=table.id
            )
            over = f"### {title}\n{words(general.ABANDONED)}"
            try:
                sent.append(await self._places.send(table, "unread", Layout([Text(over)])))
            except Nowhere:
                log.warning("table=%s has neither thread nor channel; it stays silent", table.id)
            if table.panel_message is not None:
                place = table.thread or table.channel
                retire = partial(self._places.change_presses, table, place, table.panel_message)
                self._cosmetics.begin(table.id, retire)
        await self._tables.outbox.acknowledge(rows, sent=sent)

    async def _send_once(self, snapshot: Snapshot, row: OutboxItem, make: _Maker) -> None:
        try:
            made = await make(snapshot)
        except Rejected:
            raise
        # However a drawing fails, it is not retried for ever.
        except Exception as error:  # noqa: BLE001
            log.error("table=%s has no %s: %s", row.table, row.kind.value, describe(error))
            made = None
        sent: list[SentMessage] = []
        if made is not None:
            try:
                sent.append(await self._places.send(snapshot.table, row.kind.value, made))
            except Nowhere:
                log.warning("table=%s has no place for its %s", row.table, row.kind.value)
        await self._tables.outbox.acknowledge([row], sent=sent)

    async def _story(self, snapshot: Snapshot) -> Layout | None:
        outcome = snapshot.outcome
        if outcome is None:
            return None
        turns = await self._turns(snapshot)
        moments = [
            ChronicleTurn(turn.round, turn.seat, _of_game(turn.events), snapshot.text.scores(view))
            async for turn, view in self._views(snapshot, turns)
        ]
        words, names = snapshot.words, snapshot.names
        lasted = turns[-1].at - turns[0].at
        lines = chronicle(words, snapshot.text, moments, outcome, names, lasted)
        content = "\n".join([f"### {words(text.TITLE)}", *lines])
        course = chart.Course(
            title=words(text.CHART, what=snapshot.text.scored(words)),
            axis=words(text.AXIS),
            names=plain(names),
            points=[moment.scores for moment in moments],
            rounds=[moment.round for moment in moments],
            looks=self._services.looks(snapshot),
        )
        png = await self._services.pictures.draw(partial(chart.draw, course))
        png = CHART.of(png, await self._services.palette(snapshot))
        alt = text.chart_alt(words, snapshot.text, moments, names)
        return Layout([Image(f"points-{snapshot.table.id}.png", alt, png), Text(content)])

    async def _film(self, snapshot: Snapshot) -> Layout | None:
        turns = await self._turns(snapshot)
        film, pictures = Film(), self._services.pictures
        palette = await self._services.palette(snapshot)
        title = self._services.title_of(snapshot.table)
        together = -(-len(turns) // MAX_FRAMES)
        events: list[Event] = []
        alt, number = "", 0
        async for turn, view in self._views(snapshot, turns):
            number += 1
            events += _of_game(turn.events)
            is_last = number == len(turns)
            if number % together and not is_last:
                continue
            hold = LAST_HOLD_MS if is_last else HOLD_MS
            say = snapshot.words.drawn
            await pictures.frame(
                film, title, view, plain(snapshot.names), events, hold, say, palette
            )
            if is_last:
                board = snapshot.text.alt(snapshot.words, view, events, snapshot.names)
                alt = snapshot.words(text.FILM_ALT, board=board)
            events = []
            if film.size > MAX_FILM:
                log.warning("table=%s has no film: it would be too large", snapshot.table.id)
                return None
        moving = Image(f"game-{snapshot.table.id}.gif", alt, film.gif())
        replay = button(CustomId("replay", snapshot.table.id), snapshot.words(history_text.REPLAY))
        presses = [replay]
        if title.mind is not None and self._services.thinkers.can_think:
            review = CustomId("review", snapshot.table.id)
            presses.append(button(review, snapshot.words(review_text.REVIEW)))
        return Layout([moving, Text(snapshot.words(text.FILM)), Row(presses)])

    async def _turns(self, snapshot: Snapshot) -> list[PastTurn]:
        turns = await self._tables.history.turns(snapshot.table.id, SPECTATOR)
        return [turn for turn in turns if turn.stands]

    async def _views(
        self, snapshot: Snapshot, turns: Sequence[PastTurn]
    ) -> AsyncIterator[tuple[PastTurn, Any]]:
        """The turns with the public view after each; yields to the event loop in between."""
        for turn in turns:
            yield turn, await self._tables.history.view(snapshot.table.id, SPECTATOR, turn.last)
            await asyncio.sleep(0)


def _of_game(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if event.kind not in OF_TABLE]
