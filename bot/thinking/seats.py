"""The strong player on seats of tables."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from bot.game.contract import Action, Decision, in_turn
from bot.game.versions import Versions
from bot.policy.levels import STRONG
from bot.policy.search import Mind
from bot.thinking.pool import NoThinkers, Thinkers

logger = logging.getLogger(__name__)

Minds = Versions[Mind[Any, Any] | None]
"""The mind of each game; None where it has none."""


class StrongSeats:
    """Chooses for the strong player, by its mind for each game.

    An answer takes the usual time, however little there was to think about: others could else tell
    by the clock what its hand allows.
    """

    def __init__(self, thinkers: Thinkers, minds: Minds) -> None:
        self._thinkers = thinkers
        self._minds = minds

    def thinks(self, game: str, version: int, policy: str) -> bool:
        """Whether it is the strong player of a game that has a mind, and anybody can think."""
        is_strong = policy == STRONG and self._mind(game, version) is not None
        return is_strong and self._thinkers.can_think

    async def action(
        self, game: str, version: int, view: Any, decision: Decision, seed: str
    ) -> Action | None:
        """What it does; None where nobody can think now."""
        mind = self._mind(game, version)
        if mind is None:
            return None
        pace = asyncio.create_task(asyncio.sleep(self._thinkers.think_s))
        try:
            moves = await self._thinkers.think(mind, view, decision, seed)
            await pace
        except NoThinkers as error:
            logger.warning("the strong player plays as the normal one does: %s", error)
            return None
        # However a search fails, the game goes on.
        except Exception as error:  # noqa: BLE001
            # Its message may tell of a hand.
            logger.error("the strong player failed at %s: %s", game, type(error).__name__)
            return None
        finally:
            pace.cancel()
        return in_turn(moves[0].action)[0]

    def _mind(self, game: str, version: int) -> Mind[Any, Any] | None:
        return self._minds.of(game, version) if game in self._minds else None
