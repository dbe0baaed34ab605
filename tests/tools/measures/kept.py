"""Pages of docs/ and their charts, which are made from figures and kept beside them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from tests.render.compare import TOLERATED, different, read

DOCS = Path(__file__).parents[3] / "docs"
REFRESH = os.environ.get("GOLDEN") == "refresh"


def check_page(page: Path, filled_in: Callable[[str], str]) -> None:
    """The page stays as it is where its tables are filled in; `GOLDEN=refresh` fills them in."""
    text = page.read_text(encoding="utf-8")
    if REFRESH:
        text = filled_in(text)
        page.write_text(text, encoding="utf-8")
    assert text == filled_in(text)


def check_chart(chart: Path, drawn: bytes) -> None:
    """The chart looks like the one just drawn, which `GOLDEN=refresh` keeps."""
    if REFRESH:
        chart.write_bytes(drawn)
    assert different(read(drawn), read(chart.read_bytes())) <= TOLERATED
