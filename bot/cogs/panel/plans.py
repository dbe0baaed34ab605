"""Plans: actions that a player tries on a private copy of the table, saves, and plays with one
press. Only the owner ever sees them.

A decision in the copy has a `PlanStep` as its id, so all buttons of a panel work in a plan too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec.structs import replace as replace_struct

from bot.cogs.panel.browsing import PanelStep, PlanStep
from bot.cogs.panel.open_moves import OpenMoves, moves_after, moves_of
from bot.cogs.panel.open_panels import Panel
from bot.cogs.panel.panel import PLAN_ACCENT, Panels, plan_heading, plan_status, play_plan_button
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
    hints_term,
    integer,
    only,
    route,
    rows,
)
from bot.game.contract import Action
from bot.game.game_end import GameEnds
from bot.game.trial import Horizon, Trial
from bot.tables import OFF, ON, Plan, Rejected, check_playing
from bot.tables.plans import DRAFT, MAX_NAME, MAX_PLANS, PlanStop, key_of, matching_steps
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
"""Why a plan goes no further (HORIZONS), or cannot start (NOT_YET)."""
STOPPED = {
    PlanStop.NOT_YOUR_TURN: msg("It's not your turn. The plan will wait."),
    PlanStop.CHANGED: msg("It stopped there: the game is no longer as you planned."),
    PlanStop.UNPLANNED: msg("It stopped there: something happened that you hadn't planned."),
    PlanStop.ENDS: msg("The next action ends the game, so you have to play it yourself."),
}
"""Why a plan was not played to its end."""
MAX_LISTED = 6
"""Actions listed: the last ones before the step shown."""
MAX_LINES = 6
"""Lines about the effects of the plan."""


class Planned(NamedTuple):
    """A player's plan with its trials: one before the first action and one after each.

    The first `done` actions are shown. `moves` belong to the private copy, `table` is the real one.
    """

    table: TableView
    moves: OpenMoves
    plan: Plan
    trials: Sequence[Trial]
    done: int

    @property
    def trial(self) -> Trial:
        return self.trials[self.done]

    @property
    def step(self) -> PlanStep:
        return PlanStep(self.done, key_of(self.trial.done))


class PlanDialogue:
    def __init__(self, services: Services, panels: Panels) -> None:
        self._services = services
        self._plans = services.tables.plans
        self._panels = panels

    # The draft

    @route("plan", has_decision=True)
    async def open_plan(self, press: Press) -> None:
        """Show the draft at the step that the id names, else at its end."""
        await self.show_plan(press.reply, press.table_id, PlanStep.parse(press.custom_id.decision))

    async def show_plan(
        self, reply: Reply, table_id: int, step: PlanStep | None = None, *notes: str
    ) -> None:
        """Show the player's draft at that step or at its end, below the notes."""
        await self.show_planned(reply, await self.planned(reply, table_id, step), *notes)

    async def show_planned(self, reply: Reply, now: Planned, *notes: str) -> None:
        """Show a plan that has been tried, below the notes."""
        table_view, words = now.moves.table_view, now.moves.table_view.words
        if now.trial.decision is None:
            panel = Panel(table_view, [self._end(now)], accent=PLAN_ACCENT)
        else:
            panel = await self._panels.start(now.moves)
        panel.above = [*plan_heading(words), *notes, *self._lines(now), *panel.above]
        panel.foot = [*self._foot(now), *panel.foot]
        table = await self._services.shown_table(table_view, panel.asked)
        await self._panels.show(reply, panel, table)

    async def planned(self, reply: Reply, table_id: int, step: PlanStep | None = None) -> Planned:
        """Try the draft, and return it at that step or at its end.

        Raise not_seated, the errors of `check_playing`, and Rejected if the step belongs to an
        earlier version of the plan.
        """
        moves = await moves_of(self._services, reply, table_id)
        check_playing(moves.table_view.table)
        plan = await self._plans.get(table_id, reply.user, DRAFT)
        if step is not None and (len(plan.actions) < step.done or plan.key(step.done) != step.key):
            raise Rejected("plan_changed")
        trials = await self._plans.trials(table_id, moves.seat, plan.actions)
        end = len(trials) - 1
        done = end if step is None else min(step.done, end)
        copy = _copy(moves.table_view, trials[done])
        copied = OpenMoves(self._services, copy, moves.seat)
        return Planned(moves.table_view, copied, plan, trials, done)

    async def add(
        self, reply: Reply, table_id: int, decision: str, actions: Sequence[Action]
    ) -> None:
        """Try more actions after a step, replacing those that came after it."""
        now = await self.planned(reply, table_id, PlanStep.parse(decision))
        await self._plans.draft(table_id, reply.user, [*now.trial.done, *actions])
        await self.show_plan(reply, table_id)

    def _lines(self, now: Planned) -> list[str]:
        """Return warnings if the game has moved on, then the actions and their effects."""
        shown, words, trial, plan = now.moves.table_view, now.table.words, now.trial, now.plan
        lines = []
        if len(now.trials) <= len(plan.actions):
            lines.append(
                words("⚠️ The game has moved on: the rest of this plan is no longer possible.")
            )
        elif plan.actions and matching_steps(plan, now.trials) < len(plan.actions):
            lines.append(
                words("⚠️ The game has moved on: this plan would now turn out differently.")
            )
        if trial.assumed and (trial.decision or now.done):
            names = words.listing([bold(shown.names[seat]) for seat in trial.assumed])
            lines.append(
                words("-# Assumes no other moves by {names} before your turn.", names=names)
            )
        first = max(0, now.done - MAX_LISTED)
        if first:
            lines.append(
                words.plural("-# {count} action before", "-# {count} actions before", first)
            )
        for place in range(first, now.done):
            action, view = now.trials[place + 1].done[-1], now.trials[place].view
            text = shown.text.named(shown.quoted).at(view).action(action)
            lines.append(f"{place + 1}. {text}")
        later = len(now.trials) - 1 - now.done
        if later:
            lines.append(
                words.plural("-# {count} action after this", "-# {count} actions after this", later)
            )
        if now.done:
            events = [event for each in now.trials[1 : now.done + 1] for event in each.events]
            effects = [
                *shown.text.reasons(events),
                *shown.text.at(trial.view).what_if(now.table.view),
            ]
            lines += [f"> {line}" for line in effects[:MAX_LINES]]
        return lines

    def _end(self, now: Planned) -> str:
        """Return the reason why nothing more can be planned."""
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
        trials, buttons = now.trials, []
        for done, label in ((now.done - 1, msg("Step back")), (now.done + 1, msg("Step forward"))):
            if done in range(len(trials)):
                step = PlanStep(done, key_of(trials[done].done))
                buttons.append(button(CustomId("plan", table.id, str(step)), words(label)))
        if now.done and hints_term(self._services, table) != OFF:
            judge = CustomId("planjudge", table.id, str(now.step))
            buttons.append(button(judge, words("Rate my plan")))
        if len(trials) > 1:
            if not now.trial.assumed:
                buttons.append(play_plan_button(words, table.id, now.plan))
            buttons.append(button(CustomId("plankeep", table.id), words("Save…")))
        buttons.append(button(CustomId("plans", table.id), words("My plans")))
        buttons.append(_leave_button(words, table.id))
        return buttons

    # Playing

    @route("planplay", words=(1,), has_decision=True)
    async def play(self, press: Press) -> None:
        """Play a plan's actions in order, and say how many were played."""
        reply, table_id = press.reply, press.table_id
        step, number = PlanStep.parse(press.custom_id.decision), integer(press.custom_id.words)
        if step is None or number not in range(DRAFT, MAX_PLANS + 1):
            raise Forged(press.custom_id)
        result = await self._services.tables.plans.play(
            table_id, reply.user, number, step.key, delivery=reply.delivery
        )
        moves, summary = await moves_after(self._services, reply, table_id, result.since)
        summary = summary if result.played else NOTHING
        notes = [reply.words("None of your plan was played.")]
        if result.played:
            notes = [
                reply.words.plural(
                    "✅ {count} action of your plan was played.",
                    "✅ {count} actions of your plan were played.",
                    result.played,
                )
            ]
        if result.stopped is not None:
            notes.append(reply.words(STOPPED[result.stopped]))
        if result.stopped is not PlanStop.ENDS:
            await self._panels.ask(reply, moves, summary=summary, notes=notes)
            return
        plan = await self._plans.get(table_id, reply.user, number)
        asked = PanelStep(plan.actions[0], moves.table_view.main_id(moves.seat))
        panel = await self._panels.resume(moves, asked, summary)
        panel.above += notes
        await self._panels.show(reply, panel)

    # Saved plans

    @route("plans")
    async def list_saved(self, press: Press, *notes: str) -> None:
        """Show the saved plans below the notes, whether each still works, and its buttons."""
        reply, table_id, words = press.reply, press.table_id, press.reply.words
        now = await self.planned(reply, table_id)
        saved = [
            each for each in await self._plans.of_user(table_id, reply.user) if each.number != DRAFT
        ]
        parts: list[Part] = [
            Text("\n".join(notes if saved else [words("You have no saved plans at this table.")]))
        ]
        for plan in saved:
            trials = await self._plans.trials(table_id, now.moves.seat, plan.actions)
            name, number = Written(plan.name), str(plan.number)
            count, size = matching_steps(plan, trials), len(plan.actions)
            actions = words.plural("{count} action", "{count} actions", size)
            lines = [f"{bold(name)} · {actions}", plan_status(words, name, count, size)]
            if plan.armed:
                armed = words(
                    "It plays automatically on your turn, as long as nothing it depends on has "
                    "changed."
                )
                lines.append(armed)
            may_play = not now.trials[0].assumed and now.trials[0].decision is not None
            buttons = []
            if count and may_play:
                buttons.append(play_plan_button(words, table_id, plan))
            buttons.append(button(CustomId("planload", table_id, words=(number,)), words("Open")))
            if plan.armed or not may_play:
                is_on = words("Play automatically: on")
                label = is_on if plan.armed else words("Play automatically: off")
                custom_id = CustomId("planarm", table_id, words=(number, OFF if plan.armed else ON))
                buttons.append(button(custom_id, label))
            delete = CustomId("plandrop", table_id, words=(number,))
            buttons.append(button(delete, words("Delete"), style=Style.DANGER))
            parts += [Text("\n".join(lines)), Row(buttons), Divider()]
        foot = [
            button(CustomId("plan", table_id), words(general.PLAN)),
            _leave_button(words, table_id),
        ]
        await reply.show(Layout([*parts, *rows(foot)]))
        await self._panels.opened.track(reply, Panel(now.moves.table_view))

    @route("plankeep")
    async def ask_name(self, press: Press) -> None:
        """Open the form for the name of the saved plan."""
        words = press.reply.words
        line = Line(words("Name"), words("e.g. Ships first"), max_length=MAX_NAME)
        form = Form(CustomId("plankept", press.table_id), words("Save this plan"), line)
        if not await press.reply.ask(form):
            await press.reply.say(words("The form came too late. Press **Save…** again."))

    @route("plankept", FORM)
    async def save(self, press: Press) -> None:
        plan = await self._plans.save(press.table_id, press.user, only(press.values))
        note = press.reply.words("Saved as {name}.", name=bold(Written(plan.name)))
        await self.list_saved(press, note)

    @route("planload", words=(1,))
    async def load(self, press: Press) -> None:
        """Copy a saved plan into the draft, and show it."""
        number = _number(press.custom_id.words)
        plan = await self._plans.get(press.table_id, press.user, number)
        await self._plans.draft(press.table_id, press.user, plan.actions)
        await self.show_plan(press.reply, press.table_id)

    @route("plandrop", words=(1,))
    async def drop(self, press: Press) -> None:
        await self._plans.delete(press.table_id, press.user, _number(press.custom_id.words))
        await self.list_saved(press)

    @route("planarm", words=(2,))
    async def arm(self, press: Press) -> None:
        """Turn on or off whether a saved plan plays automatically."""
        number, state = _number(press.custom_id.words[:1]), press.custom_id.words[1]
        if state not in (ON, OFF):
            raise Forged(state)
        await self._plans.arm(press.table_id, press.user, number, on=state == ON)
        await self.list_saved(press)


def _leave_button(words: Words, table: int) -> Control:
    return button(CustomId("start", table), words("Back to the table"))


def _copy(table: TableView, trial: Trial) -> TableView:
    """Return the owner's view of the table after a trial."""
    step = str(PlanStep(len(trial.done), key_of(trial.done)))
    decision = trial.decision
    return replace(
        table,
        view=trial.view,
        pending=() if decision is None else (replace_struct(decision, id=step),),
        legal=lambda _seat, prefix: trial.legal(prefix),
        ends=GameEnds(trial.game, trial.view),
        promises=(),
        acted=None,
        plan=step,
        plan_events=trial.events,
    )


def _number(words: tuple[str, ...]) -> int:
    number = integer(words)
    if number not in range(DRAFT + 1, MAX_PLANS + 1):
        raise Forged(number)
    return number
