"""Division of people over tables at the lowest cost.

Libraries for pairings (pypair, swisspair, caissify-pairings) only know tables of two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice, product

Table = Sequence[int]

_EFFORT = 40_000
"""How many times the search may consider a person for a seat."""


def divide(
    sizes: Sequence[int], pairs: Sequence[Sequence[int]], alone: Sequence[int]
) -> tuple[Table, ...]:
    """Divide people 0..n-1 over tables of these sizes at the lowest cost.

    A table costs `pairs[one][other]` for each pair at it, and `alone[one]` for each person and each
    seat that it has less than the largest table. No cost is below 0.

    Up to about 12 people, no other division costs less. For more, a search of limited effort looks
    for one that is better than swaps of two people can find. The result is the same on every
    machine.
    """
    largest = max(sizes)

    def cost(table: Table) -> int:
        together = sum(pairs[one][other] for one, other in combinations(table, 2))
        return together + (largest - len(table)) * sum(alone[one] for one in table)

    found = _swapped(sizes, cost)
    best, effort = sum(map(cost, found)), _EFFORT

    def seat(
        full: tuple[Table, ...], table: Table, size: int, rest: Table, left: Table, spent: int
    ) -> None:
        """Seat the rest: at a table until it has its size, then at tables of the sizes left.

        The first person of the rest begins each table, and the others follow in order. So each
        division is tried once.
        """
        nonlocal best, found, effort
        if len(table) == size and not left:
            best, found = spent, (*full[1:], table)
        elif len(table) == size:
            for following in sorted(set(left), reverse=True):
                others = [*left]
                others.remove(following)
                seat((*full, table), (), following, rest, others, spent)
        else:
            candidates = [one for one in rest if one > table[-1]] if table else rest[:1]
            lacking = largest - size
            options = sorted(
                (spent + sum(pairs[one][mate] for mate in table) + lacking * alone[one], one)
                for one in candidates
            )
            effort -= len(options)
            for total, one in options:
                if total >= best or effort < 0:
                    break
                seat(full, (*table, one), size, [each for each in rest if each != one], left, total)

    seat((), (), 0, range(sum(sizes)), sizes, 0)
    return found


def _swapped(sizes: Sequence[int], cost: Callable[[Table], int]) -> tuple[Table, ...]:
    """Seat people in order, and swap two at different tables as long as it lowers the cost."""
    people = iter(range(sum(sizes)))
    tables = [[*islice(people, size)] for size in sizes]
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
    return tuple(tables)
