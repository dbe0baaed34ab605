"""Plans: what a person tries in private, keeps under a name, and plays with one press."""

from __future__ import annotations

from bot.cogs.panel.acting import COMPUTERS_S, seated
from bot.cogs.panel.message import Panel
from bot.cogs.panel.plan_steps import play_button, step_of
from bot.cogs.panel.planning import Planned
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui.custom_id import CustomId, Forged, integer
from bot.cogs.ui.layout import Divider, Form, Layout, Line, Part, Pressable, Row, Text, button, rows
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.tables.core.seating import check_playing
from bot.tables.plans import DRAFT, MOST_KEPT, MOST_NAME, Plan, PlanStop, holds
from bot.text import plans as text
from bot.text.contract import Style
from bot.text.markup import bold
from bot.text.user_text import Written
from bot.text.words import Words

ON, OFF = "on", "off"


class PlanDialogue:
    """Opens, keeps, plays and deletes plans. Nobody but their owner ever hears of any."""

    def __init__(self, services: Services, guide: TurnGuide) -> None:
        self._services = services
        self._tables = services.tables
        self._guide = guide

    async def show(self, reply: Reply, table_id: int, decision: str | None) -> None:
        """The plan being made, at the step that the id names, else at its end."""
        await self._guide.plan(reply, table_id, step_of(decision))

    async def play(self, reply: Reply, custom_id: CustomId) -> None:
        """Carry a plan out, one action after the other, and say how far it came."""
        step, number = step_of(custom_id.decision), integer(custom_id.words)
        if step is None or number not in range(DRAFT, MOST_KEPT + 1):
            raise Forged(custom_id)
        carried = await self._tables.plan_playing.play(
            custom_id.table, reply.user, number, step.key, delivery=reply.delivery
        )
        await self._tables.computers.rest(custom_id.table, COMPUTERS_S)
        snapshot, seat = await seated(self._services, reply, custom_id.table)
        stopped = None if carried.stopped is None else text.STOPPED[carried.stopped]
        notes = text.played(snapshot.words, carried.played, stopped)
        events = []
        if carried.played:
            events = await self._tables.reader.events_since(custom_id.table, carried.since, seat)
        happened = self._services.brief(snapshot, events)
        if carried.stopped is PlanStop.ENDS:
            plan = await self._tables.plans.get(custom_id.table, reply.user, number)
            await self._guide.confirm(reply, snapshot, seat, plan.actions[0], happened, notes)
            return
        await self._guide.start(reply, custom_id.table, happened=happened, notes=notes)

    async def ask_name(self, reply: Reply, table_id: int) -> None:
        """Open the form for the name under which the plan is kept."""
        words = reply.words
        line = Line(words(text.NAME_LABEL), words(text.NAME_HINT), most=MOST_NAME)
        form = Form(CustomId("plankept", table_id), words(text.NAME_TITLE), line)
        if not await reply.ask(form):
            await reply.say(words(text.ASK_NAME))

    async def keep(self, reply: Reply, table_id: int, name: str) -> None:
        """Keep the plan being made."""
        plan = await self._tables.plans.keep(table_id, reply.user, name)
        words = reply.words
        note = words(text.KEPT, name=bold(Written(plan.name)))
        await self.show_kept(reply, table_id, note)

    async def load(self, reply: Reply, custom_id: CustomId) -> None:
        """Go on with a kept plan; it stays as it was kept."""
        plans, table_id = self._tables.plans, custom_id.table
        plan = await plans.get(table_id, reply.user, _number(custom_id.words))
        await plans.draw_up(table_id, reply.user, plan.actions)
        await self._guide.plan(reply, table_id)

    async def drop(self, reply: Reply, custom_id: CustomId) -> None:
        """Delete a kept plan."""
        number = _number(custom_id.words)
        await self._tables.plans.drop(custom_id.table, reply.user, number)
        await self.show_kept(reply, custom_id.table)

    async def arm(self, reply: Reply, custom_id: CustomId) -> None:
        """From now on a kept plan plays itself when its turn comes, or no longer."""
        number, wanted = _number(custom_id.words[:1]), custom_id.words[1]
        if wanted not in (ON, OFF):
            raise Forged(wanted)
        table_id = custom_id.table
        await self._tables.plans.arm(table_id, reply.user, number, on=wanted == ON)
        await self.show_kept(reply, table_id)

    async def show_kept(self, reply: Reply, table_id: int, *notes: str) -> None:
        """The kept plans, whether each still holds, and what can be done with it."""
        now = await self._guide.planning.planned(reply, table_id)
        check_playing(now.table.table)
        words = now.table.words
        kept = [
            plan
            for plan in await self._tables.plans.of(table_id, reply.user)
            if plan.number != DRAFT
        ]
        parts: list[Part] = [Text("\n".join([*notes] if kept else [words(text.NONE_KEPT)]))]
        for plan in kept:
            made = await self._tables.plans.tried(table_id, now.seat, plan.actions)
            parts += self._part(words, now, plan, holds(plan, made))
        foot = [
            button(CustomId("plan", table_id), words(text.PLAN)),
            button(CustomId("start", table_id), words(text.LEAVE)),
        ]
        await reply.show(Layout([*parts, *rows(foot)]))
        await self._guide.showing.note(reply, now.snapshot, Panel([]))

    def _part(self, words: Words, now: Planned, plan: Plan, count: int) -> list[Part]:
        name, table = Written(plan.name), now.table.table.id
        lines = [
            f"**{name.markdown}** · {text.actions(words, len(plan.actions))}",
            text.standing(words, name, count, len(plan.actions)),
        ]
        if plan.armed:
            lines.append(words(text.ARMED))
        number = str(plan.number)
        presses: list[Pressable] = []
        if count and not now.made[0].assumed and now.made[0].decision is not None:
            presses.append(play_button(words, table, plan))
        presses.append(button(CustomId("planload", table, words=(number,)), words(text.OPEN)))
        if plan.armed or now.made[0].assumed or now.made[0].decision is None:
            label, wanted = (text.NOT_BY_ITSELF, OFF) if plan.armed else (text.BY_ITSELF, ON)
            custom_id = CustomId("planarm", table, words=(number, wanted))
            presses.append(button(custom_id, words(label)))
        delete = CustomId("plandrop", table, words=(number,))
        presses.append(button(delete, words(text.DELETE), style=Style.DANGER))
        return [Text("\n".join(lines)), Row(presses), Divider()]


def _number(words: tuple[str, ...]) -> int:
    number = integer(words)
    if number not in range(DRAFT + 1, MOST_KEPT + 1):
        raise Forged(number)
    return number
