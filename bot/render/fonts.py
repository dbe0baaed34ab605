"""Text as cached masks, in the two faces that all pictures share.

Layout is Pillow's basic one, never Raqm's, so that pictures do not depend on what the machine
has installed.
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.render.kept import kept, size_of
from bot.resources import as_file, data

ELLIPSIS = "…"

_drawing = Lock()
"""FreeType faces are shared by all threads and must not be used by two at once."""


class Face(StrEnum):
    """A font file: `TEXT` for names and counts, `TITLE` for what gives the picture its tone."""

    TEXT = "OpenSans-CondBold.ttf"
    TITLE = "JunicodeTwoBeta-Bold.otf"


class TextMask(NamedTuple):
    """A drawn text: "L" image, its offset from the pen on the baseline, the pen's advance."""

    mask: Image.Image
    left: int
    top: int
    advance: int


@kept
def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """The face at `size` pixels to the em."""
    with as_file(data("fonts", face)) as path:
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@size_of.register
def _(face: ImageFont.FreeTypeFont) -> int:
    """Each size of a face holds the whole file in memory."""
    return Path(str(face.path)).stat().st_size


@kept
def text_mask(text: str, face: Face, size: int) -> TextMask:
    """The mask of a line of text."""
    with _drawing:
        return _draw(text, font(face, size))


@lru_cache(maxsize=512)
def cap_height(face: Face, size: int) -> int:
    """The height of a capital letter in pixels."""
    return -text_mask("H", face, size).top


def width(text: str, size: int, face: Face = Face.TEXT) -> int:
    """How far the text moves the pen, in pixels."""
    return text_mask(text, face, size).advance


def fit(text: str, size: int, room: int, face: Face = Face.TEXT) -> str:
    """The text, cut with an ellipsis where it is wider than `room` pixels."""
    if width(text, size, face) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        shorter = text[:end].rstrip() + ELLIPSIS
        if width(shorter, size, face) <= room:
            return shorter
    return ELLIPSIS


@lru_cache(maxsize=256)
def wrapped(text: str, size: int, room: int, lines: int) -> tuple[str, ...]:
    """The text in at most so many lines that fit; the rest after the last one is cut off."""
    found = [""]
    for word in text.split():
        longer = f"{found[-1]} {word}".strip()
        if width(longer, size) <= room or not found[-1] or len(found) == lines:
            found[-1] = longer
        else:
            found.append(word)
    return tuple(fit(line, size, room) for line in found)


@lru_cache(maxsize=1024)
def printable(text: str, face: Face) -> str:
    """The text without what the face cannot draw; letters from fancy alphabets become plain.

    People put emoji and mathematical letters into their names. May be empty.
    """
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text))
    return " ".join("".join(sign for sign in plain if _has(sign, face)).split())


@lru_cache(maxsize=4096)
def _has(sign: str, face: Face) -> bool:
    if sign.isspace():
        return True
    if not sign.isprintable():
        return False
    probe = text_mask(sign, face, 32)
    missing = text_mask("\uffff", face, 32)
    return probe.mask.size != missing.mask.size or probe.mask.tobytes() != missing.mask.tobytes()


def write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, fill: str, face: Face, size: int
) -> None:
    """Draw the text centred on `at`, the middle of its baseline, without a cached mask."""
    with _drawing:
        draw.text(at, text, fill, font(face, size), anchor="ms")


def _draw(text: str, face: ImageFont.FreeTypeFont) -> TextMask:
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face, anchor="ls")
    return TextMask(mask, left, top, round(face.getlength(text)))
