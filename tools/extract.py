"""Write data/locale/messages.pot from the code and data, and merge it into every language.

`python -m tools.extract` also adds new messages to each <language>.po, untranslated, and marks
unused ones as obsolete. `--missing it` only lists the untranslated messages of a language. The head
of each file is the glossary of its language, written by hand.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as CatalogueMessage
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from bot.game.content import read
from bot.resources import CHECKOUT
from bot.text.awards import Award
from bot.text.commands import CommandsFile
from bot.text.game_data import ChapterWords, Explanation, Lessons, Rulings, Topic
from bot.text.words import Forms, Message, NameContext

TEMPLATE = CHECKOUT / "data" / "locale" / "messages.pot"
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "words": None,
    "msg": None,
    "CannotDoError": None,
    "_refused": None,
    "NoAnswerError": None,
    "forms": (1, 2),
    "plural": (1, 2),
}
"""The functions and errors whose arguments are messages."""
_Located = tuple[Any, NameContext | None]
"""A message or its two forms, and its context."""


def template(root: Path = CHECKOUT) -> bytes:
    """Return the catalogue template: the messages of the code, then those in data.

    Locations have no line numbers, so that only a change of messages changes the file.
    """
    catalogue = Catalog(charset="utf-8", fuzzy=False)
    for suffix in _LANGUAGES:
        for path in sorted((root / "bot").rglob(f"*{suffix}")):
            place = path.relative_to(root).as_posix()
            method, keywords = _LANGUAGES[suffix]
            context = None
            if place.startswith("bot/render/"):
                keywords, context = _LABELS, NameContext.PICTURE
            with path.open("rb") as file:
                for _, message, _, _ in extract(method, file, keywords=keywords):
                    catalogue.add(message, context=context, locations=[(place, 0)])
    for pattern, kind in _DATA.items():
        for path in sorted((root / "data").glob(pattern)):
            place = path.relative_to(root).as_posix()
            names = _commands(path) if kind is CommandsFile else ()
            for message, context in chain(names, _messages(kind, read(path, kind))):
                catalogue.add(message, context=context, locations=[(place, 0)])
    return _written(TEMPLATE.read_bytes(), catalogue)


def _written(old: bytes, catalogue: Catalog) -> bytes:
    """Return a catalogue's file with the head of the old one."""
    out = BytesIO()
    write_po(out, catalogue, width=100, omit_header=True, include_lineno=False)
    head, _, _ = old.partition(b"\n\n")
    return head + b"\n\n" + out.getvalue()


_LABELS = {"say": None, "label": None}
"""The functions whose arguments are labels of pictures."""
_LANGUAGES: Mapping[str, tuple[str, Mapping[str, tuple[int, ...] | None]]] = {
    ".py": ("python", KEYWORDS),
    ".js": ("javascript", {"say": None, "msg": None}),
}
"""The extraction method and keywords by suffix."""


def _commands(path: Path) -> Iterator[_Located]:
    """Yield the names in a commands.toml."""
    file = read(path, CommandsFile)
    commands = [*file.commands.items(), *file.moves.items()]
    names = [*file.groups, *(each.name or name.split()[-1] for name, each in commands)]
    for name in [path.parent.name, *names] if file.description else names:
        yield name, NameContext.COMMAND
    for options in (file.options, *(each.options for _, each in commands)):
        for param, option in options.items():
            if option.description:
                yield option.name or param, NameContext.OPTION


def _messages(kind: Any, value: object) -> Iterator[_Located]:
    """Yield the values of type `Message` or `Forms` in content of this type."""
    match value:
        case msgspec.Struct():
            kinds = get_type_hints(type(value))
            for field in value.__struct_fields__:
                yield from _messages(kinds[field], getattr(value, field))
        case dict():
            for each in value.values():
                yield from _messages(get_args(kind)[1], each)
        case tuple() if not isinstance(value, Forms):
            for each in value:
                yield from _messages(get_args(kind)[0], each)
        case _ if value and not {Message, Forms}.isdisjoint((kind, *get_args(kind))):
            yield value, None


_DATA: Mapping[str, Any] = {
    "*/rules.toml": dict[str, Topic],
    "*/rulings.toml": Rulings,
    "*/first_turn.toml": dict[str, Explanation],
    "*/lessons.toml": Lessons,
    "*/names.toml": dict[str, dict[str, Message | Forms]],
    "*/words/*.toml": ChapterWords,
    "**/awards.toml": dict[str, Award],
    "**/commands.toml": CommandsFile,
}
"""The type of each file of data/."""


def merged(old: bytes, fresh: bytes) -> bytes:
    """Merge a template into the catalogue of a language, keeping its translations."""
    catalogue = read_po(BytesIO(old))
    for message in catalogue.obsolete.values():
        if catalogue.get(message.id, message.context) is None:
            catalogue[message.id] = message
    catalogue.update(read_po(BytesIO(fresh)), no_fuzzy_matching=True)
    catalogue.obsolete = {
        key: message
        for key, message in catalogue.obsolete.items()
        if any(message.string or ()) and catalogue.get(message.id, message.context) is None
    }
    return _written(old, catalogue)


def missing(po: bytes) -> list[CatalogueMessage]:
    """Return the messages of a catalogue that are untranslated or fuzzy."""
    return [
        message
        for message in read_po(BytesIO(po))
        if message.id and (message.fuzzy or not message.string or not all(message.string))
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write the catalogues, or check them. Return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.extract", description=__doc__)
    parser.add_argument("--missing", metavar="LANGUAGE", help="only list what is not translated")
    args = parser.parse_args(arguments)
    fresh = template()
    if args.missing:
        path = TEMPLATE.with_name(f"{args.missing}.po")
        untranslated = missing(merged(path.read_bytes(), fresh))
        for message in untranslated:
            sys.stdout.write(f"{message.context or ''}\t{message.id!r}\n")
        return 1 if untranslated else 0
    TEMPLATE.write_bytes(fresh)
    for path in sorted(TEMPLATE.parent.glob("*.po")):
        path.write_bytes(merged(path.read_bytes(), fresh))
    return 0


if __name__ == "__main__":
    sys.exit(main())
