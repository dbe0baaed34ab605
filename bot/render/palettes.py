"""Other colours for pictures that are drawn: for eyes that tell fewer apart, and for weak ones.

Every picture is reduced to a fixed palette, so it is drawn once, and gets other colours by getting
another palette: each flat colour is exchanged, and every blend is blended anew.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache

import msgspec
from PIL import ImageColor

from bot.render import chart, png, ratings
from bot.render.burgundy import layout as burgundy
from bot.render.kogge import layout as kogge
from bot.render.theme import Colour
from bot.resources import Traversable, data

DATA = data("palettes.toml")
STANDARD = "standard"
KINDS = (kogge.palette(), burgundy.palette(), chart.palette(), ratings.palette())
"""The palettes that pictures are reduced to."""


def load(path: Traversable = DATA) -> dict[str, dict[Colour, Colour]]:
    """What each palette exchanges.

    Raises msgspec.ValidationError, or ValueError for what is no colour of any picture.
    """
    text = path.read_text(encoding="utf-8")
    tones = msgspec.convert(tomllib.loads(text), dict[str, dict[Colour, Colour]])
    known = {colour for kind in KINDS for colour in kind.colours}
    for name, exchanged in tones.items():
        for colour in exchanged:
            if colour not in known:
                raise ValueError(f"{path}: {name} exchanges {colour}, which is in no picture")
    return tones


TONES: Mapping[str, Mapping[Colour, Colour]] = {STANDARD: {}, **load()}
"""By name, the usual palette first: what it exchanges."""


def recoloured(picture: bytes, name: str) -> bytes:
    """A picture of a board or a chart in the colours of a palette.

    One that is no more, as somebody may have set it, is the usual one.
    """
    if not TONES.get(name):
        return picture
    return png.recoloured(picture, _colours(png.palette(picture), name))


@cache
def _colours(standard: bytes, name: str) -> bytes:
    """The palette of a picture with other colours. Raises ValueError if it is none of ours."""
    for kind in KINDS:
        if standard.startswith(_bytes(kind.colours)):
            fresh = _bytes(kind.exchanged(TONES[name]))
            return fresh + standard[len(fresh) :]
    raise ValueError("a picture has a palette that is not known")


def _bytes(colours: tuple[Colour, ...]) -> bytes:
    return bytes(part for each in colours for part in ImageColor.getrgb(each))
