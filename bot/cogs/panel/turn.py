"""A person's turn: their private panel, their actions, and what they see after each."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from bot.cogs.panel.acting import act, seated
from bot.cogs.panel.forms import promise_form, word_form
from bot.cogs.panel.offers import answer_kinds
from bot.cogs.panel.open_moves import is_weighty, open_kinds
from bot.cogs.panel.panel import Panels
from bot.cogs.panel.plan_steps import PlanStep, step_of
from bot.cogs.panel.planning import Planned, Planning
from bot.cogs.panel.showing import PanelShowing, noted
from bot.cogs.ui import action_builder
from bot.cogs.ui.action_builder import BuilderStep
from bot.cogs.ui.browsing import WHOLE, Focus, Gone
from bot.cogs.ui.custom_id import CustomId, Forged, read
from bot.cogs.ui.layout import MAX_OPTIONS, Form, Pressable
from bot.cogs.ui.open_panels import OpenPanels, PanelStep
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot, without_hash
from bot.cogs.ui.user_errors import Known, in_words, rule_link
from bot.game.choices import Bundle
from bot.game.contract import Action, IllegalAction, Seat, in_turn
from bot.tables import NO_TERMS, Rejected, StaleDecision, Status, Terms
from bot.tables.core.seating import check_playing
from bot.text.brief import NOTHING, InBrief
from bot.text.contract import Unreadable


class _Asked(NamedTuple):
    snapshot: Snapshot
    seat: Seat
    custom_id: CustomId


class TurnGuide:
    """Leads a seated person through their actions, by buttons or starting from a command."""

    def __init__(self, services: Services, shown: OpenPanels) -> None:
        self._services = services
        self._tables = services.tables
        self._shown = shown
        self.showing = PanelShowing(services, shown)
        self.panels = Panels(services)
        self.planning = Planning(services, self.panels)

    async def open(self, reply: Reply, table_id: int) -> None:
        """Show the person what they are asked now; what waits for that to be drawn is drawn first.

        Not right after an action of their own, which they may still take back.
        """
        snapshot, seat = await seated(self._services, reply, table_id)
        moves, happened = self._services.rules(snapshot.table).moves, NOTHING
        asked, _free = open_kinds(self._services, snapshot, seat)
        drawing = [(kind,) for kind in asked if moves[kind].on_opening]
        if drawing and snapshot.acted != seat and snapshot.table.status is Status.PLAYING:
            decision = snapshot.main_id(seat)
            # What led to it may have been taken back meanwhile.
            with suppress(StaleDecision):
                happened = await act(self._services, reply, snapshot, seat, drawing[0], decision)
        await self.start(reply, table_id, happened=happened)

    async def start(
        self,
        reply: Reply,
        table_id: int,
        *,
        happened: InBrief = NOTHING,
        notes: Sequence[str] = (),
        link: Pressable | None = None,
        fresh: bool = True,
    ) -> None:
        """Show what the person is asked now, with a picture of the table if that has changed.

        Before that it tells what `happened`, and says the `notes`. The `link` belongs to these: it
        leads to the rule behind them.
        """
        snapshot, seat = await seated(self._services, reply, table_id)
        made = await self.panels.start(snapshot, seat, happened=happened, notes=notes)
        made.link(link)
        asked = snapshot.main(seat) is not None
        if asked and reply.in_place and not fresh:
            await self.showing.in_place(reply, snapshot, made)
        elif not asked:
            await reply.show(made.layout(() if fresh else self.showing.kept(reply, snapshot)))
        else:
            table = await self._services.shown_table(snapshot, made.asked)
            await reply.show(made.layout(table))
        await self.showing.note(reply, snapshot, made, happened.then(noted(notes)))

    async def plan(self, reply: Reply, table_id: int, step: PlanStep | None = None) -> None:
        """Show the plan that the person is making, at that step or at its end."""
        await self.show_plan(reply, await self.planning.planned(reply, table_id, step))

    async def show_plan(self, reply: Reply, now: Planned, *notes: str) -> None:
        """Show a plan below the notes."""
        made = await self.planning.panel(now, notes)
        table = await self._services.shown_table(now.snapshot, made.asked)
        await reply.show(made.layout(table))
        await self.showing.note(reply, now.snapshot, made)

    async def explain(self, reply: Reply, table_id: int, *, wanted: bool) -> None:
        """Start or stop explaining the person's first turn."""
        await seated(self._services, reply, table_id)
        await self._tables.notes.explain(table_id, reply.user, wanted=wanted)
        await self.start(reply, table_id, fresh=False)

    async def confirm(
        self,
        reply: Reply,
        snapshot: Snapshot,
        seat: Seat,
        action: Action,
        happened: InBrief,
        notes: Sequence[str],
    ) -> None:
        """Ask once more about an action that answers what the person is asked."""
        step = PanelStep(action, snapshot.main_id(seat), WHOLE)
        made = await self.panels.resume(snapshot, seat, step, happened)
        made.above += notes
        await self.showing.show(reply, snapshot, made)

    async def deal(self, reply: Reply, table_id: int) -> None:
        """Show the moves that may be made whoever is asked."""
        snapshot, seat = await seated(self._services, reply, table_id)
        await self.showing.show(reply, snapshot, await self.panels.deal(snapshot, seat))

    async def offer(self, reply: Reply, custom_id: CustomId) -> None:
        """Show an offer and its possible answers."""
        snapshot, seat = await seated(self._services, reply, custom_id.table)
        for offer in snapshot.offers(seat):
            if offer.id == custom_id.decision:
                await self.showing.show(
                    reply, snapshot, await self.panels.offer(snapshot, seat, offer)
                )
                return
        await self._instead(reply, snapshot, _why_not_asked(snapshot, custom_id))

    async def whole(self, reply: Reply, custom_id: CustomId, value: str) -> None:
        """Carry out what was picked in the select of a menu."""
        await self.go_on(reply, custom_id._replace(words=read(value)))

    async def go_on(self, reply: Reply, custom_id: CustomId, *, sure: bool = False) -> None:
        """Continue with the words chosen so far; carry out the action once it is whole, and those
        that are joined to it.

        A dangerous action is asked about first, unless the person is `sure`.
        """
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        snapshot, seat, custom_id = asked
        first, *rest = in_turn(custom_id.words)
        answers = answer_kinds(self._services, snapshot, seat)
        if custom_id.decision is None and not answers.isdisjoint(first[:1]):
            # A button of before does not say which offer it stood beside.
            await self._instead(reply, snapshot, "stale")
            return
        try:
            at = action_builder.forward(snapshot, seat, first)
        except IllegalAction as error:
            before = custom_id._replace(words=first[:-1])
            await self._again(reply, snapshot, seat, before, error)
            return
        if rest and at.action != first:
            raise Forged(*custom_id.words)
        await self.take(reply, snapshot, seat, at, custom_id.decision, rest=rest, sure=sure)

    async def back(self, reply: Reply, custom_id: CustomId) -> None:
        """Show an earlier choice again."""
        if not custom_id.words:
            step = step_of(custom_id.decision)
            if step is not None:
                await self.plan(reply, custom_id.table, step)
            elif custom_id.decision is None:
                await self.deal(reply, custom_id.table)
            else:
                await self.start(reply, custom_id.table, fresh=False)
            return
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        snapshot, seat, custom_id = asked
        at = action_builder.step(snapshot, seat, custom_id.words)
        await self.showing.show(
            reply, snapshot, await self.panels.go_on(snapshot, seat, at, custom_id.decision)
        )

    async def browse(self, reply: Reply, custom_id: CustomId, focus: Focus) -> None:
        """Show another part of the domain of the next word."""
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        snapshot, seat, custom_id = asked
        if not custom_id.words:
            raise Forged("no kind")
        at = action_builder.step(snapshot, seat, custom_id.words)
        try:
            made = await self.panels.go_on(snapshot, seat, at, custom_id.decision, focus=focus)
        except Gone:
            # The domain has changed since; start again with all of it.
            await self._again(reply, snapshot, seat, custom_id, Rejected("stale"))
            return
        await self.showing.show(reply, snapshot, made)

    async def pieces(self, reply: Reply, custom_id: CustomId, values: Sequence[str]) -> None:
        """Continue with the pieces picked in a select."""
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        snapshot, seat, custom_id = asked
        choices = snapshot.legal(seat, custom_id.words)
        if not isinstance(choices, Bundle) or not set(values) <= {
            *action_builder.piece_values(choices, MAX_OPTIONS)
        }:
            await self._instead(reply, snapshot, "stale")
            return
        await self.go_on(reply, custom_id.then(action_builder.picked(choices, values)))

    async def form(self, reply: Reply, custom_id: CustomId, focus: Focus = WHOLE) -> None:
        """Open a form to type the next word into; `focus` is the part of its domain they see."""
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        await self._ask_in_form(reply, custom_id.table, word_form(*asked, focus))

    async def _ask_in_form(self, reply: Reply, table_id: int, form: Form) -> None:
        self._shown.form_opened(table_id, reply.user)
        if not await reply.ask(form):
            raise Rejected("too_slow")

    async def typed(
        self, reply: Reply, custom_id: CustomId, text: str, focus: Focus = WHOLE
    ) -> None:
        """Continue with what was typed into a form, opened where they saw what is in `focus`."""
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        snapshot, seat, custom_id = asked
        try:
            at = action_builder.step(snapshot, seat, custom_id.words)
            word = await action_builder.read(snapshot, at, text)
        except (Unreadable, IllegalAction) as error:
            if focus == WHOLE:
                # A number at which they were is not in the id of the form.
                step = PanelStep(custom_id.words, custom_id.decision, focus)
                focus = self._shown.focus(custom_id.table, reply.user, step)
            await self._again(reply, snapshot, seat, custom_id, error, focus)
            return
        await self.go_on(reply, custom_id.then(word))

    async def promise_form(self, reply: Reply, custom_id: CustomId) -> None:
        """Open a form for the promises that go with a whole offer."""
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        await self._ask_in_form(reply, custom_id.table, promise_form(*asked))

    async def promised(self, reply: Reply, custom_id: CustomId, terms: Terms) -> None:
        """Make an offer with the promises typed into the form; with none, ask again."""
        asked = await self._asked(reply, custom_id)
        if asked is None:
            return
        snapshot, seat, custom_id = asked
        at = action_builder.step(snapshot, seat, custom_id.words)
        await self.take(
            reply, snapshot, seat, at, custom_id.decision, terms=terms, sure=terms != NO_TERMS
        )

    async def command(
        self,
        reply: Reply,
        table_id: int,
        kind: str,
        said: Sequence[str | None],
        terms: Terms = NO_TERMS,
    ) -> None:
        """Carry out what was typed as a command; a panel asks for what it leaves open."""
        snapshot, seat = await seated(self._services, reply, table_id)
        if snapshot.table.status is not Status.SLEEPING:
            # A move wakes the table.
            check_playing(snapshot.table)
        at = await action_builder.typed(snapshot, seat, kind, said)
        if terms != NO_TERMS and not at.is_whole:
            # No button has room for the words meanwhile.
            raise Rejected("promise_unfinished")
        decision = self._decision(snapshot, seat, at.action)
        sure = not at.is_whole or snapshot.end_of(seat, [at.action]) is None
        await self.take(reply, snapshot, seat, at, decision, terms=terms, sure=sure)

    def _decision(self, snapshot: Snapshot, seat: Seat, action: Action) -> str | None:
        """The decision that a typed action answers; None for a free move."""
        if self._services.rules(snapshot.table).moves[action[0]].free:
            answered = f"o{action[1]}" if action[1:] else None
            return next((offer.id for offer in snapshot.offers(seat) if offer.id == answered), None)
        main = snapshot.main(seat)
        return None if main is None else main.id

    async def take(
        self,
        reply: Reply,
        snapshot: Snapshot,
        seat: Seat,
        at: BuilderStep,
        decision: str | None,
        *,
        terms: Terms = NO_TERMS,
        rest: Sequence[Action] = (),
        sure: bool = False,
    ) -> None:
        """Carry out the action if it is whole, and the `rest` after it, else ask for the next word;
        weighty actions are confirmed first."""
        if snapshot.plan is not None and at.is_whole:
            planned = await self.planning.add(
                reply, snapshot.table.id, snapshot.plan, (at.action, *rest)
            )
            await self.show_plan(reply, planned)
            return
        if not at.is_whole or (
            not sure and await is_weighty(self._services, snapshot, seat, (at.action, *rest))
        ):
            panel = await self.panels.go_on(snapshot, seat, at, decision, rest=rest)
            await self.showing.show(reply, snapshot, panel)
            return
        try:
            happened = await act(
                self._services, reply, snapshot, seat, at.action, decision, terms, rest, sure=sure
            )
        except StaleDecision as error:
            await self._instead(reply, snapshot, error.code)
            return
        table = snapshot.table.id
        is_answer = any(offer.id == without_hash(decision) for offer in snapshot.offers(seat))
        shown = self._shown.find(table, reply.user)
        pressed = reply.interaction.message
        if is_answer and shown and shown.step and pressed and pressed.id == shown.message:
            await self._resume(reply, table, shown.step, happened)
        else:
            await self.start(reply, table, happened=happened)

    async def _resume(
        self, reply: Reply, table_id: int, step: PanelStep, happened: InBrief
    ) -> None:
        """Show again what they were choosing when they answered an offer beside it."""
        snapshot, seat = await seated(self._services, reply, table_id)
        made = await self.panels.resume(snapshot, seat, step, happened)
        table = await self._services.shown_table(snapshot, made.asked)
        await reply.show(made.layout(table))
        await self.showing.note(reply, snapshot, made, happened)

    async def _again(
        self,
        reply: Reply,
        snapshot: Snapshot,
        seat: Seat,
        custom_id: CustomId,
        error: Known,
        focus: Focus = WHOLE,
    ) -> None:
        """Show the same choice again with what was wrong; the whole domain if `focus` is gone."""
        note = in_words(self._services, snapshot.words, error, snapshot.table)
        link = rule_link(self._services, snapshot.words, error, snapshot.table)
        if not custom_id.words and snapshot.plan is not None:
            planned = await self.planning.planned(reply, custom_id.table)
            await self.show_plan(reply, planned, note)
            return
        if not custom_id.words:
            await self.start(reply, custom_id.table, notes=[note], link=link, fresh=False)
            return
        at = action_builder.step(snapshot, seat, custom_id.words)
        go_on = partial(self.panels.go_on, snapshot, seat, at, custom_id.decision, notes=[note])
        try:
            panel = await go_on(focus=focus)
        except Gone:
            panel = await go_on()
        panel.link(link)
        await self.showing.show(reply, snapshot, panel)

    async def _asked(self, reply: Reply, custom_id: CustomId) -> _Asked | None:
        """The table, the seat and the id with all of its words, if it still means the same.

        Otherwise the person is told why not, and shown what is asked now.
        """
        step = step_of(custom_id.decision)
        if step is not None:
            planned = await self.planning.planned(reply, custom_id.table, step)
            if planned.step != step or planned.trial.decision is None:
                # The table has changed, and that moment can no longer be reached.
                await self.show_plan(reply, planned)
                return None
            return await self._unpacked(reply, planned.snapshot, planned.seat, custom_id)
        snapshot, seat = await seated(self._services, reply, custom_id.table)
        mine = {snapshot.pressed_as(each) for each in snapshot.pending if each.seat == seat}
        if custom_id.decision is not None and custom_id.decision not in mine:
            await self._instead(reply, snapshot, _why_not_asked(snapshot, custom_id))
            return None
        return await self._unpacked(reply, snapshot, seat, custom_id)

    async def _unpacked(
        self, reply: Reply, snapshot: Snapshot, seat: Seat, custom_id: CustomId
    ) -> _Asked | None:
        """The id with all of its words, if these still mean the same."""
        if not action_builder.is_packed(custom_id.words):
            return _Asked(snapshot, seat, custom_id)
        short, *more = custom_id.words
        words = action_builder.unpacked(snapshot, seat, short)
        if words is None:
            await self._instead(reply, snapshot, "stale")
            return None
        return _Asked(snapshot, seat, custom_id._replace(words=(*words, *more)))

    async def _instead(self, reply: Reply, snapshot: Snapshot, code: str) -> None:
        """Say why that cannot be answered, and show what is asked now, or that the game is over."""
        if snapshot.table.is_over:
            await self.start(reply, snapshot.table.id)
            return
        note = in_words(self._services, snapshot.words, Rejected(code), snapshot.table)
        link = rule_link(self._services, snapshot.words, Rejected(code), snapshot.table)
        await self.start(reply, snapshot.table.id, notes=[note], link=link)


def _why_not_asked(snapshot: Snapshot, custom_id: CustomId) -> str:
    """Why the observer cannot answer what an id names: nobody is asked that now, or another is."""
    named = without_hash(custom_id.decision)
    others = {each.id for each in snapshot.pending if each.seat != snapshot.observer}
    return "foreign" if named in others else "stale"
