"""The figures of a run as the tables of docs/scale.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bot.tools.measures.scale.paper import paper
from bot.tools.measures.scale.run import Figures


def tables(figures: Figures) -> dict[str, str]:
    """The tables in Markdown, by name."""
    return {
        "growth": _table(
            (
                "database", "tables", "until presses, s", "until the outbox is known, s",
                "loop held, ms", "tick, ms", "a table read, ms", "memory, MiB", "disk a table, KiB",
            ),
            (
                (
                    each.database, f"{each.tables:,}", _n(each.presses_s, 2), _n(each.outbox_s, 2),
                    _n(each.start_held_ms), _n(each.tick_ms, 1), _n(each.load_ms, 1),
                    f"{_n(each.idle_mib)} + {_n(each.outbox_mib - each.idle_mib)}",
                    _n(each.table_kib, 1),
                )
                for each in figures.growth
            ),
        ),
        "durable": _table(
            (
                "database", "processes", "actions a second", "p50, ms", "p99, ms",
                "processor of the bot, ms", "of the server, ms", "rows written", "done again, %",
            ),
            (
                (
                    each.database, _processes(each.processes, each.shared, each.contended),
                    _n(each.actions_per_second), _n(each.act_p50_ms), _n(each.act_p99_ms),
                    _n(each.cpu_ms, 2), _maybe(each.server_cpu_ms, 2), _maybe(each.rows, 1),
                    _n(each.retries, 1),
                )
                for each in figures.durable
            ),
        ),
        "wire": _table(
            ("database", "processes", "p50, ms", "p99, ms", "memory, MiB", "after play, MiB"),
            (
                (
                    each.database, _processes(each.processes, each.shared),
                    _n(each.board_p50_ms), _n(each.board_p99_ms), _n(each.idle_mib),
                    _n(each.played_mib),
                )
                for each in figures.wire
            ),
        ),
        "handover": _table(
            (
                "one of two processes is", "presses", "not answered", "the last of them after, s",
                "slowest answer, ms",
            ),
            (
                (
                    "killed" if each.killed else "stopped", str(each.presses),
                    str(each.unanswered), _n(each.takes_over_s, 1), _n(each.slowest_ms),
                )
                for each in figures.handover
            ),
        ),
        "storage": _table(
            ("game", "database", "log entries", "a game, KiB"),
            (
                (each.game, each.database, str(each.entries), _n(each.game_kib, 1))
                for each in figures.storage
            ),
        ),
        "paper": _table(("", "reckoned", "comes to"), paper(figures)),
        "pictures": _table(
            ("game", "a board, ms", "a board, kB"),
            (
                (each.game, _n(each.image_ms, 1), _n(each.image_kb, 1))
                for each in figures.pictures
            ),
        ),
    }  # fmt: skip


def filled_in(text: str, figures: Figures) -> str:
    """A document with its tables as these figures have them, each between its two comments."""
    for name, table in tables(figures).items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"there is no place for {name}")
        text = f"{before}{begin}{table}{end}{after}"
    begin, end = "<!-- machine -->", "<!-- /machine -->"
    before, _, rest = text.partition(begin)
    return f"{before}{begin}{figures.machine}{end}{rest.partition(end)[2]}"


def _processes(count: int, shared: bool, contended: bool = False) -> str:
    if not shared:
        return f"{count}, alone"
    return f"{count}, same tables" if contended else f"{count}, sharing"


def _maybe(number: float | None, places: int) -> str:
    return "" if number is None else _n(number, places)


def _n(number: float, places: int = 0) -> str:
    return f"{number:,.{places}f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"{line}\n" for line in _lines(head, rows))


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _line(head)
    yield _line(["---"] * len(head))
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
