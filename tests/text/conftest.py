"""Languages and tables that tests of the texts share."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.text.words import Catalogues, Words
from tests.text.pseudo import write_pseudo


@pytest.fixture(scope="session")
def pseudo(tmp_path_factory: pytest.TempPathFactory) -> Words:
    """A language in which every letter of every message is another one."""
    folder = tmp_path_factory.mktemp("locale")
    write_pseudo(folder / "el.po")
    return Catalogues(folder).words_for("el")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder for catalogues."""
    return tmp_path
