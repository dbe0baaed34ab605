"""The pages that `/about` links to."""

from __future__ import annotations

from typing import NamedTuple


class Links(NamedTuple):
    """The addresses of pages about the program; None for what the host has not set."""

    source: str | None = None
    privacy: str | None = None
    terms: str | None = None


def links_of(source: str | None, privacy: str | None, terms: str | None) -> Links:
    """The host's own pages, else the pages of the documentation where the source can be read."""
    docs = None if source is None else f"{source.rstrip('/')}/blob/main/docs"
    return Links(
        source,
        privacy or (docs and f"{docs}/privacy.md"),
        terms or (docs and f"{docs}/terms.md"),
    )
