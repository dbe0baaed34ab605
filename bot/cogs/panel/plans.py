"""Plans: what a person tries on a private copy of their table, keeps under a name, and plays with
one press. Nobody but their owner ever hears of any.

What is asked in a copy has a `PlanStep` for its id, so every press of a panel works in a plan too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec.structs import replace as changed

from bot.cogs.panel.browsing import PanelStep, PlanStep
from bot.cogs.panel.open_moves import OpenMoves, moves_after, moves_of
from bot.cogs.panel.open_panels import Panel
from bot.cogs.panel.panel import PLAN_ACCENT, Panels, plan_heading, plan_standing, play_plan_button
from bot.cogs.ui import (
    FORM,
    Control,
    CustomId,
    Divider,
    Forged,
    Form,
    Layout,
    Line,
    Part,
    Press,
    Reply,
    Row,
    Services,
    TableView,
    Text,
    button,
    hints_at,
    integer,
    only,
    route,
    rows,
)
from bot.game.contract import Action
from bot.game.game_end import GameEnds
from bot.game.trial import Horizon, Trial
from bot.tables import OFF, ON, Plan, Rejected, check_playing
from bot.tables.plans import DRAFT, MAX_KEPT, MAX_NAME, PlanStop, key_of, matching_steps
from bot.text import NOTHING, Style, Words, Written, bold, game_end, general, msg

HORIZONS = {
    "draw": msg("The rest depends on a draw."),
    "seen": msg("The rest depends on something hidden."),
    "sealed": msg("The rest depends on the others' secret choices."),
    "over": msg("This ends the game."),
    "full": msg("A plan can't have any more actions."),
}
NOT_YET = {
    "draw": msg("You can't plan yet: something will be drawn before your turn."),
    "seen": msg("You can't plan yet: something hidden will be revealed before your turn."),
    "sealed": msg("You can't plan yet: the others choose in secret before your turn."),
    "over": msg("There's nothing to plan: the game ends before your next turn."),
}
"""Why a plan goes no further, and why there can be none."""
STOPPED = {
    PlanStop.NOT_ASKED: msg("It's not your turn. The plan will wait."),
    PlanStop.CHANGED: msg("It stopped there: the game is no longer as you planned."),
    PlanStop.UNPLANNED: msg("It stopped there: something happened that you hadn't planned."),
    PlanStop.ENDS: msg("The next action ends the game, so you have to play it yourself."),
}
"""Why a plan was not played to its end."""
LISTED = 6
"""Actions of a plan that are listed, the last before the step shown."""
MAX_LINES = 6
"""Lines about what the plan would change."""


class Planned(NamedTuple):
    """A person's plan, tried now: `made` are its moments, and `done` actions of it are shown.

    `moves` are those of the private copy there, `table` the table as it is.
    """

    table: TableView
    moves: OpenMoves
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


class PlanDialogue:
    """Opens, tries, keeps, plays and deletes plans."""

    def __init__(self, services: Services, panels: Panels) -> None:
        self._services = services
        self._plans = services.tables.plans
        self._panels = panels

    # The plan being made

    @route("plan", decided=True)
    async def open_plan(self, press: Press) -> None:
        """Show the plan being made, at the step that the id names, else at its end."""
        await self.show_plan(press.reply, press.table_id, PlanStep.parse(press.custom_id.decision))

    async def show_plan(
        self, reply: Reply, table_id: int, step: PlanStep | None = None, *notes: str
    ) -> None:
        """Show the plan that the person is making, at that step or at its end, below the notes."""
        await self.show_planned(reply, await self.planned(reply, table_id, step), *notes)

    async def show_planned(self, reply: Reply, now: Planned, *notes: str) -> None:
        """The same of a plan that has been tried."""
        table_view, words = now.moves.table_view, now.moves.table_view.words
        if now.trial.decision is None:
            made = Panel(table_view, [self._end(now)], accent=PLAN_ACCENT)
        else:
            made = await self._panels.start(now.moves)
        made.above = [*plan_heading(words), *notes, *self._lines(now), *made.above]
        made.foot = [*self._foot(now), *made.foot]
        table = await self._services.shown_table(table_view, made.asked)
        await self._panels.show(reply, made, table)

    async def planned(self, reply: Reply, table_id: int, step: PlanStep | None = None) -> Planned:
        """The plan being made, at that step or else at its end.

        Raises not_seated, what `check_playing` raises, and Rejected where the step belongs to an
        earlier version of the plan.
        """
        moves = await moves_of(self._services, reply, table_id)
        check_playing(moves.table_view.table)
        plan = await self._plans.get(table_id, reply.user, DRAFT)
        if step is not None and (len(plan.actions) < step.done or plan.key(step.done) != step.key):
            raise Rejected("plan_changed")
        made = await self._plans.trials(table_id, moves.seat, plan.actions)
        end = len(made) - 1
        done = end if step is None else min(step.done, end)
        copy = _copy(moves.table_view, made[done])
        copied = OpenMoves(self._services, copy, moves.seat)
        return Planned(moves.table_view, copied, plan, made, done)

    async def add(
        self, reply: Reply, table_id: int, decision: str, actions: Sequence[Action]
    ) -> None:
        """Try more actions after a step, in place of those that came after it."""
        now = await self.planned(reply, table_id, PlanStep.parse(decision))
        await self._plans.draft(table_id, reply.user, [*now.trial.done, *actions])
        await self.show_plan(reply, table_id)

    def _lines(self, now: Planned) -> list[str]:
        """What has changed since it was made, its actions, and what they would bring."""
        shown, words, trial, plan = now.moves.table_view, now.table.words, now.trial, now.plan
        lines = []
        if len(now.made) <= len(plan.actions):
            lines.append(
                words("⚠️ The game has moved on: the rest of this plan is no longer possible.")
            )
        elif plan.actions and matching_steps(plan, now.made) < len(plan.actions):
            lines.append(
                words("⚠️ The game has moved on: this plan would now turn out differently.")
            )
        if trial.assumed and (trial.decision or now.done):
            names = words.listing([bold(shown.names[seat]) for seat in trial.assumed])
            lines.append(
                words("-# Assumes no other moves by {names} before your turn.", names=names)
            )
        first = max(0, now.done - LISTED)
        if first:
            lines.append(
                words.plural("-# {count} action before", "-# {count} actions before", first)
            )
        for place in range(first, now.done):
            action, view = now.made[place + 1].done[-1], now.made[place].view
            said = shown.text.named(shown.quoted).at(view).action(action)
            lines.append(f"{place + 1}. {said}")
        later = len(now.made) - 1 - now.done
        if later:
            lines.append(
                words.plural("-# {count} action after this", "-# {count} actions after this", later)
            )
        if now.done:
            events = [event for each in now.made[1 : now.done + 1] for event in each.events]
            brings = [
                *shown.text.reasons(events),
                *shown.text.at(trial.view).what_if(now.table.view),
            ]
            lines += [f"> {line}" for line in brings[:MAX_LINES]]
        return lines

    def _end(self, now: Planned) -> str:
        """Why nothing more can be planned."""
        table_view, trial, seat = now.moves.table_view, now.trial, now.moves.seat
        words = table_view.words
        if trial.horizon is Horizon.OTHER:
            to_act = words.listing([bold(table_view.names[seat]) for seat in trial.to_act])
            if trial.done:
                return words("The rest depends on {names}.", names=to_act)
            return words("You can't plan yet: your options depend on {names}.", names=to_act)
        end = table_view.end_of(seat, trial.done[-1:]) if trial.done else None
        if trial.horizon is Horizon.OVER and end is not None:
            return game_end.warning(words, end, seat, table_view.quoted)
        return words((HORIZONS if trial.done else NOT_YET)[str(trial.horizon)])

    def _foot(self, now: Planned) -> list[Control]:
        words, table = now.table.words, now.table.table
        made, found = now.made, []
        for done, label in ((now.done - 1, msg("Step back")), (now.done + 1, msg("Step forward"))):
            if done in range(len(made)):
                there = PlanStep(done, key_of(made[done].done))
                found.append(button(CustomId("plan", table.id, str(there)), words(label)))
        if now.done and hints_at(self._services, table) != OFF:
            judge = CustomId("planjudge", table.id, str(now.step))
            found.append(button(judge, words("Rate my plan")))
        if len(made) > 1:
            if not now.trial.assumed:
                found.append(play_plan_button(words, table.id, now.plan))
            found.append(button(CustomId("plankeep", table.id), words("Save…")))
        found.append(button(CustomId("plans", table.id), words("My plans")))
        found.append(_leave_button(words, table.id))
        return found

    # Playing it

    @route("planplay", words=(1,), decided=True)
    async def play(self, press: Press) -> None:
        """Carry a plan out, one action after the other, and say how far it came."""
        reply, table_id = press.reply, press.table_id
        step, number = PlanStep.parse(press.custom_id.decision), integer(press.custom_id.words)
        if step is None or number not in range(DRAFT, MAX_KEPT + 1):
            raise Forged(press.custom_id)
        carried = await self._services.tables.plans.play(
            table_id, reply.user, number, step.key, delivery=reply.delivery
        )
        moves, happened = await moves_after(self._services, reply, table_id, carried.since)
        happened = happened if carried.played else NOTHING
        notes = [reply.words("None of your plan was played.")]
        if carried.played:
            notes = [
                reply.words.plural(
                    "✅ {count} action of your plan was played.",
                    "✅ {count} actions of your plan were played.",
                    carried.played,
                )
            ]
        if carried.stopped is not None:
            notes.append(reply.words(STOPPED[carried.stopped]))
        if carried.stopped is not PlanStop.ENDS:
            await self._panels.ask(reply, moves, happened=happened, notes=notes)
            return
        plan = await self._plans.get(table_id, reply.user, number)
        asked = PanelStep(plan.actions[0], moves.table_view.main_id(moves.seat))
        made = await self._panels.resume(moves, asked, happened)
        made.above += notes
        await self._panels.show(reply, made)

    # Kept plans

    @route("plans")
    async def list_kept(self, press: Press, *notes: str) -> None:
        """Show the kept plans below the notes, whether each still holds, and what can be done with
        it."""
        reply, table_id, words = press.reply, press.table_id, press.reply.words
        now = await self.planned(reply, table_id)
        kept = [
            each for each in await self._plans.of_user(table_id, reply.user) if each.number != DRAFT
        ]
        parts: list[Part] = [
            Text("\n".join(notes if kept else [words("You have no saved plans at this table.")]))
        ]
        for plan in kept:
            made = await self._plans.trials(table_id, now.moves.seat, plan.actions)
            name, number = Written(plan.name), str(plan.number)
            count, size = matching_steps(plan, made), len(plan.actions)
            actions = words.plural("{count} action", "{count} actions", size)
            lines = [f"{bold(name)} · {actions}", plan_standing(words, name, count, size)]
            if plan.armed:
                armed = words(
                    "It plays automatically on your turn, as long as nothing it depends on has "
                    "changed."
                )
                lines.append(armed)
            may_play = not now.made[0].assumed and now.made[0].decision is not None
            presses = []
            if count and may_play:
                presses.append(play_plan_button(words, table_id, plan))
            presses.append(button(CustomId("planload", table_id, words=(number,)), words("Open")))
            if plan.armed or not may_play:
                is_on = words("Play automatically: on")
                label = is_on if plan.armed else words("Play automatically: off")
                custom_id = CustomId("planarm", table_id, words=(number, OFF if plan.armed else ON))
                presses.append(button(custom_id, label))
            delete = CustomId("plandrop", table_id, words=(number,))
            presses.append(button(delete, words("Delete"), style=Style.DANGER))
            parts += [Text("\n".join(lines)), Row(presses), Divider()]
        foot = [
            button(CustomId("plan", table_id), words(general.PLAN)),
            _leave_button(words, table_id),
        ]
        await reply.show(Layout([*parts, *rows(foot)]))
        await self._panels.shown.note(reply, Panel(now.moves.table_view))

    @route("plankeep")
    async def ask_name(self, press: Press) -> None:
        """Open the form for the name under which the plan is kept."""
        words = press.reply.words
        line = Line(words("Name"), words("e.g. Ships first"), max_length=MAX_NAME)
        form = Form(CustomId("plankept", press.table_id), words("Save this plan"), line)
        if not await press.reply.ask(form):
            await press.reply.say(words("The form came too late. Press **Save…** again."))

    @route("plankept", FORM)
    async def keep(self, press: Press) -> None:
        """Keep the plan being made."""
        plan = await self._plans.save(press.table_id, press.user, only(press.values))
        note = press.reply.words("Saved as {name}.", name=bold(Written(plan.name)))
        await self.list_kept(press, note)

    @route("planload", words=(1,))
    async def load(self, press: Press) -> None:
        """Go on with a kept plan; it stays as it was kept."""
        number = _number(press.custom_id.words)
        plan = await self._plans.get(press.table_id, press.user, number)
        await self._plans.draft(press.table_id, press.user, plan.actions)
        await self.show_plan(press.reply, press.table_id)

    @route("plandrop", words=(1,))
    async def drop(self, press: Press) -> None:
        """Delete a kept plan."""
        await self._plans.delete(press.table_id, press.user, _number(press.custom_id.words))
        await self.list_kept(press)

    @route("planarm", words=(2,))
    async def arm(self, press: Press) -> None:
        """From now on a kept plan plays itself when its turn comes, or no longer."""
        number, wanted = _number(press.custom_id.words[:1]), press.custom_id.words[1]
        if wanted not in (ON, OFF):
            raise Forged(wanted)
        await self._plans.arm(press.table_id, press.user, number, on=wanted == ON)
        await self.list_kept(press)


def _leave_button(words: Words, table: int) -> Control:
    return button(CustomId("start", table), words("Back to the table"))


def _copy(table: TableView, trial: Trial) -> TableView:
    """The table as it would be at a moment of a plan, for its owner."""
    step = str(PlanStep(len(trial.done), key_of(trial.done)))
    asked = trial.decision
    return replace(
        table,
        view=trial.view,
        pending=() if asked is None else (changed(asked, id=step),),
        legal=lambda _seat, prefix: trial.legal(prefix),
        ends=GameEnds(trial.game, trial.view),
        promises=(),
        acted=None,
        plan=step,
        tried=trial.events,
    )


def _number(words: tuple[str, ...]) -> int:
    number = integer(words)
    if number not in range(DRAFT + 1, MAX_KEPT + 1):
        raise Forged(number)
    return number
