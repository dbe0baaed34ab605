"""Writes palette images as PNG, four times as fast as Pillow on pictures with flat colours.

PNG has a filter byte before every row. Pasting the picture into an image that is one pixel wider
writes them for free: its first column has index 0, which is the filter type "none".
"""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

from isal import isal_zlib
from PIL import Image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3
_LEVEL = 1
_PALETTE = 33
"""Offset of the palette: after the signature and the header."""
_CHECKSUM = slice(-20, -16)
"""The Adler-32 checksum of the rows: the end of the deflated data, before the chunk's checksum and
the last chunk."""


def encode(image: Image.Image) -> bytes:
    """Return the PNG of a "P" image with an RGB palette. Raise ValueError for any other mode."""
    if image.mode != "P":
        raise ValueError(f"only palette images can be written, not mode {image.mode!r}")
    width, height = image.size
    palette = image.getpalette("RGB")
    if palette is None:
        raise ValueError("a palette image without a palette cannot be written")
    rows = Image.new("P", (width + 1, height), 0)
    rows.paste(image, (1, 0))
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">2I5B", width, height, 8, _INDEXED, 0, 0, 0)),
            _chunk(b"PLTE", bytes(palette)),
            _chunk(b"IDAT", isal_zlib.compress(rows.tobytes(), _LEVEL)),
            _chunk(b"IEND", b""),
        )
    )


def palette(picture: bytes) -> bytes:
    """Return the colours of a PNG written by `encode`, three bytes each."""
    length = int.from_bytes(picture[_PALETTE : _PALETTE + 4], "big")
    if picture[_PALETTE + 4 : _PALETTE + 8] != b"PLTE":
        raise ValueError("this is no picture with a palette in its usual place")
    return picture[_PALETTE + 8 : _PALETTE + 8 + length]


def recoloured(picture: bytes, colours: bytes) -> bytes:
    """Return a PNG written by `encode` with its palette replaced by one of the same length."""
    head, tail = picture[:_PALETTE], picture[_PALETTE + 12 + len(colours) :]
    return head + _chunk(b"PLTE", colours) + tail


def thumbnail(picture: bytes, width: int) -> bytes:
    """Return a picture about `width` pixels wide."""
    with Image.open(BytesIO(picture)) as opened:
        small = opened.convert("RGB").reduce(max(opened.width // width, 1))
    return encode(small.quantize(method=Image.Quantize.FASTOCTREE))


def fingerprint(picture: bytes) -> bytes:
    """Return the size, colours and checksum of the rows of a PNG written by `encode`. They do not
    depend on the compression. Any other file is returned whole.
    """
    if not (picture.startswith(_SIGNATURE) and picture[_PALETTE + 4 : _PALETTE + 8] == b"PLTE"):
        return picture
    after = _PALETTE + 12 + len(palette(picture))
    return picture[:after] + picture[_CHECKSUM]


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
