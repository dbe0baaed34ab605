"""The PNG writer."""

from __future__ import annotations

import zlib
from io import BytesIO

import pytest
from PIL import Image

from bot.render import png


def _striped() -> Image.Image:
    image = Image.new("P", (37, 11))
    image.putpalette([0, 0, 0, 250, 40, 40, 30, 200, 90, 255, 255, 255])
    image.putdata([(x * 7 + y) % 4 for y in range(11) for x in range(37)])
    return image


def test_what_is_written_reads_back_pixel_for_pixel() -> None:
    image = _striped()
    with Image.open(BytesIO(png.encode(image))) as read:
        assert read.format == "PNG"
        assert read.mode == "P"
        assert read.convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_pictures_compare_by_what_they_show_however_they_were_deflated() -> None:
    image = _striped()
    picture = png.encode(image)
    begin, end = picture.index(b"IDAT") - 4, picture.index(b"IEND") - 4
    rows = zlib.decompress(picture[begin + 8 : end - 4])
    stored = zlib.compress(rows, 0)
    body = len(stored).to_bytes(4, "big") + b"IDAT" + stored
    other = picture[:begin] + body + zlib.crc32(body[4:]).to_bytes(4, "big") + picture[end:]
    assert other != picture
    assert png.contents(other) == png.contents(picture)
    image.putpixel((0, 0), 3)
    assert png.contents(png.encode(image)) != png.contents(picture)
    with pytest.raises(ValueError, match="no PNG"):
        png.contents(b"a film")


def test_a_picture_that_is_not_by_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="'RGB'"):
        png.encode(Image.new("RGB", (2, 2)))
