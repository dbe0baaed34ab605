"""The strong player, asked by people: what it thinks of what their seat is asked.

It is given the seat's own view and nothing else. The same question, asked again meanwhile or later,
is thought about once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from bot.cogs.ui.services import Services
from bot.game.contract import Action, Decision
from bot.tables import Rejected, Table
from bot.tables.core.seating import HINTS, OFF, check_playing, term
from bot.thinking import Considered, Mind, NoThinkers

log = logging.getLogger(__name__)

SHARE = 2.0
"""People are advised after so many times the thought that the strong player gives a move."""
REMEMBERED = 64
"""Questions whose answers are kept."""


class HintQuestion(NamedTuple):
    """What a seat is asked, and which other action is judged; with its view, encoded, for what the
    seat cannot tell from before has the same answer."""

    table: int
    view: bytes
    decision: Decision
    also: tuple[Action, ...] = ()


class Advice:
    """What the strong player thinks, for whoever asks."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._asked: dict[HintQuestion, asyncio.Task[Sequence[Considered]]] = {}

    def mind(self, table: Table) -> Mind[Any, Any]:
        """What it thinks by. Raises Rejected where nobody is advised at the table or nobody can
        think, and what `check_playing` raises."""
        check_playing(table)
        mind = self._services.title_of(table).mind
        if mind is None:
            raise Rejected("no_hints_game", game=table.game)
        if not self._services.thinkers.can_think:
            raise Rejected("no_thinkers")
        if term(table, HINTS) == OFF:
            raise Rejected("no_hints")
        return mind

    async def on(
        self, table: Table, view: Any, decision: Decision, also: tuple[Action, ...] = ()
    ) -> Sequence[Considered]:
        """What the decision's seat can answer, the best first, by its `view`; what is `also` asked
        about is judged besides. Raises what `mind` raises."""
        mind = self.mind(table)
        encoded = msgspec.msgpack.encode(view)
        question = HintQuestion(table.id, encoded, decision, also)
        thinking = self._asked.get(question)
        if thinking is None:
            thinking = asyncio.create_task(self._think(mind, table, view, question))
            self._asked[question] = thinking
            self._forget()
        # Whoever asks no longer does not stop it for the others.
        await asyncio.wait([thinking])
        found = () if thinking.cancelled() else thinking.result()
        if not found:
            self._asked.pop(question, None)
            raise Rejected("no_thinkers")
        return found

    async def _think(
        self, mind: Mind[Any, Any], table: Table, view: Any, question: HintQuestion
    ) -> Sequence[Considered]:
        """What is thought; nothing where that fails."""
        # The same for all that the seat cannot see, so that a hint tells nothing of it.
        seed = f"{table.key_hash}.{question.decision.seat}"
        try:
            return await self._services.thinkers.weigh(
                mind, view, question.decision, seed, share=SHARE, also=question.also
            )
        except NoThinkers as error:
            log.warning("table=%s nobody thinks of a hint: %s", table.id, error)
        # However a search fails, the game goes on without.
        except Exception as error:  # noqa: BLE001
            # Its message may tell of a hand.
            log.error("table=%s a hint failed: %s", table.id, type(error).__name__)
        return ()

    def _forget(self) -> None:
        """Those answered longest ago."""
        for question in list(self._asked)[: max(0, len(self._asked) - REMEMBERED)]:
            if self._asked[question].done():
                del self._asked[question]
