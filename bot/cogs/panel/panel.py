"""The private panel that guides a player through an action: a question and the possible answers.

It works the same way for every game: first the kind of action, then one word after another. A word
without an alternative is chosen automatically.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.browsing import WHOLE, NoSuchPart, PanelStep, PlanStep, format_place, is_large
from bot.cogs.panel.choosing import Chooser
from bot.cogs.panel.lessons import end_lesson, lesson_lines
from bot.cogs.panel.menu import menu_of
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import OpenPanels, Panel
from bot.cogs.ui import (
    MAX_OPTIONS,
    Control,
    CustomId,
    ExpectedError,
    Keep,
    Part,
    Reply,
    Services,
    TableView,
    Text,
    button,
    error_text,
    hints_term,
    resume_button,
    rows,
    take_back_button,
)
from bot.cogs.ui.layout import rules_button
from bot.cogs.ui.table_view import QUESTION
from bot.cogs.ui.user_errors import rule_link
from bot.cogs.ui.waiting import next_table, pause_reason
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
"""Offers that a panel shows above its question."""
PLAN_ACCENT = 0x8A5CD6
"""Frame colour of a plan. No seat has it."""


class Panels:
    """Builds panels from the legal moves, and sends them."""

    def __init__(self, services: Services, opened: OpenPanels) -> None:
        self._services = services
        self.opened = opened

    # Sending

    async def ask(
        self,
        reply: Reply,
        moves: OpenMoves,
        *,
        summary: Summary = NOTHING,
        heading: Sequence[Part] = (),
        notes: Sequence[str] = (),
        error: ExpectedError | None = None,
        fresh: bool = True,
    ) -> None:
        """Show the player's decision and any error; if `fresh`, with a new picture of the table.

        The `heading` is shown once, above the `summary`.
        """
        link = None
        if error is not None and not moves.table_view.table.is_over:
            note, link = self.error_note(moves.table_view, error)
            notes = [note]
        panel = await self.start(moves, summary=summary, notes=notes)
        panel.shown_once = summary.then(Summary([SummaryLine(line) for line in notes]))
        panel.heading = list(heading)
        panel.link(link)
        table: Sequence[Part] | None = None
        # The table of a lesson has no post with a picture.
        if moves.main is None and moves.table_view.table.lesson is None:
            table = [] if fresh else self.opened.current_picture(reply, moves.table_view)
        elif fresh or not reply.in_place:
            table = await self._services.shown_table(moves.table_view, panel.asked)
        await self.show(reply, panel, table)

    async def show(self, reply: Reply, panel: Panel, table: Sequence[Part] | None = None) -> None:
        """Show a panel in the private message that was pressed, with this picture of the table.

        If `table` is None, the panel only changes its question: the new question's own picture is
        attached, another question's removed, and a picture of the whole table stays.
        """
        table_view = panel.table_view
        if table is None:
            current, picture = self.opened.current_picture(reply, table_view), None
            if not await self._services.prefers_text(table_view):
                if panel.asked is not None:
                    picture = await self._services.question_picture(table_view, panel.asked)
                is_old = reply.shown is not None and all(each.name == QUESTION for each in current)
                if picture is None and is_old:
                    picture = await self._services.picture(table_view)
            table = current if picture is None else [picture]
        await reply.show(panel.layout(table))
        await self.opened.track(reply, panel)

    async def show_step(
        self, reply: Reply, moves: OpenMoves, step: PanelStep, error: ExpectedError | None = None
    ) -> None:
        """Show a step in the same panel, below any error.

        After an error the whole domain replaces a part that no longer exists. Raise the errors of
        `step_panel`.
        """
        note, link = (None, None) if error is None else self.error_note(moves.table_view, error)
        try:
            panel = await self.step_panel(moves, step, note)
        except NoSuchPart:
            if error is None:
                raise
            panel = await self.step_panel(moves, step._replace(focus=WHOLE), note)
        panel.link(link)
        await self.show(reply, panel)

    def error_note(self, table_view: TableView, error: ExpectedError) -> tuple[str, Control | None]:
        """Return the text of an error, and a button to the rule behind it."""
        context = self._services, table_view.words, error, table_view.table
        return error_text(*context), rule_link(*context)

    # Content

    async def start(
        self, moves: OpenMoves, *, summary: Summary = NOTHING, notes: Sequence[str] = ()
    ) -> Panel:
        """Return the panel for the seat's decision, or for a seat that need not act.

        The `summary` of events and the `notes` go above the question.
        """
        table_view, decision, asked = moves.table_view, moves.main, moves.asked
        table = table_view.table
        panel = self._panel(moves, summary)
        panel.above += notes
        is_done = await end_lesson(self._services, panel)
        if is_done is not None:
            if not is_done:
                self._undo(panel, moves)
            return panel
        self._put_offers(panel, moves)
        if decision is None or not asked or table.status is not Status.PLAYING:
            if not panel.offered:
                panel.question += self._idle(table_view)
            panel.seats_to_act = table_view.seats_to_act
            if table_view.plan is None and table_view.user is not None:
                panel.foot += await next_table(self._services, table_view, table_view.user)
            self._foot(panel, moves)
            return panel
        panel.above += table_view.promise_lines()
        await self._list_plans(panel, moves)
        question = table_view.text.question(decision)
        if decision.sealed and decision.optional:
            # The secret choice shows only in the question.
            panel.summary, panel.is_answered, question = NOTHING, True, f"✅ {question}"
        panel.question.append(question)
        custom_id = CustomId("act", table.id, decision.id)
        about: Sequence[str] = ()
        menu = await menu_of(moves)
        only = moves.forward(asked[:1])
        if menu is not None:
            panel.asked, about = menu.asked, menu.about
            # In a lesson it would give the solution away.
            panel.suggested = menu.suggested if table.lesson is None else None
            panel.choices += rows(menu.controls(moves, custom_id))
        elif len(asked) == 1 and not moves.is_whole(only):
            if len(only) > 1:
                # The question itself asks for the first word.
                panel.question.append(table_view.prompt(only, moves.choices(only)))
            Chooser(panel, moves, custom_id.then(*only)).add_choices()
            self._undo(panel, moves)
            await self._explain(panel, moves, decision.kind, at_start=True)
            return panel
        else:
            leading = self._leading(moves)
            if leading is not None:
                about = leading[:1]
                asked = tuple(kind for kind in asked if kind != leading[0])
                panel.question.append(table_view.prompt(leading, moves.choices(leading)))
                Chooser(panel, moves, custom_id.then(*leading)).add_choices()
            Chooser(panel, moves, custom_id, kinds=asked).add_choices()
        self._foot(panel, moves)
        await self._explain(panel, moves, decision.kind, *about, at_start=True)
        return panel

    async def deal_panel(self, moves: OpenMoves) -> Panel:
        """Return the panel of the moves that are possible at any time."""
        table_view, free = moves.table_view, moves.other_free
        if not free:
            return await self.start(moves, notes=[table_view.words(general.NOT_YOUR_TURN)])
        if len(free) == 1:
            return await self.step_panel(moves, PanelStep(moves.forward(free), None))
        panel = self._panel(moves)
        panel.question.append(table_view.prompt((), OneOf("kind", free)))
        panel.above += table_view.promise_lines()
        self._put_offers(panel, moves)
        Chooser(panel, moves, CustomId("act", table_view.table.id), kinds=free).add_choices()
        panel.foot.append(
            button(CustomId("start", table_view.table.id), table_view.words(general.BACK))
        )
        return panel

    async def offer_panel(self, moves: OpenMoves, offer: Decision) -> Panel:
        panel = self._panel(moves)
        panel.question.append(moves.table_view.offer(offer))
        panel.above += moves.table_view.promise_lines()
        panel.choices += rows(moves.answer_buttons(offer))
        panel.foot += self._hint(moves.table_view, offer)
        await self._explain(panel, moves, offer.kind)
        return panel

    async def resume(self, moves: OpenMoves, step: PanelStep | None, summary: Summary) -> Panel:
        """Return the panel of the player's last step if still open, else of their decision."""
        if step is not None and (step.decision is None or moves.is_open(step.decision)):
            try:
                panel = await self.step_panel(moves, step)
            except (IllegalAction, NoSuchPart):
                pass
            else:
                panel.summary = panel.shown_once = summary
                return panel
        return await self.start(moves, summary=summary)

    async def step_panel(self, moves: OpenMoves, step: PanelStep, note: str | None = None) -> Panel:
        """Return the panel that asks for the next word, or confirms a whole action and its rest.

        Raise IllegalAction, and NoSuchPart if the focus does not exist.
        """
        table_view, action = moves.table_view, step.action
        is_whole = moves.is_whole(action)
        if is_whole and step.focus != WHOLE:
            raise NoSuchPart(step.focus)
        panel = self._panel(moves)
        panel.above += plan_heading(table_view.words) if table_view.plan else []
        panel.above += [note] if note else []
        panel.step = step
        self._put_offers(panel, moves)
        if is_whole:
            await self._confirm(panel, moves, step)
        else:
            if len(action) > 1:
                so_far = table_view.text.named(table_view.quoted).action(action)
                panel.question.append(table_view.words("So far: {action}.", action=so_far))
            panel.question.append(table_view.prompt(action, moves.choices(action)))
            custom_id = CustomId("act", table_view.table.id, step.decision, action)
            Chooser(panel, moves, custom_id, step.focus).add_choices()
        back = await self._back(moves, step)
        if back is not None:
            panel.foot.append(button(back, table_view.words(general.BACK)))
        is_answer = moves.main is not None and moves.asked == action[:1]
        kind = moves.main.kind if moves.main is not None and is_answer else action[0]
        await self._explain(panel, moves, kind)
        return panel

    def _panel(self, moves: OpenMoves, summary: Summary = NOTHING) -> Panel:
        """Return an empty panel in the colour of the seat's first side, or of plans."""
        if moves.table_view.plan is not None:
            return Panel(moves.table_view, accent=PLAN_ACCENT)
        table_view, accent = moves.table_view, moves.table_view.accent(moves.seat)
        above = lesson_lines(table_view)
        return Panel(table_view, above=above, summary=summary, shown_once=summary, accent=accent)

    def _put_offers(self, panel: Panel, moves: OpenMoves) -> None:
        """Add the first open offers and their answers; the next follow once these are answered."""
        table_view = moves.table_view
        if table_view.plan is not None:
            return
        for offer in moves.offers[:MAX_OFFERS]:
            text = table_view.offer(offer, promise_text.MAX_REMINDER)
            answers = [*moves.answer_buttons(offer), *self._hint(table_view, offer)]
            panel.offered += [Text(text, Keep.BEGINNING), *rows(answers, optional=True)]

    def _hint(self, table_view: TableView, decision: Decision | None) -> list[Control]:
        """Return a hint button for the decision; [] if the table does not show them."""
        if decision is None or hints_term(self._services, table_view.table) != ON:
            return []
        custom_id = CustomId("hint", table_view.table.id, table_view.button_id(decision))
        return [button(custom_id, table_view.words("Hint"))]

    async def _list_plans(self, panel: Panel, moves: OpenMoves) -> None:
        """List the seat's saved plans and whether each still works, with buttons to play them."""
        words, table, user = (
            moves.table_view.words,
            moves.table_view.table.id,
            moves.table_view.user,
        )
        plans = self._services.tables.plans
        if moves.table_view.plan is not None or user is None:
            return
        try:
            saved = await plans.of_user(table, user)
        except Rejected:
            # Unreadable plans must not hide the question.
            return
        for plan in saved:
            if plan.number == DRAFT:
                continue
            count = matching_steps(plan, await plans.trials(table, moves.seat, plan.actions))
            name = Written(plan.name)
            panel.above.append(plan_status(words, name, count, len(plan.actions)))
            if count == len(plan.actions):
                label = Label(words("Play “{name}”", name=name.plain))
                panel.foot.append(play_plan_button(words, table, plan, label))

    def _leading(self, moves: OpenMoves) -> Action | None:
        """Return the only unfinished action, if few words can follow it; else None.

        These words are shown next to the other kinds of action, which saves a press.
        """
        unfinished = [
            each for kind in moves.asked if not moves.is_whole(each := moves.forward((kind,)))
        ]
        choices = moves.choices(unfinished[0]) if len(unfinished) == 1 else None
        few = isinstance(choices, OneOf) and 0 < len(choices.values) <= MAX_OPTIONS
        return unfinished[0] if few else None

    async def _confirm(self, panel: Panel, moves: OpenMoves, step: PanelStep) -> None:
        """Ask the player to confirm an action and those joined to it."""
        table_view, words, actions = (
            moves.table_view,
            moves.table_view.words,
            (step.action, *step.rest),
        )
        text = table_view.text.named(table_view.quoted)
        if step.rest:
            views = await in_thread(views_before, moves.game, table_view.view, actions)
            action = text.action_label(joined(*actions), views).text
        else:
            action = text.action(step.action)
        panel.question.append(words("{action}?", action=action))
        end = table_view.end_of(moves.seat, actions)
        is_danger = await moves.is_dangerous(step.action)
        if end is not None:
            panel.question.append(game_end.warning(words, end, moves.seat, table_view.quoted))
        elif is_danger:
            label = moves.kind_label(step.action[0], step.action[:1])
            panel.question.append(label.description or "")
        custom_id = CustomId("do", table_view.table.id, step.decision, joined(*actions))
        style = Style.DANGER if is_danger or end else Style.SUCCESS
        answers = [button(moves.fitting(custom_id), words(game_end.confirm(end)), style=style)]
        if moves.may_promise(step.action):
            panel.above += table_view.promise_lines()
            panel.question.append(
                "-# " + words("You can add a promise to an offer, yours or theirs.")
            )
            custom_id = custom_id._replace(verb="promise", words=step.action)
            answers.append(button(moves.fitting(custom_id), words("Add a promise")))
        panel.choices += rows(answers)

    async def _back(self, moves: OpenMoves, step: PanelStep) -> CustomId | None:
        """Return the id of the back button: to the enclosing group, or to the choice before."""
        table_view, action, focus = moves.table_view, step.action, step.focus
        custom_id = CustomId("back", table_view.table.id, step.decision)
        if focus.place:
            enclosing = custom_id._replace(verb="open", words=action)
            return moves.fitting(enclosing, format_place(focus.place[:-1]))
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
        rest = pause_reason(table_view.table)
        if rest is not None:
            return [table_view.words(rest)]
        return [
            table_view.words(general.NOT_YOUR_TURN),
            general.to_act_line(table_view.words, table_view.to_act()),
        ]

    def _foot(self, panel: Panel, moves: OpenMoves) -> None:
        """Add the buttons that are possible at the start of any turn; plans have their own."""
        table_view, words, table = moves.table_view, moves.table_view.words, moves.table_view.table
        if table_view.plan is not None:
            return
        if moves.other_free:
            panel.foot.append(button(CustomId("deal", table.id), words(general.MAKE_OFFER)))
        self._undo(panel, moves)
        if pause_reason(table) is not None:
            panel.foot.append(resume_button(words, table.id))
        elif table.players[moves.seat].is_autopiloted:
            panel.foot.append(take_back_button(words, table.id))
        panel.foot.append(button(CustomId("hand", table.id), words(general.MY_HAND)))
        if table_view.promise_lines():
            panel.foot.append(button(CustomId("promises", table.id), words(promise_text.PROMISES)))

    def _undo(self, panel: Panel, moves: OpenMoves) -> None:
        """Add buttons for a hint, a plan, and undo of the seat's last action or whole turn."""
        table_view, words, table = moves.table_view, moves.table_view.words, moves.table_view.table
        if table_view.plan is not None or table.status is not Status.PLAYING:
            return
        panel.foot += self._hint(table_view, moves.main)
        if table.lesson is None:
            panel.foot.append(button(CustomId("plan", table.id), words(general.PLAN)))
        # While others choose in secret too, the seat can change its choice instead.
        has_sealed = moves.main is not None and moves.main.sealed and moves.main.optional
        if table_view.acted == moves.seat and not has_sealed:
            # With the decision in its id, a second press has no effect.
            decision = table_view.pending[0].id if table_view.pending else None
            panel.foot.append(button(CustomId("backstep", table.id, decision), words("Undo")))
            # After a single action, both buttons would do the same.
            if table_view.acted_before in (None, moves.seat):
                custom_id = CustomId("backturn", table.id, decision)
                panel.foot.append(button(custom_id, words("Start my turn again")))

    async def _explain(
        self, panel: Panel, moves: OpenMoves, *kinds: str, at_start: bool = False
    ) -> None:
        """Explain the first turn to newcomers who want it; offer it to the others."""
        table_view, words, table = moves.table_view, moves.table_view.words, moves.table_view.table
        user = table.players[moves.seat].user
        if user is None or table_view.plan is not None:
            return
        try:
            state = await self._services.tables.notes.first_turn(table, user)
        except Rejected:
            # Explanations are optional: show the question without them.
            return
        explained = state is FirstTurn.EXPLAINED
        about = dict.fromkeys(kinds) if explained else ()
        for hint in filter(None, map(table_view.text.hint, about)):
            panel.explained += [f"> {line}" for line in hint.text.splitlines()]
            title = table_view.text.topic(hint.topic)
            panel.link(rules_button(self._services.rulebook_key(table), hint.topic, words, title))
        if at_start and state is not None:
            custom_id = CustomId("explain", table.id, None, ("off" if explained else "on",))
            label = msg("Stop explaining") if explained else msg("Explain my first turn")
            panel.link(button(custom_id, Label(words(label), "💡")))


def plan_heading(words: Words) -> list[str]:
    """Return the first lines of every panel of a plan."""
    return [words("### 🧭 Your plan"), words("-# Nothing has been played yet.")]


def plan_status(words: Words, name: Written, count: int, of: int) -> str:
    """Return a line about whether a plan still works: `count` of its `of` actions do."""
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
    """Return a button that plays the plan as it is shown."""
    step = PlanStep(len(plan.actions), plan.key())
    custom_id = CustomId("planplay", table, str(step), (str(plan.number),))
    return button(custom_id, label or words("Play it"), style=Style.SUCCESS)
