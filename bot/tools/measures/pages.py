"""Figures in a document in Markdown: tables, each between two comments with its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence


def filled_in(text: str, parts: Mapping[str, str]) -> str:
    """The document with these parts in their places. Raises ValueError where there is none."""
    for name, part in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"there is no place for {name}")
        text = f"{before}{begin}{part}{end}{after}"
    return text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, on lines of its own."""
    return "\n" + "".join(f"{line}\n" for line in _lines(head, rows))


def number(figure: float, places: int = 0) -> str:
    """A figure with so many places after the point."""
    return f"{figure:,.{places}f}"


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _line(head)
    yield _line(["---"] * len(head))
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
