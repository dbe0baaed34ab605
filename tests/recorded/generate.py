"""Plays the recorded games that are missing: ``python -m tests.recorded.generate``.

Games of released rules versions stay as they are. Greedy or random computer players play each game
until one fits its description.
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
from tests.recorded.spec import RecordingSpec

PLAYERS = ("Anna", "Bert", "Cleo", "Dirk")
MAX_ATTEMPTS = 4000
RANDOM_QUESTIONS = frozenset({"challenge", "exchange"})
"""Questions that greedy players always pass, so they are answered at random."""


def play_game(
    title: str, name: str, spec: RecordingSpec, attempt: int
) -> tuple[Record, Result, list[list[Event]]]:
    """Play a game whose key depends on name and attempt; also return the events of each action."""
    sampled = SAMPLED[title]
    game, greedy = sampled.game, TITLES.players[title].get("normal")
    key = blake2b(f"{name} {attempt}".encode(), digest_size=32).digest()
    rng = Random(attempt)
    chance = KeyedChance(key)
    state = game.setup(spec.seats, spec.options, chance)
    entries = [RecordedEntry(-1, SETUP, tuple(chance.drawn))]
    draws, events = len(chance.drawn), []
    while game.outcome(state) is None:
        kinds = {decision.kind for decision in game.pending(state) if not decision.optional}
        if greedy is None or rng.random() < spec.random_share or kinds & RANDOM_QUESTIONS:
            seat, action = sampled.next_action(state, rng)
        else:
            # Answer open offers before the game goes on.
            decision = max(game.pending(state), key=lambda decision: decision.kind == ANSWER)
            seat = decision.seat
            legal = partial(game.legal, state, seat)
            action = greedy(game.view(state, seat), decision, legal, rng)
        chance = KeyedChance(key, draws)
        events.append(game.apply(state, seat, action, chance))
        draws += len(chance.drawn)
        entries.append(RecordedEntry(seat, canonical(action), tuple(chance.drawn)))
    record = Record(
        game.name,
        game.version,
        spec.options,
        PLAYERS[: spec.seats],
        tuple(entries),
        commitment(key),
        key.hex(),
    )
    return record, result_of(game, state), events


def find_game(title: str, name: str, spec: RecordingSpec) -> tuple[Record, Result]:
    """Return the first game that fits its description."""
    for attempt in range(MAX_ATTEMPTS):
        record, result, events = play_game(title, name, spec, attempt)
        lines = [entry.action for entry in record.entries]
        taken = all(any(line.startswith(prefix) for line in lines) for prefix in spec.takes)
        if result.ending == spec.ending and taken and spec.shows(events):
            return record, result
    raise LookupError(f"no such game of {title} in {MAX_ATTEMPTS}: {name}")


def record_missing() -> None:
    """Record all missing games and their results."""
    for title in NAMES:
        games: Mapping[str, RecordingSpec]
        games = import_module(f"tests.game.{title}.recorded_games").WANTED
        game = SAMPLED[title].game
        folder, results = folder_of(game), read_results(game)
        folder.mkdir(parents=True, exist_ok=True)
        for name, spec in games.items():
            if not (folder / f"{name}.json").exists():
                record, results[name] = find_game(title, name, spec)
                (folder / f"{name}.json").write_bytes(encode(record) + b"\n")
                text = msgspec.json.format(msgspec.json.encode(results))
                (folder / RESULTS).write_bytes(text + b"\n")


if __name__ == "__main__":
    record_missing()
