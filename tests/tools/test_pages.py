"""docs/performance.md and docs/scale.md show the figures of the files beside them, in their tables
and their charts.

`GOLDEN=refresh` makes both anew from what `python -m bot bench --growth` and
`python -m bot bench --database URL --json` printed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bot.tools.measures.performance import report as performance
from bot.tools.measures.performance.run import Performance
from bot.tools.measures.scale import chart, report
from bot.tools.measures.scale.run import Figures
from tests.render.compare import TOLERATED, different, read

DOCS = Path(__file__).parents[2] / "docs"
REFRESH = os.environ.get("GOLDEN") == "refresh"
PERFORMANCE = msgspec.json.decode((DOCS / "performance.json").read_bytes(), type=Performance)
SCALE = msgspec.json.decode((DOCS / "scale.json").read_bytes(), type=Figures)


@pytest.mark.parametrize(
    ("name", "filled_in", "drawn"),
    [
        (
            "performance",
            lambda text: performance.filled_in(text, PERFORMANCE),
            lambda: performance.chart(PERFORMANCE.growth),
        ),
        ("scale", lambda text: report.filled_in(text, SCALE), lambda: chart.draw(SCALE.growth)),
    ],
)
def test_tables_and_chart_of_a_page_are_made_from_its_figures(
    name: str, filled_in: Callable[[str], str], drawn: Callable[[], bytes]
) -> None:
    page, picture = DOCS / f"{name}.md", DOCS / f"{name}.png"
    text, made = page.read_text(encoding="utf-8"), drawn()
    if REFRESH:
        text = filled_in(text)
        page.write_text(text, encoding="utf-8")
        picture.write_bytes(made)
    assert text == filled_in(text)
    assert different(read(made), read(picture.read_bytes())) <= TOLERATED
