"""Message layouts: their order, and what is cut if there is too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace as with_parts

from bot.app import open_services
from bot.cogs.panel.browsing import PanelStep
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.open_panels import OpenPanels, Panel
from bot.cogs.panel.panel import Panels
from bot.cogs.ui.custom_id import CustomId
from bot.cogs.ui.layout import (
    MAX_ALT,
    MAX_CHARACTERS,
    MAX_COMPONENTS,
    Control,
    Divider,
    Document,
    Image,
    Keep,
    Layout,
    Row,
    Section,
    Text,
    TooMuch,
    button,
    option,
    rows,
    select,
    text_layout,
)
from bot.cogs.ui.services import Services
from bot.cogs.ui.table_view import TableView
from bot.game.choices import Done
from bot.game.contract import Seat
from bot.local.checks import check_message
from bot.tables import Table
from bot.tables.core.record import Record, fold
from bot.text.contract import Label, Summary, SummaryLine
from bot.text.words import words_for
from bot.titles import TITLES
from tests.recorded.results import names, read_record
from tests.same import opened
from tests.store.database import empty

TEXT, SECTION, GALLERY, FILE, DIVIDER, ROW, FRAME = 10, 9, 12, 13, 14, 1, 17
"""Discord's component types."""


def press(number: int = 0) -> Control:
    return button(CustomId("act", 1, "d", (str(number),)), f"Number {number}")


def chosen(number: int = 0) -> Control:
    return select(CustomId("pick", 1, page=number), [option("a", Label("A"))], "Choose")


def components(layout: Layout) -> list[dict[str, Any]]:
    view: Any = layout.view()
    return list(view.to_components())


def sent(layout: Layout) -> list[dict[str, Any]]:
    """Return the components inside the frame."""
    (frame,) = components(layout)
    assert frame["type"] == FRAME
    parts: list[dict[str, Any]] = frame["components"]
    return parts


def test_components_are_sent_in_order() -> None:
    layout = Layout(
        [
            Image("board.png", "A board", b"png"),
            Text("What happened"),
            Divider(),
            Section("A line", press(1)),
            Text("The question"),
            Row((press(2), press(3))),
            Document("game.json", "The game", b"{}"),
        ],
        accent=0x336699,
    )
    (frame,) = components(layout)
    kinds = [part["type"] for part in frame["components"]]
    assert kinds == [GALLERY, TEXT, DIVIDER, SECTION, TEXT, ROW, FILE]
    assert frame["accent_color"] == 0x336699
    assert layout.text == "What happened\nA line\nThe question"
    # Empty text is left out, and a single text has no frame.
    (part,) = components(Layout([Text(""), Text("Done.")]))
    assert (part["type"], part["content"]) == (TEXT, "Done.")


async def test_views_are_finished_at_once() -> None:
    assert text_layout("Choose.", [press()]).view().is_finished()


def test_a_new_picture_is_attached_and_an_old_one_stays() -> None:
    old = Image("old.png", "Old", attached=7)
    layout = Layout([Image("new.png", "New", b"png"), old, Text("Look")])
    assert [(file.filename, file.description) for file in layout.files()] == [("new.png", "New")]
    assert layout.files()[0].fp.read() == b"png", "a second call reads it again"
    old_file, new = layout.edited()["attachments"]
    listed = {"id": 7, "filename": "old.png", "description": "Old"}
    assert (old_file.to_dict(), new.filename) == (listed, "new.png")
    assert layout.for_new_message().parts == (layout.parts[0], layout.parts[2])
    shown = [part["items"][0] for part in sent(layout)[:2]]
    assert [each["media"]["url"] for each in shown] == [
        "attachment://new.png",
        "attachment://old.png",
    ]


def test_a_long_description_is_cut_after_a_sentence() -> None:
    layout = Layout([Image("board.png", "The board. " * 100, b"png")])
    shown = sent(layout)[0]["items"][0]["description"]
    assert MAX_ALT - 20 < len(shown) <= MAX_ALT
    assert shown.endswith("board. …")
    assert layout.files()[0].description == shown


def test_buttons_go_five_to_a_row_and_selects_alone() -> None:
    presses = [*(press(n) for n in range(6)), chosen(1), chosen(2), press(6)]
    assert [len(row.controls) for row in rows(presses)] == [5, 1, 1, 1, 1]


def test_the_first_text_is_cut_first() -> None:
    happened = "\n".join(f"line {n}" for n in range(2000))
    layout = Layout(
        [
            Text(happened, Keep.NEWEST),
            Text("q" * 1000),
            Text("e" * 2000, Keep.BEGINNING),
        ]
    )
    first, question, end = (part.text for part in layout.parts if isinstance(part, Text))
    assert (len(question), len(end)) == (1000, 2000)
    assert first.startswith("…\n")
    assert first.endswith("line 1999")
    assert len(first) + 3000 <= MAX_CHARACTERS
    assert layout.view().content_length() <= MAX_CHARACTERS
    # Without room it is left out; a long answer is cut at its end.
    assert len(Layout([Text("Old", Keep.NEWEST), Text("q" * MAX_CHARACTERS)]).parts) == 1
    text = text_layout("x" * 5000).text
    assert len(text) == MAX_CHARACTERS
    assert text.endswith("…")


def test_parts_that_cannot_be_cut_and_do_not_fit_raise_an_error() -> None:
    """Counts components as Discord does."""
    sections = [Section(f"Line {n}", press(n)) for n in range(13)]
    assert Layout(sections).view().total_children_count == MAX_COMPONENTS
    too_much: tuple[Sequence[Any], ...] = (
        [Text("q" * MAX_CHARACTERS), Section("x", press())],
        rows(press(n) for n in range(40)),
        [*sections, Divider()],
    )
    for parts in too_much:
        with pytest.raises(TooMuch):
            Layout(parts)


def test_optional_rows_that_do_not_fit_are_left_out() -> None:
    choices = rows(press(n) for n in range(25))
    foot = rows((press(100 + n) for n in range(15)), optional=True)
    layout = Layout([Image("board.png", "A board", b""), Text("Which?"), *choices, *foot])
    assert sum(part.optional for part in layout.parts if isinstance(part, Row)) == 1
    assert layout.parts[-1] == foot[0]
    assert layout.view().total_children_count == 39


def test_the_last_summary_line_has_a_button_for_hidden_events() -> None:
    table_view: Any = SimpleNamespace(words=words_for("en"), table=SimpleNamespace(id=1))
    lines = [SummaryLine("Anna: a"), SummaryLine("Ben: b")]
    panel = Panel(table_view, ["Your turn"], summary=Summary(lines))

    whole = panel.layout()
    panel.summary = Summary([lines[0], lines[1]._replace(hidden_count=2)])
    cut = panel.layout()

    assert whole.parts[:2] == (
        Text("Anna: a\nBen: b", Keep.NEWEST),
        Text("Your turn", Keep.BEGINNING),
    )
    before, last = cut.parts[:2]
    assert before == Text("Anna: a", Keep.NEWEST)
    assert isinstance(last, Section)
    assert (last.text, last.control.custom_id) == ("Ben: b", "log1:1")


# Every panel fits into a message, at positions of the recorded games


POSITIONS = 11
"""Positions tested of each game."""
LONGEST_NAME = "Wolfeschlegelsteinhausenberger "
HAPPENED = Summary([SummaryLine("h" * 700, hidden_count=1)] * 9)
PICTURE = Image("question.png", "x" * 1000, b"")


def positions(title: str, recorded: Record, table: Table) -> Iterator[tuple[TableView, Seat]]:
    game = TITLES.games[title]
    step = len(recorded.entries) // POSITIONS
    for number, (_, state) in enumerate(fold(game, recorded)):
        if number % step or game.outcome(state) is not None:
            continue
        pending = game.pending(state)
        for seat in {decision.seat for decision in pending}:
            table_view = TableView(
                table=table,
                observer=seat,
                seq=number,
                view=game.view(state, seat),
                pending=tuple(pending),
                title=TITLES[title],
                words=words_for("en"),
                legal=partial(game.legal, state),
                acted=seat,
                user=table.players[seat].user,
            )
            yield table_view, seat


async def panels_of(services: Services, table_view: TableView, seat: Seat) -> list[Panel]:
    panels, moves = Panels(services, OpenPanels()), OpenMoves(services, table_view, seat)
    decision = table_view.main_id(seat)
    found = [await panels.start(moves, summary=HAPPENED, notes=["n" * 200])]
    found.append(await panels.deal_panel(moves))
    found += [await panels.offer_panel(moves, each) for each in moves.offers]
    rng = Random(table_view.seq)
    for kind in moves.kinds:
        action = moves.forward((kind,))
        while not isinstance(choices := moves.choices(action), Done):
            found.append(await panels.step_panel(moves, PanelStep(action, decision)))
            action = moves.forward((*action, choices.sample(rng)))
        found.append(await panels.step_panel(moves, PanelStep(action, decision)))
    return found


def check(layout: Layout) -> int:
    """Check that Discord would accept a layout. Returns its number of components."""
    view: Any = layout.view()
    check_message({"components": view.to_components()}, [], layout=True)
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
            await services.tables.notes.explain(table.id, player.user or 0, wanted=True)
        for number, (table_view, seat) in enumerate(positions(title, recorded, table)):
            # Alternate the languages.
            local = replace(table_view, words=words_for(("en", "it")[number % 2]))
            for panel in await panels_of(services, local, seat):
                sizes.append(check(panel.layout([PICTURE])))
                assert panel.question or panel.offered
    assert len(sizes) > 3 * POSITIONS
    assert max(sizes) <= MAX_COMPONENTS
