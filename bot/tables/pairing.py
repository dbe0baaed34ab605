"""Division of people over tables at the lowest cost.

Libraries for pairings (pypair, swisspair, caissify-pairings) only know tables of two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice, product
from random import Random

Table = Sequence[int]

_TRIES = 300
"""How many random orders are tried, divided by the number of people."""


def divide(
    sizes: Sequence[int], pairs: Sequence[Sequence[int]], alone: Sequence[int]
) -> Sequence[Table]:
    """Divide people 0..n-1 over tables of these sizes at the lowest cost.

    A table costs `pairs[one][other]` for each pair at it, and `alone[one]` for each person and each
    seat that it has less than the largest table.

    It is the best of the divisions that swaps of two people can reach, from their order and from
    some random ones; the tests know no better one for up to 8 people. The result is the same on
    every machine.
    """
    largest, people, rng = max(sizes), range(sum(sizes)), Random(0)

    def cost(table: Table) -> int:
        together = sum(pairs[one][other] for one, other in combinations(table, 2))
        return together + (largest - len(table)) * sum(alone[one] for one in table)

    shuffled = (sorted(people, key=lambda _: rng.random()) for _ in range(_TRIES // len(people)))
    return min(
        (_swapped(order, sizes, cost) for order in (people, *shuffled)),
        key=lambda tables: sum(map(cost, tables)),
    )


def _swapped(
    people: Iterable[int], sizes: Sequence[int], cost: Callable[[Table], int]
) -> Sequence[Table]:
    """Seat people in order, and swap two at different tables as long as it lowers the cost."""
    left = iter(people)
    tables = [[*islice(left, size)] for size in sizes]
    is_better = True
    while is_better:
        is_better = False
        for one, other in combinations(tables, 2):
            least = cost(one) + cost(other)
            for here, there in product(range(len(one)), range(len(other))):
                one[here], other[there] = other[there], one[here]
                if (now := cost(one) + cost(other)) < least:
                    least, is_better = now, True
                else:
                    one[here], other[there] = other[there], one[here]
    return tables
