"""The private panel that leads a person through an action: a question, and the possible answers.

It is the same for every game: kinds of action first, then one word after another. A word without an
alternative is chosen automatically.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.browsing import WHOLE, Gone, PanelStep, PlanStep, is_large, written
from bot.cogs.panel.choosing import Chooser
from bot.cogs.panel.menu import menu_of
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import OpenPanels, Panel
from bot.cogs.ui import (
    MAX_OPTIONS,
    Control,
    CustomId,
    Keep,
    Known,
    Part,
    Reply,
    Services,
    TableView,
    Text,
    button,
    error_text,
    hints_at,
    resume_button,
    rows,
    take_back_button,
)
from bot.cogs.ui.layout import rules_button
from bot.cogs.ui.table_view import QUESTION
from bot.cogs.ui.user_errors import rule_link
from bot.cogs.ui.waiting import why_at_rest
from bot.game.choices import OneOf
from bot.game.contract import Action, Decision, IllegalAction, joined
from bot.game.trial import views_before
from bot.tables import ON, FirstTurn, Plan, Rejected, Status
from bot.tables.plans import DRAFT, matching_steps
from bot.text import (
    NOTHING,
    Label,
    Style,
    Summary,
    SummaryLine,
    Words,
    Written,
    bold,
    game_end,
    general,
    msg,
)
from bot.text import promises as promise_text
from bot.workers import in_thread

MAX_OFFERS = 2
"""Offers that a panel shows beside its question."""
PLAN_ACCENT = 0x8A5CD6
"""The colour of a plan's frame, which no seat has."""


class Panels:
    """Makes panels from what is legal, and puts them before people."""

    def __init__(self, services: Services, shown: OpenPanels) -> None:
        self._services = services
        self.shown = shown

    # Before a person

    async def ask(
        self,
        reply: Reply,
        moves: OpenMoves,
        *,
        happened: Summary = NOTHING,
        notes: Sequence[str] = (),
        error: Known | None = None,
        fresh: bool = True,
    ) -> None:
        """Show what the person is asked, and what was wrong before; if `fresh` with a new picture
        of the table."""
        link = None
        if error is not None and not moves.table_view.table.is_over:
            note, link = self.said(moves.table_view, error)
            notes = [note]
        made = await self.start(moves, happened=happened, notes=notes)
        made.told = happened.then(Summary([SummaryLine(line) for line in notes]))
        made.link(link)
        table: Sequence[Part] | None = None
        if moves.main is None:
            table = [] if fresh else self.shown.kept_picture(reply, moves.table_view)
        elif fresh or not reply.in_place:
            table = await self._services.shown_table(moves.table_view, made.asked)
        await self.show(reply, made, table)

    async def show(self, reply: Reply, made: Panel, table: Sequence[Part] | None = None) -> None:
        """Show a panel in the private message that was pressed, with that picture of the table.

        Without one it is another question in the same panel: its own picture is attached, that of
        another question removed, and that of the whole table kept.
        """
        table_view = made.table_view
        if table is None:
            kept, picture = self.shown.kept_picture(reply, table_view), None
            if not await self._services.prefers_text(table_view):
                if made.asked is not None:
                    picture = await self._services.question_picture(table_view, made.asked)
                is_other = reply.shown is not None and all(each.name == QUESTION for each in kept)
                if picture is None and is_other:
                    picture = await self._services.picture(table_view)
            table = kept if picture is None else [picture]
        await reply.show(made.layout(table))
        await self.shown.note(reply, made)

    async def show_step(
        self, reply: Reply, moves: OpenMoves, step: PanelStep, error: Known | None = None
    ) -> None:
        """Show a step in the same panel. Where something was wrong before, say so, and show the
        whole domain if what was in focus is gone; else raises what `step_panel` raises."""
        note, link = (None, None) if error is None else self.said(moves.table_view, error)
        try:
            made = await self.step_panel(moves, step, note)
        except Gone:
            if error is None:
                raise
            made = await self.step_panel(moves, step._replace(focus=WHOLE), note)
        made.link(link)
        await self.show(reply, made)

    def said(self, table_view: TableView, error: Known) -> tuple[str, Control | None]:
        """What was wrong, and a button to the rule behind it."""
        known = self._services, table_view.words, error, table_view.table
        return error_text(*known), rule_link(*known)

    # What a panel shows

    async def start(
        self, moves: OpenMoves, *, happened: Summary = NOTHING, notes: Sequence[str] = ()
    ) -> Panel:
        """What the seat is asked now, or that nothing is asked of it.

        Before that it tells what `happened`, and says the `notes`.
        """
        table_view, decision, asked = moves.table_view, moves.main, moves.asked
        table = table_view.table
        made = self._panel(moves, happened)
        made.above = list(notes)
        self._put_offers(made, moves)
        if decision is None or not asked or table.status is not Status.PLAYING:
            if not made.offered:
                made.question += self._idle(table_view)
            made.waits_for = table_view.waits_for
            self._foot(made, moves)
            return made
        made.above += table_view.promise_lines()
        await self._remind(made, moves)
        question = table_view.text.question(decision)
        if decision.sealed and decision.optional:
            # The question says what was chosen in secret, which shows nowhere else.
            made.happened, made.is_answered, question = NOTHING, True, f"✅ {question}"
        made.question.append(question)
        custom_id = CustomId("act", table.id, decision.id)
        about: Sequence[str] = ()
        menu = await menu_of(moves)
        only = moves.forward(asked[:1])
        if menu is not None:
            made.asked, made.suggested, about = menu.asked, menu.suggested, menu.about
            made.choices += rows(menu.presses(moves, custom_id))
        elif len(asked) == 1 and not moves.is_whole(only):
            if len(only) > 1:
                # For the first word the question says so already.
                made.question.append(table_view.prompt(only, moves.choices(only)))
            Chooser(made, moves, custom_id.then(*only)).add_choices()
            self._undo(made, moves)
            await self._explain(made, moves, decision.kind, at_start=True)
            return made
        else:
            leading = self._leading(moves)
            if leading is not None:
                about = leading[:1]
                asked = tuple(kind for kind in asked if kind != leading[0])
                made.question.append(table_view.prompt(leading, moves.choices(leading)))
                Chooser(made, moves, custom_id.then(*leading)).add_choices()
            Chooser(made, moves, custom_id, kinds=asked).add_choices()
        self._foot(made, moves)
        await self._explain(made, moves, decision.kind, *about, at_start=True)
        return made

    async def deal_panel(self, moves: OpenMoves) -> Panel:
        """The moves that may be made whoever is asked."""
        table_view, free = moves.table_view, moves.beside
        if not free:
            return await self.start(moves, notes=[table_view.words(general.NOT_ASKED)])
        if len(free) == 1:
            return await self.step_panel(moves, PanelStep(moves.forward(free), None))
        made = self._panel(moves)
        made.question.append(table_view.prompt((), OneOf("kind", free)))
        made.above += table_view.promise_lines()
        self._put_offers(made, moves)
        Chooser(made, moves, CustomId("act", table_view.table.id), kinds=free).add_choices()
        made.foot.append(
            button(CustomId("start", table_view.table.id), table_view.words(general.BACK))
        )
        return made

    async def offer_panel(self, moves: OpenMoves, offer: Decision) -> Panel:
        """An offer with its possible answers."""
        made = self._panel(moves)
        made.question.append(moves.table_view.offer(offer))
        made.above += moves.table_view.promise_lines()
        made.choices += rows(moves.answer_buttons(offer))
        made.foot += self._hint(moves.table_view, offer)
        await self._explain(made, moves, offer.kind)
        return made

    async def resume(self, moves: OpenMoves, step: PanelStep | None, happened: Summary) -> Panel:
        """The step at which a person was, if it is still theirs, else what they are asked now."""
        if step is not None and (step.decision is None or moves.is_open(step.decision)):
            try:
                made = await self.step_panel(moves, step)
            except (IllegalAction, Gone):
                pass
            else:
                made.happened = made.told = happened
                return made
        return await self.start(moves, happened=happened)

    async def step_panel(self, moves: OpenMoves, step: PanelStep, note: str | None = None) -> Panel:
        """Ask for the next word of an action, or confirm a whole one, and the rest joined to it.

        Of a large domain it shows what is in focus. Raises IllegalAction, and Gone where that part
        does not exist.
        """
        table_view, action = moves.table_view, step.action
        is_whole = moves.is_whole(action)
        if is_whole and step.focus != WHOLE:
            raise Gone(step.focus)
        made = self._panel(moves)
        made.above += plan_heading(table_view.words) if table_view.plan else []
        made.above += [note] if note else []
        made.step = step
        self._put_offers(made, moves)
        if is_whole:
            await self._confirm(made, moves, step)
        else:
            if len(action) > 1:
                said = table_view.text.named(table_view.quoted).action(action)
                made.question.append(table_view.words("So far: {action}.", action=said))
            made.question.append(table_view.prompt(action, moves.choices(action)))
            custom_id = CustomId("act", table_view.table.id, step.decision, action)
            Chooser(made, moves, custom_id, step.focus).add_choices()
        back = await self._back(moves, step)
        if back is not None:
            made.foot.append(button(back, table_view.words(general.BACK)))
        is_answer = moves.main is not None and moves.asked == action[:1]
        kind = moves.main.kind if moves.main is not None and is_answer else action[0]
        await self._explain(made, moves, kind)
        return made

    def _panel(self, moves: OpenMoves, happened: Summary = NOTHING) -> Panel:
        """An empty panel, in the colour of the seat's first side; a plan's in one of its own."""
        if moves.table_view.plan is not None:
            return Panel(moves.table_view, accent=PLAN_ACCENT)
        accent = moves.table_view.accent(moves.seat)
        return Panel(moves.table_view, happened=happened, told=happened, accent=accent)

    def _put_offers(self, made: Panel, moves: OpenMoves) -> None:
        """Put the open offers with their answers beside what else is asked."""
        table_view = moves.table_view
        if table_view.plan is not None:
            return
        # The next follow once these are answered.
        for offer in moves.offers[:MAX_OFFERS]:
            said = table_view.offer(offer, promise_text.BRIEF)
            answers = [*moves.answer_buttons(offer), *self._hint(table_view, offer)]
            made.offered += [Text(said, Keep.BEGINNING), *rows(answers, optional=True)]

    def _hint(self, table_view: TableView, decision: Decision | None) -> list[Control]:
        """A button that asks for a hint about a decision, at a table whose panels have one."""
        if decision is None or hints_at(self._services, table_view.table) != ON:
            return []
        custom_id = CustomId("hint", table_view.table.id, table_view.button_id(decision))
        return [button(custom_id, table_view.words("Hint"))]

    async def _remind(self, made: Panel, moves: OpenMoves) -> None:
        """Say which kept plans of the seat still hold, each with a press to play it."""
        words, table, user = (
            moves.table_view.words,
            moves.table_view.table.id,
            moves.table_view.user,
        )
        plans = self._services.tables.plans
        if moves.table_view.plan is not None or user is None:
            return
        try:
            kept = await plans.of_user(table, user)
        except Rejected:
            # The question itself stands, though what is kept cannot be read.
            return
        for plan in kept:
            if plan.number == DRAFT:
                continue
            count = matching_steps(plan, await plans.trials(table, moves.seat, plan.actions))
            name = Written(plan.name)
            made.above.append(plan_standing(words, name, count, len(plan.actions)))
            if count == len(plan.actions):
                label = Label(words("Play “{name}”", name=name.plain))
                made.foot.append(play_plan_button(words, table, plan, label))

    def _leading(self, moves: OpenMoves) -> Action | None:
        """What is to be chosen after the only kind of action that needs more than a press, where
        that is few words: they stand beside the other kinds, which saves a press each time."""
        more = [each for kind in moves.asked if not moves.is_whole(each := moves.forward((kind,)))]
        choices = moves.choices(more[0]) if len(more) == 1 else None
        few = isinstance(choices, OneOf) and 0 < len(choices.values) <= MAX_OPTIONS
        return more[0] if few else None

    async def _confirm(self, made: Panel, moves: OpenMoves, step: PanelStep) -> None:
        """Ask whether they are sure of an action and of what is joined to it."""
        table_view, words, actions = (
            moves.table_view,
            moves.table_view.words,
            (step.action, *step.rest),
        )
        text = table_view.text.named(table_view.quoted)
        if step.rest:
            views = await in_thread(views_before, moves.game, table_view.view, actions)
            said = text.whole(joined(*actions), views).text
        else:
            said = text.action(step.action)
        made.question.append(words("{action}?", action=said))
        end = table_view.end_of(moves.seat, actions)
        is_danger = await moves.is_dangerous(step.action)
        if end is not None:
            made.question.append(game_end.warning(words, end, moves.seat, table_view.quoted))
        elif is_danger:
            label = moves.kind_label(step.action[0], step.action[:1])
            made.question.append(label.description or "")
        custom_id = CustomId("do", table_view.table.id, step.decision, joined(*actions))
        style = Style.DANGER if is_danger or end else Style.SUCCESS
        answers = [button(moves.fitting(custom_id), words(game_end.confirm(end)), style=style)]
        if moves.may_promise(step.action):
            made.above += table_view.promise_lines()
            made.question.append(
                "-# " + words("You can add a promise to an offer, yours or theirs.")
            )
            custom_id = custom_id._replace(verb="promise", words=step.action)
            answers.append(button(moves.fitting(custom_id), words("Add a promise")))
        made.choices += rows(answers)

    async def _back(self, moves: OpenMoves, step: PanelStep) -> CustomId | None:
        """The id that leads back: to the enclosing group, or to the choice before."""
        table_view, action, focus = moves.table_view, step.action, step.focus
        custom_id = CustomId("back", table_view.table.id, step.decision)
        if focus.place:
            around = custom_id._replace(verb="open", words=action)
            return moves.fitting(around, written(focus.place[:-1]))
        before, is_whole = moves.back(action), moves.is_whole(action)
        if action[0] in moves.asked and await menu_of(moves) is not None:
            before = () if is_whole else before or ()
        elif before and self._leading(moves) == before:
            before = ()
        elif not before and moves.asked == action[:1]:
            before = None
        if before is not None:
            return moves.fitting(custom_id._replace(words=before))
        is_part = focus != WHOLE or is_large(moves.choices(action))
        return table_view.home if is_whole or is_part else None

    def _idle(self, table_view: TableView) -> list[str]:
        if table_view.table.is_over:
            if table_view.outcome is None:
                return [table_view.words(general.ABANDONED)]
            result = table_view.text.outcome(table_view.outcome, table_view.looks)
            return [table_view.words(general.GAME_OVER), result]
        rest = why_at_rest(table_view.table)
        if rest is not None:
            return [table_view.words(rest)]
        return [
            table_view.words(general.NOT_ASKED),
            general.to_act_line(table_view.words, table_view.to_act()),
        ]

    def _foot(self, made: Panel, moves: OpenMoves) -> None:
        """Everything else that can be done at the start of a turn; what can be done with a plan is
        added by whoever shows it."""
        table_view, words, table = moves.table_view, moves.table_view.words, moves.table_view.table
        if table_view.plan is not None:
            return
        if moves.beside:
            made.foot.append(button(CustomId("deal", table.id), words(general.MAKE_OFFER)))
        self._undo(made, moves)
        if why_at_rest(table) is not None:
            made.foot.append(resume_button(words, table.id))
        elif table.players[moves.seat].is_autopiloted:
            made.foot.append(take_back_button(words, table.id))
        made.foot.append(button(CustomId("hand", table.id), words(general.MY_HAND)))
        if table_view.promise_lines():
            made.foot.append(button(CustomId("promises", table.id), words(promise_text.PROMISES)))

    def _undo(self, made: Panel, moves: OpenMoves) -> None:
        """Buttons for a hint, to try actions in private, and that take back the seat's own last
        one, and all of its turn so far."""
        table_view, words, table = moves.table_view, moves.table_view.words, moves.table_view.table
        if table_view.plan is not None or table.status is not Status.PLAYING:
            return
        made.foot += self._hint(table_view, moves.main)
        made.foot.append(button(CustomId("plan", table.id), words(general.PLAN)))
        # While others choose in secret as well, one chooses anew instead.
        has_sealed = moves.main is not None and moves.main.sealed and moves.main.optional
        if table_view.acted == moves.seat and not has_sealed:
            # Pressed twice, the second press finds that another decision is open by then.
            here = table_view.pending[0].id if table_view.pending else None
            made.foot.append(button(CustomId("backstep", table.id, here), words("Undo")))
            # Where they have done only one thing, both would be the same.
            if table_view.acted_before in (None, moves.seat):
                custom_id = CustomId("backturn", table.id, here)
                made.foot.append(button(custom_id, words("Start my turn again")))

    async def _explain(
        self, made: Panel, moves: OpenMoves, *kinds: str, at_start: bool = False
    ) -> None:
        """The explanations for newcomers in their first turn, if they want them; else the offer of
        them."""
        table_view, words, table = moves.table_view, moves.table_view.words, moves.table_view.table
        user = table.players[moves.seat].user
        if user is None or table_view.plan is not None:
            return
        try:
            state = await self._services.tables.notes.first_turn(table, user)
        except Rejected:
            # Explanations are a nicety; the question itself stands.
            return
        explained = state is FirstTurn.EXPLAINED
        about = dict.fromkeys(kinds) if explained else ()
        for hint in filter(None, map(table_view.text.hint, about)):
            made.explained += [f"> {line}" for line in hint.text.splitlines()]
            title = table_view.text.topic(hint.topic)
            made.link(rules_button(self._services.book(table), hint.topic, words, title))
        if at_start and state is not None:
            custom_id = CustomId("explain", table.id, None, ("off" if explained else "on",))
            label = msg("Stop explaining") if explained else msg("Explain my first turn")
            made.link(button(custom_id, Label(words(label), "💡")))


def plan_heading(words: Words) -> list[str]:
    """What every panel of a plan begins with."""
    return [words("### 🧭 Your plan"), words("-# Nothing has been played yet.")]


def plan_standing(words: Words, name: Written, count: int, of: int) -> str:
    """Whether a plan of `of` actions still holds; `count` of them do."""
    if count == of:
        return words("Your plan {name} still works.", name=bold(name))
    if not count:
        return words("Your plan {name} no longer works.", name=bold(name))
    return words.plural(
        "Only the first action of your plan {name} still works.",
        "Only the first {count} actions of your plan {name} still work.",
        count,
        name=bold(name),
    )


def play_plan_button(words: Words, table: int, plan: Plan, label: Label | None = None) -> Control:
    """A press that carries a plan out as it is shown."""
    step = PlanStep(len(plan.actions), plan.key())
    custom_id = CustomId("planplay", table, str(step), (str(plan.number),))
    return button(custom_id, label or words("Play it"), style=Style.SUCCESS)
