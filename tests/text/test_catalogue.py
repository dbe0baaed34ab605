"""The files of languages are read as Babel reads them, which writes them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

from bot.text.catalogue import BadCatalogue, Translation, messages, translations

ROOT = Path(__file__).parents[2]
LANGUAGES = sorted((ROOT / "data" / "locale").glob("*.po*"))
HEADER = 'msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n > 2 ? 2 : n > 1);\\n"\n\n'
SAID = """#. What somebody wrote.
#: bot/a.py bot/b.py
#, fuzzy, python-brace-format
msgctxt "option"
msgid "first\\n"
"second \\"line\\" \\\\ \\t"
msgstr ""
#| msgid "before"
msgid "{count} fur"
msgid_plural "{count} furs"
msgstr[0] "uno"
msgstr[1] "due"
msgstr[2] ""

#~ msgid "gone"
#~ msgstr "via"
"""


def read_by_babel(po: bytes) -> list[Translation]:
    found = []
    for message in read_po(BytesIO(po), abort_invalid=True):
        one, many = (message.id, None) if isinstance(message.id, str) else message.id
        forms = (message.string,) if isinstance(message.string, str) else tuple(message.string)
        places = tuple(place for place, _ in message.locations)
        found.append(Translation(message.context, one, many, forms, places, message.fuzzy))
    return found


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.name)
def test_every_language_is_read_as_babel_reads_it(path: Path) -> None:
    po = path.read_bytes()
    ours = list(messages(po.decode()))
    # What Babel says of the header are guesses.
    assert ours[1:] == read_by_babel(po)[1:]
    assert len(ours) > 1000


def test_what_is_long_or_odd_is_read_as_babel_reads_it() -> None:
    written = BytesIO()
    write_po(written, read_po(BytesIO((HEADER + SAID).encode())), width=30, omit_header=True)
    po = HEADER.encode() + written.getvalue()
    ours = list(messages(po.decode()))
    assert ours[1:] == read_by_babel(po)[1:]
    assert ours[1].one == 'first\nsecond "line" \\ \t'


def test_a_file_with_the_line_ends_of_another_system_is_the_same() -> None:
    assert list(messages(SAID.replace("\n", "\r\n"))) == list(messages(SAID))


def test_a_number_has_the_form_that_the_header_says_and_english_where_it_is_missing() -> None:
    said = translations(list(messages(HEADER + SAID)))
    forms = [said.ngettext("{count} fur", "{count} furs", count) for count in (1, 2, 3)]
    assert forms == ["uno", "due", "{count} furs"]
    assert [said.ngettext("an ox", "oxen", count) for count in (1, 2)] == ["an ox", "oxen"]


def test_what_is_doubtful_or_gone_is_said_in_english() -> None:
    said = translations(list(messages(HEADER + SAID)))
    doubtful = 'first\nsecond "line" \\ \t'
    assert said.pgettext("option", doubtful) == doubtful
    assert said.gettext("gone") == "gone"


@pytest.mark.parametrize(
    "line", ['msgstr "a" b', "msgid a", 'mgsid "a"', '"a"', 'msgid "a"b"', 'msgid "a"\nmsgid "b"']
)
def test_a_line_that_is_none_of_a_catalogue_is_quoted(line: str) -> None:
    with pytest.raises(BadCatalogue, match=r"line \d: " + line.split("\n")[-1].split()[0]):
        list(messages(line))
