"""A hint as a panel: the best moves that the strong player knows, their worth, a press for each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from bot.cogs.panel.advice import Advice
from bot.cogs.panel.menu import MenuEntry, WholeMenu, entries
from bot.cogs.panel.message import Panel
from bot.cogs.panel.planning import Planned
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import button, rows
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.contract import ANSWER, AnyGame, Decision, Seat, in_turn, joined
from bot.game.trial import foreseen, views_before
from bot.tables import Rejected
from bot.text import general
from bot.text import hints as text
from bot.thinking import Considered, Mind
from bot.workers import in_thread

BEST = 3
"""Moves of a hint."""


class HintedMove(NamedTuple):
    """A move that was thought about, as the press that plays it, and what it brings in words."""

    entry: MenuEntry
    move: Considered
    brings: Sequence[str]


def hint_asked(snapshot: Snapshot, seat: Seat, pressed: str | None = None) -> Decision | None:
    """What a hint would be about: what the seat `pressed` on if that is still open, else what
    everybody waits for, an offer to it, or what it may still change."""
    mine = [each for each in snapshot.pending if each.seat == seat]
    for decision in mine:
        if pressed is not None and snapshot.pressed_as(decision) == pressed:
            return decision
    main, offers = snapshot.main(seat), snapshot.offers(seat)
    return offers[0] if offers and (main is None or main.optional) else main


class Hinting:
    """Makes hints, and judges plans."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._advice = Advice(services)

    async def thought(
        self, snapshot: Snapshot, seat: Seat, pressed: str | None = None
    ) -> tuple[Decision, Sequence[Considered]]:
        """What the seat is asked, and what the strong player thinks of it, the best first. Raises
        Rejected where it is asked nothing, and what `Advice.on` raises."""
        self._advice.mind(snapshot.table)
        decision = hint_asked(snapshot, seat, pressed)
        if decision is None:
            raise Rejected("nothing_asked")
        return decision, await self._advice.on(snapshot.table, snapshot.view, decision)

    async def panel(
        self, snapshot: Snapshot, seat: Seat, decision: Decision, found: Sequence[Considered]
    ) -> Panel:
        """The best of what was thought about, each with its worth, what it changes, and a press."""
        words, mind = snapshot.words, self._advice.mind(snapshot.table)
        # It tries the moves, which must not keep others waiting.
        best = await in_thread(_best, mind.game, snapshot, decision, found)
        made = Panel([words(text.TITLE)], accent=self._services.accent(snapshot, seat))
        if decision.kind == ANSWER:
            made.question += [words(text.OFFER), snapshot.offer(decision)]
        for place, each in enumerate(best):
            worth = _worth(snapshot, mind, [known.move for known in best], place)
            made.question += text.move(words, place + 1, each.entry.label, worth, each.brings)
        if len(found) > 1 and not found[0].worlds:
            made.question.append(words(text.UNKNOWN))
        elif len(best) == 1:
            made.question.append(words(text.ONLY))
        made.question.append(words(text.PRIVATE))
        made.asked = WholeMenu([each.entry for each in best], (), ()).asked
        made.choices = rows(
            button(each.entry.custom_id, text.play(words, place), style=each.entry.label.style)
            for place, each in enumerate(best, start=1)
        )
        made.foot.append(button(CustomId("start", snapshot.table.id), words(general.BACK)))
        return made

    async def judged(self, now: Planned) -> list[str]:
        """What a plan is worth as far as it is shown, beside the best, in lines. Raises Rejected
        where nothing is planned, and what `Advice.on` raises."""
        start, planned = now.made[0], now.trial.done
        if start.decision is None or not planned:
            raise Rejected("nothing_asked")
        words, mind = now.snapshot.words, self._advice.mind(now.table.table)
        whole = joined(*planned)
        found = await self._advice.on(now.table.table, start.view, start.decision, (whole,))
        own = next(each for each in found if each.action == whole)
        if not own.worlds:
            return [words(text.ONLY if len(found) == 1 else text.PLAN_UNKNOWN)]
        said, best = text.plan(words, own.chance, _lead(mind, own)), found[0]
        if best.action == whole:
            return [said, words(text.PLAN_BEST)]
        actions = in_turn(best.action)
        views = await in_thread(views_before, mind.game, start.view, actions)
        label = now.table.text.whole(words, best.action, views, now.table.names)
        other = best.chance, _lead(mind, best)
        return [said, text.beside_plan(words, own.chance, other, label)]


def _best(
    game: AnyGame, snapshot: Snapshot, decision: Decision, found: Sequence[Considered]
) -> list[HintedMove]:
    """The first few whose words tell them apart, and of which more than nothing is known."""
    known = {each.action: each for each in distinct(found)}
    best = islice(entries(game, snapshot, decision, list(known)), BEST)
    return [
        HintedMove(entry, known[entry.custom_id.words], _brings(game, snapshot, entry))
        for entry in best
    ]


def _brings(game: AnyGame, snapshot: Snapshot, entry: MenuEntry) -> Sequence[str]:
    """What a move brings, as far as its player can know."""
    made = foreseen(game, snapshot.view, in_turn(entry.custom_id.words))
    if not made:
        return ()
    words, names, after = snapshot.words, snapshot.names, made[-1].view
    events = [event for each in made for event in each.events]
    return (
        *snapshot.text.reasons(words, events, names),
        *snapshot.text.what_if(words, snapshot.view, after, names),
    )


def distinct(found: Sequence[Considered]) -> list[Considered]:
    """What was thought about, by its worth, without variants of what is better.

    The first stays the best. What seems better has been dropped after a few lucky worlds, and is
    left out, or is not surely so, and counts as just as good.
    """
    best, *others = found
    comparable = [
        replace(each, chance=min(each.chance, best.chance))
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


def _worth(
    snapshot: Snapshot, mind: Mind[object, object], best: Sequence[Considered], place: int
) -> list[str]:
    """What a move is worth, the first beside the next, each other one beside the first."""
    words, this = snapshot.words, best[place]
    if not this.worlds:
        return []
    worth = [text.worth(words, this.chance, _lead(mind, this))]
    if place:
        worth.append(text.beside_best(words, this.chance, best[0].chance))
    elif len(best) > 1:
        worth.append(text.ahead_of_next(words, this.chance, best[1].chance))
    return worth


def _lead(mind: Mind[object, object], move: Considered) -> float | None:
    return move.lead if mind.in_points else None
