"""Checks that games share in `Game.invariants`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def conserved(
    stocks: Sequence[Sequence[int]], names: Sequence[str], totals: Sequence[int]
) -> Iterator[str]:
    """Yield an error for each kind of piece that has gone missing or was duplicated.

    Each stock counts pieces by kind; `totals` has the sum of each kind over all stocks.
    """
    for name, total, counts in zip(names, totals, zip(*stocks, strict=True), strict=True):
        if min(counts) < 0:
            yield f"{name}: a negative count in {list(counts)}"
        if sum(counts) != total:
            yield f"{name}: {sum(counts)}, not {total}"


def present(faults: Mapping[str, object]) -> Iterator[str]:
    """Return the messages in `faults` whose value is true."""
    return (fault for fault, applies in faults.items() if applies)
