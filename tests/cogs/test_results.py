"""Statistics, leaderboards and ratings, and the names they show."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from PIL import Image

from bot.cogs.dialogues.results import TRUST
from bot.cogs.ui.pictures import PictureKey, Pictures
from bot.game.contract import SPECTATOR
from bot.store import ResultRow, WriteBatch
from bot.tables import Status
from bot.tables.results import Trust
from tests.cogs.conftest import Club, ids, wording


async def add_result(club: Club, table: int, user: int, name: str, place: int, mu: float) -> None:
    batch = WriteBatch()
    guild, now = club.guild.id, club.clock.now()
    ids = (table, user, 0, name, guild)
    batch.insert(ResultRow(*ids, "kogge", 4, place, 3, 2, 7200, now, mu, 5.0))
    await club.tables._unit_of_work.store.commit(batch)


def lines(answer: Any) -> list[str]:
    assert answer.is_private
    content: str = wording(answer.response)
    return content.split("\n")


async def test_a_finished_game_appears_in_stats_leaderboard_and_head_to_head(club: Club) -> None:
    table, rng, tables = await club.game(), Random(1), club.tables
    while await club.asked(table.id):
        club.clock.move(timedelta(hours=1))
        await club.act(table.id, rng)
    await club.settle()
    table = await tables.reader.get(table.id)
    assert table.status is Status.FINISHED
    outcome = (await tables.reader.seen(table.id, SPECTATOR)).outcome
    assert outcome is not None
    winner, loser = sorted(
        club.people[:2], key=lambda person: table.seat_of(person.id) not in outcome.winners
    )

    title, done, average, rated, *_ = lines(await winner.slash(club.channel, "stats"))
    assert winner.name in title
    assert "1 game, 1 win" in done
    assert f"{outcome.scores[outcome.winners[0]]} points on average" in average
    assert "very rough estimate" in rated
    assert "hour" in rated

    found = lines(await loser.slash(club.channel, "leaderboard", game="kogge"))
    assert found[1].startswith(f"1. **{winner.name}**")
    assert found[2].startswith(f"2. **{loser.name}**")

    found = lines(await loser.slash(club.channel, "stats", player=loser, against=winner))
    assert f"**{loser.name}** ahead in 0, **{winner.name}** in 1" in found[1]
    asked = await club.people[2].slash(club.channel, "stats", player=winner, against=winner)
    assert "You can't compare someone with themselves" in wording(asked.response)
    assert set(TRUST) == {each.value for each in Trust}


async def test_stats_of_several_games_include_a_chart_with_a_description(club: Club) -> None:
    anna, bert = club.people[:2]
    for place, mu in ((2, 24.0), (1, 27.0), (1, 30.0)):
        table = await club.lobby(host=anna)
        club.clock.move(timedelta(days=1))
        await add_result(club, table.id, anna.id, "Anna", place, mu)
    answer = await bert.slash(club.channel, "stats", player=anna)
    assert "3 games, 2 wins" in wording(answer.response)
    assert "2 wins in a row" in wording(answer.response)
    assert "1 hour per move" in wording(answer.response)
    (chart,) = answer.response.attachments
    assert "Kogge: 1360 after the first rated game, 1600 after 3 games" in chart.description
    image = Image.open(io.BytesIO(club.bytes_of(chart)))
    assert image.size[0] >= 900
    everywhere = await anna.slash(anna.dm, "stats")
    assert "on all servers" in wording(everywhere.response)
    assert not everywhere.response.attachments

    # With statistics off a person is hidden.
    reply = await anna.slash(club.channel, "me set", statistics="off")
    assert "don't count and no one can see them" in wording(reply.response)
    answer = await bert.slash(club.channel, "stats", player=anna)
    assert not re.search(r"\d games?\b", wording(answer.response))
    own = await anna.slash(club.channel, "stats")
    assert "statistics are off" in wording(own.response)


async def test_a_long_leaderboard_has_pages_and_shows_the_readers_own_place(club: Club) -> None:
    anna = club.people[0]
    table = await club.lobby(host=anna)
    for number in range(14):
        await add_result(club, table.id, 1000 + number, f"Guest {number}", 2, 40.0 - number)
    await add_result(club, table.id, anna.id, "Anna", 1, 20.0)
    first = await anna.slash(club.channel, "leaderboard")
    found = lines(first)
    assert [line.split(".")[0] for line in found[1:11]] == [str(place) for place in range(1, 11)]
    assert found[11].startswith("You: 15. **Anna**")
    _, on, *_ = ids(first.response)
    second = await anna.click(first.response, custom_id=on)
    assert "11–15 of 15" in wording(second.response)
    assert "You:" not in wording(second.response)


# Names are updated when a person next acts


def rename(person: Any, name: str) -> None:
    person.user.name = name


async def test_a_rename_changes_running_tables_and_results_but_not_finished_tables(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[str, ...]] = []
    board = Pictures.board

    async def recorded(pictures: Pictures, shown: PictureKey, draw: Any) -> bytes:
        drawn.append(shown.names)
        return await board(pictures, shown, draw)

    monkeypatch.setattr(Pictures, "board", recorded)
    table = await club.game()
    anna, bert = club.people[:2]
    place, seat = club.place(table), table.seat_of(anna.id)
    assert seat is not None
    before = wording((await bert.slash(place, "game board", form="text")).response)
    assert "**Anna**" in before

    rename(anna, "Annabella *")
    await anna.slash(place, "game status")

    content = wording((await bert.slash(place, "game board", form="text")).response)
    assert "Annabella \\*" in content
    assert "**Anna**" not in content
    await bert.slash(place, "game board")
    assert drawn[-1][seat] == "Annabella *"
    await club.restart()
    assert (await club.tables.reader.get(table.id)).names[seat] == "Annabella *"

    for person in (anna, bert):
        await club.tables.leaving.abandon(table.id, person.id)
        await add_result(club, table.id, person.id, person.name, 1, 30.0)
    rename(anna, "<@1> Annabella")
    await anna.slash(club.channel, "stats")

    found = lines(await bert.slash(club.channel, "leaderboard"))
    assert any("\\<@\u200b1\\> Annabella" in line for line in found)
    assert not any("**Anna**" in line for line in found)
    assert "Annabella *" in (await club.tables.reader.get(table.id)).names
    title, *_ = lines(await bert.slash(club.channel, "stats", player=anna))
    assert "Annabella" in title

    # A forgotten person stays forgotten under any name.
    asked = await anna.slash(club.channel, "me forget")
    assert "can't undo this" in wording(asked.response)
    await anna.click(asked.response, custom_id="forgetme:0")
    rename(anna, "Anna")
    await anna.slash(club.channel, "stats")
    after = await club.tables.reader.get(table.id)
    assert sorted(after.names) == ["Bert", "Former player"]
    assert after.seat_of(anna.id) is None
    assert "Anna" not in wording((await bert.slash(club.channel, "leaderboard")).response)


async def test_a_rename_changes_the_lobby_and_equal_names_get_letters(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.lobby(bert)
    rename(bert, "anna")
    await bert.slash(club.channel, "game help")
    content = wording(await club.lobby_message(table.id))
    assert "1. **Anna (A)**" in content
    assert "2. **anna (B)**" in content
    rename(anna, "Zoë")
    # A button press updates the name too.
    await anna.click(await club.lobby_message(table.id), custom_id=f"options:{table.id}")
    assert "1. **Zoë**" in wording(await club.lobby_message(table.id))
