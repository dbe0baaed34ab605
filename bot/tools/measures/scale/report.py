"""The figures of a run as the tables of docs/scale.md."""

from __future__ import annotations

from bot.tools.measures import pages
from bot.tools.measures.pages import number, table
from bot.tools.measures.scale.paper import paper
from bot.tools.measures.scale.run import Figures


def tables(figures: Figures) -> dict[str, str]:
    """The tables in Markdown, by name."""
    return {
        "growth": table(
            (
                "database", "tables", "until presses, s", "until the outbox is known, s",
                "loop held, ms", "tick, ms", "a table read, ms", "memory, MiB", "disk a table, KiB",
            ),
            (
                (
                    each.database, f"{each.tables:,}", number(each.presses_s, 2),
                    number(each.outbox_s, 2), number(each.start_held_ms), number(each.tick_ms, 1),
                    number(each.load_ms, 1),
                    f"{number(each.idle_mib)} + {number(each.outbox_mib - each.idle_mib)}",
                    number(each.table_kib, 1),
                )
                for each in figures.growth
            ),
        ),
        "durable": table(
            (
                "database", "processes", "actions a second", "p50, ms", "p99, ms",
                "processor of the bot, ms", "of the server, ms", "rows written", "done again, %",
            ),
            (
                (
                    each.database, _processes(each.processes, each.shared, each.contended),
                    number(each.actions_per_second), number(each.act_p50_ms),
                    number(each.act_p99_ms), number(each.cpu_ms, 2),
                    _maybe(each.server_cpu_ms, 2), _maybe(each.rows, 1), number(each.retries, 1),
                )
                for each in figures.durable
            ),
        ),
        "wire": table(
            ("database", "processes", "p50, ms", "p99, ms", "memory, MiB", "after play, MiB"),
            (
                (
                    each.database, _processes(each.processes, each.shared),
                    number(each.board_p50_ms), number(each.board_p99_ms), number(each.idle_mib),
                    number(each.played_mib),
                )
                for each in figures.wire
            ),
        ),
        "handover": table(
            (
                "one of two processes is", "presses", "not answered", "the last of them after, s",
                "slowest answer, ms",
            ),
            (
                (
                    "killed" if each.killed else "stopped", str(each.presses),
                    str(each.unanswered), number(each.takes_over_s, 1), number(each.slowest_ms),
                )
                for each in figures.handover
            ),
        ),
        "storage": table(
            ("game", "database", "log entries", "a game, KiB"),
            (
                (each.game, each.database, str(each.entries), number(each.game_kib, 1))
                for each in figures.storage
            ),
        ),
        "paper": table(("", "reckoned", "comes to"), paper(figures)),
        "pictures": table(
            ("game", "a board, ms", "a board, kB"),
            (
                (each.game, number(each.image_ms, 1), number(each.image_kb, 1))
                for each in figures.pictures
            ),
        ),
    }  # fmt: skip


def filled_in(text: str, figures: Figures) -> str:
    """A document with its tables as these figures have them, each between its two comments."""
    return pages.filled_in(text, {**tables(figures), "machine": figures.machine})


def _processes(count: int, shared: bool, contended: bool = False) -> str:
    if not shared:
        return f"{count}, alone"
    return f"{count}, same tables" if contended else f"{count}, sharing"


def _maybe(figure: float | None, places: int) -> str:
    return "" if figure is None else number(figure, places)
