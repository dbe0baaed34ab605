"""Files of data with a mistake put into them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bot.resources import Traversable


def check_is_named(
    load: Callable[[Path], object], data: Traversable, folder: Path, old: str, new: str, error: str
) -> None:
    """With the first `old` of the file replaced by `new`, `load` says so."""
    text = data.read_text(encoding="utf-8")
    assert old in text
    path = folder / data.name
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises((msgspec.ValidationError, ValueError), match=error):
        load(path)
