"""Moves open private panels below new posts, so that the player's panel is always at the bottom.

Only the process that sent a panel can edit it, and another process may post for its table: one
process gets all presses in direct messages. So each process also updates its panels after changes
to tables of other processes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.cogs.panel.browsing import PanelStep
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import OpenPanel, Panel
from bot.cogs.panel.panel import MAX_OFFERS, Panels
from bot.cogs.posting.work_queue import Job, JobKind, WorkQueue
from bot.cogs.ui import NO_MENTIONS, SEND_ERRORS, Answers, Home, Layout, Services, TableView
from bot.cogs.ui.channels import UNKNOWN
from bot.game.contract import SPECTATOR, Seat
from bot.tables import NotOurs, Rejected, Status
from bot.text import NOTHING, Summary

log = logging.getLogger(__name__)

IN_USE_S = 120.0
"""Seconds after the last press in which a panel counts as in use."""
ANSWERS_S = 4.0
"""Seconds to wait for a reply that may still change the panel."""
TIMEOUT_S = 10.0
"""Seconds for updating all panels of a table."""
CONCURRENT_TABLES = 32
"""Tables of other processes whose panels are updated concurrently."""


class PanelFollowing:
    """Updates private panels after posts and changes. Best effort: failures are only logged."""

    def __init__(self, services: Services, panels: Panels, answers: Answers) -> None:
        self._services = services
        self._opened = panels.opened
        self._answers = answers
        self._panels = panels
        self._queue = WorkQueue(self._refresh_all, _nowhere, CONCURRENT_TABLES)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Subscribe to changes, if other processes post for some tables.

        A panel that is out of date at the end is updated by the next press.
        """
        tables = self._services.tables
        self._queue.open()
        subscribe = (tables.subscribe, tables.listen) if tables.is_shared else ()
        subscriptions = [each(self._on_change) for each in subscribe]
        try:
            yield
        finally:
            for unsubscribe in subscriptions:
                unsubscribe()
            await self._queue.close(0.0)

    def _on_change(self, table_id: int) -> None:
        if self._opened.has_any(table_id):
            self._queue.add(Job(table_id, JobKind.PANELS))

    async def _refresh_all(self, job: Job) -> None:
        tables, words = self._services.tables, self._services.words_for(None)
        table = await tables.reader.get(job.table)
        # For its own tables, the process updates panels when it delivers the outbox.
        if table.status is not Status.LOBBY and not tables.ownership.owns(table.guild):
            # Do not retry a game that this version cannot read.
            with suppress(Rejected):
                await self.follow(await self._services.table_view(table.id, SPECTATOR, words))

    async def follow(self, table_view: TableView, post: tuple[int, int] | None = None) -> None:
        """Move the panels of the players to act below the new `post`, given by channel and message
        id; update the other panels that are out of date. Raise only NotOurs."""
        table = table_view.table
        people = [(player.seat, player.user) for player in table.humans if player.user is not None]
        to_act = {seat for seat, _kind in table_view.seats_to_act}
        try:
            async with asyncio.timeout(TIMEOUT_S):
                for seat, user in people:
                    if post is not None and seat in to_act:
                        await self._move(table.id, post, seat, user)
                for seat, user in people:
                    await self._refresh(table_view, seat, user)
        except (*SEND_ERRORS, Rejected) as error:
            log.info("panel not updated table=%s error=%s", table.id, type(error).__name__)
        except NotOurs:
            raise
        # The post is sent: a panel's error must not cause a retry.
        except Exception:
            log.exception("panel not updated table=%s", table.id)

    async def _refresh(self, public: TableView, seat: Seat, user: int) -> None:
        table = public.table.id
        shown = self._opened.find(table, user)
        if shown is None or shown.has_form or not (shown.offers or _is_old(shown, public, seat)):
            return
        # The reply to the player's last press may update the panel right now.
        if not await self._answers.wait_for(user, ANSWERS_S):
            return
        if self._opened.find(table, user) is not shown:
            return
        table_view = await self._table_view(shown, table, seat, user)
        offered = {table_view.button_id(offer) for offer in table_view.offers(seat)}

        def is_current() -> bool:
            return shown.offers <= offered and not _is_old(shown, table_view, seat)

        if is_current() or table_view.table.players[seat].user != user:
            return
        panel, layout = await self._panel(table_view, seat, shown.step, NOTHING)
        if is_current():
            # The update after another post was faster.
            return
        if self._answers.is_answering(user) or self._opened.find(table, user) is not shown:
            # The player has pressed a button since, and its reply is newer.
            return
        shown.update(panel)
        await shown.edit(**layout.edited(), allowed_mentions=NO_MENTIONS)

    async def _move(self, table: int, post: tuple[int, int], seat: Seat, user: int) -> None:
        """Send the player's panel again if it is in use and above the post."""
        # The reply to the press that caused this post may still update the panel, or a new panel
        # may be sent but not yet tracked.
        if not await self._answers.wait_for(user, ANSWERS_S):
            return
        shown, (place, message) = self._opened.find(table, user), post
        if shown is None or shown.has_form or shown.interaction.channel_id != place:
            return
        # Do not move a plan while the player works on it. Message ids grow with time, so a panel
        # with a larger id is already below the post.
        is_above = shown.plan is None and shown.message <= message
        if not is_above or self._opened.age(shown) > IN_USE_S:
            return
        table_view = await self._table_view(shown, table, seat, user)
        if table_view.main(seat) is None or table_view.table.players[seat].user != user:
            return
        # Repeat the outcome of the player's own action if they have seen no events since.
        events = await self._services.tables.reader.visible_events_since(table_view, shown.seq)
        summary = NOTHING if events else shown.shown_once
        panel, layout = await self._panel(table_view, seat, shown.step, summary)
        # Delete the old panel first: of two panels, one would soon be out of date. A player who
        # presses a button in the meantime gets a new panel anyway.
        if self._answers.is_answering(user) or not await self._opened.take(table, shown):
            return
        sent = await shown.interaction.followup.send(
            **layout.sent(), allowed_mentions=NO_MENTIONS, ephemeral=True, wait=True
        )
        moved = OpenPanel(shown.interaction, sent.id, is_original=False, used=shown.used)
        moved.update(panel)
        if self._opened.find(table, user) is not None:
            # The player has opened another panel in the meantime: keep that one.
            await moved.delete()
            return
        await self._opened.put(table, moved)

    async def _table_view(self, shown: OpenPanel, table: int, seat: Seat, user: int) -> TableView:
        words = self._services.words_of(shown.interaction)
        return await self._services.table_view(table, seat, words, user=user)

    async def _panel(
        self, table_view: TableView, seat: Seat, step: PanelStep | None, summary: Summary
    ) -> tuple[Panel, Layout]:
        """Return the panel and layout for the step if still open, else for the seat's decision."""
        moves = OpenMoves(self._services, table_view, seat)
        panel = await self._panels.resume(moves, step, summary)
        is_asked = table_view.main(seat) is not None
        table = await self._services.shown_table(table_view, panel.asked) if is_asked else []
        return panel, panel.layout(table)


def _is_old(shown: OpenPanel, table_view: TableView, seat: Seat) -> bool:
    """Return whether a panel shows an old decision, the wrong players to act or a running game that
    is over, or lacks an offer to the seat."""
    if table_view.table.is_over and not shown.is_over:
        return True
    offer_ids = {offer.partition(".")[0] for offer in shown.offers}
    offers = table_view.offers(seat)[:MAX_OFFERS]
    if shown.plan is None and any(each.id not in offer_ids for each in offers):
        return True
    if shown.seats_to_act is not None and shown.seats_to_act != table_view.seats_to_act:
        return True
    return shown.asked is not None and shown.asked != table_view.main_id(seat)


async def _nowhere(_job: Job) -> Home:
    return UNKNOWN
