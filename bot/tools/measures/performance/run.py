"""All figures of docs/performance.md, measured one after the other."""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import Callable, Mapping, Sequence

import msgspec

from bot.titles.title import Title
from bot.tools.measures.performance.growth import Growing, growth


class TitleFigures(msgspec.Struct, frozen=True):
    """What the bench measures of one title: medians by name, and their least and most."""

    game: str
    figures: Mapping[str, float | str]
    ranges: Mapping[str, tuple[float, float]]


class Performance(msgspec.Struct, frozen=True):
    """All figures of one run, and of which machine."""

    machine: str
    titles: list[TitleFigures]
    growth: Growing


def measured(
    titles: Sequence[Title],
    take: Callable[[Title], TitleFigures],
    say: Callable[[str], object],
) -> Performance:
    """Measures all titles; `say` hears how far it is."""
    found = []
    for title in titles:
        say(title.game.name)
        found.append(take(title))
    return Performance(_machine(), found, asyncio.run(growth(titles, say)))


def _machine() -> str:
    python = platform.python_version()
    return f"{os.cpu_count()} cores, {platform.system()}, Python {python}"
