"""Hints: what the strong player would do, told to whoever asks and to nobody else."""

from __future__ import annotations

import asyncio
from typing import Any

from bot.cogs.panel.acting import seated
from bot.cogs.panel.hinting import Hinting
from bot.cogs.panel.message import Panel
from bot.cogs.panel.plan_steps import step_of
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui.custom_id import CustomId, Forged
from bot.cogs.ui.layout import button
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.text import general
from bot.text import hints as text

SHOWN_AFTER_S = 0.4
"""Seconds after which it is shown that somebody thinks."""
STEP_S = 2.0
"""Seconds between two signs that they still do."""


class HintDialogue:
    """Gives hints, and says what a plan is worth."""

    def __init__(self, services: Services, guide: TurnGuide) -> None:
        self._services = services
        self._guide = guide
        self._hinting = Hinting(services)

    async def show(self, reply: Reply, table_id: int, pressed: str | None = None) -> None:
        """What the person best does now, in answer to the decision that they `pressed` on; where
        the table has moved on while that was thought about, what it asks by now."""
        before, seat = await seated(self._services, reply, table_id)
        thinking = asyncio.create_task(self._hinting.thought(before, seat, pressed))
        if reply.in_place and not await self._is_awaited(reply, before, thinking):
            return
        decision, found = await thinking
        snapshot, seat = await seated(self._services, reply, table_id)
        # What the seat cannot tell from before leaves the hint as good as it was.
        if snapshot.view != before.view or decision not in snapshot.pending:
            note = snapshot.words(text.MOVED_ON)
            await self._guide.start(reply, table_id, notes=[note], fresh=False)
            return
        made = await self._hinting.panel(snapshot, seat, decision, found)
        if reply.in_place:
            await self._guide.showing.show(reply, snapshot, made)
            return
        table = await self._services.shown_table(snapshot, made.asked)
        await reply.show(made.layout(table))
        await self._guide.showing.note(reply, snapshot, made)

    async def _is_awaited(
        self, reply: Reply, snapshot: Snapshot, thinking: asyncio.Task[Any]
    ) -> bool:
        """Shows in the panel that was pressed that somebody thinks; False once the person has
        turned to something else there."""
        showing, table = self._guide.showing, snapshot.table.id
        shown, dots, wait_s = None, 0, SHOWN_AFTER_S
        try:
            while not (await asyncio.wait({thinking}, timeout=wait_s))[0]:
                if shown is not None and showing.found(table, reply.user) is not shown:
                    return False
                dots, wait_s = dots % 3 + 1, STEP_S
                made = Panel([snapshot.words(text.THINKING) + " ." * dots])
                made.foot.append(button(CustomId("start", table), snapshot.words(general.BACK)))
                await reply.show(made.layout(showing.kept(reply, snapshot)))
                if shown is None:
                    await showing.note(reply, snapshot, made)
                    shown = showing.found(table, reply.user)
            return shown is None or showing.found(table, reply.user) is shown
        finally:
            if not thinking.done():
                thinking.cancel()

    async def judge(self, reply: Reply, custom_id: CustomId) -> None:
        """What a plan is worth at that step, beside the best that the strong player knows."""
        step = step_of(custom_id.decision)
        if step is None:
            raise Forged(custom_id)
        before = await self._guide.planning.planned(reply, custom_id.table, step)
        notes = []
        if before.step == step:
            notes = await self._hinting.judged(before)
        now = await self._guide.planning.planned(reply, custom_id.table, step)
        if now.step != step or now.made[0].view != before.made[0].view:
            notes = [now.snapshot.words(text.MOVED_ON)]
        await self._guide.show_plan(reply, now, *notes)
