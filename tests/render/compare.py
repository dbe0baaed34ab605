"""Golden pictures.

They are compared with a tolerance, as fonts are smoothed a little differently by other versions
of FreeType. ``GOLDEN=refresh pytest tests/render`` writes them anew: look at them before they are
committed.
"""

from __future__ import annotations

import os
import zlib
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops

from bot.render.cache import PARTS, PICTURES
from bot.render.png import _SIGNATURE, _chunk

GOLDEN = Path(__file__).parent / "golden"
REFRESH = os.environ.get("GOLDEN") == "refresh"

TOLERATED = 0.1
"""Share of pixels that may be different in any block: less than another digit."""

_NOTICEABLE = 48
"""Difference of a channel, of 255, from which a pixel counts as different."""

_BLOCK = 25
"""Sides of a block in pixels."""


def assert_golden(name: str, picture: bytes) -> None:
    """Fails where the picture is not the one kept as `name`; keeps it when asked to refresh."""
    golden = GOLDEN / f"{name}.png"
    if REFRESH:
        golden.write_bytes(picture)
    kept = golden.read_bytes()
    # By the fonts that it was drawn with it is the same.
    if _indexed(picture) != _indexed(kept):
        assert different(read(picture), read(kept)) <= TOLERATED, name


def _indexed(picture: bytes) -> tuple[bytes, list[int] | None]:
    with Image.open(BytesIO(picture)) as image:
        return image.tobytes(), image.getpalette()


def read(picture: bytes) -> Image.Image:
    """The "RGB" image of a PNG."""
    with Image.open(BytesIO(picture)) as image:
        return image.convert("RGB")


def different(one: Image.Image, other: Image.Image) -> float:
    """The share of pixels that differ noticeably in the block where most do."""
    assert one.size == other.size
    red, green, blue = ImageChops.difference(one, other).split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    noticed = worst.point([0] * _NOTICEABLE + [255] * (256 - _NOTICEABLE))
    blocks = noticed.resize(
        (one.width // _BLOCK, one.height // _BLOCK), Image.Resampling.BOX
    ).tobytes()
    return max(blocks) / 255


def two_tones(picture: bytes) -> Image.Image:
    """A PNG in white and black: what is known without colours."""
    grey = read(picture).convert("L").point([0] * 200 + [255] * 56)
    return grey.convert("RGB")


def contents(picture: bytes) -> bytes:
    """All that a PNG says, its rows inflated, and what stands after its end: what to compare
    pictures by.

    The rows depend only on what is drawn, not on what was drawn before or at the same time. The
    deflated bytes can differ: once in many thousand times isal made other bytes of the same rows.
    Raises ValueError for what is no whole PNG.
    """
    if not picture.startswith(_SIGNATURE):
        raise ValueError("this is no PNG")
    said, deflated, name, place = [], [], b"", len(_SIGNATURE)
    while name != b"IEND":
        length = int.from_bytes(picture[place : place + 4], "big")
        chunk = picture[place : (place := place + length + 12)]
        name, data = chunk[4:8], chunk[8:-4]
        if chunk != _chunk(name, data):
            raise ValueError("a chunk of the PNG is cut off or broken")
        if name == b"IDAT":
            deflated.append(data)
        else:
            said.append(chunk)
    rows = zlib.decompressobj()
    try:
        said.append(rows.decompress(b"".join(deflated)))
    except zlib.error as error:
        raise ValueError(f"the rows of the PNG are broken: {error}") from error
    if not rows.eof:
        raise ValueError("the rows of the PNG are cut off")
    return b"".join((*said, rows.unused_data, picture[place:]))


def forget() -> None:
    """Keep nothing of what has been drawn."""
    PARTS.clear()
    PICTURES.clear()
