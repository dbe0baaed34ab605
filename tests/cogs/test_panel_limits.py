"""Every panel fits into a message, whatever is asked, at moments of the recorded games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as with_parts
from simcord.components import COMPONENTS_V2_FLAG, validate_components

from bot.app import open_services
from bot.cogs.panel.message import Panel
from bot.cogs.panel.open_moves import open_kinds
from bot.cogs.panel.panel import Panels
from bot.cogs.ui import action_builder
from bot.cogs.ui.layout import MAX_CHARACTERS, MAX_COMPONENTS, Image, Layout
from bot.cogs.ui.services import Services
from bot.cogs.ui.snapshot import Snapshot
from bot.game.choices import Done
from bot.game.contract import Seat
from bot.tables import Table
from bot.tables.core.record import Record, fold
from bot.text.brief import BriefLine, InBrief
from bot.text.words import words_for
from bot.titles import TITLES
from tests.recorded.results import names, read_record
from tests.same import opened
from tests.store.database import empty

MOMENTS = 11
"""Of each game."""
LONGEST_NAME = "Wolfeschlegelsteinhausenberger "
HAPPENED = InBrief([BriefLine("h" * 700, untold=1)] * 9)
PICTURE = Image("question.png", "x" * 1000, b"")


def moments(title: str, recorded: Record, table: Table) -> Iterator[tuple[Snapshot, Seat]]:
    game = TITLES.games[title]
    step = len(recorded.entries) // MOMENTS
    for number, (_, state, _, _) in enumerate(fold(game, recorded)):
        if number % step or game.outcome(state) is not None:
            continue
        pending = game.pending(state)
        for seat in {decision.seat for decision in pending}:
            snapshot = Snapshot(
                table=table,
                observer=seat,
                seq=number,
                view=game.view(state, seat),
                pending=tuple(pending),
                text=TITLES.texts[title],
                words=words_for("en"),
                legal=partial(game.legal, state),
                acted=seat,
                user=table.players[seat].user,
            )
            yield snapshot, seat


async def panels_of(services: Services, snapshot: Snapshot, seat: Seat) -> list[Panel]:
    panels = Panels(services)
    main = snapshot.main(seat)
    decision = None if main is None else main.id
    found = [await panels.start(snapshot, seat, happened=HAPPENED, notes=["n" * 200])]
    found.append(await panels.deal(snapshot, seat))
    found += [await panels.offer(snapshot, seat, each) for each in snapshot.offers(seat)]
    asked, free = open_kinds(services, snapshot, seat)
    rng = Random(snapshot.seq)
    for kind in (*asked, *free):
        at = action_builder.forward(snapshot, seat, (kind,))
        while not at.is_whole:
            found.append(await panels.go_on(snapshot, seat, at, decision))
            assert not isinstance(at.choices, Done)
            word = at.choices.sample(rng)
            at = action_builder.forward(snapshot, seat, (*at.action, word))
        found.append(await panels.go_on(snapshot, seat, at, decision))
    return found


def check(layout: Layout) -> int:
    """That Discord would take it, by another's account of its rules; how many components it has."""
    view: Any = layout.view()
    validate_components(view.to_components(), flags=COMPONENTS_V2_FLAG)
    assert view.content_length() <= MAX_CHARACTERS
    return int(view.total_children_count)


@pytest.mark.parametrize("title", sorted(TITLES.games))
async def test_every_panel_of_a_game_fits_into_a_message(tmp_path: Path, title: str) -> None:
    game, sizes = TITLES.games[title], []
    recorded = read_record(game, names(game)[-1])
    seats = tuple(f"{LONGEST_NAME}{number}" for number, _ in enumerate(recorded.seats, 1))
    async with open_services(empty(tmp_path / "tables.sqlite")) as services:
        table = await opened(services, game, with_parts(recorded, seats=seats))
        for player in table.players:
            await services.tables.first_turns.explain(table.id, player.user or 0, wanted=True)
        for number, (snapshot, seat) in enumerate(moments(title, recorded, table)):
            # The languages by turns.
            local = replace(snapshot, words=words_for(("en", "it")[number % 2]))
            for made in await panels_of(services, local, seat):
                sizes.append(check(made.layout([PICTURE])))
                assert made.question
    assert len(sizes) > 3 * MOMENTS
    assert max(sizes) <= MAX_COMPONENTS
