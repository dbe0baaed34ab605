"""Draws pictures from cached tiles.

Tiles are cached by the sprites on them, so only tiles with changes are drawn and reduced to the
palette.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from bot.render import png
from bot.render.asked import LayeredCanvas, lit
from bot.render.cache import PICTURES, LRUCache, size_of
from bot.render.sprites import PlacedSprite, paste
from bot.render.theme import Palette

_WIDE, _HIGH = 128, 64
_KEY = 160
"""Bytes of a cache key for each sprite."""


class _Tile(NamedTuple):
    """The edges of a tile, and the indices of the visible sprites on it."""

    left: int
    top: int
    right: int
    bottom: int
    visible: list[int]


_cache: LRUCache[Image.Image] = LRUCache(PICTURES)
""""P" images of tiles, which are never changed."""


def encode(canvas: LayeredCanvas, palette: Palette) -> bytes:
    """Return the PNG of a canvas. Its pixels do not depend on the cache."""
    image = compose(canvas, palette)
    return png.encode(lit(image, canvas, palette.dimmed) if canvas.lit else image)


def compose(canvas: LayeredCanvas, palette: Palette) -> Image.Image:
    """Return the "P" image of a canvas."""
    tiles = _cut(canvas.placed, *canvas.size)
    image = palette.blank(*canvas.size)
    for tile, part in zip(tiles, _images(canvas.placed, tiles, palette), strict=True):
        image.paste(part, (tile.left, tile.top))
    return image


def _cut(placed: Sequence[PlacedSprite], width: int, height: int) -> list[_Tile]:
    """Return the tiles of a picture, row by row."""
    columns, rows = -(-width // _WIDE), -(-height // _HIGH)
    cut: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    for place, (_, left, top, right, bottom, _, mask) in enumerate(placed):
        if left < 0 or top < 0:
            left, top, right, bottom = max(left, 0), max(top, 0), max(right, 0), max(bottom, 0)
        if mask is None:
            first, last = -(-left // _WIDE), columns if right >= width else right // _WIDE
            for row in cut[-(-top // _HIGH) : rows if bottom >= height else bottom // _HIGH]:
                for visible in row[first:last]:
                    visible.clear()
        first, last = left // _WIDE, -(-right // _WIDE)
        for row in cut[top // _HIGH : -(-bottom // _HIGH)]:
            for visible in row[first:last]:
                visible.append(place)
    return [
        _Tile(
            column * _WIDE,
            row * _HIGH,
            min((column + 1) * _WIDE, width),
            min((row + 1) * _HIGH, height),
            visible,
        )
        for row, across in enumerate(cut)
        for column, visible in enumerate(across)
    ]


def _images(
    placed: Sequence[PlacedSprite], tiles: Sequence[_Tile], palette: Palette
) -> list[Image.Image]:
    """Return the image of each tile. Adjacent tiles that are not cached are drawn together."""
    sprite_keys = [each.key for each in placed]
    keys = [
        (palette.number, left, top, right, bottom, *[sprite_keys[place] for place in visible])
        for left, top, right, bottom, visible in tiles
    ]
    images = [_cache.get(key) for key in keys]
    for block in _blocks(tiles, [image is None for image in images]):
        left, top, right, bottom = tiles[block[0]][:2] + tiles[block[-1]][2:4]
        drawn = Image.new("RGB", (right - left, bottom - top))
        for place in sorted(set().union(*[tiles[index].visible for index in block])):
            paste(drawn, placed[place], left, top)
        reduced = palette.reduce(drawn)
        for index in block:
            start, above, end, below, visible = tiles[index]
            part = reduced.crop((start - left, above - top, end - left, below - top))
            images[index] = part
            _cache.put(keys[index], part, size_of(part) + _KEY * len(visible))
    return [image for image in images if image is not None]


def _blocks(tiles: Sequence[_Tile], is_missing: Sequence[bool]) -> list[list[int]]:
    """Group the indices of missing tiles into rectangles, row by row."""
    runs: list[list[int]] = []
    for place, tile in enumerate(tiles):
        if not is_missing[place]:
            continue
        if runs and runs[-1][-1] == place - 1 and tile.left:
            runs[-1].append(place)
        else:
            runs.append([place])
    blocks: dict[tuple[int, int, int], list[int]] = {}
    for run in runs:
        first, last = tiles[run[0]], tiles[run[-1]]
        block = blocks.pop((first.left, last.right, first.top), [])
        blocks[first.left, last.right, last.bottom] = block + run
    return list(blocks.values())
