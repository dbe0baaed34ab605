"""The private copy of a table on which a person tries actions, as a panel.

The id of what is asked there names a step of the plan (see `plan_steps`), so that every press of a
panel works in a plan too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec.structs import replace as changed

from bot.cogs.panel.message import Panel
from bot.cogs.panel.panel import Panels
from bot.cogs.panel.plan_steps import ACCENT, PlanStep, heading, play_button, step_of
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Pressable, button
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services, allows_hints
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import Choices
from bot.game.contract import Action, Seat
from bot.game.game_end import GameEnds
from bot.game.trial import Horizon, Trial
from bot.tables import Rejected
from bot.tables.core.seating import check_playing
from bot.tables.plans import DRAFT, Plan, holds, key_of
from bot.text import game_end
from bot.text import hints as hint_text
from bot.text import plans as text

LISTED = 6
"""Actions of a plan that are listed, the last before the step shown."""
MOST_LINES = 6
"""Lines about what the plan would change."""


class Planned(NamedTuple):
    """A person's plan, tried now: `made` are its moments, and `done` actions of it are shown.

    `snapshot` is the private copy there, `table` the table as it is.
    """

    table: Snapshot
    snapshot: Snapshot
    seat: Seat
    plan: Plan
    made: Sequence[Trial]
    done: int

    @property
    def trial(self) -> Trial:
        """The moment shown."""
        return self.made[self.done]

    @property
    def step(self) -> PlanStep:
        """The step shown."""
        return PlanStep(self.done, key_of(self.trial.done))


class Planning:
    """Finds the plan that a person is making, shows it, and goes on with it."""

    def __init__(self, services: Services, panels: Panels) -> None:
        self._services = services
        self._plans = services.tables.plans
        self._panels = panels

    async def planned(self, reply: Reply, table_id: int, step: PlanStep | None = None) -> Planned:
        """The plan being made, at that step or else at its end.

        Raises not_seated, what `check_playing` raises, and Rejected where the step belongs to an
        earlier version of the plan.
        """
        seat = await self._services.tables.reader.seat_of(table_id, reply.user)
        words = reply.words
        table = await self._services.snapshot(table_id, seat, words, user=reply.user)
        check_playing(table.table)
        plan = await self._plans.get(table_id, reply.user, DRAFT)
        if step is not None and (len(plan.actions) < step.done or plan.key(step.done) != step.key):
            raise Rejected("plan_changed")
        made = await self._plans.tried(table_id, seat, plan.actions)
        end = len(made) - 1
        done = end if step is None else min(step.done, end)
        return Planned(table, _copy(table, seat, made[done]), seat, plan, made, done)

    async def add(
        self, reply: Reply, table_id: int, decision: str | None, actions: Sequence[Action]
    ) -> Planned:
        """Tries more actions after a step, in place of those that came after it."""
        now = await self.planned(reply, table_id, step_of(decision))
        await self._plans.draw_up(table_id, reply.user, [*now.trial.done, *actions])
        return await self.planned(reply, table_id)

    async def panel(self, now: Planned, notes: Sequence[str] = ()) -> Panel:
        """What is asked at the step shown, below what the plan has brought so far."""
        snapshot, words, trial = now.snapshot, now.snapshot.words, now.trial
        if trial.decision is None:
            made = Panel([self._end(now)], accent=ACCENT)
        else:
            made = await self._panels.start(snapshot, now.seat)
        made.above = [
            *heading(words),
            *notes,
            *self._warned(now),
            *self._listed(now),
            *self._would_be(now),
            *made.above,
        ]
        made.foot = [*self._foot(now), *made.foot]
        return made

    def _warned(self, now: Planned) -> list[str]:
        words = now.snapshot.words
        if len(now.made) <= len(now.plan.actions):
            return [words(text.CHANGED)]
        if now.plan.actions and holds(now.plan, now.made) < len(now.plan.actions):
            return [words(text.OTHERWISE)]
        return []

    def _listed(self, now: Planned) -> list[str]:
        words, shown = now.snapshot.words, now.snapshot
        lines = []
        if now.trial.assumed and (now.trial.decision or now.done):
            lines.append(text.assumed(words, [shown.names[seat] for seat in now.trial.assumed]))
        first = max(0, now.done - LISTED)
        if first:
            lines.append(text.counted(words, text.EARLIER, first))
        for place in range(first, now.done):
            action, view = now.made[place + 1].done[-1], now.made[place].view
            said = shown.text.action(words, action, view, shown.quoted)
            lines.append(f"{place + 1}. {said}")
        later = len(now.made) - 1 - now.done
        if later:
            lines.append(text.counted(words, text.LATER, later))
        return lines

    def _would_be(self, now: Planned) -> list[str]:
        shown = now.snapshot
        events = [event for each in now.made[1 : now.done + 1] for event in each.events]
        brings = [
            *shown.text.reasons(shown.words, events, shown.names),
            *shown.text.what_if(shown.words, now.table.view, now.trial.view, shown.names),
        ]
        return [f"> {line}" for line in brings[:MOST_LINES]] if now.done else []

    def _end(self, now: Planned) -> str:
        """Why nothing more can be planned."""
        words, trial, names = now.snapshot.words, now.trial, now.snapshot.names
        if trial.horizon is Horizon.OTHER:
            awaited = [names[seat] for seat in trial.awaits]
            return text.depends_on(words, awaited, at_start=not trial.done)
        end = now.snapshot.end_of(now.seat, trial.done[-1:]) if trial.done else None
        if trial.horizon is Horizon.OVER and end is not None:
            return game_end.warning(words, end, now.seat, now.snapshot.quoted)
        horizon = str(trial.horizon)
        return words((text.HORIZONS if trial.done else text.NOT_YET)[horizon])

    def _foot(self, now: Planned) -> list[Pressable]:
        words, table = now.snapshot.words, now.snapshot.table.id
        made, found = now.made, []
        for done, label in ((now.done - 1, text.STEP_BACK), (now.done + 1, text.STEP_ON)):
            if done in range(len(made)):
                there = PlanStep(done, key_of(made[done].done))
                found.append(button(CustomId("plan", table, str(there)), words(label)))
        if now.done and allows_hints(self._services, now.table.table):
            judge = CustomId("planjudge", table, str(now.step))
            found.append(button(judge, words(hint_text.JUDGE)))
        if len(made) > 1:
            if not now.trial.assumed:
                found.append(play_button(words, table, now.plan))
            found.append(button(CustomId("plankeep", table), words(text.KEEP)))
        found.append(button(CustomId("plans", table), words(text.MY_PLANS)))
        found.append(button(CustomId("start", table), words(text.LEAVE)))
        return found


def _copy(table: Snapshot, seat: Seat, trial: Trial) -> Snapshot:
    """The table as it would be at a moment of a plan, for its owner."""
    step = str(PlanStep(len(trial.done), key_of(trial.done)))
    asked = trial.decision

    def legal(_seat: Seat, prefix: Action) -> Choices:
        return trial.legal(prefix)

    return replace(
        table,
        view=trial.view,
        pending=() if asked is None else (changed(asked, id=step),),
        legal=legal,
        ends=GameEnds(trial.game, trial.view),
        promises=(),
        acted=None,
        plan=step,
        tried=trial.events,
    )
