"""Films of some rounds of a game, and the picture of its moments."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable
from typing import Any

import pytest
from PIL import Image

from bot.cogs.dialogues import films
from bot.cogs.ui.pictures import Pictures
from bot.game.contract import SPECTATOR
from bot.render import moments
from bot.render.picture import GamePictures
from bot.tables import PastTurn, Table
from bot.text.words import words_for
from tests.cogs.conftest import EXAMPLE, Club, id_with, part, wording
from tests.cogs.test_export import import_file

MAKING = "Making the film"


async def finished(club: Club) -> Table:
    _, table = await import_file(club, club.people[0], EXAMPLE.read_bytes())
    assert table is not None
    return table


async def asked(club: Club, person: Any, table: Table, what: str = "film", **rounds: int) -> Any:
    values = {"table": table.id, **rounds}
    return (await person.slash(club.place(table), f"table {what}", **values)).response


def frames(club: Club, message: Any) -> int:
    (film,) = message.attachments
    with Image.open(io.BytesIO(club.bytes_of(film))) as opened:
        return int(opened.n_frames)  # type: ignore[attr-defined]


async def turns_in(club: Club, table: Table, *rounds: int) -> int:
    turns = await club.tables.history.turns(table.id, SPECTATOR)
    return sum(turn.in_effect and turn.round in rounds for turn in turns)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let films have a frame for each turn."""
    monkeypatch.setattr(films, "MAX_FRAMES", 150)


@pytest.mark.usefixtures("whole")
async def test_some_rounds_of_a_finished_game_are_a_private_film(club: Club) -> None:
    table, (anna, bert, *_) = await finished(club), club.people
    shown = await asked(club, bert, table, first=2, last=3)
    assert shown.is_ephemeral
    assert MAKING not in wording(shown)
    assert frames(club, shown) == await turns_in(club, table, 2, 3) > 2
    assert shown.attachments[0].description.startswith("The board turn by turn.")
    first = await asked(club, anna, table, last=1)
    assert frames(club, first) == await turns_in(club, table, 0, 1)


@pytest.mark.usefixtures("whole")
async def test_a_film_of_a_running_game_shows_everyone_what_spectators_saw(club: Club) -> None:
    table = await club.start_game("kogge", ("goods", "hidden"))
    await club.play_until(table.id, "advance")
    player, stranger = club.people[0], club.people[3]
    films_seen = [await asked(club, each, table) for each in (player, stranger)]
    assert frames(club, films_seen[0]) == await turns_in(club, table, 0, 1)
    files = [club.bytes_of(each.attachments[0]) for each in films_seen]
    assert files[0] == files[1]
    alts = [each.attachments[0].description for each in films_seen]
    assert alts[0] == alts[1]
    for first, last in ((2, 9), (3, 2)):
        refused = await asked(club, player, table, first=first, last=last)
        assert "between 1 and 1" in wording(refused)


async def test_the_posted_film_offers_its_rounds_and_the_story_the_moments(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, reader = await club.game(), club.people[3]
    await club.finish(table.id)
    story, film = club.posts(table)[-2:]
    rounds = id_with(film, "film:")
    options = part(film, rounds)["options"]
    last = (await club.tables.history.turns(table.id, SPECTATOR))[-1].round
    assert [each["label"] for each in options] == [f"Round {n}" for n in range(1, last + 1)]

    await club.restart()
    monkeypatch.setattr(films, "MAX_FRAMES", 150)
    shown = (await reader.choose(film, ["2"], custom_id=rounds)).response
    assert shown.is_ephemeral
    assert frames(club, shown) == await turns_in(club, table, 2)
    picture = (await reader.click(story, custom_id=f"moments:{table.id}")).response
    assert picture.is_ephemeral
    assert picture.attachments[0].filename == f"moments-{table.id}.png"


async def test_rounds_are_offered_in_groups_if_there_are_many(club: Club) -> None:
    table = await club.game()
    for rounds, labels in (
        (1, []),
        (25, [f"Round {number}" for number in range(1, 26)]),
        (52, [*(f"Rounds {n}–{n + 2}" for n in range(1, 50, 3)), "Round 52"]),
    ):
        turns = [PastTurn((), 0, number, in_effect=True) for number in range(rounds + 1)]
        controls: list[Any] = films.parts_select(words_for("en"), table, turns)
        assert [each.label for control in controls for each in control.options] == labels


async def test_films_are_made_one_at_a_time_and_a_restart_ends_them(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, (anna, bert, *_) = await finished(club), club.people
    draw, may_draw, drawing = Pictures.draw, asyncio.Event(), 0

    async def draw_later(pictures: Pictures, work: Callable[[], Any]) -> Any:
        nonlocal drawing
        drawing += 1
        await may_draw.wait()
        return await draw(pictures, work)

    monkeypatch.setattr(Pictures, "draw", draw_later)
    # A double press, and another person.
    waiting = [await asked(club, each, table) for each in (anna, anna, bert)]
    assert all(MAKING in wording(each) for each in waiting)
    assert drawing == 1
    await club.restart()
    again = [await asked(club, each, table) for each in (anna, anna, bert)]
    may_draw.set()
    await club.settle()
    assert [frames(club, each) for each in again] == [2, 2, 2]
    assert all(MAKING in wording(each) for each in waiting)


async def test_a_film_that_fails_or_is_too_large_says_so(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, anna = await finished(club), club.people[0]
    with monkeypatch.context() as small:
        small.setattr(films, "MAX_FILM", 1000)
        assert "Choose fewer rounds" in wording(await asked(club, anna, table))
    with monkeypatch.context() as broken:
        broken.setattr(GamePictures, "draw", None)
        assert "couldn't make this" in wording(await asked(club, anna, table))
        without = await asked(club, anna, table, "moments")
        assert "couldn't draw the board" in wording(without)
        assert not without.attachments
    for fault, failed in zip(club.faults.seen, ("film", "picture"), strict=True):
        assert f"{failed} failed" in fault
    club.faults.seen.clear()
    assert frames(club, await asked(club, anna, table)) == 2


async def test_moments_are_a_picture_of_a_finished_game_in_each_readers_language(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = await club.game()
    assert "played to its end" in wording(await asked(club, club.people[0], running, "moments"))
    table, (anna, bert, clara, _) = await finished(club), club.people
    await bert.slash(club.channel, "me set", language="it")
    drawn: list[str] = []
    draw = moments.draw_moments

    def counted(game: moments.Moments, *args: Any) -> bytes:
        drawn.append(game.note)
        return draw(game, *args)

    monkeypatch.setattr(films, "draw_moments", counted)
    english = await asked(club, anna, table, "moments")
    (picture,) = english.attachments
    with Image.open(io.BytesIO(club.bytes_of(picture))) as opened:
        assert opened.width == moments.WIDTH
    for text in ("Kogge", "1. ", "2. ", *table.names, "Round "):
        assert text in picture.description
    await asked(club, clara, table, "moments")
    italian = (await asked(club, bert, table, "moments")).attachments[0]
    assert "punti" in italian.description
    assert club.bytes_of(italian) != club.bytes_of(picture)
    # Each is drawn once.
    assert len(drawn) == 2
    await club.give_up(running)
    assert "played to its end" in wording(await asked(club, anna, running, "moments"))


async def test_a_table_that_has_not_started_has_no_film_and_no_moments(club: Club) -> None:
    table, anna = await club.lobby(), club.people[0]
    for what in ("film", "moments"):
        answer = await asked(club, anna, table, what)
        assert not answer.attachments
        assert "hasn't started" in wording(answer)
