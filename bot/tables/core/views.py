"""What observers see of a state, kept for a moment: while a turn is posted several parts ask."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from bot.game.contract import AnyGame, Observer
from bot.tables.core.cache import LoadedTable

KEPT = 64
"""Views kept, some 20 KB each."""


class KeptViews:
    """The newest views of some tables."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, Observer], tuple[Any, Any]] = OrderedDict()

    def of(self, game: AnyGame, loaded: LoadedTable, observer: Observer) -> Any:
        """The game's view of a table for an observer. Raises what `LoadedTable.position` does."""
        state, key = loaded.position().state, (loaded.table.id, observer)
        # A state is never changed once others hold it, so the same one looks the same.
        known = self._kept.get(key)
        if known is None or known[0] is not state:
            known = self._kept[key] = state, game.view(state, observer)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return known[1]
