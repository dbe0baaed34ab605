"""Golden answers of computer players at moments of recorded games.

``GOLDEN=refresh pytest tests/policy`` writes them again. Read the difference before you commit it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import unified_diff
from functools import partial
from pathlib import Path

import pytest

from bot.game.contract import canonical
from bot.titles import NAMES, TITLES
from bot.titles.title import Title
from tests.policy.menus import offered

FOLDER = Path(__file__).parent / "answers"
REFRESH = os.environ.get("GOLDEN") == "refresh"
EVERY = {"kogge": 89, "burgundy": 83, "guatemala": 83, "flandern": 83}
MAX_SHOWN = 8
"""Maximum entries of a menu, and candidates of the strong player."""


def answers(title: Title) -> Iterator[str]:
    """Yield decisions with the normal player's action, the menu, the strong player's candidates and
    the expected scores."""
    judgement = title.judgement
    assert judgement is not None
    for each in offered(title, EVERY[title.game.name]):
        legal = partial(title.game.legal, each.state, each.decision.seat)
        candidates = judgement.candidates(each.view, each.decision, legal)[:MAX_SHOWN]
        yield f"{each.decision.seat} {each.decision.kind}: {canonical(each.normal)}\n"
        yield f"    menu: {'; '.join(map(canonical, each.menu[:MAX_SHOWN]))}\n"
        yield f"    thinks about: {'; '.join(map(canonical, candidates))}\n"
        if title.game.round(each.state) > 0:
            worth = " ".join(f"{value:.2f}" for value in judgement.value(each.state))
            yield f"    expects: {worth}, spread {judgement.spread(each.state):.2f}\n"


@pytest.mark.parametrize("name", NAMES)
def test_answers_match_the_golden_ones(name: str) -> None:
    golden, now = FOLDER / f"{name}.txt", [*answers(TITLES[name])]
    if REFRESH:
        FOLDER.mkdir(exist_ok=True)
        golden.write_text("".join(now), encoding="utf-8")
    before = golden.read_text("utf-8").splitlines(keepends=True)
    assert "".join(unified_diff(before, now, n=1)) == ""
