"""The growth as a chart: how long things take over how many tables are open, on both databases."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.tools.measures import plots
from bot.tools.measures.plots import COLOURS, SECOND, Curve, CurveChart
from bot.tools.measures.scale.growth import Growth

_CURVES: dict[str, Callable[[Growth], float]] = {
    "outbox known": lambda each: SECOND * each.outbox_s,
    "takes presses": lambda each: SECOND * each.presses_s,
    "a table read": lambda each: each.load_ms,
    "a tick": lambda each: each.tick_ms,
}


def draw(growth: Sequence[Growth]) -> bytes:
    """The PNG of the growth of at least one database, measured with at least two counts."""
    curves = [
        Curve(
            label,
            colour,
            [(each.tables, ms(each)) for each in growth if each.database == database],
            dashed=database == "sqlite",
        )
        for (label, ms), colour in zip(_CURVES.items(), COLOURS, strict=True)
        for database in sorted({each.database for each in growth})
    ]
    note = "solid: PostgreSQL, dashed: SQLite"
    return plots.draw([CurveChart("How long it takes, by open tables", curves, note)])
