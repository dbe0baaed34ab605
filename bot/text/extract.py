"""Writes data/locale/messages.pot from the code and the rules in data.

`python -m bot.text.extract` writes it; `--check` only tells (exit status 1) if it is out of date.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import write_po

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "data" / "locale" / "messages.pot"
KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "words": None,
    "w": None,
    "msg": None,
    "forms": (1, 2),
    "plural": (1, 2),
}


def template(root: Path = ROOT) -> bytes:
    """The catalogue template: every message of the code, then those of the rules in data.

    Places name files without line numbers, so that only a change of words changes the file.
    """
    catalogue = Catalog(charset="utf-8", fuzzy=False)
    for path in sorted((root / "bot").rglob("*.py")):
        place = path.relative_to(root).as_posix()
        for message in _messages(path):
            catalogue.add(message, locations=[(place, 0)])
    for name in ("rules.toml", "first_turn.toml"):
        for path in sorted((root / "data").glob(f"*/{name}")):
            place = path.relative_to(root).as_posix()
            for told in tomllib.loads(path.read_text(encoding="utf-8")).values():
                for field in ("title", "text"):
                    if field in told:
                        catalogue.add(told[field], locations=[(place, 0)])
    out = BytesIO()
    write_po(out, catalogue, width=100, omit_header=True, include_lineno=False)
    return _HEADER + out.getvalue()


_HEADER = b"""# Messages of the bot. To translate: copy to <language>.po and fill in each msgstr.
# Written by `python -m bot.text.extract`; do not edit.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def _messages(path: Path) -> Iterator[str | tuple[str, ...]]:
    with path.open("rb") as file:
        for _, message, _, _ in extract("python", file, keywords=KEYWORDS):
            yield message


def main(arguments: list[str] | None = None) -> int:
    """Write the template, or check it. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bot.text.extract", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only tell whether it is up to date")
    fresh = template()
    if not parser.parse_args(arguments).check:
        TEMPLATE.write_bytes(fresh)
        return 0
    if TEMPLATE.is_file() and TEMPLATE.read_bytes() == fresh:
        return 0
    sys.stderr.write(f"{TEMPLATE.name} is out of date: run `python -m bot.text.extract`\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
