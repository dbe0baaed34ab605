"""Pictures: what they mark and describe, their colours, and that each is drawn once."""

from __future__ import annotations

import asyncio
import io
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.cogs.ui.pictures import PictureKey, Pictures
from bot.cogs.ui.table_view import BOARD, QUESTION
from bot.game.contract import SPECTATOR
from bot.render import chart
from bot.render.asked import AskedWords
from bot.render.palettes import NAMES
from bot.render.sides import SIDE_LOOKS
from bot.text.contract import CloseUpText
from bot.text.kogge.words import KoggeWords
from bot.text.personal_settings import PALETTES
from bot.text.words import words_for
from bot.titles import TITLES
from tests.cogs.conftest import Club, ids, parts, press, wording
from tests.cogs.test_history import move_guild_master
from tests.render.compare import forget

MARKED = "Marked choices: "


def marked_choices(message: Any) -> list[str]:
    """Return the choices marked on a message's only picture; none on one of the whole table."""
    (picture,) = message.attachments
    assert (picture.filename == QUESTION) is picture.description.startswith(MARKED)
    if picture.filename == BOARD:
        return []
    text = picture.description.removeprefix(MARKED).split(".")[0]
    return list(text.replace(" and ", ", ").split(", "))


def labels(message: Any) -> list[str]:
    """Return the labels of the buttons that choose a word."""
    return [
        str(part["label"])
        for part in parts(message)
        if part.get("custom_id", "").startswith("act:")
    ]


def words(message: Any) -> list[str]:
    return [each.rpartition(",")[2] for each in ids(message) if each.startswith("act:")]


@pytest.mark.usefixtures("word_by_word")
async def test_a_panel_marks_its_choices_on_the_picture_of_the_question(club: Club) -> None:
    table, seat = await club.burgundy()
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    assert marked_choices(panel) == []
    dice = await press(person, panel, ":take")
    shown, first = dice.id, club.bytes_of(dice.attachments[0])
    assert marked_choices(dice) == [each.split(": ")[0] for each in labels(dice)]

    depots = (await person.click(dice, custom_id=ids(dice)[0])).response

    assert marked_choices(depots) == [f"Depot {word}" for word in words(depots)]
    assert [*map(str.startswith, labels(depots), marked_choices(depots))] == [True] * len(
        marked_choices(depots)
    )
    assert club.bytes_of(depots.attachments[0]) != first
    # Going back shows the same picture; a question about no place marks nothing.
    dice = (await person.click(depots, custom_id="back:1:0:take")).response
    assert club.bytes_of(dice.attachments[0]) == first
    kinds = (await person.click(dice, custom_id="back:1:0:")).response
    assert marked_choices(kinds) == []
    assert kinds.id == shown


@pytest.mark.usefixtures("word_by_word")
async def test_a_panel_that_starts_with_places_or_pieces_marks_the_legal_ones(
    club: Club,
) -> None:
    table = await club.game()
    panel = await club.open_panel(table, 0)
    assert marked_choices(panel) == labels(panel)
    assert "Riga" in marked_choices(panel)
    # Public posts mark nothing.
    pictures = [each for post in club.posts(table) for each in post.attachments]
    assert pictures
    assert all(each.filename == BOARD and MARKED not in each.description for each in pictures)
    for seat in (0, 1):
        await club.tables.play.act(table.id, seat, ("found", "4"))
    (seat,) = await club.asked(table.id)
    await club.settle()

    panel = await club.open_panel(table, seat)

    assert marked_choices(panel) == [f"marker {number}" for number in (8, 7, 6, 5, 3, 2, 1, 0)]
    public = await club.services.table_view(table.id, SPECTATOR, words_for("en"))
    with pytest.raises(ValueError, match="public picture"):
        await club.services.question_picture(
            public, AskedWords(("found",), "marker", ("4",), ("Riga",))
        )


async def test_parts_of_a_table_that_exceed_the_buttons_are_in_selects(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    kogge = TITLES["kogge"]
    every = tuple(f"region{number}" for number in range(27))

    def close_up(_words: object, part: str) -> CloseUpText:
        return CloseUpText(part.capitalize(), f"about {part}", f"alt of {part}", {})

    pictures = replace(
        kogge.pictures,
        parts=lambda _view: every,
        part=lambda scene, _part, _words: kogge.pictures.table(scene),
    )
    monkeypatch.setitem(vars(kogge), "pictures", pictures)
    monkeypatch.setattr(KoggeWords, "close_up", close_up)
    table = await club.game()
    watcher = club.people[3]

    board = (await watcher.slash(club.place(table), "game board")).response
    assert [each for each in ids(board) if each.startswith("part")] == ["part:1", "part1:1"]
    one = (await watcher.choose(board, custom_id="part1:1", values=["region26"])).response

    assert "Region26" in wording(one)
    assert one.attachments[0].description == "alt of region26"
    answer = (await watcher.click(one, custom_id="text:1::region26")).response
    assert "about region26" in wording(answer)


# Drawn once for each position and observer


class Painter:
    """A renderer that records its calls and their threads."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.threads: set[int] = set()

    def __call__(self, view: str) -> bytes:
        self.drawn.append(view)
        self.threads.add(threading.get_ident())
        if view == "broken":
            raise ValueError("no paint left")
        return view.encode()


async def test_a_position_is_drawn_once_per_observer_and_never_in_the_loop_thread() -> None:
    with ThreadPoolExecutor(1) as executor:
        painter = Painter()
        pictures = Pictures(executor)
        first, second = PictureKey(1, 5, 4, 0, "en"), PictureKey(1, 5, 4, 1, "en")
        # A failure is not cached.
        with pytest.raises(ValueError, match="paint"):
            await pictures.board(first, partial(painter, "broken"))
        asked = [(first, "first"), (first, "first"), (second, "second"), (first, "first")]
        drawn = await asyncio.gather(
            *(pictures.board(key, partial(painter, view)) for key, view in asked)
        )
        assert drawn == [view.encode() for _, view in asked]
        assert painter.drawn == ["broken", "first", "second"]
        assert threading.get_ident() not in painter.threads
        # The picture is cached with all that is drawn.
        assert await pictures.board(first, partial(painter, "later")) == b"first"
        forget()
        await pictures.board(first, partial(painter, "again"))
        await Pictures(executor).board(first, partial(painter, "of another bot"))
        assert painter.drawn[3:] == ["again", "of another bot"]

        # Close-ups differ by part and by language.
        italian = PictureKey(1, 5, 4, 0, "it")
        for key, part in [(first, "0"), (first, "depots"), (italian, "0")] * 2:
            await pictures.board(key._replace(part=part), partial(painter, part))
        assert painter.drawn[5:] == ["0", "depots", "0"]


# Palettes of people and servers, boards as text, and descriptions


def colours(club: Club, message: Any) -> set[str]:
    (picture,) = message.attachments
    with Image.open(io.BytesIO(club.bytes_of(picture))) as opened:
        palette = opened.getpalette("RGB") or []
    return {f"#{bytes(palette[at : at + 3]).hex()}" for at in range(0, len(palette), 3)}


RED = SIDE_LOOKS[0].fill
"""Colour of the first seat."""


async def test_private_boards_use_the_persons_palette_and_posts_the_servers(
    club: Club,
) -> None:
    assert list(NAMES) == list(PALETTES)
    table = await club.game()
    anna, bert = club.people[:2]
    await anna.slash(club.channel, "me set", palette="red_green")
    owner = club.owner()
    await club.settle()
    answer = await owner.slash(club.channel, "server set", palette="contrast")
    assert "high contrast" in wording(answer.response)

    hers = (await anna.slash(club.place(table), "game board")).response
    panel = await club.open_panel(table, 0)
    for_her = [colours(club, each) for each in (hers, panel)]
    his = (await bert.slash(club.place(table), "game board")).response
    await club.act(table.id, Random(1))
    await club.act(table.id, Random(1))
    await club.settle()

    for shown in for_her:
        assert chart.COLOURS.tones["red_green"][RED] in shown
        assert RED not in shown
    assert RED in colours(club, his)
    assert chart.COLOURS.tones["contrast"][RED] in colours(club, await club.panel(table.id))


async def test_with_boards_as_text_a_person_gets_descriptions_instead_of_pictures(
    club: Club,
) -> None:
    table, seat = await move_guild_master(club)
    person = club.person(table, seat)
    with_picture = await club.open_panel(table, seat)
    assert with_picture.attachments
    await person.slash(club.channel, "me set", board="text")

    board = (await person.slash(club.place(table), "game board")).response
    panel = await club.open_panel(table, seat)
    replay = (await person.slash(club.place(table), "game replay")).response

    for answer in (board, panel, replay):
        assert not answer.attachments
    assert "**1 Stockholm**: " in wording(board)
    # The description precedes the same question with the same buttons.
    described = wording(panel).removesuffix(f"\n{wording(with_picture)}")
    assert described != wording(panel)
    assert "Pairs for sale" in described
    assert ids(panel) == ids(with_picture)
    assert "Pairs for sale" in wording(replay)

    asked_for = (await person.slash(club.place(table), "game board", form="picture")).response
    (picture,) = asked_for.attachments
    assert picture.description == described

    # A description begins with what has changed.
    (picture,) = (await club.panel(table.id)).attachments
    changes, _, rest = picture.description.partition(" Round 1.")
    assert "moves the guild master" in changes
    assert "point" in rest
