"""A test game of 200 spaces and 400 edges (`archipelago`), played with buttons."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.cogs.panel.browsing import PER_PAGE
from bot.cogs.panel.move_commands import for_words
from bot.cogs.panel.open_moves import OpenMoves
from bot.cogs.panel.turn import TurnGuide
from bot.cogs.ui import autocomplete
from bot.game.choices import Amount
from bot.game.contract import SPECTATOR
from bot.tables import Table
from bot.text.contract import NOTHING
from bot.text.words import words_for
from tests.cogs.conftest import Club, forge_id, ids, part, wording
from tests.games import archipelago
from tests.games.archipelago import EDGES, GAME, MAX_CUBES, PLACES, SPACES

pytestmark = pytest.mark.usefixtures("idle_panels")


@dataclass
class Hand:
    """A player and their private panel."""

    club: Club
    table: Table
    seat: int
    panel: Any = None

    @property
    def person(self) -> Any:
        return self.club.person(self.table, self.seat)

    @property
    def shown(self) -> dict[str, str]:
        """Usable buttons and select options: their ids or values by their labels."""
        found = {}
        for custom_id in ids(self.panel):
            item = part(self.panel, custom_id)
            for option in item.get("options", ()):
                found[option["label"]] = option["value"]
            if "label" in item and not item.get("disabled"):
                found[item["label"]] = custom_id
        return found

    @property
    def text(self) -> str:
        content: str = wording(self.panel)
        return content

    async def open(self) -> None:
        self.panel = await self.club.open_panel(self.table, self.seat)

    async def press(self, *labels: str) -> None:
        """Press these buttons in turn, or choose them in a select."""
        for label in labels:
            self.panel = (await self._press(label)).response

    async def _press(self, label: str) -> Any:
        value = self.shown[label]
        if value in ids(self.panel):
            return await self.person.click(self.panel, custom_id=value)
        chooser = next(
            custom_id
            for custom_id in ids(self.panel)
            if any(
                option["value"] == value
                for option in part(self.panel, custom_id).get("options", ())
            )
        )
        return await self.person.choose(self.panel, [value], custom_id=chooser)

    async def type(self, text: str) -> None:
        form = await self._press("Type it")
        line = form.modal["components"][0]["component"]["custom_id"]
        self.panel = (await self.person.submit(form, {line: text})).response


async def actions(club: Club) -> list[str]:
    return (await club.actions(1))[1:]


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    async with Club(tmp_path, archipelago.WITH_IT) as club:
        await club.start_game(GAME.name)
        yield club


@pytest.fixture
async def hand(club: Club) -> Hand:
    return Hand(club, await club.tables.reader.get(1), 0)


def name(place: str) -> str:
    return place.replace("-", " ").capitalize()


async def test_a_game_with_hundreds_of_spaces_is_played_with_buttons(
    club: Club, hand: Hand
) -> None:
    """Chooses the first, a middle and the last word, and an amount by steps and by form."""
    await hand.open()
    await hand.press("Settle", "The north (40)", "Row 1 (8)", "Space N1A")
    await hand.press("Pave", "The ridge path (100)", "Stretch ridge 1")
    await hand.press("+5", "+5", "−1", "+1", "11 cubes")
    other = Hand(club, hand.table, 1)
    await other.open()
    await other.press("Settle", "The middle (40)", "Row 5 (8)", "Space M5H")
    await other.press("Pave", "The old path (100)", "Stretch old 76 – Stretch old 100")
    await other.press("Stretch old 100")
    await other.type("all 60 of them")
    await hand.open()
    await hand.press(*map(name, (PLACES[0], PLACES[6], PLACES[11])))
    await end_with(hand, PLACES[1])

    assert await actions(club) == [
        *(f"settle {SPACES[0]}", f"pave {EDGES[0]}", "stock 11"),
        *(f"settle {SPACES[-1]}", f"pave {EDGES[-1]}", f"stock {MAX_CUBES}"),
        f"tour {PLACES[0]} {PLACES[6]} {PLACES[11]} {PLACES[1]}",
    ]
    assert (await club.tables.reader.seen(1, SPECTATOR)).outcome is not None


async def test_back_leaves_every_group_and_page(hand: Hand) -> None:
    await hand.open()
    await hand.press("Settle")
    zones = hand.shown
    assert list(zones)[:2] == ["The north (40)", "The east (40)"]
    await hand.press("The south (40)")
    rows = hand.shown
    assert "**The south (40)**" in hand.text
    await hand.press("Row 3 (8)")
    assert "**The south (40) › Row 3 (8)**" in hand.text
    assert "Space S3A" in hand.shown
    await hand.press("Back")
    assert hand.shown == rows
    await hand.press("Back")
    assert hand.shown == zones
    await hand.press("Back")
    assert "Rest" in hand.shown

    await hand.press(
        "Settle", "The north (40)", "Row 1 (8)", "Space N1B", "Pave", "The coast path (100)"
    )
    first = hand.shown
    assert len([label for label in first if "–" not in label and "Stretch" in label]) == 75
    await hand.press("Stretch coast 76 – Stretch coast 100")
    assert "Stretch coast 100" in hand.shown
    await hand.press("Stretch coast 1 – Stretch coast 75")
    assert hand.shown == first
    await hand.press("Stretch coast 76 – Stretch coast 100")
    await hand.type("the moon")
    assert "“the moon” is unreadable." in hand.text
    assert "Stretch coast 100" in hand.shown
    await hand.press("Back")
    assert "The old path (100)" in hand.shown


async def test_mistyped_words_are_asked_for_again_with_a_back_button(
    club: Club, hand: Hand
) -> None:
    await hand.open()
    await hand.press("Settle")
    zones = hand.shown
    await hand.press("The west (40)", "Row 2 (8)")
    row = hand.shown
    for _ in range(2):
        await hand.type("Atlantis")
        assert "“Atlantis” is unreadable." in hand.text
        assert "**The west (40) › Row 2 (8)**" in hand.text
        assert set(row) <= set(hand.shown)
    await hand.press("Back", "Back")
    assert hand.shown == zones
    await hand.type("w3")
    assert "ambiguous" in hand.text
    await hand.type("space W3 d")
    await hand.press("Pave", "The river path (100)")
    await hand.type("river 50")
    for nonsense, answer in (("61", "“61” must be 1 to 60."), ("none", "“none” is unreadable.")):
        await hand.type(nonsense)
        assert answer in hand.text
        assert "1 cubes" in hand.shown
        await hand.press("Back")
        assert "stock? (the only rules)" in hand.text
    await hand.press("+1")
    await hand.type("7")

    assert await actions(club) == ["settle w3d", "pave river-50", "stock 7"]


async def rebuilt(hand: Hand) -> list[str]:
    """Rebuild the panel at its current step, as after an answered offer. Returns its labels."""
    bot: Any = hand.club.bot
    (guide,) = (each for each in bot.dialogues if isinstance(each, TurnGuide))
    panels, user = guide._panels, hand.person.id
    services, shown = hand.club.services, panels.opened.find(hand.table.id, user)
    assert shown is not None
    table_view = await services.table_view(hand.table.id, hand.seat, words_for("en"), user=user)
    moves = OpenMoves(services, table_view, hand.seat)
    panel = await panels.resume(moves, shown.step, NOTHING)
    presses: list[Any] = [press for row in panel.choices for press in row.controls]
    return [press.label for press in presses]


async def test_a_number_being_chosen_survives_an_update_of_the_panel(hand: Hand) -> None:
    await go_to_stock(hand)
    assert [label for label in ("−5", "−1", "+1", "+5") if label in hand.shown] == ["+1", "+5"]
    await hand.press("+5", "−5", "+5", "−1", "+1")

    assert "6 cubes" in await rebuilt(hand)

    await hand.type("many")
    assert "“many” is unreadable" in hand.text
    assert "6 cubes" in hand.shown
    assert "6 cubes" in await rebuilt(hand)
    await hand.press("Back", *(["+5"] * 12))
    assert f"{MAX_CUBES} cubes" in hand.shown
    assert "+1" not in hand.shown
    await hand.person.slash(hand.club.place(hand.table), f"{GAME.name} stock", cubes=12)
    assert (await actions(hand.club))[-1] == "stock 12"


async def go_to_stock(hand: Hand) -> None:
    await hand.open()
    await hand.press("Settle", "The north (40)", "Row 2 (8)", "Space N2A")
    await hand.press("Pave", "The coast path (100)", "Stretch coast 30")


async def test_words_encoded_as_numbers_are_refused_if_their_meaning_changed(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    await go_to_tour(club)
    await hand.open()
    await hand.press(*map(name, PLACES[:2]))
    assert any("~" in custom_id for custom_id in ids(hand.panel))
    before = await actions(club)
    # The same numbers now mean other words.
    monkeypatch.setattr(archipelago, "PLACES", PLACES[::-1])
    await hand.press(name(PLACES[5]))
    assert "out of date" in hand.text
    assert await actions(club) == before
    monkeypatch.undo()
    await hand.press(*map(name, (*PLACES[:2], PLACES[5])), "Back", name(PLACES[8]))
    await end_with(hand, PLACES[11])
    assert (await actions(club))[-1] == f"tour {PLACES[0]} {PLACES[1]} {PLACES[8]} {PLACES[11]}"


async def end_with(hand: Hand, place: str) -> None:
    """Choose the last place of the tour, which ends the game."""
    await hand.press(f"{name(place)} (ends the game)", "End the game")


async def go_to_tour(club: Club) -> None:
    """Act past the bot until the tour is asked for."""
    tables = club.tables
    for seat in (0, 1):
        for action in (("rest",), ("rest",), ("stock", "3")):
            await tables.play.act(1, seat, action)
    await club.settle()


async def forge(club: Club, hand: Hand, custom_id: str) -> Any:
    """Press a button with a forged id. Returns the answer."""
    post = await club.panel(1)
    forge_id(club, post, custom_id)
    return (await hand.person.click(post, custom_id=custom_id)).response


async def test_forged_ids_are_refused(club: Club, hand: Hand) -> None:
    for forged in (
        "open:1:s0:settle,9",
        "open:1:s0:settle,0.0.0",
        "open:1:s0:settle,-1",
        "open:1:s0:settle,x",
        "open:1:s0:settle,00",
        "open:1:s0:-",
        "open7:1:s0:settle,-",
        "open:1:s0:rest,0",
        "amount:1:s0:settle,5",
        "amount:1:s0:settle,x",
        "act:1:s0:~0~0~0000000000",
        "act:1:s0:~",
        "act:1:s0:~x",
    ):
        answer = await forge(club, hand, forged)
        assert "out of date" in wording(answer) or "no longer works" in wording(answer), forged
    assert await actions(club) == []

    # A group of an earlier question chooses nothing else.
    forge_id(club, await club.panel(1), "play:1")
    await hand.open()
    await hand.press("Settle", "The north (40)")
    row = hand.shown["Row 3 (8)"]
    await hand.press("Row 1 (8)", "Space N1A")
    stale = await forge(club, hand, row)
    assert "out of date" in wording(stale)
    assert "Pave" in Hand(club, hand.table, 0, stale).shown
    assert await actions(club) == ["settle n1a"]


async def test_only_shown_words_get_labels(
    club: Club, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labelling all 600 words would make panels and suggestions slow."""
    spaces = tuple(f"n{row}{number}" for row in (1, 2) for number in range(300))
    monkeypatch.setattr(archipelago, "SPACES", spaces)
    labelled: list[str] = []
    text = archipelago.TITLE.text
    label = text.label

    def counted(self: Any, prefix: Any, choices: Any, word: str) -> Any:
        labelled.append(word)
        return label(self, prefix, choices, word)

    monkeypatch.setattr(text, "label", counted)
    await hand.open()
    await hand.press("Settle", "Row 2 (300)")
    labelled.clear()
    await hand.press("Space N275 – Space N2149")
    assert "Space N2149" in hand.shown
    assert len(set(labelled) - {"2"}) == PER_PAGE + 4
    labelled.clear()
    reader = club.services.words_for("en-US")
    table_view = await club.services.table_view(1, 0, reader)
    choices = (await club.tables.reader.seen(1, 0)).legal(0, ("settle",))
    offered = await for_words(table_view, ("settle",), choices, "")
    assert len(offered) == len(labelled) == autocomplete.MAX_CHOICES
    offered = await for_words(table_view, ("settle",), choices, "n2299")
    assert [each.value for each in offered] == ["n2299"]


async def test_commands_suggest_amounts_and_spaces_of_large_choices(club: Club) -> None:
    table_view = await club.services.table_view(1, 0, club.services.words_for("en-US"))

    async def offered(typed: str) -> list[str]:
        domain = Amount("cubes", 1, MAX_CUBES)
        found = await for_words(table_view, ("stock",), domain, typed)
        return [each.name for each in found]

    assert (await offered(""))[::24] == ["1 cubes", "25 cubes"]
    assert await offered("59") == ["59 cubes"]
    assert await offered("6") == [f"{number} cubes" for number in (6, 60, 16, 26, 36, 46, 56)]
    assert await offered("61") == []

    table = await club.tables.reader.get(1)
    person, place = club.person(table, 0), club.place(table)
    spaces = await person.suggestions(place, f"{GAME.name} settle", "space", "w5")
    assert [each["value"] for each in spaces] == [f"w5{letter}" for letter in "abcdefgh"]
    await person.slash(place, f"{GAME.name} settle", space="space W5 h")
    assert await actions(club) == ["settle w5h"]
    refused = await person.slash(place, "game board", seat="0")
    assert "Leave out the seat" in wording(refused.response)
