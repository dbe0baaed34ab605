"""All figures of docs/performance.md, measured one after the other."""

from __future__ import annotations

import asyncio
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from bot.titles.title import Title
from bot.tools.measures.performance.growth import Growing, growth

ENGINE = "engine_actions_per_second"
"""The figure of the bench that is also taken of the compiled rules,"""
COMPILED = "compiled_actions_per_second"
"""and then called so."""


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
    compiled: str | None = None,
) -> Performance:
    """Measures all titles; `say` hears how far it is.

    Other programs are measured where `peers` is a Python that has them installed, and the compiled
    rules where `compiled` is a folder that has these. Raises OSError or CalledProcessError where
    they have not.
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
        figures = take(title)
        if compiled is not None:
            say(f"{title.game.name}, compiled")
            figures = _with_compiled(figures, compiled)
        found.append(figures)
    return Performance(_machine(), found, asyncio.run(growth(titles, say)), others)


def _with_compiled(title: TitleFigures, folder: str) -> TitleFigures:
    # What lies in the folder where a program starts comes before what is installed.
    command = [sys.executable, "-m", "bot", "bench", title.game, "--only", ENGINE, "--json"]
    said = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True).stdout
    found = msgspec.json.decode(said)
    return msgspec.structs.replace(
        title,
        figures={**title.figures, COMPILED: found[ENGINE]},
        ranges={**title.ranges, COMPILED: found["range"][ENGINE]},
    )


def _machine() -> str:
    python = platform.python_version()
    return f"{os.cpu_count()} cores, {platform.system()}, Python {python}"
