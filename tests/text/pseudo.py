"""A pseudo-language: translations have Greek letters, so that untranslated text is noticed."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from tools.extract import TEMPLATE

_PLACEHOLDER = re.compile(r"(\{\w+\})")
_GREEK = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "αβψδεφγηιξκλμνοπχρστθωςσυζΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠΧΡΣΤΘΩΣΞΥΖ",
)


def greek(text: str) -> str:
    """Translate a text, except for placeholders."""
    parts = _PLACEHOLDER.split(text)
    return "".join(p if _PLACEHOLDER.fullmatch(p) else p.translate(_GREEK) for p in parts)


def write_pseudo(path: Path) -> None:
    """Write a complete catalogue of the pseudo-language from the template."""
    source = read_po(BytesIO(TEMPLATE.read_bytes()))
    catalogue = Catalog(locale="el")
    for message in source:
        if not message.id:
            continue
        if isinstance(message.id, str):
            catalogue.add(message.id, greek(message.id), context=message.context)
        else:
            catalogue.add(message.id, tuple(greek(text) for text in message.id))
    with path.open("wb") as file:
        write_po(file, catalogue)
