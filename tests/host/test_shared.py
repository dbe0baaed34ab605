"""Several bots over one PostgreSQL, as their operator sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bot.cluster import hosting
from bot.local import Standin
from bot.store.notices import NoticeListener
from tests.host.conftest import Hosted, settings_in
from tests.store.database import SERVER_ALONE, Database
from tests.waiting import until

pytestmark = SERVER_ALONE

SHARDS = 2


@pytest.fixture(autouse=True)
def _identifies_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosting, "IDENTIFY_EVERY_S", 0.0)


def member_of(standin: Standin, folder: Path, database: Database, **more: Any) -> Hosted:
    changed = {"database_url": database.url, "shards": SHARDS, **more}
    return Hosted(settings_in(folder, standin.url, **changed))


async def health(bot: Hosted) -> dict[str, Any]:
    try:
        status, text = await bot.ask("/healthz")
    except OSError:
        return {}
    told: dict[str, Any] = json.loads(text)
    return told if status == 200 else {}


async def test_one_that_does_not_hear_the_others_is_not_well(
    standin: Standin, tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = member_of(standin, tmp_path, database)

    async def is_well() -> bool:
        told = await health(bot)
        return told != {} and told["notices"] == "ok" and told["member"]["here"] != {}

    async with bot.running(standin.token):
        await until(is_well)
        with monkeypatch.context() as patch:
            patch.setattr(NoticeListener, "is_listening", False)
            status, text = await bot.ask("/healthz")
        told = json.loads(text)
        assert (status, told["healthy"], told["notices"]) == (503, False, "not heard")
        await until(is_well)
