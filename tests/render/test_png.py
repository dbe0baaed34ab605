"""The PNG writer."""

from __future__ import annotations

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


def test_a_picture_that_is_not_by_palette_is_refused() -> None:
    with pytest.raises(ValueError, match="'RGB'"):
        png.encode(Image.new("RGB", (2, 2)))
