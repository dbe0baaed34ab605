"""A player's turn: the buttons, selects and forms of the private panel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Sequence
from contextlib import suppress
from typing import Any

from bot.cogs.panel.browsing import (
    OPEN,
    WHOLE,
    Focus,
    NoSuchPart,
    PanelStep,
    PlanStep,
    parse_place,
    picked,
    piece_values,
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
    CustomId,
    ExpectedError,
    Forged,
    Form,
    Part,
    Press,
    Reply,
    Services,
    TableOption,
    button,
    command,
    integer,
    only,
    route,
    without_hash,
)
from bot.cogs.ui.custom_id import decode_words
from bot.cogs.ui.layout import Section
from bot.cogs.ui.routes import Way
from bot.game.choices import Bundle
from bot.game.contract import Action, Event, IllegalAction, in_turn
from bot.tables import IN_PROGRESS, NO_TERMS, Rejected, StaleDecision, Status, Terms, check_playing
from bot.text import NOTHING, Summary, SummaryLine, Unreadable

ANY_COUNT = range(51)
"""Words that fit into an id: a whole voyage is one button."""
WITH_KIND = ANY_COUNT[1:]
"""Words of an action that has at least its kind."""
MAX_NEWS = 3
"""Lines about what happened since the player's last turn."""
PLACE_VERBS = frozenset({"open", "typeat", "typedat"})
"""Verbs of ids that end with a place in the domain of the next word."""


Handler = Callable[[Any, Press, OpenMoves, PanelStep], Awaitable[None]]


def in_action(
    *verbs: str, way: Way = BUTTON, words: Container[int] = ANY_COUNT
) -> Callable[[Handler], Callable[[Any, Press], Awaitable[None]]]:
    """Route these verbs to a method that continues an action.

    The method gets the moves and the step of the id. It is not called if these have changed.
    """

    def decorate(method: Handler) -> Callable[[Any, Press], Awaitable[None]]:
        async def pressed(guide: TurnGuide, press: Press) -> None:
            found = await guide.find_step(press)
            if found is not None:
                await method(guide, press, *found)

        for verb in verbs:
            route(verb, way, words=words, has_decision=True)(pressed)
        return pressed

    return decorate


class TurnGuide:
    def __init__(self, services: Services, panels: Panels, plans: PlanDialogue) -> None:
        self._services = services
        self._panels = panels
        self._plans = plans

    # Decisions

    @route("play")
    @command("game turn", among=IN_PROGRESS)
    async def take_turn(self, reply: Reply, *, table: TableOption) -> None:
        """Show the player's decision, and first take an `on_opening` action, which only draws.

        The draw waits if the player acted last, because they may still undo that.
        """
        moves, summary = await moves_of(self._services, reply, table.id), NOTHING
        drawing = [kind for kind in moves.asked if moves.game.moves[kind].on_opening]
        table_view = moves.table_view
        if drawing and table_view.acted != moves.seat and table_view.table.status is Status.PLAYING:
            step = PanelStep(tuple(drawing[:1]), table_view.main_id(moves.seat))
            try:
                moves, summary = await self._act(reply, moves, step)
            except StaleDecision:
                # An undo may have removed the decision.
                moves = await moves_of(self._services, reply, table.id)
        heading: list[Part] = []
        news = moves.table_view.summary(await self._news(moves))
        if news.all_lines:
            summary = news._replace(max_lines=MAX_NEWS)
            replay = button(CustomId("since", table.id), reply.words("Step through"))
            heading = [Section("-# " + reply.words("Since your last turn"), replay)]
        await self._panels.ask(reply, moves, summary=summary, heading=heading)

    async def _news(self, moves: OpenMoves) -> list[Event]:
        """Return what others have done since the player's last action, if it is their turn."""
        is_playing = moves.table_view.table.status is Status.PLAYING
        if is_playing and moves.main is not None and not moves.main.optional:
            # The question is shown even if the log cannot be read.
            with suppress(Rejected):
                return await self._services.tables.reader.others_events(moves.table_view)
        return []

    @route("start")
    async def ask_again(self, press: Press) -> None:
        """Show the player's decision in the panel that they pressed."""
        await self.ask(press.reply, press.table_id, fresh=False)

    async def ask(self, reply: Reply, table_id: int, *notes: str, fresh: bool = True) -> None:
        """Show the player's decision below the notes; if `fresh`, with a new picture."""
        moves = await moves_of(self._services, reply, table_id)
        await self._panels.ask(reply, moves, notes=notes, fresh=fresh)

    @route("explain", words=(1,))
    async def explain(self, press: Press) -> None:
        """Start or stop explaining the player's first turn."""
        is_on = only(press.custom_id.words, among=("on", "off")) == "on"
        tables = self._services.tables
        await tables.reader.seat_of(press.table_id, press.user)
        await tables.notes.explain(press.table_id, press.user, wanted=is_on)
        await self.ask(press.reply, press.table_id, fresh=False)

    @route("deal")
    async def deal(self, press: Press) -> None:
        """Show the moves that are possible at any time."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        await self._panels.show(press.reply, await self._panels.deal_panel(moves))

    @route("offer", has_decision=True)
    async def offer(self, press: Press) -> None:
        """Show an offer and its possible answers."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        for offer in moves.offers:
            if offer.id == press.custom_id.decision:
                await self._panels.show(press.reply, await self._panels.offer_panel(moves, offer))
                return
        await self._refuse(press, moves.refusal_code(press.custom_id.decision))

    # Choices

    @in_action("act", "do", words=WITH_KIND)
    async def act(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Continue with the words of the id; the verb "do" means that the player has confirmed
        them."""
        await self._go_on(press, moves, step, sure=press.custom_id.verb == "do")

    @in_action("whole", way=SELECT, words=(0,))
    async def act_whole(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Take the action picked in the select of a menu."""
        await self._go_on(press, moves, step)

    @in_action("pick", way=SELECT)
    async def pick(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Continue with a word picked in a select, or show a group picked there."""
        value = only(press.values)
        if value.startswith(OPEN):
            place = parse_place(value.removeprefix(OPEN))
            await self._browse(press, moves, step._replace(focus=Focus(place)))
        else:
            await self._go_on(press, moves, step, value)

    @in_action("pieces", way=SELECT)
    async def pick_pieces(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Continue with the pieces picked in a select."""
        choices = moves.choices(step.action)
        if isinstance(choices, Bundle) and {*press.values} <= {*piece_values(choices, MAX_OPTIONS)}:
            await self._go_on(press, moves, step, picked(choices, press.values))
        else:
            await self._refuse(press, "stale")

    @in_action("open", "amount", words=WITH_KIND)
    async def browse(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Show a group or page of a domain, or another number."""
        await self._browse(press, moves, step)

    @route("back", words=ANY_COUNT, has_decision=True)
    async def go_back(self, press: Press) -> None:
        """Show an earlier choice again."""
        decision, plan = press.custom_id.decision, PlanStep.parse(press.custom_id.decision)
        if press.custom_id.words:
            found = await self.find_step(press)
            if found is not None:
                await self._panels.show_step(press.reply, *found)
        elif plan is not None:
            await self._plans.show_plan(press.reply, press.table_id, plan)
        elif decision is None:
            await self.deal(press)
        else:
            await self.ask_again(press)

    # Forms

    @in_action("type", "typeat")
    async def open_form(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        await self._open(press, word_form(moves, step))

    @in_action("typed", "typedat", way=FORM)
    async def take_form(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Continue with the typed word."""
        try:
            word = await moves.read(step.action, only(press.values))
        except (Unreadable, IllegalAction) as error:
            if step.focus == WHOLE:
                # The form's id has no room for the number that the panel shows.
                focus = self._panels.opened.focus(press.table_id, press.user, step)
                step = step._replace(focus=focus)
            await self._show_again(press, moves, step, error)
            return
        await self._go_on(press, moves, step, word)

    @in_action("promise", words=WITH_KIND)
    async def open_promise_form(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        await self._open(press, promise_form(moves, step))

    @in_action("promised", way=FORM, words=WITH_KIND)
    async def take_promises(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Make an offer with the promises in the form; without any, ask for confirmation again."""
        terms = Terms(only(press.values[:1]).strip(), only(press.values[1:]).strip())
        await self._take(press.reply, moves, step, terms=terms, sure=terms != NO_TERMS)

    async def act_typed(
        self,
        reply: Reply,
        table_id: int,
        kind: str,
        typed: Sequence[str | None],
        terms: Terms = NO_TERMS,
    ) -> None:
        """Take the action of a slash command; if it is unfinished, a panel asks for the rest."""
        moves = await moves_of(self._services, reply, table_id)
        table_view = moves.table_view
        if table_view.table.status is not Status.SLEEPING:
            # A move wakes the table.
            check_playing(table_view.table)
        action = await moves.typed(kind, typed)
        is_whole = moves.is_whole(action)
        if terms != NO_TERMS and not is_whole:
            # The ids of the panel's buttons have no room for the promises.
            raise Rejected("promise_unfinished")
        decision = table_view.main_id(moves.seat)
        if moves.game.moves[kind].free:
            answered = f"o{action[1]}" if action[1:] else None
            decision = next((each.id for each in moves.offers if each.id == answered), None)
        sure = not is_whole or table_view.end_of(moves.seat, [action]) is None
        await self._take(reply, moves, PanelStep(action, decision), terms=terms, sure=sure)

    # Continuing an action

    async def find_step(self, press: Press) -> tuple[OpenMoves, PanelStep] | None:
        """Return the moves and the step of the action that an id names.

        If the id is out of date, explain that, show the current decision, and return None.
        """
        (words, focus), decision = _named(press), press.custom_id.decision
        plan = PlanStep.parse(decision)
        if plan is not None:
            planned = await self._plans.planned(press.reply, press.table_id, plan)
            if planned.step != plan or planned.trial.decision is None:
                # The table has changed: the step can no longer be reached.
                await self._plans.show_planned(press.reply, planned)
                return None
            moves = planned.moves
        else:
            moves = await moves_of(self._services, press.reply, press.table_id)
            if decision is not None and not moves.is_open(decision):
                await self._refuse(press, moves.refusal_code(decision))
                return None
        action = moves.unpacked(words)
        if action is None:
            await self._refuse(press, "stale")
            return None
        return moves, PanelStep(action, decision, focus)

    async def _go_on(
        self, press: Press, moves: OpenMoves, step: PanelStep, *words: str, sure: bool = False
    ) -> None:
        """Add words to the action; once it is whole, take it and those joined to it.

        Weighty actions need confirmation first, unless the player is `sure`.
        """
        first, *rest = in_turn((*step.action, *words))
        if step.decision is None and not moves.answers.isdisjoint(first[:1]):
            # The id does not say which offer the button belonged to.
            await self._refuse(press, "stale")
            return
        try:
            action = moves.forward(first)
        except IllegalAction as error:
            await self._show_again(press, moves, PanelStep(first[:-1], step.decision), error)
            return
        if rest and action != first:
            raise Forged(*step.action)
        step = PanelStep(action, step.decision, rest=tuple(rest))
        await self._take(press.reply, moves, step, sure=sure)

    async def _browse(self, press: Press, moves: OpenMoves, step: PanelStep) -> None:
        """Show another part of the next word's domain."""
        if not step.action:
            raise Forged("no kind")
        try:
            await self._panels.show_step(press.reply, moves, step)
        except NoSuchPart:
            # The domain has changed: start again with all of it.
            await self._show_again(press, moves, step._replace(focus=WHOLE), Rejected("stale"))

    async def _take(
        self,
        reply: Reply,
        moves: OpenMoves,
        step: PanelStep,
        *,
        terms: Terms = NO_TERMS,
        sure: bool = False,
    ) -> None:
        """Take the action and the rest if it is whole, else ask for the next word.

        Weighty actions need confirmation first, unless the player is `sure`.
        """
        table_view, actions = moves.table_view, (step.action, *step.rest)
        is_whole = moves.is_whole(step.action)
        if table_view.plan is not None and is_whole:
            await self._plans.add(reply, table_view.table.id, table_view.plan, actions)
            return
        if not is_whole or (not sure and await moves.is_weighty(*actions)):
            await self._panels.show_step(reply, moves, step)
            return
        try:
            after, summary = await self._act(reply, moves, step, terms, sure=sure)
        except StaleDecision as error:
            now = await moves_of(self._services, reply, table_view.table.id)
            await self._panels.ask(reply, now, error=error)
            return
        is_answer = any(offer.id == without_hash(step.decision) for offer in moves.offers)
        panel = self._panels.opened.pressed(reply, table_view.table.id)
        if is_answer and panel is not None and panel.step is not None:
            # Return to the choice during which the player answered the offer.
            resumed = await self._panels.resume(after, panel.step, summary)
            picture = await self._services.shown_table(after.table_view, resumed.asked)
            await self._panels.show(reply, resumed, picture)
        else:
            await self._panels.ask(reply, after, summary=summary)

    async def _act(
        self,
        reply: Reply,
        moves: OpenMoves,
        step: PanelStep,
        terms: Terms = NO_TERMS,
        *,
        sure: bool = False,
    ) -> tuple[OpenMoves, Summary]:
        """Take the action, then the rest, and let the computer players act. Return the player's
        moves after that, and the events.

        The rest stops at an action that no longer answers the player's decision, is illegal, or
        needs confirmation, unless the player is `sure` about the end of the game. Raise the errors
        of `Play.act` for the first action.
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
                # The actions so far are played: the panel asks for the next one.
                break
        after, summary = await moves_after(self._services, reply, table_id, entry.seq - 1)
        if repeated:
            summary = Summary([SummaryLine(after.table_view.words("That has already been done."))])
        return after, summary

    async def _show_again(
        self, press: Press, moves: OpenMoves, step: PanelStep, error: ExpectedError
    ) -> None:
        """Show the choice again below the error; the whole domain if the focus no longer exists."""
        if not step.action and moves.table_view.plan is not None:
            note, _link = self._panels.error_note(moves.table_view, error)
            await self._plans.show_plan(press.reply, press.table_id, None, note)
        elif not step.action:
            await self._panels.ask(press.reply, moves, error=error, fresh=False)
        else:
            await self._panels.show_step(press.reply, moves, step, error)

    async def _refuse(self, press: Press, code: str) -> None:
        """Show the refusal above the player's current decision."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        await self._panels.ask(press.reply, moves, error=Rejected(code))

    async def _open(self, press: Press, form: Form) -> None:
        self._panels.opened.form_opened(press.table_id, press.user)
        if not await press.reply.ask(form):
            raise Rejected("too_slow")


def _named(press: Press) -> tuple[Action, Focus]:
    """Return the words of the action that a press names, and the focus on the next one."""
    verb, words = press.custom_id.verb, press.custom_id.words
    if verb == "whole":
        return decode_words(only(press.values)), WHOLE
    if verb == "amount":
        return words[:-1], Focus(number=integer(words[-1:]))
    if verb in PLACE_VERBS:
        return words[:-1], Focus(parse_place(only(words[-1:])), press.custom_id.page)
    return words, WHOLE
