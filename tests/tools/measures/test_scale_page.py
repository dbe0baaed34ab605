"""docs/scale.md shows the figures of docs/scale.json, in its tables and its chart.

`GOLDEN=refresh` makes both anew from what `python -m bot bench --database URL --json` printed.
"""

from __future__ import annotations

import re

import msgspec

from bot.cluster.rates import A_SECOND, USED
from bot.tools.measures.scale import chart, paper, report
from bot.tools.measures.scale.growth import Growth
from bot.tools.measures.scale.run import Figures
from tests.tools.measures.kept import DOCS, check_chart, check_page

PAGE, CHART = DOCS / "scale.md", DOCS / "scale.png"
FIGURES = msgspec.json.decode((DOCS / "scale.json").read_bytes(), type=Figures)


def test_the_tables_of_the_page_are_those_of_the_figures() -> None:
    check_page(PAGE, lambda text: report.filled_in(text, FIGURES))


def test_on_paper_a_start_looks_through_all_tables_and_keeps_what_is_due_at_its_own() -> None:
    half = Growth(
        database="postgresql", tables=paper.TABLES // 2, presses_s=3, outbox_s=4, start_held_ms=1,
        tick_ms=1, load_ms=1, idle_mib=100, outbox_mib=200, table_kib=1,
    )  # fmt: skip
    rows = {
        name: to for name, _, to in paper.paper(msgspec.structs.replace(FIGURES, growth=[half]))
    }
    memory = 2 * (half.outbox_mib - half.idle_mib) / paper.PROCESSES
    assert rows["a start of one process"] == (
        f"at most {2 * half.presses_s:.1f} s until presses,"
        f" {2 * half.outbox_s:.1f} s for the outbox, {memory:.0f} MiB for it"
    )


def test_on_paper_the_turns_of_an_evening_stand_beside_those_that_discord_takes() -> None:
    rows = {name: to for name, _, to in paper.paper(FIGURES)}
    asked, taken = re.findall(r"\d+", rows["Discord"])
    evening = paper.EVENING * paper.TABLES * paper.ACTIONS_A_DAY / paper.DAY_S
    assert int(asked) == round(evening / paper.ACTIONS_A_TURN)
    assert int(taken) == int(A_SECOND * USED / paper.REQUESTS)


def test_the_chart_of_the_page_is_drawn_from_the_figures() -> None:
    check_chart(CHART, chart.draw(FIGURES.growth))
