"""Compares what users see of recorded games with tests/same.json: ``make same``.

The file has hashes and texts for a sample of the recorded games. ``GOLDEN=refresh make same``
writes it again, and its diff shows the intended changes.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import discord
import msgspec
import PIL
from msgspec.structs import replace
from PIL.features import version

from bot.app import open_services
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import OpenPanels
from bot.cogs.panel.panel import Panels
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import TableView
from bot.game.choices import OneOf
from bot.game.contract import SPECTATOR, parse_action
from bot.game.game import AnyGame
from bot.game.log import Entry, RecordedEntry
from bot.tables import Table
from bot.tables.core.record import Record, fold
from bot.text.words import words_for
from bot.titles import TITLES
from tests.recorded.results import names, read_record, read_results
from tests.render.compare import contents
from tests.store.database import empty

FILE = Path(__file__).with_name("same.json")
DRAWN_BY = "drawn by"
PICTURE = "'s picture"
EVERY = 10
"""Texts and pictures are compared after every tenth entry, and at the end."""


class Sample(NamedTuple):
    """A recorded game of the sample."""

    title: str
    version: int
    name: str

    def __str__(self) -> str:
        return f"{self.title} {self.version} {self.name}"

    @property
    def game(self) -> AnyGame:
        return TITLES.games.of(self.title, self.version)


def sample() -> list[Sample]:
    """Return few games that cover all player counts, endings and options of each version."""
    return [
        Sample(game.name, game.version, name)
        for game in TITLES.games.every
        for name in covering({each: features(game, each) for each in names(game)})
    ]


def features(game: AnyGame, name: str) -> set[str]:
    """Return what a recorded game covers. Options count only for the newest rules."""
    record, result = read_record(game, name), read_results(game)[name]
    shown = {f"{len(record.seats)} players", result.ending}
    if game is TITLES.games[game.name]:
        for option in game.options:
            shown.add(f"{option.name} {record.options.get(option.name, option.values[0])}")
    return shown


def covering(shown: Mapping[str, set[str]]) -> list[str]:
    """Choose games that cover everything, always the one that adds most."""
    left, chosen = set(chain.from_iterable(shown.values())), []
    while left:
        chosen.append(max(shown, key=lambda name: len(shown[name] & left)))
        left -= shown[chosen[-1]]
    return sorted(chosen)


Looks = dict[str, str | list[str]]
"""What users see after an entry, by name: hashes, or lines of text."""


def looks_of(sampled: Sample) -> dict[str, Looks]:
    """Return the looks of a game after each entry, by its number and action."""
    return asyncio.run(_looks_of(sampled))


async def _looks_of(sampled: Sample) -> dict[str, Looks]:
    game, record = sampled.game, read_record(sampled.game, sampled.name)
    seen, last = {}, len(record.entries) - 1
    with TemporaryDirectory() as folder:
        async with open_services(empty(Path(folder) / "tables.sqlite")) as services:
            table = await opened(services, game, record)
            for number, (entry, state) in enumerate(fold(game, record)):
                following = record.entries[number + 1] if number < last else None
                looks = engine_looks(game, entry, state, following)
                if number % EVERY == 0 or number == last:
                    looks |= await shown_looks(services, table, game, number, entry, state)
                seen[f"{number} {entry.action}"] = looks
    return seen


async def opened(services: Services, game: AnyGame, record: Record) -> Table:
    """Open a table for the recorded game."""
    lobby, (first, *others) = services.tables.lobby, record.seats
    table = await lobby.open(game.name, 1, first, None, 1, record.options, delivery="open")
    for user, name in enumerate(others, 2):
        await lobby.join(table.id, user, name, delivery=f"join {user}")
    table = await lobby.start(table.id, 1, delivery="start")
    players = [
        replace(player, user=user, name=name)
        for user, (player, name) in enumerate(zip(table.players, record.seats, strict=True), 1)
    ]
    return replace(table, version=game.version, players=tuple(players))


def engine_looks(game: AnyGame, entry: Entry, state: Any, following: RecordedEntry | None) -> Looks:
    """Return hashes of the state, the events and the legal words after an entry.

    The legal words are those of each kind of action, and those on the way to the next action.
    """
    events = [(each.kind, each.facts, each.only, each.but) for each in entry.events]
    asked = game.pending(state)
    legal = [repr(asked)]
    for seat in sorted({each.seat for each in asked}):
        kinds = game.legal(state, seat)
        assert isinstance(kinds, OneOf)
        legal += [repr(kinds), *(repr(game.legal(state, seat, (kind,))) for kind in kinds.values)]
    if following is not None and not following.action.startswith("@"):
        action = parse_action(following.action)
        legal += [
            repr(game.legal(state, following.seat, action[:length]))
            for length in range(1, len(action) + 1)
        ]
    return {
        "state": hashed(game.encode(state)),
        "events": hashed(repr(events).encode()),
        "legal": hashed("\n".join(legal).encode()),
    }


async def shown_looks(
    services: Services, table: Table, game: AnyGame, number: int, entry: Entry, state: Any
) -> Looks:
    """Return what a spectator and the seat to act are shown after an entry."""
    pending = game.pending(state)
    mover = pending[0].seat if pending else None
    title, looks = services.title_of(table), Looks()
    for observer in (SPECTATOR,) if mover is None else (SPECTATOR, mover):
        role = "spectator" if observer == SPECTATOR else "mover"
        view, asked = game.view(state, observer), None
        visible = [each for each in entry.events if each.visible_to(observer)]
        for language in ("it", "en"):
            table_view = TableView(
                table=table,
                observer=observer,
                seq=number,
                view=view,
                pending=pending,
                title=title,
                words=words_for(language),
                legal=partial(game.legal, state),
                user=None if observer == SPECTATOR else table.players[observer].user,
            )
            words, seated = table_view.words, table_view.names
            texts = {"story": title.text(words, seated).story(visible)}
            texts["board"] = title.text(words, seated, view).board().splitlines()
            if observer == mover:
                moves = OpenMoves(services, table_view, mover)
                panel = await Panels(services, OpenPanels()).start(moves)
                texts["panel"] = lines_of(panel.layout().view())
                asked = panel.asked
            for name, lines in texts.items():
                in_full = name == "story" or (language == "en" and mover in (observer, None))
                text = "\n".join(lines)
                looks[f"{role}'s {name}, {language}"] = lines if in_full else hashed(text.encode())
        drawn = title.pictures.draw(view, table.names, visible, asked)
        looks[f"{role}{PICTURE}"] = hashed(contents(drawn))
    return looks


def lines_of(view: discord.ui.LayoutView) -> list[str]:
    """Return the texts of a message, and its buttons and selects with their custom ids."""
    lines = []
    for item in view.walk_children():
        if isinstance(item, discord.ui.TextDisplay):
            lines += item.content.splitlines()
        elif isinstance(item, discord.ui.Button):
            lines.append(f"[{item.emoji or ''}{item.label}] {item.custom_id}")
        elif isinstance(item, discord.ui.Select):
            lines.append(f"[{item.placeholder}] {item.custom_id}")
            lines += [f"- {each.label} = {each.value}" for each in item.options]
    return lines


def hashed(data: bytes) -> str:
    return blake2b(data, digest_size=4).hexdigest()


def all_looks() -> dict[str, dict[str, Looks]]:
    """Return the looks of the whole sample, computed in parallel."""
    sampled = sample()
    with ProcessPoolExecutor(os.cpu_count()) as executor:
        return dict(zip(map(str, sampled), executor.map(looks_of, sampled), strict=True))


def drawn_by() -> str:
    """Return the libraries that draw text. Other versions may draw it differently."""
    return f"Pillow {PIL.__version__}, FreeType {version('freetype2')}"


def differences(before: Any, after: Any, *place: str) -> Iterator[str]:
    """Yield the differences in order, each with its place."""
    if isinstance(before, dict) and isinstance(after, dict):
        # Only what is seen of a view is compared, not the view.
        for name in [name for name in {**before, **after} if name != "views"]:
            yield from differences(before.get(name), after.get(name), *place, name)
    elif before != after:
        yield "\n".join((", ".join(place), *quoted("before", before), *quoted("now", after)))


def quoted(when: str, seen: Any) -> list[str]:
    lines = seen if isinstance(seen, list) else [str(seen)]
    return [f"  {when}: {lines[0] if lines else ''}", *(f"    {line}" for line in lines[1:])]


def without_pictures(looks: Any) -> Any:
    """Return the looks without the hashes of pictures."""
    if not isinstance(looks, dict):
        return looks
    texts = {name: each for name, each in looks.items() if not name.endswith(PICTURE)}
    return {name: without_pictures(each) for name, each in texts.items()}


def main() -> str | None:
    """Compare, or write the file again. Return the first difference and their number, if any."""
    now = {DRAWN_BY: drawn_by(), **all_looks()}
    if os.environ.get("GOLDEN") == "refresh":
        FILE.write_bytes(msgspec.json.format(msgspec.json.encode(now), indent=1) + b"\n")
        return None
    before = msgspec.json.decode(FILE.read_bytes())
    if before[DRAWN_BY] != now[DRAWN_BY]:
        sys.stderr.write(
            f"Pictures are not compared: those of the file are {before[DRAWN_BY]}'s.\n"
        )
        before, now = (without_pictures({**each, DRAWN_BY: ""}) for each in (before, now))
    found = list(differences(before, now))
    return f"{found[0]}\n{len(found)} differences; this is the first." if found else None


if __name__ == "__main__":
    sys.exit(main())
