"""The strong player on seats of tables."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from bot.game.contract import Action, Decision, in_turn
from bot.game.versions import Versions
from bot.policy.contract import STRONG, Judgement
from bot.thinking.pool import SearchPool, SearchUnavailable

logger = logging.getLogger(__name__)

Judgements = Versions[Judgement[Any] | None]
"""The judgement of each game; None where it has none."""

BUDGET = 0.5
"""The share of the pace for which a search has its budget."""
DEADLINE = 0.7
"""The share of the pace after which a search ends with what it has found so far."""
LATEST = 0.8
"""The share of the pace after which a search that has not ended counts for nothing."""


class StrongSeats:
    """Chooses for the strong player, by its judgement for each game.

    Every answer comes at one fixed moment after the question, the pace, whether there was one
    legal action or a long search, and whether the search was finished in time or the `instead`
    player had to answer: the clock would tell others what its hand allows.
    """

    def __init__(
        self,
        search_pool: SearchPool,
        judgements: Judgements,
        time: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self._search_pool = search_pool
        self._judgements = judgements
        self._time = time
        self._sleep = sleep

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Whether it is the strong player of a game that has a judgement, and anybody can think."""
        is_strong = policy == STRONG and self._judgement(game, version) is not None
        return is_strong and self._search_pool.can_think

    async def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        instead: Callable[[], Awaitable[Action | None]],
    ) -> Action | None:
        """What it does, at the moment when it is to be done."""
        with suppress(SearchUnavailable):
            # Whether a worker has to be started first depends on no hand.
            await self._search_pool.ready()
        asked, pace = self._time(), self._search_pool.think_s
        action = await self._in_time(game, version, view, decision, seed, asked)
        if action is None:
            action = await instead()
        await self._sleep(asked + pace - self._time())
        return action

    async def _in_time(
        self, game: str, version: int, view: Any, decision: Decision, seed: str, asked: float
    ) -> Action | None:
        """What it found best; None where it has found nothing in time."""
        judgement, pace = self._judgement(game, version), self._search_pool.think_s
        if judgement is None:
            return None
        thinking = asyncio.ensure_future(
            self._search_pool.think(
                judgement, view, decision, seed, share=BUDGET, deadline=asked + DEADLINE * pace
            )
        )
        late = asyncio.ensure_future(self._sleep(LATEST * pace))
        try:
            await asyncio.wait({thinking, late}, return_when=asyncio.FIRST_COMPLETED)
            if not thinking.done():
                logger.info("search out of time, playing as normal")
                return None
            return in_turn(thinking.result()[0].action)[0]
        except SearchUnavailable as error:
            logger.warning("search unavailable, playing as normal error=%s", error)
            return None
        # However a search fails, the game goes on.
        except Exception as error:  # noqa: BLE001
            # Its message may tell of a hand.
            logger.error(
                "search failed, playing as normal game=%s error=%s", game, type(error).__name__
            )
            return None
        finally:
            thinking.cancel()
            late.cancel()

    def _judgement(self, game: str, version: int) -> Judgement[Any] | None:
        return self._judgements.of(game, version) if game in self._judgements else None
