"""A table as everyone sees it, for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.cogs.ui.table_view import TableView
from bot.cogs.ui.waiting import table_link
from bot.game.contract import Event
from bot.tables import Status


def public_state(table_view: TableView, events: Sequence[Event]) -> dict[str, Any]:
    """Return what a post of these events shows, as JSON values. The view must be a spectator's.

    Places and scores are by seat, and empty until the game is finished. Numbers of log entries are
    left out, as a gap would reveal a secret action.
    """
    table, outcome = table_view.table, table_view.outcome
    to_act = [each for each in table_view.pending if not each.optional]
    return {
        "table": table.id,
        "game": table.game,
        "title": table_view.words(table_view.text.title),
        "status": table.status.value,
        "url": table_link(table),
        "seats": [
            {"name": name.plain, "computer": not player.is_human}
            for name, player in zip(table_view.names, table.players, strict=True)
        ],
        "happened": table_view.story(events),
        "to_act": [
            {"seat": each.seat, "text": table_view.text.to_act(each)}
            for each in to_act
            if table.status is Status.PLAYING
        ],
        "places": [] if outcome is None else outcome.places,
        "scores": [] if outcome is None else outcome.scores,
    }
