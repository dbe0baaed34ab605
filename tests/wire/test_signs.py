"""Emoji of pieces: drawing, upload and use in texts."""

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
        # The cog logs its result at the end.
        await until(lambda: [each for each in caplog.records if each.name == "bot.cogs.signs"])
        yield services


async def test_each_emoji_is_uploaded_once_and_used_in_texts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    async with Standin() as standin:
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.signs.keys() == FEW.keys()
            text = services.words_for("it").sign("kogge_salt", "S")
            emoji = {str(each.id): each.name for each in standin.model.emojis.values()}
            assert text == services.signs["kogge_salt"]
            _, name, number = text.strip("<>").split(":")
            assert emoji[number] == name
            assert name.startswith("kogge_salt_")
            # The parts of the drawings are not cached.
            assert PARTS.used == 0
        uploaded = list(standin.model.emojis)

        async with uploading(standin, tmp_path, caplog) as services:
            assert services.words_for(None).sign("kogge_salt", "S") == text
        assert list(standin.model.emojis) == uploaded

        # A changed emoji is uploaded in addition to the old one.
        monkeypatch.setattr(KOGGE, "signs", {**FEW, "kogge_salt": FEW["kogge_ore"]})
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.signs["kogge_salt"] != text
        assert number in map(str, standin.model.emojis)


async def test_texts_have_plain_signs_if_an_upload_or_a_drawing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Sprite:
        raise ZeroDivisionError

    async with Standin() as standin:
        refused = standin.faults.fail("POST", "/applications/*/emojis", status=403, times=None)
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.signs == {}
            assert services.words_for(None).sign("kogge_salt", "S") == "S"
        standin.faults.remove(refused)
        monkeypatch.setattr(KOGGE, "signs", {"kogge_salt": broken})
        async with uploading(standin, tmp_path, caplog) as services:
            assert services.words_for(None).sign("kogge_salt", "S") == "S"
    assert [
        each.message.split("\n")[0] for each in caplog.records if each.levelname == "ERROR"
    ] == ["emoji upload failed, using plain signs error=ZeroDivisionError"]
