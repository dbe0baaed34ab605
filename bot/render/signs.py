"""Signs of pieces for texts, made from the sprites of the pictures.

Discord shows them as emoji on a light or dark background, so each is a square with a light rim.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

from PIL import Image, ImageFilter

from bot.render.sides import SIDE_LOOKS, TONES, emblem
from bot.render.sprites import Sprite

Signs = Mapping[str, Callable[[], Sprite]]
"""Functions that return the sign of each piece, by its name."""

SIZE = 96
"""Pixels of a drawing: twice the largest size in Discord."""
_RIM = 4
"""Pixels around the drawing."""


def seat_signs() -> Signs:
    """Return the signs of the sides by look: ``side_0`` and so on."""

    def drawing(look: int) -> Callable[[], Sprite]:
        return lambda: emblem(look, SIZE)

    return {f"side_{look}": drawing(look) for look in range(len(SIDE_LOOKS))}


def encode(sprite: Sprite) -> bytes:
    """Return a sign as a square PNG with a transparent background. It is deterministic."""
    wide = SIZE + 2 * _RIM
    scale = SIZE / max(sprite.image.size)
    size = round(sprite.width * scale), round(sprite.height * scale)
    corner = ((wide - size[0]) // 2, (wide - size[1]) // 2)
    mask = Image.new("L", (wide, wide))
    mask.paste(sprite.mask.resize(size), corner)
    image = Image.new("RGB", (wide, wide), TONES.cream)
    image.paste(sprite.image.resize(size), corner, sprite.mask.resize(size))
    rim = mask.filter(ImageFilter.GaussianBlur(_RIM * 0.7)).point(lambda each: min(255, 9 * each))
    image.putalpha(rim)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
