"""Hints: what the strong player would do, told to whoever asks and to nobody else.

It is given the seat's own view and nothing else. The same question, asked again meanwhile or later,
is thought about once.
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
from bot.tables import GOING, HINTS, OFF, Rejected, Table, check_playing, term
from bot.text import general, msg
from bot.text import hints as text
from bot.thinking import Considered, Judgement, SearchUnavailable
from bot.workers import in_thread

log = logging.getLogger(__name__)

SHARE = 2.0
"""People are advised after so many times the thought that the strong player gives a move."""
REMEMBERED = 64
"""Questions whose answers are kept."""
BEST = 3
"""Moves of a hint."""
SHOWN_AFTER_S = 0.4
"""Seconds after which it is shown that somebody thinks."""
STEP_S = 2.0
"""Seconds between two signs that they still do."""


class HintQuestion(NamedTuple):
    """What a seat is asked, and which other action is judged; with its view, encoded, for what the
    seat cannot tell from before has the same answer."""

    table: int
    view: bytes
    decision: Decision
    also: tuple[Action, ...] = ()


class HintedMove(NamedTuple):
    """A move that was thought about, as the press that plays it, and what it brings in words."""

    entry: MenuEntry
    move: Considered
    brings: Sequence[str]


class HintDialogue:
    """Gives hints, and says what a plan is worth."""

    def __init__(self, services: Services, panels: Panels, plans: PlanDialogue) -> None:
        self._services = services
        self._panels = panels
        self._plans = plans
        self._thoughts: dict[HintQuestion, asyncio.Task[Sequence[Considered]]] = {}

    @command("game hint", among=GOING)
    async def hint(self, reply: Reply, *, table: TableOption) -> None:
        """Say what the person best does now."""
        await self._show(reply, table.id)

    @route("hint", decided=True)
    async def answer(self, press: Press) -> None:
        """Say what the person best does now in answer to the decision that they pressed on."""
        await self._show(press.reply, press.table_id, press.custom_id.decision)

    async def _show(self, reply: Reply, table_id: int, pressed: str | None = None) -> None:
        """The same; where the table has moved on while that was thought about, what it asks by
        now."""
        before = await moves_of(self._services, reply, table_id)
        self._judgement(before.table_view.table)
        decision = hint_asked(before, pressed)
        if decision is None:
            raise Rejected("nothing_asked")
        thinking = asyncio.create_task(
            self._consider(before.table_view.table, before.table_view.view, decision)
        )
        if reply.in_place and not await self._is_to_act(reply, before.table_view, thinking):
            return
        try:
            found = await thinking
        except Rejected as error:
            if not reply.in_place:
                raise
            # The panel may show that somebody thinks.
            moves = await moves_of(self._services, reply, table_id)
            await self._panels.ask(reply, moves, error=error, fresh=False)
            return
        moves = await moves_of(self._services, reply, table_id)
        table_view = moves.table_view
        # What the seat cannot tell from before leaves the hint as good as it was.
        if table_view.view != before.table_view.view or decision not in table_view.pending:
            note = table_view.words(text.MOVED_ON)
            await self._panels.ask(reply, moves, notes=[note], fresh=False)
            return
        made = await self._panel(moves, decision, found)
        table = None if reply.in_place else await self._services.shown_table(table_view, made.asked)
        await self._panels.show(reply, made, table)

    async def _is_to_act(
        self, reply: Reply, table_view: TableView, thinking: asyncio.Task[Any]
    ) -> bool:
        """Shows in the panel that was pressed that somebody thinks; False once the person has
        turned to something else there."""
        panels, table = self._panels.shown, table_view.table.id
        shown, dots, wait_s = None, 0, SHOWN_AFTER_S
        try:
            while not (await asyncio.wait({thinking}, timeout=wait_s))[0]:
                if shown is not None and panels.find(table, reply.user) is not shown:
                    return False
                dots, wait_s = dots % 3 + 1, STEP_S
                made = Panel(
                    table_view, [table_view.words("The strong player is thinking") + " ." * dots]
                )
                made.foot.append(button(CustomId("start", table), table_view.words(general.BACK)))
                await reply.show(made.layout(panels.kept_picture(reply, table_view)))
                if shown is None:
                    await panels.note(reply, made)
                    shown = panels.find(table, reply.user)
            return shown is None or panels.find(table, reply.user) is shown
        finally:
            if not thinking.done():
                thinking.cancel()

    async def _panel(
        self, moves: OpenMoves, decision: Decision, found: Sequence[Considered]
    ) -> Panel:
        """The best of what was thought about, each with its worth, what it changes, and a press."""
        table_view, words = moves.table_view, moves.table_view.words
        judgement = self._judgement(table_view.table)
        # It tries the moves, which must not keep others waiting.
        best = await in_thread(_best, moves, decision, found)
        made = Panel(
            table_view,
            [words("### 💡 What the strong player would do")],
            accent=table_view.accent(moves.seat),
        )
        if decision.kind == ANSWER:
            made.question += [words("What it thinks of the offer:"), table_view.offer(decision)]
        for place, each in enumerate(best):
            worth = []
            if each.move.worlds:
                chance = each.move.chance
                worth.append(text.worth(words, chance, _lead(judgement, each.move)))
                if place:
                    worth.append(text.beside_best(words, chance, best[0].move.chance))
                elif len(best) > 1:
                    worth.append(text.ahead_of_next(words, chance, best[1].move.chance))
            made.question += text.move(words, place + 1, each.entry.label, worth, each.brings)
        if len(found) > 1 and not found[0].worlds:
            made.question.append(
                words("-# There was too little time to compare it with other moves.")
            )
        elif len(best) == 1:
            made.question.append(words(text.ONLY))
        made.question.append(words("-# Based only on what you know."))
        made.asked = WholeMenu([each.entry for each in best], (), ()).asked
        made.choices = rows(
            button(each.entry.custom_id, text.play(words, place), style=each.entry.label.style)
            for place, each in enumerate(best, start=1)
        )
        made.foot.append(button(CustomId("start", table_view.table.id), words(general.BACK)))
        return made

    @route("planjudge", decided=True)
    async def judge(self, press: Press) -> None:
        """Say what a plan is worth at that step, beside the best that the strong player knows."""
        step = PlanStep.parse(press.custom_id.decision)
        if step is None:
            raise Forged(press.custom_id)
        before = await self._plans.planned(press.reply, press.table_id, step)
        notes = await self._judged(before) if before.step == step else []
        now = await self._plans.planned(press.reply, press.table_id, step)
        if now.step != step or now.made[0].view != before.made[0].view:
            notes = [now.table.words(text.MOVED_ON)]
        await self._plans.show_planned(press.reply, now, *notes)

    async def _judged(self, now: Planned) -> list[str]:
        start, planned = now.made[0], now.trial.done
        if start.decision is None or not planned:
            raise Rejected("nothing_asked")
        words, judgement, whole = (
            now.table.words,
            self._judgement(now.table.table),
            joined(*planned),
        )
        found = await self._consider(now.table.table, start.view, start.decision, whole)
        own, best = next(each for each in found if each.action == whole), found[0]
        if not own.worlds:
            unknown = msg("⚖️ There was too little time to judge your plan.")
            return [words(text.ONLY if len(found) == 1 else unknown)]
        said = text.plan(words, own.chance, _lead(judgement, own))
        if best.action == whole:
            return [said, words("The strong player found nothing better.")]
        views = await in_thread(views_before, judgement.game, start.view, in_turn(best.action))
        label = now.table.text.whole(best.action, views)
        other = best.chance, _lead(judgement, best)
        return [said, text.beside_plan(words, own.chance, other, label)]

    # The strong player

    def _judgement(self, table: Table) -> Judgement[Any]:
        """What it thinks by. Raises Rejected where nobody is advised at the table or nobody can
        think, and what `check_playing` raises."""
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
        """What the decision's seat can answer, the best first, by its `view`; what is `also` asked
        about is judged besides. Raises what `_judgement` raises."""
        judgement = self._judgement(table)
        question = HintQuestion(table.id, msgspec.msgpack.encode(view), decision, also)
        thinking = self._thoughts.get(question)
        if thinking is None:
            thinking = asyncio.create_task(self._think(judgement, table, view, question))
            self._thoughts[question] = thinking
            for old in list(self._thoughts)[: max(0, len(self._thoughts) - REMEMBERED)]:
                if self._thoughts[old].done():
                    del self._thoughts[old]
        # Whoever asks no longer does not stop it for the others.
        await asyncio.wait([thinking])
        found = () if thinking.cancelled() else thinking.result()
        if not found:
            self._thoughts.pop(question, None)
            raise Rejected("search_unavailable")
        return found

    async def _think(
        self, judgement: Judgement[Any], table: Table, view: Any, question: HintQuestion
    ) -> Sequence[Considered]:
        """What is thought; nothing where that fails."""
        # The same for all that the seat cannot see, so that a hint tells nothing of it.
        seed = f"{table.key_hash}.{question.decision.seat}"
        try:
            return await self._services.search_pool.weigh(
                judgement, view, question.decision, seed, share=SHARE, also=question.also
            )
        except SearchUnavailable as error:
            log.warning("hint unavailable table=%s error=%s", table.id, error)
        # However a search fails, the game goes on without.
        except Exception as error:  # noqa: BLE001
            # Its message may tell of a hand.
            log.error("hint failed table=%s error=%s", table.id, type(error).__name__)
        return ()


def hint_asked(moves: OpenMoves, pressed: str | None = None) -> Decision | None:
    """What a hint would be about: what the seat `pressed` on if that is still open, else what
    everybody waits for, an offer to it, or what it may still change."""
    table_view, main = moves.table_view, moves.main
    for decision in table_view.pending:
        if decision.seat == moves.seat and table_view.button_id(decision) == pressed:
            return decision
    return moves.offers[0] if moves.offers and (main is None or main.optional) else main


def _best(moves: OpenMoves, decision: Decision, found: Sequence[Considered]) -> list[HintedMove]:
    """The first few whose words tell them apart, and of which more than nothing is known."""
    known = {each.action: each for each in distinct(found)}
    best = islice(entries(moves, decision, list(known)), BEST)
    return [HintedMove(each, known[each.custom_id.words], _brings(moves, each)) for each in best]


def _brings(moves: OpenMoves, entry: MenuEntry) -> Sequence[str]:
    """What a move brings, as far as its player can know."""
    table_view = moves.table_view
    made = preview(moves.game, table_view.view, in_turn(entry.custom_id.words))
    if not made:
        return ()
    events = [event for each in made for event in each.events]
    return (
        *table_view.text.reasons(events),
        *table_view.text.at(made[-1].view).what_if(table_view.view),
    )


def distinct(found: Sequence[Considered]) -> list[Considered]:
    """What was thought about, by its worth, without variants of what is better.

    The first stays the best. What seems better has been dropped after a few lucky worlds, and is
    left out, or is not surely so, and counts as just as good.
    """
    best, *others = found
    comparable = [
        msgspec.structs.replace(each, chance=min(each.chance, best.chance))
        for each in others
        if each.worlds and (each.chance <= best.chance or each.worlds == best.worlds)
    ]
    comparable.sort(key=lambda each: (each.chance, each.lead), reverse=True)
    kept = [best]
    for each in comparable:
        if not any(_is_variant(each, better) for better in kept):
            kept.append(each)
    return kept


def _is_variant(move: Considered, better: Considered) -> bool:
    """Whether a move begins as a better one, or does in part the same for the same worth."""
    actions, others = in_turn(move.action), in_turn(better.action)
    if actions[0] == others[0]:
        return True
    shared = any(each in others for each in actions if len(each) > 1)
    return shared and text.percent(move.chance) == text.percent(better.chance)


def _lead(judgement: Judgement[Any], move: Considered) -> float | None:
    return move.lead if judgement.in_points else None
