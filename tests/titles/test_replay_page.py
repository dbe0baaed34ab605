"""A game as one HTML file: what it contains, and how it is written."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from bot.game.contract import SPECTATOR
from bot.tables.core.record import decode, encode, until
from bot.tables.export import Report, encode_report
from bot.titles import TITLES, replay_page
from bot.tools import OK
from bot.tools import replay as tool
from tests.recorded.results import names, read_record
from tests.titles.pages import content_of, page_of, steps_of, title_of
from tests.tools.typed import UNUSABLE, run

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "kogge-game.json"
EXAMPLE = decode(FILE.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("name", TITLES)
def test_a_page_has_nothing_that_spectators_did_not_see(name: str) -> None:
    game = TITLES[name].game
    record = read_record(game, names(game)[-1])
    steps = steps_of(record)[-11:-8]
    rng = Random(name)
    states = [game.resample(game.decode(step.state), SPECTATOR, rng) for step in steps]
    others = [
        step._replace(state=game.encode(state)) for step, state in zip(steps, states, strict=True)
    ]
    assert [step.state for step in others] != [step.state for step in steps]
    assert page_of(record, others) == page_of(record, steps)


def test_a_page_has_the_result_the_story_and_each_turn_in_all_languages() -> None:
    steps = steps_of(EXAMPLE)
    content = content_of(page_of(EXAMPLE, steps))
    assert len(content["seats"]) == len(steps)
    assert [*content["languages"]] == ["en", "it"]
    for texts in content["languages"].values():
        assert len(texts["boards"]) == len(texts["turns"]) == len(steps)
        assert texts["scores"][-1][1] == [4, 5]
    english, italian = content["languages"].values()
    assert english["result"][0] == "🏆 **Bert** wins!"
    assert english["story"][-1].startswith("🏆 **Bert** wins with 5 points")
    assert english["turns"][:2] == ["Set-up", f"Before round 1 · turn 1 of {len(steps) - 1}"]
    assert english["chart"] != italian["chart"]
    assert EXAMPLE.key not in str(content)


@pytest.mark.slow
def test_a_page_that_is_too_large_gets_smaller_boards_then_one_for_each_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps = steps_of(EXAMPLE)[:12:4]
    sizes, counts, limit = [], [], 10**9
    for _ in range(3):
        monkeypatch.setattr(replay_page, "MAX_BYTES", limit)
        page = page_of(EXAMPLE, steps)
        content = content_of(page)
        sizes.append(content["size"][0])
        counts.append(len(content["seats"]))
        limit = len(page) - 1
    assert sizes == [1400, 800, 800]
    rounds = sorted({step.round for step in steps})
    assert counts == [len(steps), len(steps), len(rounds)]
    assert content["languages"]["en"]["turns"] == ["Set-up", *(f"Round {n}" for n in rounds[1:])]
    monkeypatch.setattr(replay_page, "MAX_BYTES", limit)
    with pytest.raises(replay_page.PageTooLarge):
        page_of(EXAMPLE, steps)


def test_other_colours_are_in_the_boards_the_names_and_the_chart() -> None:
    steps = steps_of(EXAMPLE)[:2]
    usual, other = (
        content_of(page_of(EXAMPLE, steps, palette=palette))
        for palette in ("standard", "red_green")
    )
    for key in ("sheets", "sides"):
        assert usual[key] != other[key]
    assert usual["languages"]["en"]["chart"] != other["languages"]["en"]["chart"]


@pytest.mark.slow
def test_the_command_line_writes_a_page_of_a_game_or_of_a_position(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "new" / "game.html"
    assert run(tool, str(FILE), "--html", str(page)) == OK
    assert capsys.readouterr().out == f"Wrote {page}\n"
    assert page.read_bytes() == page_of(EXAMPLE, steps_of(EXAMPLE))

    position = tmp_path / "position.json"
    position.write_bytes(encode(until(EXAMPLE, 5)))
    assert run(tool, str(position), "--html", str(page)) == OK
    english = content_of(page.read_bytes())["languages"]["en"]
    assert english["result"] == ["This game is unfinished."]
    assert english["scores"] == english["story"] == []


def test_the_command_line_says_why_it_writes_no_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, position = tmp_path / "game.html", tmp_path / "position.json"
    position.write_bytes(encode(until(EXAMPLE, 1)))
    assert run(tool, str(DOCS / "kogge-seen.json"), "--html", str(page)) == UNUSABLE
    assert run(tool, str(position), "--html", str(tmp_path)) == UNUSABLE
    assert "Cannot write" in capsys.readouterr().err
    report = tmp_path / "report.json"
    running = Report({}, "kogge", 2, {}, {}, "playing", ("person", "normal"))
    report.write_bytes(encode_report(running))
    assert run(tool, str(report), "--html", str(page)) == UNUSABLE
    assert "no whole game" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run(tool, str(FILE))
    monkeypatch.setattr(replay_page, "MAX_BYTES", 1000)
    assert run(tool, str(position), "--html", str(page)) == UNUSABLE
    assert "too long for one file" in capsys.readouterr().err
    assert not page.exists()


def test_names_cannot_leave_their_place_in_the_file() -> None:
    hostile = ("</title><script>alert(1)</script>", "{data}{style_hash}\u2028")
    record = replace(EXAMPLE, seats=hostile)
    page = page_of(record, steps_of(record)[:2])
    assert b"alert(1)</script>" not in page
    assert "\u2028" not in page.decode()
    assert page.count(b"<script") == 2
    assert b"{style_hash}</title>" in page
    assert content_of(page)["languages"]["en"]["names"][1] == "{data}{style_hash}"
    assert title_of(record).game.name == content_of(page)["languages"]["en"]["title"].lower()
