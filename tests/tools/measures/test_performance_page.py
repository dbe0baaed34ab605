"""docs/performance.md shows the figures of docs/performance.json, in its tables and its chart.

`GOLDEN=refresh` makes both anew from what `python -m bot bench --growth` printed.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from bot.tools.measures.performance import report
from bot.tools.measures.performance.run import Performance
from tests.render.compare import TOLERATED, different, read

DOCS = Path(__file__).parents[3] / "docs"
PAGE, CHART = DOCS / "performance.md", DOCS / "performance.png"
FIGURES = msgspec.json.decode((DOCS / "performance.json").read_bytes(), type=Performance)
REFRESH = os.environ.get("GOLDEN") == "refresh"


def test_the_tables_of_the_page_are_those_of_the_figures() -> None:
    text = PAGE.read_text(encoding="utf-8")
    if REFRESH:
        text = report.filled_in(text, FIGURES)
        PAGE.write_text(text, encoding="utf-8")
    assert text == report.filled_in(text, FIGURES)


def test_the_chart_of_the_page_is_drawn_from_the_figures() -> None:
    drawn = report.chart(FIGURES.growth)
    if REFRESH:
        CHART.write_bytes(drawn)
    assert different(read(drawn), read(CHART.read_bytes())) <= TOLERATED
