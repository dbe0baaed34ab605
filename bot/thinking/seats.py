"""The strong player at tables."""

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
"""The judgement of each game; None for a game without one."""

BUDGET = 0.5
"""Share of the pace that the search's budget is meant to take."""
DEADLINE = 0.7
"""Share of the pace after which a search returns its results so far."""
LATEST = 0.8
"""Share of the pace after which the results of an unfinished search are ignored."""


class StrongSeats:
    """Chooses the strong player's actions by the judgement of each game.

    Every answer comes after the same time, the pace. It does not depend on the number of legal
    actions, the length of the search, or whether the fallback had to answer: otherwise the time
    would reveal something about the hand.
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
        """Return whether the policy is the strong player, the game has a judgement, and there are
        workers."""
        is_strong = policy == STRONG and self._judgement(game, version) is not None
        return is_strong and self._search_pool.can_think

    async def action(
        self,
        game: str,
        version: int,
        view: Any,
        decision: Decision,
        seed: str,
        fallback: Callable[[], Awaitable[Action | None]],
    ) -> Action | None:
        """Return the best action, or the fallback's, after the pace."""
        with suppress(SearchUnavailable):
            # The time to start a worker does not depend on the hand.
            await self._search_pool.ready()
        started, pace = self._time(), self._search_pool.think_s
        action = await self._search(game, version, view, decision, seed, started)
        if action is None:
            action = await fallback()
        await self._sleep(started + pace - self._time())
        return action

    async def _search(
        self, game: str, version: int, view: Any, decision: Decision, seed: str, started: float
    ) -> Action | None:
        """Return the best action; None if the search failed or was too late."""
        judgement, pace = self._judgement(game, version), self._search_pool.think_s
        if judgement is None:
            return None
        thinking = asyncio.ensure_future(
            self._search_pool.think(
                judgement, view, decision, seed, share=BUDGET, deadline=started + DEADLINE * pace
            )
        )
        timeout = asyncio.ensure_future(self._sleep(LATEST * pace))
        try:
            await asyncio.wait({thinking, timeout}, return_when=asyncio.FIRST_COMPLETED)
            if not thinking.done():
                logger.info("search out of time, playing as normal")
                return None
            return in_turn(thinking.result()[0].action)[0]
        except SearchUnavailable as error:
            logger.warning("search unavailable, playing as normal error=%s", error)
            return None
        # The game continues without the search if it fails.
        except Exception as error:  # noqa: BLE001
            # The error's message may show a hand.
            logger.error(
                "search failed, playing as normal game=%s error=%s", game, type(error).__name__
            )
            return None
        finally:
            thinking.cancel()
            timeout.cancel()

    def _judgement(self, game: str, version: int) -> Judgement[Any] | None:
        return self._judgements.of(game, version) if game in self._judgements else None
