"""How fast the rules are: random games, and recorded ones played again."""

from __future__ import annotations

from random import Random
from statistics import median
from time import perf_counter

from bot.game.contract import AnyGame
from bot.policy.random import random_policy
from bot.tables.record import Record, fold
from bot.tools.playing import Player, play, players, record

RUNS = 7
GAMES = 40
"""Games of a run."""
ENTRIES = 501
"""A set-up and 500 actions."""
CHATTY = 0.75
"""The part of free moves that lets a game have so many actions."""


def engine_actions_per_second(game: AnyGame) -> float:
    """Actions chosen at random by what is legal and validated again, at a full table."""
    seated = players(game.name, ["random"], max(game.seats))
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
    """The full replay of a game of 500 actions, draws and all, out of its record."""
    long = long_record(game)
    times = []
    for _ in range(RUNS + 1):
        started = perf_counter()
        for _ in fold(game, long):
            pass
        times.append(1000 * (perf_counter() - started))
    return median(times[1:])


def long_record(game: AnyGame) -> Record:
    """The first random game in which 500 actions are taken; its players like to deal."""
    chatty = Player(random_policy(game.moves, CHATTY), blind=True)
    seed = 0
    while True:
        made = record(game, [chatty] * max(game.seats), {}, Random(seed), ENTRIES)
        if len(made.entries) == ENTRIES:
            return made
        seed += 1
