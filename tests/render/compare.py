"""Golden pictures.

They are compared with a tolerance, as versions of FreeType smooth fonts differently.
``GOLDEN=refresh pytest tests/render`` writes them again. Look at them before you commit them.
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
"""Maximum share of different pixels in a block: less than a different digit has."""

_NOTICEABLE = 48
"""From this difference of a channel (0 to 255) on, a pixel counts as different."""

_BLOCK = 25
"""Width and height of a block in pixels."""


def assert_golden(name: str, picture: bytes) -> None:
    """Compare a picture with the golden picture `name`, or replace it with GOLDEN=refresh."""
    golden = GOLDEN / f"{name}.png"
    if REFRESH:
        golden.write_bytes(picture)
    expected = golden.read_bytes()
    # Usually it is equal, so the slow comparison is not needed.
    if _indexed(picture) != _indexed(expected):
        assert different(read(picture), read(expected)) <= TOLERATED, name


def _indexed(picture: bytes) -> tuple[bytes, list[int] | None]:
    with Image.open(BytesIO(picture)) as image:
        return image.tobytes(), image.getpalette()


def read(picture: bytes) -> Image.Image:
    with Image.open(BytesIO(picture)) as image:
        return image.convert("RGB")


def different(one: Image.Image, other: Image.Image) -> float:
    """Return the share of different pixels in the block with the most."""
    assert one.size == other.size
    red, green, blue = ImageChops.difference(one, other).split()
    worst = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    noticeable = worst.point([0] * _NOTICEABLE + [255] * (256 - _NOTICEABLE))
    blocks = noticeable.resize(
        (one.width // _BLOCK, one.height // _BLOCK), Image.Resampling.BOX
    ).tobytes()
    return max(blocks) / 255


def two_tones(picture: bytes) -> Image.Image:
    """Return a PNG in black and white, to see what is left without colours."""
    grey = read(picture).convert("L").point([0] * 200 + [255] * 56)
    return grey.convert("RGB")


def contents(picture: bytes) -> bytes:
    """Return the chunks of a PNG, the decompressed rows, and any bytes after the end.

    Use it to compare pictures. The rows depend only on the picture, but the compressed bytes may
    differ: very rarely isal compresses the same rows differently. Raise ValueError if the PNG is
    incomplete or broken.
    """
    if not picture.startswith(_SIGNATURE):
        raise ValueError("this is no PNG")
    parts, deflated, name, place = [], [], b"", len(_SIGNATURE)
    while name != b"IEND":
        length = int.from_bytes(picture[place : place + 4], "big")
        chunk = picture[place : (place := place + length + 12)]
        name, data = chunk[4:8], chunk[8:-4]
        if chunk != _chunk(name, data):
            raise ValueError("a chunk of the PNG is cut off or broken")
        if name == b"IDAT":
            deflated.append(data)
        else:
            parts.append(chunk)
    rows = zlib.decompressobj()
    try:
        parts.append(rows.decompress(b"".join(deflated)))
    except zlib.error as error:
        raise ValueError(f"the rows of the PNG are broken: {error}") from error
    if not rows.eof:
        raise ValueError("the rows of the PNG are cut off")
    return b"".join((*parts, rows.unused_data, picture[place:]))


def forget() -> None:
    """Clear the caches of pictures and their parts."""
    PARTS.clear()
    PICTURES.clear()
