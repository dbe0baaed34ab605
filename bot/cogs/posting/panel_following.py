"""Moves a private panel in use below a new post, so that what to do is always at the bottom.

A panel can be reached only by whoever answered with it, which need not be who posts: presses in
direct messages all arrive at one process. So the panels here also ask anew after each change of a
table for which another process posts.
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
"""Seconds after the last press for which a person is taken to be at their panel."""
ANSWERS_S = 4.0
"""Seconds to wait for an answer that may still change the panel."""
AT_MOST_S = 10.0
"""Seconds for all of this."""
AT_ONCE = 32
"""Tables of others whose panels ask anew at once."""


class PanelFollowing:
    """Private panels follow the posts of their table. Best effort: failures here do no harm."""

    def __init__(self, services: Services, panels: Panels, answers: Answers) -> None:
        self._services = services
        self._shown = panels.shown
        self._answers = answers
        self._panels = panels
        self._queue = WorkQueue(self._ask_all_anew, _nowhere, AT_ONCE)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Hear of changes, where others post for some tables. What is not up to date at the end
        will be at the next press."""
        tables = self._services.tables
        self._queue.open()
        hear = (tables.subscribe, tables.listen) if tables.is_shared else ()
        ends = [each(self._on_change) for each in hear]
        try:
            yield
        finally:
            for end in ends:
                end()
            await self._queue.close(0.0)

    def _on_change(self, table_id: int) -> None:
        if self._shown.are_at(table_id):
            self._queue.add(Job(table_id, JobKind.PANELS))

    async def _ask_all_anew(self, job: Job) -> None:
        tables, words = self._services.tables, self._services.words_for(None)
        table = await tables.reader.get(job.table)
        # Where it is ours, that is a part of delivering what has happened.
        if table.status is not Status.LOBBY and not tables.ownership.owns(table.guild):
            # A game that cannot be read here is not tried again.
            with suppress(Rejected):
                await self.follow(await self._services.table_view(table.id, SPECTATOR, words))

    async def follow(self, table_view: TableView, post: tuple[int, int] | None = None) -> None:
        """The panels of those the table awaits move below its new `post`, given by its place and
        message; others no longer ask what can no longer be answered. Raises NotOurs alone."""
        table = table_view.table
        people = [(player.seat, player.user) for player in table.humans if player.user is not None]
        to_act = {seat for seat, _kind in table_view.seats_to_act}
        try:
            async with asyncio.timeout(AT_MOST_S):
                for seat, user in people:
                    if post is not None and seat in to_act:
                        await self._move(table.id, post, seat, user)
                for seat, user in people:
                    await self._ask_anew(table_view, seat, user)
        except (*SEND_ERRORS, Rejected) as error:
            log.info("panel not updated table=%s error=%s", table.id, type(error).__name__)
        except NotOurs:
            raise
        # The post has been made; no error of a panel may have it retried.
        except Exception:
            log.exception("panel not updated table=%s", table.id)

    async def _ask_anew(self, seen: TableView, seat: Seat, user: int) -> None:
        table = seen.table.id
        shown = self._shown.find(table, user)
        if shown is None or shown.has_form or not (shown.offers or _is_past(shown, seen, seat)):
            return
        # Whoever is answering it is just being shown the outcome in that very panel.
        if not await self._answers.wait_for(user, ANSWERS_S):
            return
        if self._shown.find(table, user) is not shown:
            return
        table_view = await self._table_view(shown, table, seat, user)
        offered = {table_view.button_id(offer) for offer in table_view.offers(seat)}
        if shown.offers <= offered and not _is_past(shown, table_view, seat):
            return
        if table_view.table.players[seat].user != user:
            return
        made, layout = await self._panel(table_view, seat, shown.step, NOTHING)
        if self._answers.is_answering(user) or self._shown.find(table, user) is not shown:
            # They have pressed something meanwhile, whose answer is newer.
            return
        shown.update(made)
        await shown.edit(**layout.edited(), allowed_mentions=NO_MENTIONS)

    async def _move(self, table: int, post: tuple[int, int], seat: Seat, user: int) -> None:
        """Sends the person's panel anew, if it is in use and stands above the post."""
        # The press that caused this post may still be being answered in that very panel, and a
        # panel that they see already may just be being noted.
        if not await self._answers.wait_for(user, ANSWERS_S):
            return
        shown, (place, message) = self._shown.find(table, user), post
        if shown is None or shown.has_form or shown.interaction.channel_id != place:
            return
        # What they try out is not taken from under their hands. Ids grow with time: whoever pressed
        # right after the post has their panel below it.
        is_above = shown.plan is None and shown.message <= message
        if not is_above or self._shown.age(shown) > IN_USE_S:
            return
        table_view = await self._table_view(shown, table, seat, user)
        if table_view.main(seat) is None or table_view.table.players[seat].user != user:
            return
        # The outcome of their own action still holds if they have heard of nothing since.
        heard = await self._services.tables.reader.visible_events_since(table_view, shown.seq)
        told = NOTHING if heard else shown.shown_once
        made, layout = await self._panel(table_view, seat, shown.step, told)
        # First the old one goes: of two that stayed, one would soon be out of date. Whoever presses
        # something meanwhile gets a new panel anyway.
        if self._answers.is_answering(user) or not await self._shown.take(table, shown):
            return
        sent = await shown.interaction.followup.send(
            **layout.sent(), allowed_mentions=NO_MENTIONS, ephemeral=True, wait=True
        )
        followed = OpenPanel(shown.interaction, sent.id, is_original=False, used=shown.used)
        followed.update(made)
        if self._shown.find(table, user) is not None:
            # They have opened another one while this was being sent; that one stays.
            await followed.delete()
            return
        await self._shown.put(table, followed)

    async def _table_view(self, shown: OpenPanel, table: int, seat: Seat, user: int) -> TableView:
        words = self._services.words_of(shown.interaction)
        return await self._services.table_view(table, seat, words, user=user)

    async def _panel(
        self, table_view: TableView, seat: Seat, step: PanelStep | None, happened: Summary
    ) -> tuple[Panel, Layout]:
        """What the panel is to show: the step at which they were, else what they are asked."""
        moves = OpenMoves(self._services, table_view, seat)
        made = await self._panels.resume(moves, step, happened)
        is_asked = table_view.main(seat) is not None
        table = await self._services.shown_table(table_view, made.asked) if is_asked else []
        return made, made.layout(table)


def _is_past(shown: OpenPanel, table_view: TableView, seat: Seat) -> bool:
    """Whether a panel asks what the seat is not asked any more, waits in a game that is over or for
    those who are not waited for, or lacks an offer to the seat."""
    if table_view.table.is_over and not shown.is_over:
        return True
    there = {offer.partition(".")[0] for offer in shown.offers}
    offers = table_view.offers(seat)[:MAX_OFFERS]
    if shown.plan is None and any(each.id not in there for each in offers):
        return True
    if shown.seats_to_act is not None and shown.seats_to_act != table_view.seats_to_act:
        return True
    return shown.asked is not None and shown.asked != table_view.main_id(seat)


async def _nowhere(_job: Job) -> Home:
    return UNKNOWN
