"""A picture put together from what earlier ones had in common with it.

It is cut into tiles, each kept by what lies on it, so that only those on which something has
changed are drawn and reduced to the palette.
"""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from bot.render import png
from bot.render.asked import Sheet
from bot.render.kept import Kept
from bot.render.sprites import Laid, paste
from bot.render.theme import Palette

_WIDE, _HIGH = 128, 64
_KEY = 160
"""Bytes of what a key remembers of each thing."""

_tiles: Kept[Image.Image] = Kept(12 << 20)


def encode(sheet: Sheet, palette: Palette) -> bytes:
    """The PNG of a sheet; the same sheet gives the same bytes, whatever is kept."""
    width, height = sheet.size
    whole = palette.blank(width, height)
    for row, tiles in enumerate(_cut(sheet.laid, width, height)):
        top = row * _HIGH
        for column, laid in enumerate(tiles):
            left = column * _WIDE
            size = min(_WIDE, width - left), min(_HIGH, height - top)
            whole.paste(_tile(laid, palette, (left, top), size), (left, top))
    return png.encode(whole)


def forget() -> None:
    """Keep nothing of what has been drawn."""
    _tiles.clear()


def _cut(laid: Sequence[Laid], width: int, height: int) -> list[list[list[Laid]]]:
    """What can be seen of it on each tile, by rows and columns."""
    columns, rows = -(-width // _WIDE), -(-height // _HIGH)
    cut: list[list[list[Laid]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    for each in laid:
        _, left, top, right, bottom, _, mask = each
        first, last = max(0, left // _WIDE), min(columns, -(-right // _WIDE))
        for row in range(max(0, top // _HIGH), min(rows, -(-bottom // _HIGH))):
            tiles, start = cut[row], row * _HIGH
            covers = mask is None and top <= start and bottom >= min(start + _HIGH, height)
            for column in range(first, last):
                start = column * _WIDE
                if covers and left <= start and right >= min(start + _WIDE, width):
                    tiles[column].clear()
                tiles[column].append(each)
    return cut


def _tile(
    laid: Sequence[Laid], palette: Palette, at: tuple[int, int], size: tuple[int, int]
) -> Image.Image:
    key = (palette.number, at, size, *[each.key for each in laid])
    found = _tiles.get(key)
    if found is None:
        image = Image.new("RGB", size)
        for each in laid:
            paste(image, each, *at)
        found = palette.reduce(image)
        _tiles.keep(key, found, size[0] * size[1] + _KEY * len(laid))
    return found
