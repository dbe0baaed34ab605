"""Statistics, leaderboards and ratings through the bot, and how a person gets rid of them."""

from __future__ import annotations

import io
from datetime import timedelta
from random import Random
from typing import Any

from PIL import Image

from bot.store import ResultRow, WriteBatch
from bot.tables import Status, Table
from bot.tables.results.rating import Trust
from bot.text.results import TRUST
from tests.cogs.conftest import Club, ids, wording


async def finished(club: Club) -> Table:
    table = await club.game()
    rng, tables = Random(1), club.services.tables
    while seats := await club.asked(table.id):
        club.clock.move(timedelta(hours=1))
        await tables.play.act(table.id, seats[0], await club._any(table.id, seats[0], rng))
    await club.env.settle()
    return await tables.reader.get(table.id)


async def taken(club: Club, table: int, user: int, name: str, place: int, mu: float) -> None:
    batch = WriteBatch()
    row = ResultRow(
        table,
        user,
        0,
        name,
        club.guild.id,
        "kogge",
        4,
        place,
        3,
        2,
        7200,
        club.clock.now(),
        mu,
        5.0,
    )
    batch.add_result(row)
    await club.services.tables._unit_of_work.store.commit(batch)


def lines(answer: Any) -> list[str]:
    assert answer.ephemeral
    content: str = wording(answer.response)
    return content.split("\n")


async def test_a_game_that_ends_shows_in_stats_leaderboard_and_head_to_head(club: Club) -> None:
    table = await finished(club)
    assert table.status is Status.FINISHED
    outcome = await club.services.tables.reader.outcome(table.id)
    assert outcome is not None
    winner, loser = sorted(
        club.people[:2], key=lambda person: table.seat_of(person.id) not in outcome.winners
    )

    title, done, average, rated = lines(await winner.slash(club.channel, "stats"))
    assert winner.name in title
    assert "1 game, 1 win" in done
    assert f"{outcome.scores[outcome.winners[0]]} points on average" in average
    assert "very uncertain so far" in rated
    assert "hour" in rated

    found = lines(await loser.slash(club.channel, "leaderboard", game="kogge"))
    assert found[1].startswith(f"1. **{winner.name}**")
    assert found[2].startswith(f"2. **{loser.name}**")

    found = lines(await loser.slash(club.channel, "stats", player=loser, against=winner))
    assert f"**{loser.name}** ahead 0, **{winner.name}** ahead 1" in found[1]
    asked = await club.people[2].slash(club.channel, "stats", player=winner, against=winner)
    assert "Nobody plays against themselves" in wording(asked.response)


async def test_stats_of_several_games_come_with_a_chart_that_says_what_it_shows(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    for place, mu in ((2, 24.0), (1, 27.0), (1, 30.0)):
        table = await club.lobby(host=anna)
        club.clock.move(timedelta(days=1))
        await taken(club, table.id, anna.id, "Anna", place, mu)
    answer = await bert.slash(club.channel, "stats", player=anna)
    assert "3 games, 2 wins" in wording(answer.response)
    assert "2 wins in a row" in wording(answer.response)
    assert "1 hour a move" in wording(answer.response)
    (chart,) = answer.response.attachments
    assert "Kogge: 1360 after the first rated game, 1600 after 3 games" in chart.description
    image = Image.open(io.BytesIO(await chart.read()))
    assert image.size[0] >= 900
    everywhere = await anna.user.slash("stats")
    assert "in all servers" in wording(everywhere.response)
    assert not everywhere.response.attachments


async def test_a_long_leaderboard_has_pages_and_always_ones_own_place(club: Club) -> None:
    anna = club.people[0]
    table = await club.lobby(host=anna)
    for number in range(14):
        await taken(club, table.id, 1000 + number, f"Guest {number}", 2, 40.0 - number)
    await taken(club, table.id, anna.id, "Anna", 1, 20.0)
    first = await anna.slash(club.channel, "leaderboard")
    found = lines(first)
    assert [line.split(".")[0] for line in found[1:11]] == [str(place) for place in range(1, 11)]
    assert found[11].startswith("You: 15. **Anna**")
    _, on = ids(first.response)
    second = await anna.click(first.response, custom_id=on)
    assert "11–15 of 15" in wording(second.response)
    assert "You:" not in wording(second.response)


async def test_statistics_switched_off_hide_a_person(club: Club) -> None:
    anna, bert = club.people[:2]
    table = await club.lobby(host=anna)
    await taken(club, table.id, anna.id, "Anna", 1, 30.0)
    reply = await anna.slash(club.channel, "me set", statistics="off")
    assert "neither count nor are shown" in wording(reply.response)
    for person, command in ((bert, "leaderboard"), (bert, "stats")):
        said = {"player": anna} if command == "stats" else {}
        answer = await person.slash(club.channel, command, **said)
        assert "1 game" not in wording(answer.response)
    own = await anna.slash(club.channel, "stats")
    assert "switched statistics off" in wording(own.response)


async def test_a_person_is_forgotten_with_her_results_and_her_name_in_past_games(
    club: Club,
) -> None:
    anna, bert = club.people[:2]
    table = await club.game()
    for person in (anna, bert):
        await club.services.tables.leaving.abandon(table.id, person.id)
        await taken(club, table.id, person.id, person.name, 1, 30.0)
    going_on = await club.game()
    asked = await anna.slash(club.channel, "me forget")
    assert "cannot be undone" in wording(asked.response)
    assert len(await club.services.tables.results.of(anna.id, club.guild.id)) == 1
    await anna.click(asked.response, custom_id="forgetme:0")
    assert await club.services.tables.results.of(anna.id, club.guild.id) == ()
    assert len(await club.services.tables.results.of(bert.id, club.guild.id)) == 1
    await club.restart()
    after = await club.services.tables.reader.get(table.id)
    assert sorted(after.names) == ["A former player", "Bert"]
    assert after.seat_of(anna.id) is None
    assert "Anna" in (await club.services.tables.reader.get(going_on.id)).names


def test_every_measure_of_a_rating_has_its_words() -> None:
    assert set(TRUST) == {each.value for each in Trust}
