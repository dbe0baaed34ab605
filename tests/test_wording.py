"""The words of pages, names, docstrings and comments are plain, and links lead somewhere."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / ".env.example"])
MODULES = sorted(
    path for part in ("bot", "kontor", "tests", "tools") for path in (ROOT / part).rglob("*.py")
)
ODD = re.compile(
    r"\b(whom|owed|awaited|nobody|somebody|everybody|anybody|whoever|anew|are told|is told"
    r"|told of|heard of|holds that|lays out)\b",
    re.IGNORECASE,
)
"""Words that make a text read like a translation; "no one", "a player" and the like are plain."""
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def slug(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def names_docstrings_and_comments(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name.replace("_", " ")
            case ast.Expr(ast.Constant(str(text))):
                yield text
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def odd_words(text: str) -> list[str]:
    """Return the odd words outside code, also where a line break divides two of them."""
    return ODD.findall(" ".join(CODE.sub("", text).split()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_use_plain_words(page: Path) -> None:
    assert odd_words(page.read_text(encoding="utf-8")) == []


def test_names_docstrings_and_comments_use_plain_words() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in MODULES}
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path, source in sources.items()
        # To parse every file would take seconds.
        if ODD.search(" ".join(source.replace("_", " ").split()))
        for text in names_docstrings_and_comments(source)
        if odd_words(text)
    ]
    assert found == []


def test_links_lead_to_files_and_headings() -> None:
    texts = {page: CODE.sub("", page.read_text(encoding="utf-8")) for page in PAGES}
    anchors = {
        page: {slug(heading) for heading in HEADING.findall(page.read_text(encoding="utf-8"))}
        for page in PAGES
    }
    links = [(page, *link) for page, text in texts.items() for link in LINK.findall(text)]
    assert len(links) > 50
    targets = [
        ((page.parent / file).resolve() if file else page, anchor) for page, file, anchor in links
    ]
    assert [str(path) for path, _ in targets if not path.exists()] == []
    assert [
        f"{path}#{anchor}" for path, anchor in targets if anchor not in {"", *anchors.get(path, ())}
    ] == []
