"""All figures of docs/performance.md, measured one after the other."""

from __future__ import annotations

import asyncio
import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from bot.titles.title import Title
from bot.tools.measures.performance.growth import Growing, growth


class TitleFigures(msgspec.Struct, frozen=True):
    """What the bench measures of one title: medians by name, and their least and most."""

    game: str
    figures: Mapping[str, float | str]
    ranges: Mapping[str, tuple[float, float]]


class Peers(msgspec.Struct, frozen=True):
    """What `peers.py` has measured of other programs, under the same names."""

    catanatron_actions_per_second: float
    catanatron_replayed: float
    """Actions a second."""
    chess_board_ms: float
    chess_board_kib: float


class Performance(msgspec.Struct, frozen=True):
    """All figures of one run, and of which machine."""

    machine: str
    titles: list[TitleFigures]
    growth: Growing
    peers: Peers | None = None


def measured(
    titles: Sequence[Title],
    take: Callable[[Title], TitleFigures],
    say: Callable[[str], object],
    peers: str | None = None,
) -> Performance:
    """Measures all titles; `say` hears how far it is.

    Other programs are measured where `peers` is a Python that has them installed. Raises OSError or
    CalledProcessError where it has not.
    """
    others = None
    if peers is not None:
        say("peers")
        program = Path(__file__).with_name("peers.py")
        said = subprocess.run([peers, program], stdout=subprocess.PIPE, check=True).stdout
        others = msgspec.json.decode(said, type=Peers)
    found = []
    for title in titles:
        say(title.game.name)
        found.append(take(title))
    return Performance(_machine(), found, asyncio.run(growth(titles, say)), others)


def _machine() -> str:
    python = platform.python_version()
    return f"{os.cpu_count()} cores, {platform.system()}, Python {python}"
