"""Hints: what the strong player would do, told to whoever asks and to nobody else."""

from __future__ import annotations

from bot.cogs.panel.acting import seated
from bot.cogs.panel.hinting import Hinting
from bot.cogs.panel.plan_steps import step_of
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui.custom_id import CustomId, Forged
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.text import hints as text


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
        decision, found = await self._hinting.thought(before, seat, pressed)
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
