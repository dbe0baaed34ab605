"""docs/performance.md and docs/scale.md show the figures of the files beside them, in their tables
and their charts.

`GOLDEN=refresh` makes both anew from what `python -m bot bench --growth` and
`python -m bot bench --database URL --json` printed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bot.cluster.rates import A_SECOND, USED
from bot.tools.measures.performance import report as performance
from bot.tools.measures.performance.run import Performance
from bot.tools.measures.scale import chart, paper, report
from bot.tools.measures.scale.growth import Growth
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


def test_on_paper_a_start_looks_through_all_tables_and_keeps_what_is_due_at_its_own() -> None:
    half = Growth(
        database="postgresql", tables=paper.TABLES // 2, presses_s=3, outbox_s=4, start_held_ms=1,
        tick_ms=1, load_ms=1, idle_mib=100, outbox_mib=200, table_kib=1,
    )  # fmt: skip
    rows = {name: to for name, _, to in paper.paper(msgspec.structs.replace(SCALE, growth=[half]))}
    memory = 2 * (half.outbox_mib - half.idle_mib) / paper.PROCESSES
    assert rows["a start of one process"] == (
        f"at most {2 * half.presses_s:.1f} s until presses,"
        f" {2 * half.outbox_s:.1f} s for the outbox, {memory:.0f} MiB for it"
    )


def test_on_paper_the_turns_of_an_evening_stand_beside_those_that_discord_takes() -> None:
    rows = {name: to for name, _, to in paper.paper(SCALE)}
    asked, taken = re.findall(r"\d+", rows["Discord"])
    evening = paper.EVENING * paper.TABLES * paper.ACTIONS_A_DAY / paper.DAY_S
    assert int(asked) == round(evening / paper.ACTIONS_A_TURN)
    assert int(taken) == int(A_SECOND * USED / paper.REQUESTS)
