"""What people see of recorded games, held against tests/same.json: ``make same``.

The file has lines of hashes and words for a sample of the recorded games, written by
``GOLDEN=refresh make same``. Whoever changes what is seen on purpose sees the change in its diff.
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
"""Words and pictures are looked at after so many entries, and at the end."""


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
    """As few recorded games as show every number of players, ending and option of each version."""
    return [
        Sample(game.name, game.version, name)
        for game in TITLES.games.every
        for name in covering({each: features(game, each) for each in names(game)})
    ]


def features(game: AnyGame, name: str) -> set[str]:
    """What a recorded game is an example of; of old rules the options count no more."""
    record, result = read_record(game, name), read_results(game)[name]
    shown = {f"{len(record.seats)} players", result.ending}
    if game is TITLES.games[game.name]:
        for option in game.options:
            shown.add(f"{option.name} {record.options.get(option.name, option.values[0])}")
    return shown


def covering(shown: Mapping[str, set[str]]) -> list[str]:
    """Games that show together all that any shows: always the one that adds the most."""
    left, chosen = set(chain.from_iterable(shown.values())), []
    while left:
        chosen.append(max(shown, key=lambda name: len(shown[name] & left)))
        left -= shown[chosen[-1]]
    return sorted(chosen)


Looks = dict[str, str | list[str]]
"""What is seen after an entry by what it is: hashes, or lines of words."""


def looks_of(sampled: Sample) -> dict[str, Looks]:
    """What is seen of a game after each entry, which is named by its number and action."""
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
    """A table at which the game could be played."""
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
    """What the rules say after an entry; of what is legal, the words on the way to every kind of
    action, and on the way to the one that is taken next."""
    told = [(each.kind, each.facts, each.only, each.but) for each in entry.events]
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
        "events": hashed(repr(told).encode()),
        "legal": hashed("\n".join(legal).encode()),
    }


async def shown_looks(
    services: Services, table: Table, game: AnyGame, number: int, entry: Entry, state: Any
) -> Looks:
    """What the seat that is asked, and whoever looks on, are shown after an entry."""
    pending = game.pending(state)
    mover = pending[0].seat if pending else None
    title, looks = services.title_of(table), Looks()
    for observer in (SPECTATOR,) if mover is None else (SPECTATOR, mover):
        who = "spectator" if observer == SPECTATOR else "mover"
        view, asked = game.view(state, observer), None
        heard = [each for each in entry.events if each.visible_to(observer)]
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
            said = {"story": title.text(words, seated).story(heard)}
            said["board"] = title.text(words, seated, view).board().splitlines()
            if observer == mover:
                moves = OpenMoves(services, table_view, mover)
                panel = await Panels(services, OpenPanels()).start(moves)
                said["panel"] = lines_of(panel.layout().view())
                asked = panel.asked
            for what, lines in said.items():
                in_full = what == "story" or (language == "en" and mover in (observer, None))
                text = "\n".join(lines)
                looks[f"{who}'s {what}, {language}"] = lines if in_full else hashed(text.encode())
        drawn = title.pictures.draw(view, table.names, heard, asked)
        looks[f"{who}{PICTURE}"] = hashed(contents(drawn))
    return looks


def lines_of(view: discord.ui.LayoutView) -> list[str]:
    """The texts of a message, and its presses with the custom ids that they send."""
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
    """A short hash."""
    return blake2b(data, digest_size=4).hexdigest()


def all_looks() -> dict[str, dict[str, Looks]]:
    """Of the whole sample, by all processors."""
    sampled = sample()
    with ProcessPoolExecutor(os.cpu_count()) as executor:
        return dict(zip(map(str, sampled), executor.map(looks_of, sampled), strict=True))


def drawn_by() -> str:
    """What smooths the letters of pictures: other versions may do it in another way."""
    return f"Pillow {PIL.__version__}, FreeType {version('freetype2')}"


def differences(before: Any, after: Any, *place: str) -> Iterator[str]:
    """What is not the same, the first first, each with its place."""
    if isinstance(before, dict) and isinstance(after, dict):
        # A view is a state with blanks: what is seen of it is compared, no longer how it is made.
        for name in [name for name in {**before, **after} if name != "views"]:
            yield from differences(before.get(name), after.get(name), *place, name)
    elif before != after:
        yield "\n".join((", ".join(place), *told("before", before), *told("now", after)))


def told(when: str, seen: Any) -> list[str]:
    """What was seen then, in lines."""
    lines = seen if isinstance(seen, list) else [str(seen)]
    return [f"  {when}: {lines[0] if lines else ''}", *(f"    {line}" for line in lines[1:])]


def without_pictures(looks: Any) -> Any:
    """The same without the hashes of pictures."""
    if not isinstance(looks, dict):
        return looks
    kept = {name: each for name, each in looks.items() if not name.endswith(PICTURE)}
    return {name: without_pictures(each) for name, each in kept.items()}


def main() -> str | None:
    """Compare, or write the file anew. The first difference and how many there are, if any."""
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
