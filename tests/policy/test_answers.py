"""What computer players do at moments of recorded games changes on purpose alone.

``GOLDEN=refresh pytest tests/policy`` writes it anew: read the difference before you commit it.
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
FIRST = 8
"""As many entries of a menu and candidates of the strong player are kept."""


def answers(title: Title) -> Iterator[str]:
    """At some moments: what is asked, what the normal player does, what a menu begins with, what
    the strong player thinks about first, and what it expects each seat to score."""
    judgement = title.judgement
    assert judgement is not None
    for each in offered(title, EVERY[title.game.name]):
        legal = partial(title.game.legal, each.state, each.decision.seat)
        found = judgement.candidates(each.view, each.decision, legal)[:FIRST]
        yield f"{each.decision.seat} {each.decision.kind}: {canonical(each.greedy)}\n"
        yield f"    menu: {'; '.join(map(canonical, each.menu[:FIRST]))}\n"
        yield f"    thinks about: {'; '.join(map(canonical, found))}\n"
        if title.game.round(each.state) > 0:
            worth = " ".join(f"{value:.2f}" for value in judgement.value(each.state))
            yield f"    expects: {worth}, spread {judgement.spread(each.state):.2f}\n"


@pytest.mark.parametrize("name", NAMES)
def test_what_players_do_is_what_they_did(name: str) -> None:
    kept, now = FOLDER / f"{name}.txt", [*answers(TITLES[name])]
    if REFRESH:
        FOLDER.mkdir(exist_ok=True)
        kept.write_text("".join(now), encoding="utf-8")
    before = kept.read_text("utf-8").splitlines(keepends=True)
    assert "".join(unified_diff(before, now, n=1)) == ""
