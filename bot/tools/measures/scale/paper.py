"""A million tables on 40 shards, reckoned from the figures of a run."""

from __future__ import annotations

from collections.abc import Iterator

from bot.cluster.leases import RENEW_S
from bot.cluster.rates import A_SECOND, USED
from bot.store import engine_setup, leases
from bot.tools.measures.scale.run import Figures

TABLES = 1_000_000
SHARDS = 40
PROCESSES = 10
ACTIONS_A_DAY = 10
"""At each table."""
EVENING = 4
"""How much more is done in the evening than in the mean."""
ACTIONS_A_TURN = 3
"""Of one person, one after the other: what is posted is posted once for them."""
REQUESTS = 3
"""To Discord for a turn: a board, an edit of the one before, a line that points to it."""
DAY_S = 86_400
DAYS = 365
MILLION = 1_000_000

Row = tuple[str, str, str]


def paper(figures: Figures) -> Iterator[Row]:
    """What is reckoned, how, and what it comes to."""
    mean = TABLES * ACTIONS_A_DAY / DAY_S
    evening = EVENING * mean
    yield (
        "actions",
        f"{TABLES:,} tables × {ACTIONS_A_DAY} a day; × {EVENING} in the evening",
        f"{mean:,.0f} a second, {evening:,.0f} in the evening",
    )
    for shared in figures.durable:
        if shared.shared and shared.processes == 1 and shared.rows and shared.server_cpu_ms:
            ours, its = shared.cpu_ms, shared.server_cpu_ms
            yield (
                "processor for actions",
                f"{evening:,.0f} × {ours:.2f} ms; the server {its:.2f} ms",
                f"{evening * ours / 1000:.2f} cores; the server {evening * its / 1000:.2f}",
            )
            yield (
                "rows written",
                f"{evening:,.0f} × {shared.rows:.1f}",
                f"{evening * shared.rows:,.0f} a second in the evening",
            )
    yield (
        "notices",
        f"one for each transaction, heard by {PROCESSES} processes",
        f"{evening:,.0f} a second at most, {evening * PROCESSES:,.0f} hearings",
    )
    yield from _server(figures)
    yield from _storage(figures, mean)
    yield from _pictures(figures, mean, evening)
    yield (
        "Discord",
        f"{evening:,.0f} ÷ {ACTIONS_A_TURN} actions a turn; {A_SECOND} requests a second × {USED}"
        f" for the whole bot ÷ {REQUESTS} a turn; answers to presses do not count",
        f"{evening / ACTIONS_A_TURN:,.0f} turns a second in the evening, of which"
        f" {A_SECOND * USED / REQUESTS:.0f} can be posted",
    )


def _server(figures: Figures) -> Iterator[Row]:
    each = engine_setup.CONNECTIONS + leases.CONNECTIONS + 2
    yield (
        "connections",
        f"{PROCESSES} × ({engine_setup.CONNECTIONS} to read and write, {leases.CONNECTIONS} for"
        " leases, one for notices, one for the lock)",
        f"{PROCESSES * each}",
    )
    yield (
        "leases",
        f"{PROCESSES} processes renew one row each every {RENEW_S:.0f} s, for all their shards",
        f"{PROCESSES / RENEW_S:.0f} writes a second",
    )
    most = max(figures.growth, key=lambda each: (each.tables, each.database == "postgresql"))
    # It looks through the heads of all tables, and keeps what is due at its own.
    all_of_them = TABLES / most.tables
    its_own = all_of_them / PROCESSES
    yield (
        "a start of one process",
        f"{all_of_them:g} × the times with {most.tables:,} tables, for it looks through all;"
        f" {its_own:g} × the memory, for its own",
        f"at most {all_of_them * most.presses_s:.1f} s until presses,"
        f" {all_of_them * most.outbox_s:.1f} s for the outbox,"
        f" {its_own * (most.outbox_mib - most.idle_mib):.0f} MiB for it",
    )


def _storage(figures: Figures, mean: float) -> Iterator[Row]:
    games = [each for each in figures.storage if each.database == "postgresql"]
    if not games:
        return
    small, large = (choose(each.game_kib / each.entries for each in games) for choose in (min, max))
    entries = mean * DAY_S * DAYS
    yield (
        "the log of a year",
        f"{entries / MILLION:,.0f} million actions × {small:.2f} to {large:.2f} KiB (a game ÷ its"
        " entries)",
        f"{entries * small / 2**30:.1f} to {entries * large / 2**30:.1f} TiB",
    )


def _pictures(figures: Figures, mean: float, evening: float) -> Iterator[Row]:
    for choose, which in ((min, "smallest"), (max, "largest")):
        each = choose(figures.pictures, key=lambda picture: picture.image_ms)
        yield (
            f"pictures, the {which} ({each.game})",
            f"at most one an action: {evening:,.0f} × {each.image_ms:.1f} ms; {mean:,.0f} ×"
            f" {each.image_kb:.0f} kB",
            f"{evening * each.image_ms / 1000:.1f} cores; {mean * each.image_kb * DAY_S / 1e6:,.0f}"
            " GB a day",
        )
