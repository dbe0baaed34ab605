"""The figures of a run as the tables and the chart of docs/performance.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.tools.measures import pages, plots
from bot.tools.measures.pages import number, table
from bot.tools.measures.performance.growth import Growing
from bot.tools.measures.performance.run import COMPILED, Performance, TitleFigures
from bot.tools.measures.plots import COLOURS, Curve, CurveChart

_REPLAYED = 500
"""Actions of `replay_500_ms`."""


class FigureRow(NamedTuple):
    """A figure, what it is called on the page, what it is to be, and the places after its point."""

    name: str
    label: str
    goal: str
    places: int = 0


ROWS = (
    FigureRow("engine_actions_per_second", "actions checked and carried out, a second", "40,000"),
    FigureRow(COMPILED, "the same, compiled", "60,000"),
    FigureRow("load_snapshot_ms", "a table of 500 actions read, ms", "0.8", 1),
    FigureRow("replay_500_ms", "500 actions carried out again, ms", "8", 1),
    FigureRow("image_ms", "a board, ms", "8", 1),
    FigureRow("image_kb", "a board, KiB", "160"),
    FigureRow("turn_p50_ms", "press to posted board, p50, ms", "15", 1),
    FigureRow("turn_p99_ms", "press to posted board, p99, ms", "40", 1),
    FigureRow("loop_held_max_ms", "loop held in a minute of 20 busy tables, at most, ms", "10", 1),
    FigureRow("typed_worst_ms", "loop held by what anybody types, at most, ms", "20", 1),
    FigureRow("hundred_tables_wait_p50_ms", "100 tables: asked again after, p50, ms", "500"),
    FigureRow("hundred_tables_wait_p90_ms", "100 tables: asked again after, p90, ms", "1,000"),
    FigureRow("hundred_tables_press_p99_ms", "100 tables: a press, p99, ms", "60"),
    FigureRow("durable_actions_per_second", "durable actions a second, 32 tables", "2,500"),
    FigureRow("idle_mb", "memory of the idle bot, MB", "90", 1),
    FigureRow("table_kib", "memory of a table, KiB", "32", 1),
)


def parts(figures: Performance) -> dict[str, str]:
    """The tables in Markdown by name, and the machine."""
    growth = figures.growth
    return {
        "machine": figures.machine,
        "figures": _figures(figures.titles),
        "peers": _peers(figures),
        "tables": _growth(growth.tables),
        "actions": _growth(growth.actions),
        "players": _growth(growth.players),
    }


def filled_in(text: str, figures: Performance) -> str:
    """The page with its tables as these figures have them."""
    return pages.filled_in(text, parts(figures))


def chart(growth: Growing) -> bytes:
    """The PNG of how times grow with tables and with actions, and with players by title."""
    engine = [
        Curve(
            game,
            colour,
            [(each.players, each.engine_ms) for each in growth.players if each.game == game],
            dashed=True,
        )
        for game, colour in zip(_games(growth), COLOURS, strict=False)
    ]
    pictures = [
        Curve(
            game,
            colour,
            [(each.players, each.image_ms) for each in growth.players if each.game == game],
        )
        for game, colour in zip(_games(growth), COLOURS, strict=False)
    ]
    return plots.draw(
        [
            CurveChart(
                "By open tables",
                _courses(growth.tables, "tables", _TABLES),
            ),
            CurveChart("By actions of a game", _courses(growth.actions, "actions", _ACTIONS)),
            CurveChart("By players", [*engine, *pictures], "solid: a board, dashed: an action"),
        ]
    )


_TABLES = {"start_ms": "start", "load_ms": "a table read", "act_ms": "an action", "tick_ms": "tick"}
_ACTIONS = {"replay_ms": "all again", "load_ms": "a table read", "act_ms": "an action"}
_LABELS = {
    "game": "game",
    "tables": "open tables",
    "actions": "actions",
    "players": "players",
    "start_ms": "start, ms",
    "tick_ms": "a look for what is due, ms",
    "load_ms": "a table read, ms",
    "act_ms": "a durable action, ms",
    "replay_ms": "carried out again, ms",
    "engine_ms": "an action without a disk, ms",
    "image_ms": "a board, ms",
}


def _games(growth: Growing) -> list[str]:
    return list(dict.fromkeys(each.game for each in growth.players))


def _courses(rows: Sequence[Any], count: str, labels: Mapping[str, str]) -> list[Curve]:
    return [
        Curve(label, colour, [(getattr(each, count), getattr(each, name)) for each in rows])
        for (name, label), colour in zip(labels.items(), COLOURS, strict=False)
    ]


def _figures(titles: Sequence[TitleFigures]) -> str:
    rows = []
    for row in ROWS:
        cells = [row.label, row.goal]
        for title in titles:
            figure = title.figures.get(row.name, "")
            if isinstance(figure, str):
                cells.append(figure)
                continue
            cell = number(figure, row.places)
            if row.name in title.ranges:
                least, most = (number(each, row.places) for each in title.ranges[row.name])
                cell += f" ({least} to {most})" if least != most else ""
            cells.append(cell)
        rows.append(cells)
    return table(["", "goal", *(title.game for title in titles)], rows)


def _peers(figures: Performance) -> str:
    peers, titles = figures.peers, figures.titles
    if peers is None:
        return table(["not measured"], [])

    def ours(name: str) -> list[float]:
        return [float(title.figures[name]) for title in titles]

    again = [1000 * _REPLAYED / ms for ms in ours("replay_500_ms")]
    engine, ms, kib = map(ours, ("engine_actions_per_second", "image_ms", "image_kb"))
    catanatron, chess = "Catanatron", "python-chess by CairoSVG"
    rows = (
        ("random actions a second", catanatron, 0, [peers.catanatron_actions_per_second, *engine]),
        ("actions carried out again, a second", catanatron, 0, [peers.catanatron_replayed, *again]),
        ("a picture, ms", chess, 1, [peers.chess_board_ms, *ms]),
        ("a picture, KiB", chess, 0, [peers.chess_board_kib, *kib]),
    )
    return table(
        ["", "the peer", "its figure", *(title.game for title in titles)],
        [
            [label, peer, *(number(each, places) for each in values)]
            for label, peer, places, values in rows
        ],
    )


def _growth(rows: Sequence[Any]) -> str:
    names = rows[0].__struct_fields__
    return table(
        [_LABELS[name] for name in names],
        [[_cell(getattr(each, name)) for name in names] for each in rows],
    )


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return number(value) if isinstance(value, int) else number(value, 2 if value < 10 else 0)
