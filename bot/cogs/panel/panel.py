"""The private panel that leads a person through an action: a question, and the possible answers.

It is the same for every game: kinds of action first, then one word after another. A word without an
alternative is chosen automatically.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.cogs.panel.choosing import Chooser, fitting
from bot.cogs.panel.menu import WholeMenu, menu_of
from bot.cogs.panel.message import Panel
from bot.cogs.panel.offers import hint_presses, moves_beside, offer_answers, put_offers
from bot.cogs.panel.open_moves import is_dangerous, may_promise, open_kinds
from bot.cogs.panel.plan_steps import ACCENT, heading, remind
from bot.cogs.ui import action_builder
from bot.cogs.ui.action_builder import BuilderStep
from bot.cogs.ui.browsing import WHOLE, Focus, Gone, is_large, written
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import MAX_OPTIONS, button, rows, rules_button, untold_button
from bot.cogs.ui.open_panels import PanelStep
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.cogs.ui.waiting import go_on_button, take_back_button, why_at_rest
from bot.game.choices import OneOf
from bot.game.contract import Action, Decision, IllegalAction, Seat, joined
from bot.game.trial import views_before
from bot.tables import FirstTurn, Rejected, Status
from bot.text import game_end, general, undo
from bot.text import plans as plan_text
from bot.text import promises as promise_text
from bot.text.brief import NOTHING, InBrief
from bot.text.contract import Label, Style
from bot.workers import in_thread


class Panels:
    """Makes panels from what is legal."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._tables = services.tables

    async def start(
        self,
        snapshot: Snapshot,
        seat: Seat,
        *,
        happened: InBrief = NOTHING,
        notes: Sequence[str] = (),
    ) -> Panel:
        """What the seat is asked now, or that nothing is asked of it.

        Before that it tells what `happened`, and says the `notes`.
        """
        decision = snapshot.main(seat)
        made = self._panel(snapshot, seat)
        _tell(made, snapshot, happened)
        made.above = list(notes)
        put_offers(self._services, made, snapshot, seat)
        asked, _free = open_kinds(self._services, snapshot, seat)
        if decision is None or not asked or snapshot.table.status is not Status.PLAYING:
            if not made.offered:
                made.question += await self._idle(snapshot)
            made.waits_for = snapshot.waits_for
            await self._foot(made, snapshot, seat)
            return made
        made.above += snapshot.recalled()
        await remind(self._services, made, snapshot, seat)
        question = snapshot.text.question(snapshot.words, decision, snapshot.view, snapshot.names)
        if decision.sealed and decision.optional:
            # The question says what was chosen in secret, which shows nowhere else.
            made.happened, made.is_answered, question = NOTHING, True, f"✅ {question}"
        made.question.append(question)
        custom_id = CustomId("act", snapshot.table.id, decision.id)
        menu = await self._menu(snapshot, seat, asked)
        if menu is not None:
            made.asked = menu.asked
            made.choices += rows(menu.presses(snapshot, seat, custom_id))
            made.suggested = menu.suggested
            await self._foot(made, snapshot, seat)
            await self._explain(made, snapshot, seat, decision.kind, *menu.about, at_start=True)
            return made
        if len(asked) == 1:
            at = action_builder.forward(snapshot, seat, asked)
            if not at.is_whole:
                if len(at.action) > 1:
                    # For the first word the question says so already.
                    made.question.append(snapshot.prompt(at.action, at.choices))
                self._choose(made, snapshot, seat, at, custom_id)
                await self._foot(made, snapshot, seat, at=at, custom_id=custom_id)
                self._undo(made, snapshot, seat)
                await self._explain(made, snapshot, seat, decision.kind, at_start=True)
                return made
        leading = self._leading(snapshot, seat, asked)
        if leading is not None:
            made.question.append(snapshot.prompt(leading.action, leading.choices))
            asked = tuple(kind for kind in asked if kind != leading.action[0])
        kinds = BuilderStep((), OneOf("kind", asked))
        if leading is not None:
            self._choose(made, snapshot, seat, leading, custom_id)
        self._choose(made, snapshot, seat, kinds, custom_id)
        await self._foot(made, snapshot, seat)
        kinds_explained = (decision.kind, *(leading.action[:1] if leading else ()))
        await self._explain(made, snapshot, seat, *kinds_explained, at_start=True)
        return made

    def _panel(self, snapshot: Snapshot, seat: Seat) -> Panel:
        """An empty panel, in the colour of the seat's first side; a plan's in one of its own."""
        if snapshot.plan is not None:
            return Panel([], accent=ACCENT)
        return Panel([], accent=self._services.accent(snapshot, seat))

    async def _menu(self, snapshot: Snapshot, seat: Seat, asked: Sequence[str]) -> WholeMenu | None:
        """Whole actions for what the seat is asked; None where it is answered word by word."""
        decision = snapshot.main(seat)
        if decision is None:
            return None
        title = self._services.title_of(snapshot.table)
        return await menu_of(title, snapshot, decision, asked)

    def _leading(self, snapshot: Snapshot, seat: Seat, asked: Sequence[str]) -> BuilderStep | None:
        """What is to be chosen after the only kind of action that needs more than a press, where
        that is few words: they stand beside the other kinds, which saves a press each time."""
        found = None
        for kind in asked:
            at = action_builder.forward(snapshot, seat, (kind,))
            if at.is_whole:
                continue
            few = isinstance(at.choices, OneOf) and 0 < len(at.choices.values) <= MAX_OPTIONS
            if found is not None or not few:
                return None
            found = at
        return found

    async def deal(self, snapshot: Snapshot, seat: Seat, *, notes: Sequence[str] = ()) -> Panel:
        """The moves that may be made whoever is asked."""
        free = moves_beside(self._services, snapshot, seat)
        if not free:
            return await self.start(
                snapshot, seat, notes=[*notes, snapshot.words(general.NOT_ASKED)]
            )
        if len(free) == 1:
            at = action_builder.forward(snapshot, seat, free)
            return await self.go_on(snapshot, seat, at, None, notes=notes)
        kinds = BuilderStep((), OneOf("kind", free))
        made = self._panel(snapshot, seat)
        made.question.append(snapshot.prompt(kinds.action, kinds.choices))
        made.above += [*notes, *snapshot.recalled()]
        put_offers(self._services, made, snapshot, seat)
        self._choose(made, snapshot, seat, kinds, CustomId("act", snapshot.table.id))
        made.foot.append(button(CustomId("start", snapshot.table.id), snapshot.words(general.BACK)))
        return made

    async def resume(
        self, snapshot: Snapshot, seat: Seat, step: PanelStep | None, happened: InBrief
    ) -> Panel:
        """The step at which a person was, if it is still theirs, else what they are asked now."""
        decisions = {snapshot.pressed_as(each) for each in snapshot.pending if each.seat == seat}
        if step is not None and step.decision in {None, *decisions}:
            try:
                at = action_builder.step(snapshot, seat, step.action)
                made = await self.go_on(
                    snapshot, seat, at, step.decision, focus=step.focus, rest=step.rest
                )
            except (IllegalAction, Gone):
                pass
            else:
                _tell(made, snapshot, happened)
                return made
        return await self.start(snapshot, seat, happened=happened)

    async def offer(self, snapshot: Snapshot, seat: Seat, offer: Decision) -> Panel:
        """An offer with its possible answers."""
        made = self._panel(snapshot, seat)
        made.question.append(snapshot.offer(offer))
        made.above += snapshot.recalled()
        made.choices += rows(offer_answers(self._services, snapshot, seat, offer))
        made.foot += hint_presses(self._services, snapshot, offer)
        await self._explain(made, snapshot, seat, offer.kind)
        return made

    async def go_on(
        self,
        snapshot: Snapshot,
        seat: Seat,
        at: BuilderStep,
        decision: str | None,
        *,
        notes: Sequence[str] = (),
        focus: Focus = WHOLE,
        rest: Sequence[Action] = (),
    ) -> Panel:
        """Ask for the next word of an action, or confirm a whole one, and the `rest` joined to it.

        Of a large domain it shows what is in `focus`. Raises Gone where that part does not exist.
        """
        custom_id = CustomId("act", snapshot.table.id, decision)
        if at.is_whole and focus != WHOLE:
            raise Gone(focus)
        made = self._panel(snapshot, seat)
        made.above += [*(heading(snapshot.words) if snapshot.plan else ()), *notes]
        made.step = PanelStep(at.action, decision, focus, tuple(rest))
        put_offers(self._services, made, snapshot, seat)
        if at.is_whole:
            said = await self._said(snapshot, (at.action, *rest))
            made.question.append(snapshot.words(general.CONFIRM_ACTION, action=said))
            end = snapshot.end_of(seat, (at.action, *rest))
            danger = await is_dangerous(self._services, snapshot, seat, at.action)
            if end is not None:
                made.question.append(game_end.warning(snapshot.words, end, seat, snapshot.quoted))
            elif danger:
                kinds = OneOf("kind", at.action[:1])
                described = snapshot.label((), kinds, at.action[0]).description
                made.question.append(described or "")
            promising = may_promise(self._services, snapshot, at.action)
            answers = [
                button(
                    fitting(
                        snapshot,
                        seat,
                        custom_id._replace(verb="do", words=joined(at.action, *rest)),
                    ),
                    snapshot.words(game_end.confirm(end)),
                    style=Style.DANGER if danger or end else Style.SUCCESS,
                )
            ]
            if promising:
                made.above += snapshot.recalled()
                made.question.append(f"-# {snapshot.words(promise_text.WITHOUT)}")
                add = custom_id._replace(verb="promise", words=at.action)
                add = fitting(snapshot, seat, add)
                answers.append(button(add, snapshot.words(promise_text.ADD)))
            made.choices += rows(answers)
        else:
            if len(at.action) > 1:
                said = snapshot.text.action(
                    snapshot.words, at.action, snapshot.view, snapshot.quoted
                )
                made.question.append(snapshot.words(general.STILL_TO_CHOOSE, action=said))
            made.question.append(snapshot.prompt(at.action, at.choices))
            self._choose(made, snapshot, seat, at, custom_id, focus)
        await self._foot(made, snapshot, seat, at=at, custom_id=custom_id, focus=focus)
        asked, _free = open_kinds(self._services, snapshot, seat)
        main = snapshot.main(seat)
        is_answer = main is not None and asked == at.action[:1]
        await self._explain(made, snapshot, seat, main.kind if main and is_answer else at.action[0])
        return made

    async def _idle(self, snapshot: Snapshot) -> list[str]:
        if snapshot.table.is_over:
            outcome = snapshot.outcome
            if outcome is None:
                return [snapshot.words(general.ABANDONED)]
            looks = self._services.looks(snapshot)
            result = snapshot.text.outcome(snapshot.words, outcome, snapshot.names, looks)
            return [snapshot.words(general.GAME_OVER), result]
        rest = why_at_rest(snapshot.table)
        if rest is not None:
            return [snapshot.words(rest)]
        return [
            snapshot.words(general.NOT_ASKED),
            general.awaited_line(snapshot.words, snapshot.awaited()),
        ]

    def _choose(
        self,
        made: Panel,
        snapshot: Snapshot,
        seat: Seat,
        at: BuilderStep,
        custom_id: CustomId,
        focus: Focus = WHOLE,
    ) -> None:
        """Put the choices of a step into the panel."""
        Chooser(made, snapshot, seat, at, custom_id).put(focus)

    async def _foot(
        self,
        made: Panel,
        snapshot: Snapshot,
        seat: Seat,
        *,
        at: BuilderStep | None = None,
        custom_id: CustomId | None = None,
        focus: Focus | None = None,
    ) -> None:
        """The bottom of the panel: a way back to where `focus` was reached from; at the start of a
        turn everything else that can be done.
        """
        words, table = snapshot.words, snapshot.table.id
        if at is not None and custom_id is not None:
            back = await self._back(snapshot, seat, at, custom_id, focus)
            if back is not None:
                made.foot.append(button(back, words(general.BACK)))
            return
        if snapshot.plan is not None:
            # Whoever shows the plan adds what can be done with it.
            return
        if moves_beside(self._services, snapshot, seat):
            made.foot.append(button(CustomId("deal", table), words(general.MAKE_OFFER)))
        self._undo(made, snapshot, seat)
        if why_at_rest(snapshot.table) is not None:
            made.foot.append(go_on_button(words, table))
        elif snapshot.table.players[seat].is_autopiloted:
            made.foot.append(take_back_button(words, table))
        made.foot.append(button(CustomId("hand", table), words(general.MY_HAND)))
        if snapshot.recalled():
            made.foot.append(button(CustomId("promises", table), words(promise_text.PROMISES)))

    def _undo(self, made: Panel, snapshot: Snapshot, seat: Seat) -> None:
        """Buttons for a hint, to try actions in private, and that take back the seat's own last
        one, and all of its turn so far."""
        if snapshot.plan is None and snapshot.table.status is Status.PLAYING:
            made.foot += hint_presses(self._services, snapshot, snapshot.main(seat))
            plan = CustomId("plan", snapshot.table.id)
            made.foot.append(button(plan, snapshot.words(plan_text.PLAN)))
        main = snapshot.main(seat)
        # While others choose in secret as well, one chooses anew instead.
        has_sealed = main is not None and main.sealed and main.optional
        playing = snapshot.table.status is Status.PLAYING
        if snapshot.acted == seat and playing and not has_sealed:
            # Pressed twice, the second press finds that another decision is open by then.
            here = snapshot.pending[0].id if snapshot.pending else None
            for verb, label in (("backstep", undo.UNDO), ("backturn", undo.START_AGAIN)):
                custom_id = CustomId(verb, snapshot.table.id, here)
                made.foot.append(button(custom_id, snapshot.words(label)))

    async def _explain(
        self, made: Panel, snapshot: Snapshot, seat: Seat, *kinds: str, at_start: bool = False
    ) -> None:
        """The explanations for newcomers in their first turn, if they want them; else the offer of
        them."""
        user = snapshot.table.players[seat].user
        if user is None or snapshot.plan is not None:
            return
        try:
            state = await self._tables.notes.first_turn(snapshot.table.id, user)
        except Rejected:
            # Explanations are a nicety; the question itself stands.
            return
        explained = state is FirstTurn.EXPLAINED
        about = dict.fromkeys(kinds) if explained else ()
        hints = [snapshot.text.hint(snapshot.words, kind) for kind in about]
        for hint in filter(None, hints):
            made.explained += [f"> {line}" for line in hint.text.splitlines()]
            title = snapshot.text.topic(snapshot.words, hint.topic)
            made.link(
                rules_button(self._services.book(snapshot.table), hint.topic, snapshot.words, title)
            )
        if at_start and state is not None:
            custom_id = CustomId(
                "explain", snapshot.table.id, None, ("off" if explained else "on",)
            )
            label = general.EXPLAIN_NO_MORE if explained else general.EXPLAIN
            made.link(button(custom_id, Label(snapshot.words(label), "💡")))

    async def _back(
        self,
        snapshot: Snapshot,
        seat: Seat,
        at: BuilderStep,
        custom_id: CustomId,
        focus: Focus | None,
    ) -> CustomId | None:
        """The id that leads back: to the enclosing group, or to the choice before."""
        if focus is not None and focus.place:
            around = custom_id._replace(verb="open", words=at.action)
            return fitting(snapshot, seat, around, written(focus.place[:-1]))
        before = await self._before(snapshot, seat, at)
        if before is not None:
            return fitting(snapshot, seat, custom_id._replace(verb="back", words=before))
        if at.is_whole:
            return snapshot.home
        is_part = focus is not None and (focus != WHOLE or is_large(at.choices))
        return snapshot.home if is_part else None

    async def _said(self, snapshot: Snapshot, actions: Sequence[Action]) -> str:
        """What is to be confirmed, in words."""
        text, words, names = snapshot.text, snapshot.words, snapshot.quoted
        if len(actions) == 1:
            return text.action(words, actions[0], snapshot.view, names)
        game = self._services.rules(snapshot.table)
        views = await in_thread(views_before, game, snapshot.view, actions)
        return text.whole(words, joined(*actions), views, names).text

    async def _before(self, snapshot: Snapshot, seat: Seat, at: BuilderStep) -> Action | None:
        """The choice before this one; () where the kind was the last real choice, or a menu."""
        before = action_builder.back(snapshot, seat, at.action)
        asked, _free = open_kinds(self._services, snapshot, seat)
        if at.action[0] in asked and await self._menu(snapshot, seat, asked) is not None:
            return () if at.is_whole else before or ()
        if before:
            leading = self._leading(snapshot, seat, asked)
            return () if leading is not None and leading.action == before else before
        return None if before is None or asked == at.action[:1] else before


def _tell(made: Panel, snapshot: Snapshot, happened: InBrief) -> None:
    """Put what happened into a panel, with a press for what is left out of it."""
    made.happened = happened
    if happened.untold:
        made.untold = untold_button(snapshot.words, snapshot.table.id, happened.untold)
