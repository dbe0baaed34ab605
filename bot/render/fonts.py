"""Text as cached masks in two faces, and names in any script.

Layout is always Pillow's basic one, not Raqm's, so pictures do not depend on installed libraries.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from bot.render.cache import cached, size_of
from bot.resources import as_file, data

ELLIPSIS = "…"

_MISSING = "\U0010ffff"
"""A code point that no font has."""
_FALLBACK_GRID = 16
"""Squares per em of the fallback face."""
_VARIATION_SELECTORS = tuple(map(chr, range(0xFE00, 0xFE10)))

_drawing = Lock()
"""FreeType faces are shared by all threads, but are not thread-safe."""


Say = Callable[[str], str]
"""Translates a label from English into the viewers' language: `say("Round")`."""


def label(text: str) -> str:
    """Mark a label for translation; `text` is a literal."""
    return text


class Face(StrEnum):
    """A font file: `TEXT` for names and counts, `TITLE` for titles, `FALLBACK` for letters that the
    others lack."""

    TEXT = "OpenSans-CondBold.ttf"
    TITLE = "JunicodeTwoBeta-Bold.otf"
    FALLBACK = "Unifont.otf"


class TextMask(NamedTuple):
    """A drawn text: an "L" image, its offset from the pen on the baseline, and the advance."""

    mask: Image.Image
    left: int
    top: int
    advance: int


def font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    """Return the face at `size` pixels per em."""
    if face is Face.FALLBACK:
        # Its outlines are squares, which are sharp only at integer multiples.
        size = max(size // _FALLBACK_GRID, 1) * _FALLBACK_GRID
    return _font(face, size)


@cached
def _font(face: Face, size: int) -> ImageFont.FreeTypeFont:
    with as_file(data("fonts", face)) as path:
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


@size_of.register
def _(face: ImageFont.FreeTypeFont) -> int:
    # FreeType loads the whole file for each size.
    return Path(str(face.path)).stat().st_size


@cached
def text_mask(text: str, face: Face, size: int) -> TextMask:
    runs = _runs(text, face)
    with _drawing:
        return _side_by_side([_draw(run, font(used, size)) for used, run in runs])


@lru_cache(maxsize=512)
def cap_height(face: Face, size: int) -> int:
    """Return the height of a capital letter in pixels."""
    return -text_mask("H", face, size).top


def width(text: str, size: int, face: Face = Face.TEXT) -> int:
    """Return the advance of the text in pixels."""
    return text_mask(text, face, size).advance


def fit(text: str, size: int, room: int, face: Face = Face.TEXT) -> str:
    """Return the text, cut with an ellipsis if it is wider than `room` pixels."""
    if width(text, size, face) <= room:
        return text
    for end in range(len(text) - 1, 0, -1):
        shorter = text[:end].rstrip() + ELLIPSIS
        if width(shorter, size, face) <= room:
            return shorter
    return ELLIPSIS


def fit_name(names: Sequence[str], at: int, size: int, room: int) -> str:
    """Return one of several names, as `fit`, but cut in the middle if two would look alike."""
    shown = [fit(name, size, room) for name in names]
    tail = 3
    while shown.count(shown[at]) > names.count(names[at]) and tail < len(names[at]):
        ends = [name[-tail:] for name in names]
        shown = [
            fit(name, size, room)
            if width(name, size) <= room
            else fit(name[:-tail], size, room - width(end, size)) + end
            for name, end in zip(names, ends, strict=True)
        ]
        tail += 1
    return shown[at]


def even_step(length: float, limit: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … with at most `limit` steps in a length."""
    step = 1
    while length > step * limit:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


@lru_cache(maxsize=256)
def wrapped(text: str, size: int, room: int, lines: int) -> tuple[str, ...]:
    """Wrap the text to at most `lines` lines of `room` pixels; the rest is cut."""
    wrapped_lines = [""]
    for word in text.split():
        longer = f"{wrapped_lines[-1]} {word}".strip()
        if width(longer, size) <= room or not wrapped_lines[-1] or len(wrapped_lines) == lines:
            wrapped_lines[-1] = longer
        else:
            wrapped_lines.append(word)
    return tuple(fit(line, size, room) for line in wrapped_lines)


@lru_cache(maxsize=1024)
def printable(text: str, face: Face) -> str:
    """Return the text without characters that no face has, with fancy letters made plain.

    Users have emoji and mathematical letters in their names. The result may be empty.
    """
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text))
    return " ".join("".join(sign for sign in plain if _face_of(sign, face)).split())


@lru_cache(maxsize=4096)
def _face_of(sign: str, face: Face) -> Face | None:
    """Return the face for a character: the given one, the fallback for letters, or None."""
    if _has(sign, face):
        return face
    is_letter = unicodedata.category(sign)[0] in "LMN" and sign not in _VARIATION_SELECTORS
    return Face.FALLBACK if is_letter and _has(sign, Face.FALLBACK) else None


def _has(sign: str, face: Face) -> bool:
    if sign.isspace():
        return True
    if not sign.isprintable():
        return False
    with _drawing:
        probe, missing = (_draw(each, font(face, 32)).mask for each in (sign, _MISSING))
    return probe.size != missing.size or probe.tobytes() != missing.tobytes()


def _runs(text: str, face: Face) -> list[tuple[Face, str]]:
    """Split the text into runs of one face each, from left to right."""
    runs: list[tuple[Face, str]] = []
    for sign in text:
        used = _face_of(sign, face) or face
        if runs and (used is runs[-1][0] or sign.isspace()):
            runs[-1] = (runs[-1][0], runs[-1][1] + sign)
        else:
            runs.append((used, sign))
    for place, (used, run) in enumerate(runs):
        if any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in run):
            runs[place] = used, run[::-1]
    return runs or [(face, text)]


def write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, fill: str, face: Face, size: int
) -> None:
    """Draw the text with the middle of its baseline at `at`, without a cached mask."""
    with _drawing:
        draw.text(at, text, fill, font(face, size), anchor="ms")


def _draw(text: str, face: ImageFont.FreeTypeFont) -> TextMask:
    left, top, right, bottom = (round(edge) for edge in face.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face, anchor="ls")
    return TextMask(mask, left, top, round(face.getlength(text)))


def _side_by_side(masks: Sequence[TextMask]) -> TextMask:
    if len(masks) == 1:
        return masks[0]
    pens = list(accumulate((each.advance for each in masks), initial=0))
    placed = list(zip(pens, masks, strict=False))
    left = min(pen + each.left for pen, each in placed)
    top = min(each.top for each in masks)
    right = max(pen + each.left + each.mask.width for pen, each in placed)
    bottom = max(each.top + each.mask.height for each in masks)
    whole = Image.new("L", (right - left, bottom - top))
    for pen, each in placed:
        at = (pen + each.left - left, each.top - top)
        whole.paste(each.mask, at, each.mask)
    return TextMask(whole, left, top, pens[-1])
