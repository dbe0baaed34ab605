"""Colours, and the fixed palette that a picture is reduced to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

import msgspec
from PIL import Image, ImageColor

Colour = Annotated[str, msgspec.Meta(pattern=r"^#[0-9a-fA-F]{6}$")]
"""A colour as data files and Pillow both read it: ``#rrggbb``."""

PALETTE_SIZE = 256


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """`share` of the second colour in the first, 0..1."""
    parts = zip(ImageColor.getrgb(first), ImageColor.getrgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


class Palette:
    """At most 256 colours: the flat ones, then blends for the smooth edges between them.

    `edges` are the colours that the others are most often drawn on or outlined with; every flat
    colour gets three blends with each of them, the earlier edges first, while there is room.
    """

    def __init__(self, flat: Sequence[Colour], edges: Sequence[Colour]) -> None:
        chosen = dict.fromkeys(each.lower() for each in [*flat, *_blends(flat, edges)])
        self.colours = tuple(chosen)[:PALETTE_SIZE]
        self._image = Image.new("P", (1, 1))
        self._image.putpalette([part for each in self.colours for part in ImageColor.getrgb(each)])

    def reduce(self, image: Image.Image) -> Image.Image:
        """The "RGB" image as a "P" image of this palette, each pixel by its nearest colour."""
        # Each call its own palette: Pillow looks colours up in a cache that belongs to it, and
        # does so without the interpreter's lock.
        return image.quantize(palette=self._image.copy(), dither=Image.Dither.NONE)


def _blends(flat: Iterable[Colour], edges: Iterable[Colour]) -> Iterator[Colour]:
    tones = tuple(flat)
    for edge in edges:
        for tone in tones:
            if tone != edge:
                yield from (mix(tone, edge, share) for share in (0.5, 0.25, 0.75))
