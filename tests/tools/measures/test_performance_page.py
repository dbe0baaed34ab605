"""docs/performance.md shows the figures of docs/performance.json, in its tables and its chart.

`GOLDEN=refresh` makes both anew from what `python -m bot bench --growth` printed.
"""

from __future__ import annotations

import msgspec

from bot.tools.measures.performance import report
from bot.tools.measures.performance.run import Performance
from tests.tools.measures.kept import DOCS, check_chart, check_page

PAGE, CHART = DOCS / "performance.md", DOCS / "performance.png"
FIGURES = msgspec.json.decode((DOCS / "performance.json").read_bytes(), type=Performance)


def test_the_tables_of_the_page_are_those_of_the_figures() -> None:
    check_page(PAGE, lambda text: report.filled_in(text, FIGURES))


def test_the_chart_of_the_page_is_drawn_from_the_figures() -> None:
    check_chart(CHART, report.chart(FIGURES.growth))
