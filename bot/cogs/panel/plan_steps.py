"""What stands for a plan in a panel: the id of a step, the press that plays it, a reminder of it.

The id holds a hash of the actions before it, such as ``p2.a3f10c``. So it works after a
restart, and one of an earlier version of the plan is recognised.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.cogs.panel.message import Panel
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import Pressable, button
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import Seat
from bot.tables import Rejected
from bot.tables.plans import DRAFT, Plan, holds
from bot.text import plans as text
from bot.text.contract import Label, Style
from bot.text.user_text import Written
from bot.text.words import Words

ACCENT = 0x8A5CD6
"""The colour of a plan's frame, which no seat has."""
_ID = re.compile(r"p([0-9]{1,2})\.([0-9a-f]{6})")


class PlanStep(NamedTuple):
    """A step of a plan: so many actions done, and the hash of these."""

    done: int
    key: str

    def __str__(self) -> str:
        return f"p{self.done}.{self.key}"


def heading(words: Words) -> list[str]:
    """What every panel of a plan begins with."""
    return [words(text.TITLE), words(text.PRIVATE)]


def step_of(decision: str | None) -> PlanStep | None:
    """The step that an id names; None where it names a decision of the table."""
    match = _ID.fullmatch(decision or "")
    return None if match is None else PlanStep(int(match[1]), match[2])


def play_button(words: Words, table: int, plan: Plan, label: Label | None = None) -> Pressable:
    """A press that carries a plan out as it is shown."""
    step = PlanStep(len(plan.actions), plan.key())
    custom_id = CustomId("planplay", table, str(step), (str(plan.number),))
    return button(custom_id, label or words(text.PLAY_IT), style=Style.SUCCESS)


async def remind(services: Services, made: Panel, snapshot: Snapshot, seat: Seat) -> None:
    """Adds to a panel which kept plans of the seat still hold, each with a press to play it."""
    user, table = snapshot.user, snapshot.table.id
    if snapshot.plan is not None or user is None:
        return
    plans = services.tables.plans
    try:
        kept = await plans.of(table, user)
    except Rejected:
        # The question itself stands, though what is kept cannot be read.
        return
    for plan in kept:
        if plan.number == DRAFT:
            continue
        count = holds(plan, await plans.tried(table, seat, plan.actions))
        name = Written(plan.name)
        made.above.append(text.standing(snapshot.words, name, count, len(plan.actions)))
        if count == len(plan.actions):
            label = text.play_named(snapshot.words, name)
            made.foot.append(play_button(snapshot.words, table, plan, label))
