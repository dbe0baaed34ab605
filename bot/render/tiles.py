"""A picture put together from what earlier ones had in common with it.

It is cut into tiles, each kept by what lies on it, so that only those on which something has
changed are drawn and reduced to the palette.
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
"""Bytes of what a key remembers of each thing."""


class _Field(NamedTuple):
    """Where a tile lies, and the places of what can be seen on it among all that is laid."""

    left: int
    top: int
    right: int
    bottom: int
    seen: list[int]


_tiles: LRUCache[Image.Image] = LRUCache(PICTURES)
""""P" images, never drawn on again."""


def encode(canvas: LayeredCanvas, palette: Palette) -> bytes:
    """The PNG of a sheet; the same sheet gives the same rows, whatever is kept."""
    image = put_together(canvas, palette)
    return png.encode(lit(image, canvas, palette.dimmed) if canvas.lit else image)


def put_together(canvas: LayeredCanvas, palette: Palette) -> Image.Image:
    """The "P" image of what is laid on a sheet."""
    fields = _cut(canvas.placed, *canvas.size)
    image = palette.blank(*canvas.size)
    for field, tile in zip(fields, _made(canvas.placed, fields, palette), strict=True):
        image.paste(tile, (field.left, field.top))
    return image


def _cut(placed: Sequence[PlacedSprite], width: int, height: int) -> list[_Field]:
    """The fields of a picture, row by row."""
    columns, rows = -(-width // _WIDE), -(-height // _HIGH)
    cut: list[list[list[int]]] = [[[] for _ in range(columns)] for _ in range(rows)]
    for place, (_, left, top, right, bottom, _, mask) in enumerate(placed):
        if left < 0 or top < 0:
            left, top, right, bottom = max(left, 0), max(top, 0), max(right, 0), max(bottom, 0)
        if mask is None:
            first, last = -(-left // _WIDE), columns if right >= width else right // _WIDE
            for row in cut[-(-top // _HIGH) : rows if bottom >= height else bottom // _HIGH]:
                for seen in row[first:last]:
                    seen.clear()
        first, last = left // _WIDE, -(-right // _WIDE)
        for row in cut[top // _HIGH : -(-bottom // _HIGH)]:
            for seen in row[first:last]:
                seen.append(place)
    return [
        _Field(
            column * _WIDE,
            row * _HIGH,
            min((column + 1) * _WIDE, width),
            min((row + 1) * _HIGH, height),
            seen,
        )
        for row, across in enumerate(cut)
        for column, seen in enumerate(across)
    ]


def _made(
    placed: Sequence[PlacedSprite], fields: Sequence[_Field], palette: Palette
) -> list[Image.Image]:
    """The tile of each field: one that is kept, or drawn together with its neighbours."""
    things = [each.key for each in placed]
    keys = [
        (palette.number, left, top, right, bottom, *[things[place] for place in seen])
        for left, top, right, bottom, seen in fields
    ]
    found = [_tiles.get(key) for key in keys]
    for block in _blocks(fields, [tile is None for tile in found]):
        left, top, right, bottom = fields[block[0]][:2] + fields[block[-1]][2:4]
        image = Image.new("RGB", (right - left, bottom - top))
        for place in sorted(set().union(*[fields[field].seen for field in block])):
            paste(image, placed[place], left, top)
        reduced = palette.reduce(image)
        for field in block:
            start, above, end, below, seen = fields[field]
            part = reduced.crop((start - left, above - top, end - left, below - top))
            found[field] = part
            _tiles.put(keys[field], part, size_of(part) + _KEY * len(seen))
    return [tile for tile in found if tile is not None]


def _blocks(fields: Sequence[_Field], wanted: Sequence[bool]) -> list[list[int]]:
    """The places of those wanted, row by row, in upright rectangles."""
    runs: list[list[int]] = []
    for place, field in enumerate(fields):
        if not wanted[place]:
            continue
        if runs and runs[-1][-1] == place - 1 and field.left:
            runs[-1].append(place)
        else:
            runs.append([place])
    blocks: dict[tuple[int, int, int], list[int]] = {}
    for run in runs:
        first, last = fields[run[0]], fields[run[-1]]
        block = blocks.pop((first.left, last.right, first.top), [])
        blocks[first.left, last.right, last.bottom] = block + run
    return list(blocks.values())
