"""Games in files, given by some while others go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.tables.archive.importing import CheckedImport
from tests.wire.conftest import Wire
from tests.wire.hands import HARBOUR

EXAMPLE = Path(__file__).parents[2] / "docs" / "kogge-game.json"

pytestmark = pytest.mark.usefixtures("unhurried")


async def test_while_a_long_game_is_checked_others_open_tables(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports, going_on = wire.services.tables.imports, asyncio.Event()
    check = imports.check

    async def slow(data: bytes) -> CheckedImport:
        await going_on.wait()
        return await check(data)

    monkeypatch.setattr(imports, "check", slow)
    file = ("game.json", EXAMPLE.read_bytes())
    giving = asyncio.create_task(wire.anna.slash(HARBOUR, "table import", file=file))
    await wire.bert.slash(HARBOUR, "game new", game="kogge")
    assert (await wire.services.tables.reader.get(1)).host == wire.bert.id

    going_on.set()
    await giving
    assert (await wire.services.tables.reader.get(2)).host == wire.anna.id
