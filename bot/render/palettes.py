"""The colours of data/palettes.toml by purpose, with palettes for colour-blindness and low vision.

Each picture is drawn once and reduced to a fixed palette. To recolour it, only its palette is
replaced: flat colours are exchanged, and blends are computed again.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.game.content import read
from bot.render import png
from bot.render.theme import Colour, DimmedPalette, Palette, rgb
from bot.resources import Traversable, data

DATA = data("palettes.toml")
STANDARD = "standard"
_SHARED = "shared"

Tones = Mapping[str, Mapping[Colour, Colour]]
"""By the name of a palette, its replacements for colours."""


class Colours(dict[str, Colour]):
    """Colours by purpose, also available as attributes: ``COLOURS.ink``."""

    def __getattr__(self, name: str) -> Colour:
        if name in self:
            return self[name]
        raise AttributeError(f"there is no colour {name!r}, only {', '.join(self)}")


def load(path: Traversable = DATA) -> dict[str, dict[str, dict[str, Colour]]]:
    """Read colours by game and palette. Raise msgspec.ValidationError for an invalid colour."""
    return read(path, dict[str, dict[str, dict[str, Colour]]])


_FILE = load()
NAMES = tuple(_FILE[_SHARED])
"""The names of all palettes, the default first."""


def colours(game: str = _SHARED) -> Colours:
    """Return the default colours of a game, or the shared ones."""
    return Colours(_FILE[game][STANDARD])


class Recolouring:
    """Recolours one kind of picture with the other palettes.

    It exchanges the shared colours and those of a game. Raises ValueError if a game's palette
    exchanges a colour that its pictures do not have.
    """

    def __init__(self, palette: Palette, game: str = "") -> None:
        self._palette = palette
        self._palettes: dict[tuple[str, bytes], bytes] = {}
        own = {name: each for name, each in _FILE.get(game, {}).items() if name != STANDARD}
        for name, exchanged in own.items():
            if unknown := exchanged.keys() - set(palette.colours):
                raise ValueError(f"{game}.{name} exchanges {unknown}, which is in no picture")
        self.tones: Tones = {
            name: {**_FILE[_SHARED][name], **own.get(name, {})} for name in NAMES[1:]
        }

    def of(self, picture: bytes, name: str) -> bytes:
        """Return a picture in the colours of the named palette.

        An unknown palette, such as a removed one, leaves the picture unchanged. Raise ValueError
        for another kind of picture.
        """
        if name not in self.tones:
            return picture
        standard = png.palette(picture)
        palettes: tuple[Palette | DimmedPalette, ...] = (self._palette, self._palette.dimmed)
        drawn = next((each for each in palettes if standard.startswith(each.rgb)), None)
        if drawn is None:
            raise ValueError("the picture has an unknown palette")
        key = name, drawn.rgb
        if key not in self._palettes:
            self._palettes[key] = rgb(drawn.exchanged(self.tones[name]))
        palette = self._palettes[key]
        return png.recoloured(picture, palette + standard[len(palette) :])
