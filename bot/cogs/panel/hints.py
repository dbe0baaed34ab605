"""Private hints: the moves that the strong player would make.

The search gets only the seat's view. Repeated questions share one search.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from bot.cogs.panel.browsing import PlanStep
from bot.cogs.panel.menu import MenuEntry, WholeMenu, entries
from bot.cogs.panel.open_moves import OpenMoves, moves_of
from bot.cogs.panel.open_panels import Panel
from bot.cogs.panel.panel import Panels
from bot.cogs.panel.plans import PlanDialogue, Planned
from bot.cogs.ui import (
    CustomId,
    Forged,
    Press,
    Reply,
    Services,
    TableOption,
    TableView,
    button,
    command,
    route,
    rows,
)
from bot.game.contract import ANSWER, Action, Decision, in_turn, joined
from bot.game.trial import preview, views_before
from bot.tables import HINTS, IN_PROGRESS, OFF, Rejected, Table, check_playing, term
from bot.text import general, msg
from bot.text import hints as text
from bot.thinking import Considered, Judgement, SearchUnavailable
from bot.workers import in_thread

log = logging.getLogger(__name__)

SHARE = 2.0
"""Search budget of a hint, as a multiple of a computer player's move."""
MAX_SEARCHES = 64
"""Questions whose searches are cached."""
BEST = 3
"""Moves of a hint."""
SHOWN_AFTER_S = 0.4
"""Seconds of search before the panel shows that the strong player is thinking."""
STEP_S = 2.0
"""Seconds between updates of that message."""


class HintQuestion(NamedTuple):
    """Cache key of a search: a decision, the seat's encoded view, and other actions to judge."""

    table: int
    view: bytes
    decision: Decision
    also: tuple[Action, ...] = ()


class HintedMove(NamedTuple):
    """A move of a hint: its button, its evaluation, and lines about its effects."""

    entry: MenuEntry
    move: Considered
    effects: Sequence[str]


class HintDialogue:
    """Gives hints, and rates plans."""

    def __init__(self, services: Services, panels: Panels, plans: PlanDialogue) -> None:
        self._services = services
        self._panels = panels
        self._plans = plans
        self._searches: dict[HintQuestion, asyncio.Task[Sequence[Considered]]] = {}

    @command("game hint", among=IN_PROGRESS)
    async def hint(self, reply: Reply, *, table: TableOption) -> None:
        """Show the player's best moves."""
        await self._show(reply, table.id)

    @route("hint", has_decision=True)
    async def answer(self, press: Press) -> None:
        """Show the player's best moves for the decision of the button."""
        await self._show(press.reply, press.table_id, press.custom_id.decision)

    async def _show(self, reply: Reply, table_id: int, pressed: str | None = None) -> None:
        """Search, then show the hint, or the current decision if the table has moved on."""
        before = await moves_of(self._services, reply, table_id)
        self._judgement(before.table_view.table)
        decision = hint_decision(before, pressed)
        if decision is None:
            raise Rejected("nothing_asked")
        thinking = asyncio.create_task(
            self._consider(before.table_view.table, before.table_view.view, decision)
        )
        if reply.in_place and not await self._show_progress(reply, before.table_view, thinking):
            return
        try:
            found = await thinking
        except Rejected as error:
            if not reply.in_place:
                raise
            # The panel may still show the thinking message.
            moves = await moves_of(self._services, reply, table_id)
            await self._panels.ask(reply, moves, error=error, fresh=False)
            return
        moves = await moves_of(self._services, reply, table_id)
        table_view = moves.table_view
        # The hint stays valid while the seat's own view has not changed.
        if table_view.view != before.table_view.view or decision not in table_view.pending:
            note = table_view.words(text.MOVED_ON)
            await self._panels.ask(reply, moves, notes=[note], fresh=False)
            return
        hint = await self._panel(moves, decision, found)
        table = None if reply.in_place else await self._services.shown_table(table_view, hint.asked)
        await self._panels.show(reply, hint, table)

    async def _show_progress(
        self, reply: Reply, table_view: TableView, thinking: asyncio.Task[Any]
    ) -> bool:
        """Show in the pressed panel that a search runs, until it ends. Return False, and cancel the
        search, once the player has opened something else there."""
        panels, table = self._panels.opened, table_view.table.id
        shown, dots, wait_s = None, 0, SHOWN_AFTER_S
        try:
            while not (await asyncio.wait({thinking}, timeout=wait_s))[0]:
                if shown is not None and panels.find(table, reply.user) is not shown:
                    return False
                dots, wait_s = dots % 3 + 1, STEP_S
                panel = Panel(
                    table_view, [table_view.words("The strong player is thinking") + " ." * dots]
                )
                panel.foot.append(button(CustomId("start", table), table_view.words(general.BACK)))
                await reply.show(panel.layout(panels.current_picture(reply, table_view)))
                if shown is None:
                    await panels.track(reply, panel)
                    shown = panels.find(table, reply.user)
            return shown is None or panels.find(table, reply.user) is shown
        finally:
            if not thinking.done():
                thinking.cancel()

    async def _panel(
        self, moves: OpenMoves, decision: Decision, found: Sequence[Considered]
    ) -> Panel:
        """Return the panel of the best moves: their values, effects and buttons."""
        table_view, words = moves.table_view, moves.table_view.words
        judgement = self._judgement(table_view.table)
        # Trying the moves is slow: keep it off the event loop.
        best = await in_thread(_best, moves, decision, found)
        panel = Panel(
            table_view,
            [words("### 💡 What the strong player would do")],
            accent=table_view.accent(moves.seat),
        )
        if decision.kind == ANSWER:
            panel.question += [words("What it thinks of the offer:"), table_view.offer(decision)]
        for place, each in enumerate(best):
            worth = []
            if each.move.worlds:
                chance = each.move.chance
                worth.append(text.worth(words, chance, _lead(judgement, each.move)))
                if place:
                    worth.append(text.near_best(words, chance, best[0].move.chance))
                elif len(best) > 1:
                    worth.append(text.ahead_of_next(words, chance, best[1].move.chance))
            panel.question += text.move(words, place + 1, each.entry.label, worth, each.effects)
        if len(found) > 1 and not found[0].worlds:
            panel.question.append(
                words("-# There was too little time to compare it with other moves.")
            )
        elif len(best) == 1:
            panel.question.append(words(text.ONLY))
        panel.question.append(words("-# Based only on what you know."))
        panel.asked = WholeMenu([each.entry for each in best], (), ()).asked
        panel.choices = rows(
            button(each.entry.custom_id, text.play(words, place), style=each.entry.label.style)
            for place, each in enumerate(best, start=1)
        )
        panel.foot.append(button(CustomId("start", table_view.table.id), words(general.BACK)))
        return panel

    @route("planjudge", has_decision=True)
    async def judge(self, press: Press) -> None:
        """Rate a plan at that step, compared with the strong player's best move."""
        step = PlanStep.parse(press.custom_id.decision)
        if step is None:
            raise Forged(press.custom_id)
        before = await self._plans.planned(press.reply, press.table_id, step)
        notes = await self._judged(before) if before.step == step else []
        now = await self._plans.planned(press.reply, press.table_id, step)
        if now.step != step or now.trials[0].view != before.trials[0].view:
            notes = [now.table.words(text.MOVED_ON)]
        await self._plans.show_planned(press.reply, now, *notes)

    async def _judged(self, now: Planned) -> list[str]:
        start, planned = now.trials[0], now.trial.done
        if start.decision is None or not planned:
            raise Rejected("nothing_asked")
        words, judgement, plan = (
            now.table.words,
            self._judgement(now.table.table),
            joined(*planned),
        )
        found = await self._consider(now.table.table, start.view, start.decision, plan)
        own, best = next(each for each in found if each.action == plan), found[0]
        if not own.worlds:
            unknown = msg("⚖️ There was too little time to judge your plan.")
            return [words(text.ONLY if len(found) == 1 else unknown)]
        rating = text.plan(words, own.chance, _lead(judgement, own))
        if best.action == plan:
            return [rating, words("The strong player found nothing better.")]
        views = await in_thread(views_before, judgement.game, start.view, in_turn(best.action))
        label = now.table.text.action_label(best.action, views)
        other = best.chance, _lead(judgement, best)
        return [rating, text.best_besides_plan(words, own.chance, other, label)]

    # The strong player

    def _judgement(self, table: Table) -> Judgement[Any]:
        """Return the game's judgement. Raise Rejected if the table has no hints or the search is
        unavailable, and the errors of `check_playing`."""
        check_playing(table)
        judgement = self._services.title_of(table).judgement
        if judgement is None:
            raise Rejected("no_hints_game", game=table.game)
        if not self._services.search_pool.can_think:
            raise Rejected("search_unavailable")
        if term(table, HINTS) == OFF:
            raise Rejected("no_hints")
        return judgement

    async def _consider(
        self, table: Table, view: Any, decision: Decision, *also: Action
    ) -> Sequence[Considered]:
        """Search the seat's view, and return its possible answers, the best first.

        The actions in `also` are judged too. Raise the errors of `_judgement`.
        """
        judgement = self._judgement(table)
        question = HintQuestion(table.id, msgspec.msgpack.encode(view), decision, also)
        thinking = self._searches.get(question)
        if thinking is None:
            thinking = asyncio.create_task(self._think(judgement, table, view, question))
            self._searches[question] = thinking
            for old in list(self._searches)[: max(0, len(self._searches) - MAX_SEARCHES)]:
                if self._searches[old].done():
                    del self._searches[old]
        # `wait` does not cancel the search, which others may share.
        await asyncio.wait([thinking])
        found = () if thinking.cancelled() else thinking.result()
        if not found:
            self._searches.pop(question, None)
            raise Rejected("search_unavailable")
        return found

    async def _think(
        self, judgement: Judgement[Any], table: Table, view: Any, question: HintQuestion
    ) -> Sequence[Considered]:
        """Run the search; return () if it fails."""
        # The seed must not depend on hidden information, or the hint would leak it.
        seed = f"{table.key_hash}.{question.decision.seat}"
        try:
            return await self._services.search_pool.weigh(
                judgement, view, question.decision, seed, share=SHARE, also=question.also
            )
        except SearchUnavailable as error:
            log.warning("hint unavailable table=%s error=%s", table.id, error)
        # The game continues without a hint if the search fails.
        except Exception as error:  # noqa: BLE001
            # The error's message may show a hand.
            log.error("hint failed table=%s error=%s", table.id, type(error).__name__)
        return ()


def hint_decision(moves: OpenMoves, pressed: str | None = None) -> Decision | None:
    """Return the decision for a hint: the `pressed` one if still open, else the one that the game
    waits for, an offer to the seat, or a choice that the seat may still change."""
    table_view, main = moves.table_view, moves.main
    for decision in table_view.pending:
        if decision.seat == moves.seat and table_view.button_id(decision) == pressed:
            return decision
    return moves.offers[0] if moves.offers and (main is None or main.optional) else main


def _best(moves: OpenMoves, decision: Decision, found: Sequence[Considered]) -> list[HintedMove]:
    """Return the best moves that differ and have distinct labels."""
    by_action = {each.action: each for each in distinct(found)}
    best = islice(entries(moves, decision, list(by_action)), BEST)
    return [
        HintedMove(each, by_action[each.custom_id.words], _effects(moves, each)) for each in best
    ]


def _effects(moves: OpenMoves, entry: MenuEntry) -> Sequence[str]:
    """Return lines about a move's effects, as far as its player can know them."""
    table_view = moves.table_view
    trials = preview(moves.game, table_view.view, in_turn(entry.custom_id.words))
    if not trials:
        return ()
    events = [event for each in trials for event in each.events]
    return (
        *table_view.text.reasons(events),
        *table_view.text.at(trials[-1].view).what_if(table_view.view),
    )


def distinct(found: Sequence[Considered]) -> list[Considered]:
    """Return the searched moves by value, without variants of better ones.

    The search's first move stays the best. A move with a higher chance is left out if the search
    dropped it early, after a few lucky worlds; else its chance is cut to that of the first.
    """
    best, *others = found
    comparable = [
        msgspec.structs.replace(each, chance=min(each.chance, best.chance))
        for each in others
        if each.worlds and (each.chance <= best.chance or each.worlds == best.worlds)
    ]
    comparable.sort(key=lambda each: (each.chance, each.lead), reverse=True)
    result = [best]
    for each in comparable:
        if not any(_is_variant(each, better) for better in result):
            result.append(each)
    return result


def _is_variant(move: Considered, better: Considered) -> bool:
    """Return whether a move starts like a better one, or shares an action with it and has an equal
    chance to win."""
    actions, others = in_turn(move.action), in_turn(better.action)
    if actions[0] == others[0]:
        return True
    shared = any(each in others for each in actions if len(each) > 1)
    return shared and text.percent(move.chance) == text.percent(better.chance)


def _lead(judgement: Judgement[Any], move: Considered) -> float | None:
    return move.lead if judgement.in_points else None
