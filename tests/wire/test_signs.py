"""The signs of pieces, from the drawing to the sentence, over the wire."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.app import open_services
from bot.cogs.ui.services import Services
from bot.local import Standin
from bot.render.cache import PARTS
from bot.render.sprites import Sprite
from bot.titles import versions_of
from bot.titles.title import Titles
from tests.waiting import until
from tools.connected import connected

KOGGE = Titles(versions_of("kogge"))
FEW = {name: KOGGE.signs[name] for name in ("side_0", "kogge_salt", "kogge_ore")}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KOGGE, "signs", FEW)


@asynccontextmanager
async def uploading(
    standin: Standin, folder: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Services]:
    caplog.clear()
    async with (
        open_services(f"sqlite:///{folder / 'signs.db'}", titles=KOGGE) as services,
        connected(standin, services, uploads_signs=True),
    ):
        # The last thing that it does is to say how it went.
        await until(lambda: [each for each in caplog.records if each.name == "bot.cogs.signs"])
        yield services


async def test_each_sign_is_uploaded_once_and_then_stands_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    async with Standin() as standin:
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.signs.keys() == FEW.keys()
            said = services.words_for("it").sign("kogge_salt", "S")
            emoji = {str(each.id): each.name for each in standin.model.emojis.values()}
            assert said == services.signs["kogge_salt"]
            _, name, number = said.strip("<>").split(":")
            assert emoji[number] == name
            assert name.startswith("kogge_salt_")
            # What they were drawn with is not kept.
            assert PARTS.used == 0
        known = list(standin.model.emojis)

        async with uploading(standin, tmp_path, caplog) as services:
            assert services.words_for(None).sign("kogge_salt", "S") == said
        assert list(standin.model.emojis) == known

        # One that looks different now is uploaded beside the old one.
        monkeypatch.setattr(KOGGE, "signs", {**FEW, "kogge_salt": FEW["kogge_ore"]})
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.signs["kogge_salt"] != said
        assert number in map(str, standin.model.emojis)


async def test_where_discord_takes_none_or_one_cannot_be_drawn_words_have_plain_signs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Sprite:
        raise ZeroDivisionError

    async with Standin() as standin:
        refused = standin.faults.fail("POST", "/applications/*/emojis", status=403, times=None)
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.signs == {}
            assert services.words_for(None).sign("kogge_salt", "S") == "S"
        standin.faults.lift(refused)
        monkeypatch.setattr(KOGGE, "signs", {"kogge_salt": broken})
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.words_for(None).sign("kogge_salt", "S") == "S"
    assert [
        each.message.split("\n")[0] for each in caplog.records if each.levelname == "ERROR"
    ] == ["emoji upload failed, using plain signs error=ZeroDivisionError"]
