"""Division of people over tables at the lowest cost.

Libraries for pairings (pypair, swisspair, caissify-pairings) only know tables of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice

Costs = Sequence[Sequence[int]]
"""The costs of two people at one table, the same both ways. No one meets themselves: 0."""
Tables = tuple[tuple[int, ...], ...]

_EFFORT = 60_000
"""Choices of a person that a search may consider."""


def divide(sizes: Sequence[int], pairs: Costs, alone: Sequence[int]) -> Tables:
    """Divide people 0..n-1 over tables of these sizes at the lowest cost.

    A table costs `pairs[one][other]` for each pair at it, and `alone[one]` for each person and each
    seat that it has less than the largest table. No cost is below 0.

    The cost is the lowest for about 12 people, and more if it is 0. Beyond, a search of limited
    effort looks for something better than swaps of two people can find. The result is the same on
    every machine. 64 people take up to 50 ms.
    """
    largest = max(sizes)
    people = iter(range(sum(sizes)))
    start = [list(islice(people, size)) for size in sizes]
    found = _swapped(start, pairs, alone)
    best = sum(
        sum(pairs[one][other] for one, other in combinations(table, 2))
        + (largest - len(table)) * sum(alone[one] for one in table)
        for table in found
    )
    effort = _EFFORT

    def seat(
        done: Tables, table: tuple[int, ...], rest: list[int], left: tuple[int, ...], cost: int
    ) -> None:
        """Seat the rest, first those at an unfinished table, whose size is the first of `left`.

        People take a seat at a table in order, so that each division is tried once.
        """
        nonlocal best, found, effort
        size, *others = left
        if len(table) == size and not others:
            best, found = cost, (*done[1:], table)
        elif len(table) == size:
            for smaller in sorted(set(others), reverse=True):
                last = others.index(smaller)
                order = (smaller, *others[:last], *others[last + 1 :])
                first = cost + (largest - smaller) * alone[rest[0]]
                if first < best:
                    seat((*done, table), (rest[0],), rest[1:], order, first)
        else:
            options = sorted(
                (
                    cost + sum(pairs[one][mate] for mate in table) + (largest - size) * alone[one],
                    one,
                )
                for one in rest
                if one > table[-1]
            )
            effort -= len(options)
            for total, one in options:
                if total >= best or effort < 0:
                    break
                seat(done, (*table, one), [each for each in rest if each != one], left, total)

    seat((), (), [*range(sum(sizes))], (0, *sizes), 0)
    return found


def _swapped(tables: list[list[int]], pairs: Costs, alone: Sequence[int]) -> Tables:
    """Swap two people at different tables as long as it lowers the cost."""
    people = range(len(alone))
    lacking = [max(map(len, tables)) - len(table) for table in tables]
    at = {one: number for number, table in enumerate(tables) for one in table}
    # What each person costs at each table, beside those who sit there.
    costs = [[sum(pairs[one][other] for other in table) for table in tables] for one in people]
    is_better = True
    while is_better:
        is_better = False
        for one, other in combinations(people, 2):
            here, there = at[one], at[other]
            gain = (
                costs[one][here]
                + costs[other][there]
                - costs[other][here]
                - costs[one][there]
                + 2 * pairs[one][other]
                + (lacking[here] - lacking[there]) * (alone[one] - alone[other])
            )
            if here == there or gain <= 0:
                continue
            is_better = True
            at[one], at[other] = there, here
            for each in people:
                change = pairs[each][other] - pairs[each][one]
                costs[each][here] += change
                costs[each][there] -= change
    return tuple(tuple(one for one in people if at[one] == number) for number in range(len(tables)))
