"""A person's turn: what they press and type in their private panel, and what they see after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Sequence
from typing import Any

from bot.cogs.panel.browsing import (
    OPEN,
    WHOLE,
    Focus,
    Gone,
    PanelStep,
    PlanStep,
    picked,
    piece_values,
    read_place,
)
from bot.cogs.panel.choosing import promise_form, word_form
from bot.cogs.panel.open_moves import OpenMoves, moves_after, moves_of
from bot.cogs.panel.panel import Panels
from bot.cogs.panel.plans import PlanDialogue
from bot.cogs.ui import (
    BUTTON,
    FORM,
    MAX_OPTIONS,
    SELECT,
    Forged,
    Form,
    Known,
    Press,
    Reply,
    Services,
    TableOption,
    command,
    integer,
    only,
    route,
    without_hash,
)
from bot.cogs.ui.custom_id import read
from bot.cogs.ui.routes import Way
from bot.game.choices import Bundle
from bot.game.contract import Action, IllegalAction, in_turn
from bot.tables import GOING, NO_TERMS, Rejected, StaleDecision, Status, Terms, check_playing
from bot.text import NOTHING, Summary, SummaryLine, Unreadable

SOME = range(51)
"""As many words as an id has room for: a voyage is one press."""
BEGUN = SOME[1:]
"""Words of an action that names at least its kind."""
IN_PART = frozenset({"open", "typeat", "typedat"})
"""What the ids begin with whose last word is a place in the domain of the next one."""


Handled = Callable[[Any, Press, OpenMoves, PanelStep], Awaitable[None]]


def in_action(
    *names: str, way: Way = BUTTON, words: Container[int] = SOME
) -> Callable[[Handled], Callable[[Any, Press], Awaitable[None]]]:
    """Decorates the method that goes on with an action by a press of these names: it gets the moves
    and the step that the id means, if it still means the same."""

    def decorate(method: Handled) -> Callable[[Any, Press], Awaitable[None]]:
        async def pressed(guide: TurnGuide, press: Press) -> None:
            asked = await guide.find_step(press)
            if asked is not None:
                await method(guide, press, *asked)

        for name in names:
            route(name, way, words=words, decided=True)(pressed)
        return pressed

    return decorate


class TurnGuide:
    """Leads a seated person through their actions."""

    def __init__(self, services: Services, panels: Panels, plans: PlanDialogue) -> None:
        self._services = services
        self._panels = panels
        self._plans = plans

    # What is asked

    @route("play")
    @command("game turn", among=GOING)
    async def take_turn(self, reply: Reply, *, table: TableOption) -> None:
        """Show the person what they are asked now; what waits for that to be drawn is drawn first.

        Not right after an action of their own, which they may still take back.
        """
        moves, happened = await moves_of(self._services, reply, table.id), NOTHING
        drawing = [kind for kind in moves.asked if moves.game.moves[kind].on_opening]
        table_view = moves.table_view
        if drawing and table_view.acted != moves.seat and table_view.table.status is Status.PLAYING:
            step = PanelStep(tuple(drawing[:1]), table_view.main_id(moves.seat))
            try:
                moves, happened = await self._act(reply, moves, step)
            except StaleDecision:
                # What led to it may have been taken back meanwhile.
                moves = await moves_of(self._services, reply, table.id)
        await self._panels.ask(reply, moves, happened=happened)

    @route("start")
    async def ask_again(self, press: Press) -> None:
        """Show what the person is asked now in the panel that they pressed."""
        await self.ask(press.reply, press.table_id, fresh=False)

    async def ask(self, reply: Reply, table_id: int, *notes: str, fresh: bool = True) -> None:
        """Show what the person is asked now below the notes, if `fresh` with a new picture."""
        moves = await moves_of(self._services, reply, table_id)
        await self._panels.ask(reply, moves, notes=notes, fresh=fresh)

    @route("explain", words=(1,))
    async def explain(self, press: Press) -> None:
        """Start or stop explaining the person's first turn."""
        wanted = only(press.custom_id.words, among=("on", "off")) == "on"
        tables = self._services.tables
        await tables.reader.seat_of(press.table_id, press.user)
        await tables.notes.explain(press.table_id, press.user, wanted=wanted)
        await self.ask(press.reply, press.table_id, fresh=False)

    @route("deal")
    async def deal(self, press: Press) -> None:
        """Show the moves that may be made whoever is asked."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        await self._panels.show(press.reply, await self._panels.deal_panel(moves))

    @route("offer", decided=True)
    async def offer(self, press: Press) -> None:
        """Show an offer and its possible answers."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        for offer in moves.offers:
            if offer.id == press.custom_id.decision:
                await self._panels.show(press.reply, await self._panels.offer_panel(moves, offer))
                return
        await self._instead(press, moves.why_not_asked(press.custom_id.decision))

    # What is chosen

    @in_action("act", "do", words=BEGUN)
    async def act(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Go on with the words so far; "do" is for those who have been asked whether they are
        sure."""
        await self._go_on(press, moves, step, sure=press.custom_id.verb == "do")

    @in_action("whole", way=SELECT, words=(0,))
    async def act_whole(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Carry out what was picked in the select of a menu."""
        await self._go_on(press, moves, step)

    @in_action("pick", way=SELECT)
    async def pick(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Go on with a word picked in a select, or show a group picked there."""
        value = only(press.values)
        if value.startswith(OPEN):
            place = read_place(value.removeprefix(OPEN))
            await self._browse(press, moves, step._replace(focus=Focus(place)))
        else:
            await self._go_on(press, moves, step, value)

    @in_action("pieces", way=SELECT)
    async def pick_pieces(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Go on with the pieces picked in a select."""
        choices = moves.choices(step.action)
        if isinstance(choices, Bundle) and {*press.values} <= {*piece_values(choices, MAX_OPTIONS)}:
            await self._go_on(press, moves, step, picked(choices, press.values))
        else:
            await self._instead(press, "stale")

    @in_action("open", "amount", words=BEGUN)
    async def browse(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Show a group of a domain, a page of one, or another number."""
        await self._browse(press, moves, step)

    @route("back", words=SOME, decided=True)
    async def go_back(self, press: Press) -> None:
        """Show an earlier choice again."""
        decision, plan = press.custom_id.decision, PlanStep.parse(press.custom_id.decision)
        if press.custom_id.words:
            asked = await self.find_step(press)
            if asked is not None:
                await self._panels.show_step(press.reply, *asked)
        elif plan is not None:
            await self._plans.show_plan(press.reply, press.table_id, plan)
        elif decision is None:
            await self.deal(press)
        else:
            await self.ask_again(press)

    # What is typed

    @in_action("type", "typeat")
    async def open_form(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Open a form to type the next word into."""
        await self._open(press, word_form(moves, step))

    @in_action("typed", "typedat", way=FORM)
    async def take_form(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Go on with what was typed."""
        try:
            word = await moves.read(step.action, only(press.values))
        except (Unreadable, IllegalAction) as error:
            if step.focus == WHOLE:
                # A number at which they were is not in the id of the form.
                focus = self._panels.shown.focus(press.table_id, press.user, step)
                step = step._replace(focus=focus)
            await self._again(press, moves, step, error)
            return
        await self._go_on(press, moves, step, word)

    @in_action("promise", words=BEGUN)
    async def open_promise_form(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Open a form for the promises that go with a whole offer."""
        await self._open(press, promise_form(moves, step))

    @in_action("promised", way=FORM, words=BEGUN)
    async def take_promises(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Make an offer with the promises typed into the form; with none, ask again."""
        terms = Terms(only(press.values[:1]).strip(), only(press.values[1:]).strip())
        await self._take(press.reply, moves, step, terms=terms, sure=terms != NO_TERMS)

    async def act_typed(
        self,
        reply: Reply,
        table_id: int,
        kind: str,
        said: Sequence[str | None],
        terms: Terms = NO_TERMS,
    ) -> None:
        """Carry out what was typed as a command; a panel asks for what it leaves open."""
        moves = await moves_of(self._services, reply, table_id)
        table_view = moves.table_view
        if table_view.table.status is not Status.SLEEPING:
            # A move wakes the table.
            check_playing(table_view.table)
        action = await moves.typed(kind, said)
        is_whole = moves.is_whole(action)
        if terms != NO_TERMS and not is_whole:
            # No button has room for the words meanwhile.
            raise Rejected("promise_unfinished")
        decision = table_view.main_id(moves.seat)
        if moves.game.moves[kind].free:
            answered = f"o{action[1]}" if action[1:] else None
            decision = next((each.id for each in moves.offers if each.id == answered), None)
        sure = not is_whole or table_view.end_of(moves.seat, [action]) is None
        await self._take(reply, moves, PanelStep(action, decision), terms=terms, sure=sure)

    # How an action goes on

    async def find_step(self, press: Press) -> tuple[OpenMoves, PanelStep] | None:
        """Where the person is in the action that an id names, if it still means the same.

        Otherwise they are told why not, and shown what is asked now.
        """
        (words, focus), decision = _named(press), press.custom_id.decision
        plan = PlanStep.parse(decision)
        if plan is not None:
            planned = await self._plans.planned(press.reply, press.table_id, plan)
            if planned.step != plan or planned.trial.decision is None:
                # The table has changed, and that moment can no longer be reached.
                await self._plans.show_planned(press.reply, planned)
                return None
            moves = planned.moves
        else:
            moves = await moves_of(self._services, press.reply, press.table_id)
            if decision is not None and not moves.is_open(decision):
                await self._instead(press, moves.why_not_asked(decision))
                return None
        action = moves.unpacked(words)
        if action is None:
            await self._instead(press, "stale")
            return None
        return moves, PanelStep(action, decision, focus)

    async def _go_on(
        self, press: Press, moves: OpenMoves, step: PanelStep, *words: str, sure: bool = False
    ) -> None:
        """Go on with more words; carry out the action once it is whole, and those that are joined
        to it.

        A dangerous action is asked about first, unless the person is `sure`.
        """
        first, *rest = in_turn((*step.action, *words))
        if step.decision is None and not moves.answers.isdisjoint(first[:1]):
            # A button of before does not say which offer it stood beside.
            await self._instead(press, "stale")
            return
        try:
            action = moves.forward(first)
        except IllegalAction as error:
            await self._again(press, moves, PanelStep(first[:-1], step.decision), error)
            return
        if rest and action != first:
            raise Forged(*step.action)
        step = PanelStep(action, step.decision, rest=tuple(rest))
        await self._take(press.reply, moves, step, sure=sure)

    async def _browse(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Show another part of the domain of the next word."""
        if not step.action:
            raise Forged("no kind")
        try:
            await self._panels.show_step(press.reply, moves, step)
        except Gone:
            # The domain has changed since; start again with all of it.
            await self._again(press, moves, step._replace(focus=WHOLE), Rejected("stale"))

    async def _take(
        self,
        reply: Reply,
        moves: OpenMoves,
        step: PanelStep,
        *,
        terms: Terms = NO_TERMS,
        sure: bool = False,
    ) -> None:
        """Carry out the action if it is whole, and the rest after it, else ask for the next word;
        weighty actions are confirmed first."""
        table_view, actions = moves.table_view, (step.action, *step.rest)
        is_whole = moves.is_whole(step.action)
        if table_view.plan is not None and is_whole:
            await self._plans.add(reply, table_view.table.id, table_view.plan, actions)
            return
        if not is_whole or (not sure and await moves.is_weighty(*actions)):
            await self._panels.show_step(reply, moves, step)
            return
        try:
            after, happened = await self._act(reply, moves, step, terms, sure=sure)
        except StaleDecision as error:
            now = await moves_of(self._services, reply, table_view.table.id)
            await self._panels.ask(reply, now, error=error)
            return
        is_answer = any(offer.id == without_hash(step.decision) for offer in moves.offers)
        panel = self._panels.shown.pressed(reply, table_view.table.id)
        if is_answer and panel is not None and panel.step is not None:
            # What they were choosing when they answered an offer beside it.
            made = await self._panels.resume(after, panel.step, happened)
            picture = await self._services.shown_table(after.table_view, made.asked)
            await self._panels.show(reply, made, picture)
        else:
            await self._panels.ask(reply, after, happened=happened)

    async def _act(
        self,
        reply: Reply,
        moves: OpenMoves,
        step: PanelStep,
        terms: Terms = NO_TERMS,
        *,
        sure: bool = False,
    ) -> tuple[OpenMoves, Summary]:
        """Act, then do the rest, and let the computer players answer; returns what can be done
        after that, and what happened.

        The rest goes on as long as it is what is asked, still legal, and nothing that would be
        confirmed first; of the end of the game the person may be `sure` already. Raises what
        `Play.act` raises for the first action.
        """
        tables, table_id = self._services.tables, moves.table_view.table.id
        entry, repeated = await tables.play.act(
            table_id,
            moves.seat,
            step.action,
            terms=terms,
            decision=without_hash(step.decision),
            user=reply.user,
            delivery=reply.delivery,
        )
        for place, action in enumerate(() if repeated else step.rest, start=1):
            now = await moves_of(self._services, reply, table_id)
            if now.main is None or action[0] not in now.asked:
                break
            has_confirmed = sure and now.table_view.end_of(now.seat, [action]) is not None
            if not has_confirmed and await now.is_weighty(action):
                break
            try:
                await tables.play.act(
                    table_id,
                    now.seat,
                    action,
                    decision=now.main.id,
                    user=reply.user,
                    delivery=f"{reply.delivery}.{place}",
                )
            except (IllegalAction, Rejected):
                # What was done stands; the panel asks what comes next.
                break
        after, happened = await moves_after(self._services, reply, table_id, entry.seq - 1)
        if repeated:
            happened = Summary([SummaryLine(after.table_view.words("That has already been done."))])
        return after, happened

    async def _again(self, press: Press, moves: OpenMoves, step: PanelStep, error: Known) -> None:
        """Show the same choice again with what was wrong; the whole domain if the focus is gone."""
        if not step.action and moves.table_view.plan is not None:
            note, _link = self._panels.said(moves.table_view, error)
            await self._plans.show_plan(press.reply, press.table_id, None, note)
        elif not step.action:
            await self._panels.ask(press.reply, moves, error=error, fresh=False)
        else:
            await self._panels.show_step(press.reply, moves, step, error)

    async def _instead(self, press: Press, code: str) -> None:
        """Say why that cannot be answered, and show what is asked now."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        await self._panels.ask(press.reply, moves, error=Rejected(code))

    async def _open(self, press: Press, form: Form) -> None:
        self._panels.shown.form_opened(press.table_id, press.user)
        if not await press.reply.ask(form):
            raise Rejected("too_slow")


def _named(press: Press) -> tuple[Action, Focus]:
    """The words of an action that a press names, and which part of the next one's domain."""
    verb, words = press.custom_id.verb, press.custom_id.words
    if verb == "whole":
        return read(only(press.values)), WHOLE
    if verb == "amount":
        return words[:-1], Focus(number=integer(words[-1:]))
    if verb in IN_PART:
        return words[:-1], Focus(read_place(only(words[-1:])), press.custom_id.page)
    return words, WHOLE
