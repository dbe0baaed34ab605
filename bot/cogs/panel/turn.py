"""A person's turn: what they press and type in their private panel, and what they see after it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot.cogs.panel.browsing import (
    OPEN,
    WHOLE,
    Focus,
    Gone,
    PanelStep,
    picked,
    piece_values,
    read_place,
)
from bot.cogs.panel.choosing import promise_form, word_form
from bot.cogs.panel.open_moves import OpenMoves, moves_after, moves_of
from bot.cogs.panel.panel import Panels, PlanStep
from bot.cogs.panel.plans import PlanDialogue
from bot.cogs.ui.access import table_for
from bot.cogs.ui.custom_id import CustomId, Forged, integer, only, read
from bot.cogs.ui.layout import MAX_OPTIONS, Form
from bot.cogs.ui.reply import Reply
from bot.cogs.ui.routes import FORM, SELECT, Press, command, route
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import without_hash
from bot.cogs.ui.user_errors import Known, explained, rule_link
from bot.game.choices import Bundle
from bot.game.contract import Action, IllegalAction, in_turn
from bot.tables import GOING, NO_TERMS, Rejected, StaleDecision, Status, Terms
from bot.tables.core.seating import check_playing
from bot.text import general
from bot.text.brief import NOTHING, BriefLine, InBrief
from bot.text.contract import Unreadable

SOME = range(51)
"""As many words as an id has room for: a voyage is one press."""
BEGUN = SOME[1:]
"""Words of an action that names at least its kind."""


class TurnGuide:
    """Leads a seated person through their actions."""

    def __init__(self, services: Services, panels: Panels, plans: PlanDialogue) -> None:
        self._services = services
        self._panels = panels
        self._plans = plans

    # What is asked

    @command("game turn")
    async def turn(self, reply: Reply, table: int | None = None) -> None:
        """Show the person what they are asked, step by step."""
        meant = await table_for(self._services, reply.interaction, table, among=GOING)
        await self.open(reply, meant.id)

    @route("play")
    async def play(self, press: Press) -> None:
        """Show the person what they are asked now."""
        await self.open(press.reply, press.table_id)

    async def open(self, reply: Reply, table_id: int) -> None:
        """Show the person what they are asked now; what waits for that to be drawn is drawn first.

        Not right after an action of their own, which they may still take back.
        """
        moves, happened = await moves_of(self._services, reply, table_id), NOTHING
        drawing = [kind for kind in moves.asked if moves.game.moves[kind].on_opening]
        snapshot = moves.snapshot
        if drawing and snapshot.acted != moves.seat and snapshot.table.status is Status.PLAYING:
            step = PanelStep(tuple(drawing[:1]), snapshot.main_id(moves.seat))
            try:
                moves, happened = await self._act(reply, moves, step)
            except StaleDecision:
                # What led to it may have been taken back meanwhile.
                moves = await moves_of(self._services, reply, table_id)
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
        await self._deal(press.reply, press.table_id)

    async def _deal(self, reply: Reply, table_id: int) -> None:
        moves = await moves_of(self._services, reply, table_id)
        await self._panels.show(reply, moves.snapshot, await self._panels.deal(moves))

    @route("offer", decided=True)
    async def offer(self, press: Press) -> None:
        """Show an offer and its possible answers."""
        moves = await moves_of(self._services, press.reply, press.table_id)
        for offer in moves.offers:
            if offer.id == press.custom_id.decision:
                made = await self._panels.offer(moves, offer)
                await self._panels.show(press.reply, moves.snapshot, made)
                return
        await self._instead(press.reply, press.table_id, _why_not_asked(moves, press.custom_id))

    # What is chosen

    @route("act", words=BEGUN, decided=True)
    async def act(self, press: Press) -> None:
        """Continue with these words."""
        await self._go_on(press, press.custom_id.words)

    @route("do", words=BEGUN, decided=True)
    async def act_surely(self, press: Press) -> None:
        """Carry out what the person was asked to confirm."""
        await self._go_on(press, press.custom_id.words, sure=True)

    @route("whole", SELECT, decided=True)
    async def act_whole(self, press: Press) -> None:
        """Carry out what was picked in the select of a menu."""
        await self._go_on(press, read(only(press.values)))

    @route("pick", SELECT, words=SOME, decided=True)
    async def pick(self, press: Press) -> None:
        """Continue with a word picked in a select, or show a group picked there."""
        value = only(press.values)
        if value.startswith(OPEN):
            place = read_place(value.removeprefix(OPEN))
            await self._browse(press, press.custom_id.words, Focus(place))
        else:
            await self._go_on(press, (*press.custom_id.words, value))

    @route("pieces", SELECT, words=SOME, decided=True)
    async def pick_pieces(self, press: Press) -> None:
        """Continue with the pieces picked in a select."""
        asked = await self._asked(press, press.custom_id.words)
        if asked is None:
            return
        moves, step = asked
        choices = moves.choices(step.action)
        if not isinstance(choices, Bundle) or not set(press.values) <= {
            *piece_values(choices, MAX_OPTIONS)
        }:
            await self._instead(press.reply, press.table_id, "stale")
            return
        await self._forward(press.reply, moves, step, picked(choices, press.values))

    @route("open", words=BEGUN, decided=True)
    async def open_group(self, press: Press) -> None:
        """Show a group of a domain, or a page of one."""
        await self._browse(press, *_focused(press.custom_id))

    @route("amount", words=BEGUN, decided=True)
    async def change_amount(self, press: Press) -> None:
        """Show another number."""
        *before, number = press.custom_id.words
        await self._browse(press, tuple(before), Focus(number=integer((number,))))

    @route("back", words=SOME, decided=True)
    async def back(self, press: Press) -> None:
        """Show an earlier choice again."""
        reply, custom_id = press.reply, press.custom_id
        if custom_id.words:
            asked = await self._asked(press, custom_id.words)
            if asked is not None:
                await self._panels.show_step(reply, *asked)
            return
        step = PlanStep.read(custom_id.decision)
        if step is not None:
            await self._plans.show(reply, custom_id.table, step)
        elif custom_id.decision is None:
            await self._deal(reply, custom_id.table)
        else:
            await self.ask(reply, custom_id.table, fresh=False)

    # What is typed

    @route("type", words=SOME, decided=True)
    async def open_form(self, press: Press) -> None:
        """Open a form to type the next word into."""
        await self._ask_word(press, press.custom_id.words)

    @route("typeat", words=BEGUN, decided=True)
    async def open_form_in_group(self, press: Press) -> None:
        """The same where they see only a part of its domain."""
        await self._ask_word(press, *_focused(press.custom_id))

    async def _ask_word(self, press: Press, words: Action, focus: Focus = WHOLE) -> None:
        asked = await self._asked(press, words)
        if asked is not None:
            moves, step = asked
            await self._open(press, word_form(moves, _id(press, step), focus))

    @route("typed", FORM, words=SOME, decided=True)
    async def take_form(self, press: Press) -> None:
        """Continue with what was typed."""
        await self._take_word(press, press.custom_id.words)

    @route("typedat", FORM, words=BEGUN, decided=True)
    async def take_form_in_group(self, press: Press) -> None:
        """The same."""
        await self._take_word(press, *_focused(press.custom_id))

    async def _take_word(self, press: Press, words: Action, focus: Focus = WHOLE) -> None:
        asked = await self._asked(press, words)
        if asked is None:
            return
        moves, step = asked
        try:
            word = await moves.read(step.action, only(press.values))
        except (Unreadable, IllegalAction) as error:
            if focus == WHOLE:
                # A number at which they were is not in the id of the form.
                focus = self._panels.shown.focus(press.table_id, press.user, step)
            await self._again(press.reply, moves, step._replace(focus=focus), error)
            return
        await self._forward(press.reply, moves, step, word)

    @route("promise", words=BEGUN, decided=True)
    async def open_promise_form(self, press: Press) -> None:
        """Open a form for the promises that go with a whole offer."""
        asked = await self._asked(press, press.custom_id.words)
        if asked is not None:
            moves, step = asked
            await self._open(press, promise_form(moves, _id(press, step)))

    @route("promised", FORM, words=BEGUN, decided=True)
    async def take_promises(self, press: Press) -> None:
        """Make an offer with the promises typed into the form; with none, ask again."""
        terms = Terms(only(press.values[:1]).strip(), only(press.values[1:]).strip())
        asked = await self._asked(press, press.custom_id.words)
        if asked is not None:
            await self._take(press.reply, *asked, terms=terms, sure=terms != NO_TERMS)

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
        snapshot = moves.snapshot
        if snapshot.table.status is not Status.SLEEPING:
            # A move wakes the table.
            check_playing(snapshot.table)
        action = await moves.typed(kind, said)
        is_whole = moves.is_whole(action)
        if terms != NO_TERMS and not is_whole:
            # No button has room for the words meanwhile.
            raise Rejected("promise_unfinished")
        decision = snapshot.main_id(moves.seat)
        if moves.game.moves[kind].free:
            answered = f"o{action[1]}" if action[1:] else None
            decision = next((each.id for each in moves.offers if each.id == answered), None)
        sure = not is_whole or snapshot.end_of(moves.seat, [action]) is None
        await self._take(reply, moves, PanelStep(action, decision), terms=terms, sure=sure)

    # How an action goes on

    async def _asked(self, press: Press, words: Action) -> tuple[OpenMoves, PanelStep] | None:
        """Where the person is in an action with those words, if they still mean the same.

        Otherwise the person is told why not, and shown what is asked now.
        """
        reply, (_, table, decision, *_) = press.reply, press.custom_id
        step = PlanStep.read(decision)
        if step is not None:
            planned = await self._plans.planned(reply, table, step)
            if planned.step != step or planned.trial.decision is None:
                # The table has changed, and that moment can no longer be reached.
                await self._plans.show_planned(reply, planned)
                return None
            moves = planned.moves
        else:
            moves = await moves_of(self._services, reply, table)
            if decision is not None and not moves.is_open(decision):
                await self._instead(reply, table, _why_not_asked(moves, press.custom_id))
                return None
        action = moves.unpacked(words)
        if action is None:
            await self._instead(reply, table, "stale")
            return None
        return moves, PanelStep(action, decision)

    async def _go_on(self, press: Press, words: Action, *, sure: bool = False) -> None:
        asked = await self._asked(press, words)
        if asked is not None:
            await self._forward(press.reply, *asked, sure=sure)

    async def _forward(
        self, reply: Reply, moves: OpenMoves, step: PanelStep, *words: str, sure: bool = False
    ) -> None:
        """Continue with more words; carry out the action once it is whole, and those that are
        joined to it.

        A dangerous action is asked about first, unless the person is `sure`.
        """
        first, *rest = in_turn((*step.action, *words))
        if step.decision is None and not moves.answers.isdisjoint(first[:1]):
            # A button of before does not say which offer it stood beside.
            await self._instead(reply, moves.snapshot.table.id, "stale")
            return
        try:
            action = moves.forward(first)
        except IllegalAction as error:
            await self._again(reply, moves, step._replace(action=first[:-1]), error)
            return
        if rest and action != first:
            raise Forged(*step.action)
        step = step._replace(action=action, rest=tuple(rest))
        await self._take(reply, moves, step, sure=sure)

    async def _browse(self, press: Press, words: Action, focus: Focus) -> None:
        """Show another part of the domain of the next word."""
        asked = await self._asked(press, words)
        if asked is None:
            return
        moves, step = asked
        if not step.action:
            raise Forged("no kind")
        try:
            await self._panels.show_step(press.reply, moves, step._replace(focus=focus))
        except Gone:
            # The domain has changed since; start again with all of it.
            await self._again(press.reply, moves, step, Rejected("stale"))

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
        snapshot, actions = moves.snapshot, (step.action, *step.rest)
        is_whole = moves.is_whole(step.action)
        if snapshot.plan is not None and is_whole:
            await self._plans.add(reply, snapshot.table.id, snapshot.plan, actions)
            return
        if not is_whole or (not sure and await moves.is_weighty(*actions)):
            await self._panels.show_step(reply, moves, step)
            return
        table, shown = snapshot.table.id, self._panels.shown
        try:
            after, happened = await self._act(reply, moves, step, terms, sure=sure)
        except StaleDecision as error:
            await self._instead(reply, table, error.code)
            return
        is_answer = any(offer.id == without_hash(step.decision) for offer in moves.offers)
        panel, pressed = shown.find(table, reply.user), reply.interaction.message
        if is_answer and panel and panel.step and pressed and pressed.id == panel.message:
            # What they were choosing when they answered an offer beside it.
            made = await self._panels.resume(after, panel.step, happened)
            picture = await self._services.shown_table(after.snapshot, made.asked)
            await self._panels.show(reply, after.snapshot, made, picture)
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
    ) -> tuple[OpenMoves, InBrief]:
        """Act, then do the rest, and let the computer players answer; returns what can be done
        after that, and what happened.

        Unless the person is `sure`, the rest stops before an action that ends the game. Raises what
        `Play.act` raises for the first action.
        """
        tables, table_id = self._services.tables, moves.snapshot.table.id
        entry, repeated = await tables.play.act(
            table_id,
            moves.seat,
            step.action,
            terms=terms,
            decision=without_hash(step.decision),
            user=reply.user,
            delivery=reply.delivery,
        )
        if not repeated:
            for place, action in enumerate(step.rest, start=1):
                if not await self._act_further(reply, table_id, action, place, sure=sure):
                    break
        after, happened = await moves_after(self._services, reply, table_id, entry.seq - 1)
        if repeated:
            happened = InBrief([BriefLine(after.snapshot.words(general.ALREADY_DONE))])
        return after, happened

    async def _act_further(
        self, reply: Reply, table_id: int, action: Action, place: int, *, sure: bool
    ) -> bool:
        """Act on by the same press, if that is what is asked, still legal, and nothing that would
        be confirmed first; of the end of the game the person may be `sure` already."""
        moves = await moves_of(self._services, reply, table_id)
        if moves.main is None or action[0] not in moves.asked:
            return False
        has_confirmed = sure and moves.snapshot.end_of(moves.seat, [action]) is not None
        if not has_confirmed and await moves.is_weighty(action):
            return False
        # What was done stands; the panel asks what comes next.
        with suppress(IllegalAction, Rejected):
            await self._services.tables.play.act(
                table_id,
                moves.seat,
                action,
                decision=moves.main.id,
                user=reply.user,
                delivery=f"{reply.delivery}.{place}",
            )
            return True
        return False

    async def _again(self, reply: Reply, moves: OpenMoves, step: PanelStep, error: Known) -> None:
        """Show the same choice again with what was wrong; the whole domain if the focus is gone."""
        snapshot = moves.snapshot
        note = explained(self._services, snapshot.words, error, snapshot.table)
        link = rule_link(self._services, snapshot.words, error, snapshot.table)
        if not step.action and snapshot.plan is not None:
            await self._plans.show(reply, snapshot.table.id, None, note)
            return
        if not step.action:
            await self._panels.ask(reply, moves, notes=[note], link=link, fresh=False)
            return
        try:
            made = await self._panels.step(moves, step, [note])
        except Gone:
            made = await self._panels.step(moves, step._replace(focus=WHOLE), [note])
        made.link(link)
        await self._panels.show(reply, snapshot, made)

    async def _instead(self, reply: Reply, table_id: int, code: str) -> None:
        """Say why that cannot be answered, and show what is asked now, or that the game is over."""
        moves = await moves_of(self._services, reply, table_id)
        words, table, error = moves.snapshot.words, moves.snapshot.table, Rejected(code)
        if table.is_over:
            await self._panels.ask(reply, moves)
            return
        note = explained(self._services, words, error, table)
        link = rule_link(self._services, words, error, table)
        await self._panels.ask(reply, moves, notes=[note], link=link)

    async def _open(self, press: Press, form: Form) -> None:
        self._panels.shown.form_opened(press.table_id, press.user)
        if not await press.reply.ask(form):
            raise Rejected("too_slow")


def _id(press: Press, step: PanelStep) -> CustomId:
    """The id that was pressed, with the words so far."""
    return press.custom_id._replace(words=step.action, page=0)


def _focused(custom_id: CustomId) -> tuple[Action, Focus]:
    """The words of an id but for the last, and the part of the domain that this one and the page
    mean."""
    *before, place = custom_id.words
    return tuple(before), Focus(read_place(place), custom_id.page)


def _why_not_asked(moves: OpenMoves, custom_id: CustomId) -> str:
    """Why a person cannot answer what an id names: nobody is asked that now, or another is."""
    others = {each.id for each in moves.snapshot.pending if each.seat != moves.seat}
    return "foreign" if without_hash(custom_id.decision) in others else "stale"
