"""Writes data/locale/messages.pot from the code and data, and merges it into every language.

`python -m bot.text.extract` writes it and gives each <language>.po beside it the messages it lacks,
untranslated; messages no longer used are kept there as obsolete, until they are used again.
`--check` only reports (exit status 1) whether the template is out of date; `--missing it` lists
what is still untranslated in a language.

English has one word for each thing: table (where people sit), game, seat, host, player, computer
player, spectator; turn order, turn, round, action, undo; panel, board, log, replay, review, plan,
hint; notification, ping, reminder, heads-up, quiet hours; automatic answer, autopilot; vote,
accept, decline; resign (one player) and abandon (the whole game); score, rating, leaderboard.
A player is "you" or "they"; a button is a verb. Other languages keep theirs in the .po's head.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from bot.game.content import read
from bot.resources import CHECKOUT
from bot.text.game_data import ChapterWords, CommandsData, MoveCommandsData, OptionData, Rulings
from bot.text.words import NameContext

TEMPLATE = CHECKOUT / "data" / "locale" / "messages.pot"
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "words": None,
    "msg": None,
    "forms": (1, 2),
    "plural": (1, 2),
}
_Said = tuple[str | tuple[str, ...], NameContext | None]
"""A message or its two forms, and its context."""


def template(root: Path = CHECKOUT) -> bytes:
    """The catalogue template: every message of the code, then those in data.

    Places name files without line numbers, so that only a change of words changes the file.
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
    for pattern, found in _DATA.items():
        for path in sorted((root / "data").glob(pattern)):
            place = path.relative_to(root).as_posix()
            for said, context in found(path):
                catalogue.add(said, context=context, locations=[(place, 0)])
    out = BytesIO()
    write_po(out, catalogue, width=100, omit_header=True, include_lineno=False)
    return _HEADER + out.getvalue()


_HEADER = b"""# Messages of the bot. To translate: copy to <language>.po and fill in each msgstr.
# Written by `python -m bot.text.extract`; do not edit.
#
# Words of the English sentences, one for each thing: a translation settles on its own for them, at
# the head of its file. Sentences are short and plain, buttons are verbs, and an error says what is
# wrong, then what to do. People are "they".
#
# For every game
#   table (one game, where it is played) - seat - host - player - computer player - hand (what one
#   alone may see) - board - turn, move, round - menu - plan - offer - promise - vote - take back,
#   undo - log - replay - rating - standing order - autopilot - time limit, clock - reminder
# Kogge
#   ship - office - city - good: ore, fur, amber, salt - route marker - bag - reserve - bid - trade
#   (with a city) - deal (between players) - guild master - lap - bonus chit - development point -
#   victory point - raid (to raid), Raid (the piece) - cargo
# The Castles of Burgundy
#   estate - board (of an estate) - space - tile - depot, black depot - storage - silverling -
#   worker - goods, type of goods - turn track - phase - region - bonus tile
# Guatemala Cafe
#   plantation - worker - hut - ship - road - sack - buyer - line (of the buyer) - path - port -
#   dock - harvest - stock - centavo - block, let it be
# Flandern 1302
#   city - quarter - plot - site - guild, guild under influence - emblem - church - cathedral -
#   leader - cover - action card, influence card, golden card - value - complete
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


_LABELS = {"say": None, "label": None}
"""What marks a label on a picture, in the code that draws."""
_LANGUAGES: Mapping[str, tuple[str, Mapping[str, tuple[int, ...] | None]]] = {
    ".py": ("python", KEYWORDS),
    ".js": ("javascript", {"say": None, "msg": None}),
}
"""How a file of the code is read, by its suffix, and what marks a message in it."""


def _rules(path: Path) -> Iterator[_Said]:
    for topic in _tables(path):
        for field in ("title", "text"):
            if field in topic:
                yield topic[field], None


def _rulings(path: Path) -> Iterator[_Said]:
    for ruling in read(path, Rulings).rulings:
        yield ruling.text, None


def _thing_names(path: Path) -> Iterator[_Said]:
    for table in _tables(path):
        for name in table.values():
            yield name if isinstance(name, str) else tuple(name), None


def _chapter(path: Path) -> Iterator[_Said]:
    for message in read(path, ChapterWords).messages():
        yield message, None


def _commands(path: Path) -> Iterator[_Said]:
    file = read(path, CommandsData)
    for name, command in file.commands.items():
        yield name.split()[-1], NameContext.COMMAND
        yield command.description, None
    yield from _options(file.options, *(command.options for command in file.commands.values()))


def _move_commands(path: Path) -> Iterator[_Said]:
    file = read(path, MoveCommandsData)
    yield path.parent.name, NameContext.COMMAND
    yield file.description, None
    for name, description in file.groups.items():
        yield name, NameContext.COMMAND
        yield description, None
    for kind, command in file.moves.items():
        yield command.name or kind, NameContext.COMMAND
        yield command.description, None
    yield from _options(file.options, *(command.options for command in file.moves.values()))


def _options(*options: Mapping[str, OptionData]) -> Iterator[_Said]:
    for param, option in chain.from_iterable(each.items() for each in options):
        if option.description:
            yield option.name or param, NameContext.OPTION
            yield option.description, None


def _tables(path: Path) -> Iterable[dict[str, Any]]:
    return tomllib.loads(path.read_text(encoding="utf-8")).values()


_DATA: Mapping[str, Callable[[Path], Iterator[_Said]]] = {
    "*/rules.toml": _rules,
    "*/rulings.toml": _rulings,
    "*/first_turn.toml": _rules,
    "*/names.toml": _thing_names,
    "*/words/*.toml": _chapter,
    "commands.toml": _commands,
    "*/commands.toml": _move_commands,
}
"""What is found in each file of data/."""


def carried(old: bytes, fresh: bytes) -> bytes:
    """The catalogue of a language with the messages of a template, those it knows translated."""
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
    out = BytesIO()
    write_po(out, catalogue, width=100, omit_header=True, include_lineno=False)
    head, _, _ = old.partition(b"\n\n")
    return head + b"\n\n" + out.getvalue()


def missing(po: bytes) -> list[Message]:
    """The messages of a language's catalogue that are untranslated or fuzzy."""
    return [
        message
        for message in read_po(BytesIO(po))
        if message.id and (message.fuzzy or not message.string or not all(message.string))
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write the catalogues, or check them. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot.text.extract", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether it is up to date")
    parser.add_argument("--missing", metavar="LANGUAGE", help="only list what is not translated")
    asked = parser.parse_args(arguments)
    fresh = template()
    if asked.missing:
        lacking = missing(carried(_language(asked.missing).read_bytes(), fresh))
        for message in lacking:
            sys.stdout.write(f"{message.context or ''}\t{message.id!r}\n")
        return 1 if lacking else 0
    if asked.check:
        if TEMPLATE.is_file() and TEMPLATE.read_bytes() == fresh:
            return 0
        sys.stderr.write(f"{TEMPLATE.name} is out of date: run `python -m bot.text.extract`\n")
        return 1
    TEMPLATE.write_bytes(fresh)
    for path in sorted(TEMPLATE.parent.glob("*.po")):
        path.write_bytes(carried(path.read_bytes(), fresh))
    return 0


def _language(name: str) -> Path:
    path = TEMPLATE.with_name(f"{name}.po")
    if not path.is_file():
        raise SystemExit(f"there is no {path.name}: copy {TEMPLATE.name} to begin it")
    return path


if __name__ == "__main__":
    sys.exit(main())
