"""How times grow: that each measurement gives its figures, never how large they are."""

from __future__ import annotations

import json

import msgspec
import pytest

from bot.titles import TITLES
from bot.tools import OK, bench
from bot.tools.measures import engine, pictures
from bot.tools.measures.performance import growth, report
from bot.tools.measures.performance.run import Performance
from tests.tools.typed import run


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """The measurements as they are, but each of them short."""
    for module, name, value in (
        (engine, "RUNS", 1),
        (engine, "GAMES", 1),
        (pictures, "EVERY", 40),
        (growth, "TABLES", (3, 5)),
        (growth, "ACTIONS", (4, 8)),
        (growth, "ENTRIES", 3),
        (growth, "TIMES", 2),
        (growth, "FEW", 1),
        (growth, "ACTS", 1),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.slow
def test_one_object_has_the_figures_of_a_title_and_how_they_grow(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ("kogge", "--growth", "--rounds", "1", "--only", "image_kb")
    assert run(bench, *words) == OK
    found = msgspec.json.decode(capsys.readouterr().out, type=Performance)
    (title,) = found.titles
    assert title.game == "kogge"
    assert title.figures["image_kb"]
    assert [each.tables for each in found.growth.tables] == [3, 5]
    assert [each.actions for each in found.growth.actions] == [4, 8]
    assert [each.players for each in found.growth.players] == list(TITLES["kogge"].game.seats)
    for row in (*found.growth.tables, *found.growth.actions, *found.growth.players):
        figures = json.loads(msgspec.json.encode(row))
        assert all(value for value in figures.values())
    assert report.chart(found.growth).startswith(b"\x89PNG")


async def test_a_game_that_never_lasts_so_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SEEDS", 1)
    monkeypatch.setattr(growth, "CHATTY", 0.0)
    with pytest.raises(ValueError, match="lasts for 5000 actions"):
        await growth.with_actions(TITLES["flandern"].game, [5000])
