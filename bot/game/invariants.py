"""What games check of themselves after every action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def conserved(
    stocks: Sequence[Sequence[int]], names: Sequence[str], totals: Sequence[int]
) -> Iterator[str]:
    """What is wrong with the counts of pieces, a line each for developers.

    Each stock counts pieces of the kinds in `names`; all that lie somewhere are `totals`.
    """
    for name, total, places in zip(names, totals, zip(*stocks, strict=True), strict=True):
        if min(places) < 0:
            yield f"{name}: a negative count in {list(places)}"
        if sum(places) != total:
            yield f"{name}: {sum(places)}, not {total}"


def present(faults: Mapping[str, object]) -> Iterator[str]:
    """The messages that apply; `faults` says of each whether it does."""
    return (fault for fault, is_there in faults.items() if is_there)
