"""Plays the recorded games that are missing: ``python -m tests.recorded.generate``.

Those of a released version of the rules stay as they are. Each game is played by greedy computer
players with a whim now and then, or on whims alone, until one ends in the wanted way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from bot.game.chance import KeyedChance, commitment
from bot.game.contract import canonical
from bot.game.kogge import GAME
from bot.policy.registry import POLICIES
from bot.tables.record import SETUP, Entry, Record, encode
from tests.game.kogge.random_games import next_action
from tests.recorded.results import FOLDER, RESULTS, Result, read_results, result_of

NAMES = ("Anna", "Bert", "Cleo", "Dirk")
WHIM = 0.06
"""How often a decision is made at random; it brings in what greed alone never does."""
MOST_ATTEMPTS = 2000


ADVANCED: Mapping[str, frozenset[str]] = {
    "taxes": frozenset({"tax"}),
    "offices": frozenset({"offer office", "accept"}),
    "conflicts": frozenset({"challenge", "demand", "pass"}),
    "memory": frozenset({"peek", "pass", "reroute"}),
}
"""The options of the advanced game, and actions that show each of them."""
ADVANCED_MOVES = frozenset({"tax", "challenge", "demand", "pass", "peek"})
BOLD = frozenset({"challenge", "exchange"})
"""Questions that greedy players always pass; here they are answered at random."""


class Wanted(NamedTuple):
    """A game to be recorded; in it are actions that begin with each of `takes`."""

    seats: int
    ending: str
    options: Mapping[str, str]
    whim: float = WHIM
    takes: frozenset[str] = frozenset()


WANTED = {
    f"{seats}-{ending}-{goods}{'-italian' * italian}": Wanted(
        seats, ending, {"edition": "italian" if italian else "english", "goods": goods}
    )
    for seats in (2, 3, 4)
    for ending in ("laps", "development")
    for goods, italian in (("open", False), ("hidden", False), ("open", True), ("hidden", True))
} | {
    "4-laps-whims": Wanted(
        4,
        "laps",
        {"edition": "english", "goods": "hidden"},
        whim=1,
        takes=frozenset(GAME.moves) - {"build", "accept"} - ADVANCED_MOVES,
    )
}
WANTED |= {
    f"{seats}-{ending}-{name}": Wanted(
        seats,
        ending,
        {
            "edition": "italian" if seats == 4 else "english",
            "goods": "hidden" if seats == 3 else "open",
            **dict.fromkeys(options, "on"),
        },
        whim=0.15,
        takes=frozenset[str]().union(*(ADVANCED[option] for option in options)),
    )
    for seats in (2, 3, 4)
    for ending in ("laps", "development")
    for name, options in [(option, (option,)) for option in ADVANCED] + [("all", tuple(ADVANCED))]
}
"""The games by file name."""


def play(name: str, attempt: int) -> tuple[Record, Result]:
    """A whole game from a key that name and attempt determine."""
    key = blake2b(f"{name} {attempt}".encode(), digest_size=32).digest()
    rng = Random(attempt)
    greedy = POLICIES["kogge"]["greedy"]
    game = WANTED[name]
    chance = KeyedChance(key)
    state = GAME.setup(game.seats, game.options, chance)
    entries = [Entry(-1, SETUP, tuple(chance.drawn))]
    draws = len(chance.drawn)
    while GAME.outcome(state) is None:
        asked = {decision.kind for decision in GAME.pending(state) if not decision.optional}
        if rng.random() < game.whim or asked & BOLD:
            seat, action = next_action(state, rng)
        else:
            # Open offers are answered before the game goes on.
            decision = max(GAME.pending(state), key=lambda asked: asked.kind == "answer")
            seat = decision.seat
            action = greedy(
                GAME.view(state, seat),
                decision,
                lambda prefix, seat=seat: GAME.legal(state, seat, prefix),  # type: ignore[misc]
                rng,
            )
        chance = KeyedChance(key, draws)
        GAME.apply(state, seat, action, chance)
        draws += len(chance.drawn)
        entries.append(Entry(seat, canonical(action), tuple(chance.drawn)))
    record = Record(
        GAME.name,
        GAME.version,
        game.options,
        NAMES[: game.seats],
        tuple(entries),
        commitment(key),
        key.hex(),
    )
    return record, result_of(state)


def wanted(name: str) -> Iterator[tuple[Record, Result]]:
    """Games of this name that end in the wanted way."""
    for attempt in range(MOST_ATTEMPTS):
        record, result = play(name, attempt)
        lines = [entry.action for entry in record.entries]
        if result.ending == WANTED[name].ending and all(
            any(line.startswith(begin) for line in lines) for begin in WANTED[name].takes
        ):
            yield record, result


def write(folder: Path = FOLDER) -> None:
    """Write every game that is missing, and what it came to."""
    results = read_results(folder)
    for name in WANTED:
        if not (folder / f"{name}.json").exists():
            record, results[name] = next(wanted(name))
            (folder / f"{name}.json").write_bytes(encode(record) + b"\n")
    (folder / RESULTS).write_bytes(msgspec.json.format(msgspec.json.encode(results)) + b"\n")


if __name__ == "__main__":
    write()
