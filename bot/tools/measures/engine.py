"""How fast the rules are: random games, and recorded ones replayed."""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

from bot.game.contract import AnyGame
from bot.policy.random import random_policy
from bot.tables.core.record import Record, fold
from bot.tools.playing import ComputerPlayer, play, record

RUNS = 3
GAMES = 40
"""Games of a run."""
ENTRIES = 501
"""A set-up and 500 actions."""
SEEDS = 20
"""Games played to find a long one."""
CHATTY = 0.75
"""The share of free moves that makes a game long enough."""


def engine_actions_per_second(game: AnyGame, seats: int | None = None) -> float:
    """Actions chosen at random by what is legal and validated again, at a full table or another."""
    players = seats or max(game.seats)
    seated = [ComputerPlayer(random_policy(game.moves), blind=True)] * players
    rates = []
    for run in range(RUNS + 1):
        started = perf_counter()
        # The set-up is no action.
        actions = sum(
            sum(1 for _ in play(game, seated, {}, Random(f"{run}:{number}"))) - 1
            for number in range(GAMES)
        )
        rates.append(actions / (perf_counter() - started))
    return median(rates[1:])


def replay_500_ms(game: AnyGame) -> float:
    """The full replay of a record of 500 actions, draws included.

    Where games are shorter, that of the longest one, scaled up.
    """
    long = long_record(game)
    share = ENTRIES / len(long.entries)
    times = []
    for _ in range(RUNS + 1):
        started = perf_counter()
        for _ in fold(game, long):
            pass
        times.append(1000 * (perf_counter() - started) * share)
    return median(times[1:])


def long_record(game: AnyGame) -> Record:
    """The first of some random games that reaches 500 actions, or else the longest one.

    Its players like to deal.
    """
    chatty = ComputerPlayer(random_policy(game.moves, CHATTY), blind=True)
    longest = record(game, [chatty] * max(game.seats), {}, Random(0), ENTRIES)
    for seed in range(1, SEEDS):
        if len(longest.entries) == ENTRIES:
            break
        made = record(game, [chatty] * max(game.seats), {}, Random(seed), ENTRIES)
        longest = max(longest, made, key=lambda each: len(each.entries))
    return longest
