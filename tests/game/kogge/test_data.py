"""The content of Kogge is checked when it is loaded."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from bot.game.content import read
from bot.game.kogge.data import CONTENT, KoggeContent
from bot.resources import data

WHOLE = data("kogge", "game.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("part", "spoiled", "said"),
    [
        ("markers = [", "markers = [1, ", "9 cities, 10 markers"),
        ('good = "salt"', 'good = "glass"', "a good that is not listed"),
        ("points =", "pionts =", "pionts"),
    ],
)
def test_content_that_does_not_fit_together_is_refused(
    part: str, spoiled: str, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.toml"
    file.write_text(WHOLE, encoding="utf-8")
    assert read(file, KoggeContent) == CONTENT
    file.write_text(WHOLE.replace(part, spoiled, 1), encoding="utf-8")
    with pytest.raises(msgspec.ValidationError, match=said):
        read(file, KoggeContent)
