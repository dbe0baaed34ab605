"""`/game report`: a file that shows a problem to a stranger, and nobody's secret or name."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from random import Random

from bot.tools import replay
from tests.cogs.conftest import Club
from tests.cogs.test_export import play_to_the_end


async def test_a_report_of_a_running_game_tells_no_secret_and_can_be_drawn(
    club: Club, tmp_path: Path
) -> None:
    table = await club.game()
    reporting = club.services.tables.reporting
    owner = club.person(table, 0)
    files = []
    for city in ("4", "5"):
        await owner.slash(club.place(table), "kogge found", marker=city)
        files.append(await reporting.report(table.id, rng=Random(1)))
    assert files[0] == files[1]
    await club.play_until(table.id, "sail")
    await owner.slash(club.place(table), "kogge push", route="left")

    result = await owner.slash(club.place(table), "game report")

    assert result.ephemeral
    (file,) = result.response.attachments
    data = await file.read()
    for private in (*table.names, *(str(person.id) for person in club.people), table.key_hash):
        assert private.encode() not in data
    report = json.loads(data)
    assert report["seats"] == ["person", "person"]
    assert len(report["refused"]) == 1
    assert report["program"]["python"]
    assert len(report["lines"]) > 3
    (tmp_path / "report.json").write_bytes(data)
    assert replay.run(Namespace(file=tmp_path / "report.json", out=tmp_path)) == 0
    assert (tmp_path / "0000.png").stat().st_size > 1000
    assert "asked: " in (tmp_path / "index.txt").read_text()

    # Of a finished game it has all, but for the names.
    await play_to_the_end(club, table)
    result = await club.people[3].slash(club.place(table), "game report")
    data = await result.response.attachments[0].read()
    assert json.loads(data)["record"]["seats"] == ["Player 1", "Player 2"]
    assert b"Anna" not in data
