"""The PNG writer."""

from __future__ import annotations

import zlib
from io import BytesIO

import pytest
from PIL import Image

from bot.render import png
from tests.render.compare import contents


def _striped() -> Image.Image:
    image = Image.new("P", (37, 11))
    image.putpalette([0, 0, 0, 250, 40, 40, 30, 200, 90, 255, 255, 255])
    image.putdata([(x * 7 + y) % 4 for y in range(11) for x in range(37)])
    return image


def _chunk(name: bytes, data: bytes) -> bytes:
    checked = zlib.crc32(name + data).to_bytes(4, "big")
    return len(data).to_bytes(4, "big") + name + data + checked


def test_a_written_picture_reads_back_pixel_for_pixel() -> None:
    image = _striped()
    with Image.open(BytesIO(png.encode(image))) as read:
        assert read.format == "PNG"
        assert read.mode == "P"
        assert read.convert("RGB").tobytes() == image.convert("RGB").tobytes()


def test_pictures_compare_equal_however_they_are_compressed() -> None:
    image = _striped()
    picture = png.encode(image)
    begin, end = picture.index(b"IDAT") - 4, picture.index(b"IEND") - 4
    rows = zlib.decompress(picture[begin + 8 : end - 4])
    stored = zlib.compress(rows, 0)
    other = picture[:begin] + _chunk(b"IDAT", stored) + picture[end:]
    assert other != picture
    assert contents(other) == contents(picture)
    assert png.fingerprint(other) == png.fingerprint(picture)
    image.putpixel((36, 10), 3)
    changed = png.encode(image)
    recoloured = png.recoloured(picture, bytes(range(12)))
    for shown in (contents, png.fingerprint):
        assert len({shown(each) for each in (picture, changed, recoloured)}) == 3
    # Bytes after the end are compared too.
    assert len({contents(picture + after) for after in (b"", b"1", b"2", picture)}) == 4
    with pytest.raises(ValueError, match="no PNG"):
        contents(b"a film")
    coloured = BytesIO()
    image.convert("RGB").save(coloured, "PNG")
    for other in (b"a film", coloured.getvalue()):
        assert png.fingerprint(other) == other


def test_a_truncated_or_broken_picture_is_refused() -> None:
    picture = png.encode(_striped())
    for place in range(len(picture)):
        broken = bytearray(picture)
        broken[place] ^= 1
        for left in (picture[:place], bytes(broken)):
            with pytest.raises(ValueError, match="PNG"):
                contents(left)
    begin, end = picture.index(b"IDAT") - 4, picture.index(b"IEND") - 4
    for rows in (zlib.compress(b"1234")[:-1], b"no rows", b""):
        with pytest.raises(ValueError, match="rows of the PNG"):
            contents(picture[:begin] + _chunk(b"IDAT", rows) + picture[end:])


def test_an_image_without_a_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="'RGB'"):
        png.encode(Image.new("RGB", (2, 2)))
