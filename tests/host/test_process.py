"""The program as it is started, copied, stopped and set back, by a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bot.__main__ import main
from bot.local import Standin
from tests.host.conftest import TIMEOUT_S
from tests.wire.hands import Hands, sit_down
from tests.wire.process import BotProcess, process_on

FIELDS = {"time", "level", "logger", "message", "table", "seq", "game", "seat", "kind", "ms"}


@pytest.fixture
def operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'tables.sqlite'}")
    return tmp_path


@pytest.mark.slow
async def test_a_running_game_is_copied_and_set_back_and_goes_on(
    operator: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    standin = Standin(acknowledge_s=TIMEOUT_S)
    async with standin, process_on(standin, operator) as process:
        await process.start(BACKUP_KEEP="0", LOG_LEVEL="DEBUG", LOG_FORMAT="json")
        anna, bert = (Hands(standin, standin.person(n), Random(n)) for n in ("Anna", "Bert"))
        await sit_down(standin, anna.person, bert.person)
        await anna.turn()
        await process.kept.settled()

        assert main(["backup"]) == 0
        made = Path(capsys.readouterr().out.strip())
        copied = process.kept.log()
        await bert.turn()
        await process.kept.settled()
        later = process.kept.log()
        assert len(later) > len(copied)

        await check_second_start(standin, operator)
        assert main(["restore", str(made)]) == 2
        assert "Stop it first" in capsys.readouterr().err
        assert await process.stop() == 0
        check_log(process, [entry.action for entry in later])

        assert main(["restore", str(made)]) == 0
        assert ".replaced-" in capsys.readouterr().out
        assert process.kept.log() == copied
        await process.gone()
        await process.start()
        await bert.turn()
        assert len(process.kept.log()) > len(copied)
        assert await process.stop() == 0


async def check_second_start(standin: Standin, folder: Path) -> None:
    async with process_on(standin, folder) as second:
        second.log = folder / "second.log"
        await second.launch()
        assert await second.exit_status() == 2
        said = second.log.read_text()
    assert said.count("\n") == 1
    assert "A bot is running on" in said


def check_log(process: BotProcess, actions: list[str]) -> None:
    written = process.log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    acted = [line for line in lines if "kind" in line]
    by_seats = [action for action in actions if not action.startswith("setup")]
    assert [line["kind"] for line in acted] == [action.split()[0] for action in by_seats]
    assert all(set(line) == FIELDS for line in acted)
    assert {line["logger"].partition(".")[0] for line in lines} == {"bot"}
    for action in by_seats:
        assert action not in written
