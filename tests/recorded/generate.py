"""Plays the recorded games that are missing: ``python -m tests.recorded.generate``.

Those of a released version of the rules stay as they are. Each game is played by greedy computer
players with a whim now and then, or on whims alone, until one ends in the wanted way.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import blake2b
from importlib import import_module
from random import Random

import msgspec

from bot.game.chance import KeyedChance, commitment
from bot.game.contract import ANSWER, Event, canonical
from bot.game.log import RecordedEntry
from bot.tables.core.log import SETUP
from bot.tables.core.record import Record, encode
from bot.titles import NAMES, TITLES
from tests.game.sampled import SAMPLED
from tests.recorded.results import RESULTS, Result, folder_of, read_results, result_of
from tests.recorded.wanted import Wanted

PLAYERS = ("Anna", "Bert", "Cleo", "Dirk")
MAX_ATTEMPTS = 4000
BOLD = frozenset({"challenge", "exchange"})
"""Questions that greedy players always pass; here they are answered at random."""


def play(
    title: str, name: str, wanted: Wanted, attempt: int
) -> tuple[Record, Result, list[list[Event]]]:
    """A whole game from a key that name and attempt determine, and what its actions told."""
    sampled = SAMPLED[title]
    game, greedy = sampled.game, TITLES.players[title].get("normal")
    key = blake2b(f"{name} {attempt}".encode(), digest_size=32).digest()
    rng = Random(attempt)
    chance = KeyedChance(key)
    state = game.setup(wanted.seats, wanted.options, chance)
    entries = [RecordedEntry(-1, SETUP, tuple(chance.drawn))]
    draws, told = len(chance.drawn), []
    while game.outcome(state) is None:
        asked = {decision.kind for decision in game.pending(state) if not decision.optional}
        if greedy is None or rng.random() < wanted.whim or asked & BOLD:
            seat, action = sampled.next_action(state, rng)
        else:
            # Open offers are answered before the game goes on.
            decision = max(game.pending(state), key=lambda asked: asked.kind == ANSWER)
            seat = decision.seat
            legal = partial(game.legal, state, seat)
            action = greedy(game.view(state, seat), decision, legal, rng)
        chance = KeyedChance(key, draws)
        told.append(game.apply(state, seat, action, chance))
        draws += len(chance.drawn)
        entries.append(RecordedEntry(seat, canonical(action), tuple(chance.drawn)))
    record = Record(
        game.name,
        game.version,
        wanted.options,
        PLAYERS[: wanted.seats],
        tuple(entries),
        commitment(key),
        key.hex(),
    )
    return record, result_of(game, state), told


def fitting(title: str, name: str, wanted: Wanted) -> tuple[Record, Result]:
    """The first game of this name that ends in the wanted way."""
    for attempt in range(MAX_ATTEMPTS):
        record, result, told = play(title, name, wanted, attempt)
        lines = [entry.action for entry in record.entries]
        taken = all(any(line.startswith(begin) for line in lines) for begin in wanted.takes)
        if result.ending == wanted.ending and taken and wanted.shows(told):
            return record, result
    raise LookupError(f"no such game of {title} in {MAX_ATTEMPTS}: {name}")


def write() -> None:
    """Write every game that is missing, and what it came to, one after the other."""
    for title in NAMES:
        games: Mapping[str, Wanted]
        games = import_module(f"tests.game.{title}.recorded_games").WANTED
        game = SAMPLED[title].game
        folder, results = folder_of(game), read_results(game)
        folder.mkdir(parents=True, exist_ok=True)
        for name, wanted in games.items():
            if not (folder / f"{name}.json").exists():
                record, results[name] = fitting(title, name, wanted)
                (folder / f"{name}.json").write_bytes(encode(record) + b"\n")
                text = msgspec.json.format(msgspec.json.encode(results))
                (folder / RESULTS).write_bytes(text + b"\n")


if __name__ == "__main__":
    write()
