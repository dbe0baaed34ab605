"""`/table predict`, the ranking under `/leaderboard`, and games of computer players to watch."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from bot.tables import Status, Table
from bot.tables.predictions import points_of
from tests.cogs.conftest import Club, block_messages, ids, press, verbs, wording
from tests.leaks.bot import Feed


async def predict(club: Club, person: Any, table: Table, **options: Any) -> str:
    answer = await person.slash(club.place(table), "table predict", table=table.id, **options)
    assert answer.is_private
    return wording(answer.response)


async def until_closed(club: Club, table: Table, rng: Random) -> None:
    while await club.tables.predictions.are_open(table.id):
        await club.act(table.id, rng)
    await club.settle()


async def test_spectators_predict_in_private_and_the_end_names_the_best(club: Club) -> None:
    anna, bert, clara, dirk = club.people
    clara.user.name = "**Clara**"
    await club.tables.people.change(dirk.id, language="it")
    table = await club.start_game("kogge")
    names = [bert.name if table.seat_of(bert.id) == seat else anna.name for seat in range(2)]
    assert "haven't predicted" in await predict(club, clara, table)
    assert "fill in both `winner` and `by`" in await predict(club, clara, table, winner="0")
    said = await predict(club, clara, table, winner="0", by=12)
    assert f"Your prediction: **{names[0]}** wins by 12 points." in said
    assert "until a third of the game is over" in said
    said = await predict(club, clara, table, winner=names[1].lower())
    assert f"**{names[1]}** wins by 12 points." in said
    said = await predict(club, dirk, table, winner="0", by=1)
    assert f"**{names[0]}**" in said
    assert "wins by" not in said
    assert "can't" not in await predict(club, anna, table)
    for asking in (anna, dirk):
        assert "Clara" not in await predict(club, asking, table)
    assert "You have or had a seat" in await predict(club, bert, table, winner="0", by=1)
    assert "No one at this table" in await predict(club, clara, table, winner="Olaf")

    await until_closed(club, table, Random(1))
    await club.restart()
    assert "predictions are closed" in await predict(club, clara, table, by=3)
    for asking in (anna, clara):
        assert rf"\*\*Clara\*\*** (**{names[1]}** wins by 12 points)" in (
            await predict(club, asking, table)
        )
    assert "Clara" not in "".join(wording(post) for post in club.posts(table))

    await club.finish(table.id)
    state = await club.state(table.id)
    outcome = club.services.rules(table).outcome(state)
    assert outcome is not None
    won = {clara: points_of(1, 12, outcome), dirk: points_of(0, 1, outcome)}
    last = next(post for post in club.posts(table) if "the game is over" in wording(post))
    for person, points in won.items():
        line = (
            f"{person.name}**: {points} points (" if person is dirk else f"Clara\\*\\***: {points}"
        )
        assert (line in wording(last)) == (points > 0)

    board = (await bert.slash(club.channel, "leaderboard", game="kogge")).response
    ranking = wording(await press(bert, board, "predictors:")).split("\n")
    assert ranking[0] == "**Predictions**"
    first, second = sorted(won, key=lambda person: (-won[person], person.id))
    assert won[first] > 0
    for line, person in zip(ranking[1:], (first, second), strict=True):
        place = 1 + (won[person] < won[first])
        assert line.startswith(f"{place}. **")
        assert person.name.strip("*") in line
        hits = "1 winner right" if won[person] else "0 winners right"
        assert line.endswith(f"{won[person]} points · 1 game, {hits}")
    none = (await bert.slash(club.channel, "leaderboard", game="flandern")).response
    assert "predictors:0" in ids(none)
    for person in (clara, dirk):
        await club.tables.people.forget(person.id)
    gone = (await bert.slash(club.channel, "leaderboard", game="kogge")).response
    none = wording(await press(bert, gone, "predictors:"))
    assert none.startswith("**Predictions**\nNone yet.")


async def test_players_get_the_same_with_and_without_predictions(
    tmp_path: Path, service_options: dict[str, Any]
) -> None:
    received = []
    for predicts in (False, True):
        folder = tmp_path / str(predicts)
        folder.mkdir()
        async with Club(folder, **service_options) as club:
            feeds = [Feed(club.standin, person) for person in club.people[:2]]
            table, rng = await club.start_game("kogge"), Random(4)
            for number in range(1000):
                if predicts and number in (0, 7):
                    for seat, person in enumerate(club.people[2:]):
                        await predict(club, person, table, winner=str(seat), by=number)
                await club.step(table.id, rng)
                if not await club.tables.predictions.are_open(table.id):
                    break
            if predicts:
                assert "predictions are closed" in (
                    await predict(club, club.people[2], table, winner="0", by=1)
                )
            await club.step(table.id, rng)
            # The nonce of the first direct message has digits of the user's id.
            received.append([re.sub(r"\.\d+\.hi", "", "\n".join(each.lines)) for each in feeds])
    assert received[0] == received[1]
    assert all(each.count("new [") > 10 for each in received[0])


async def turn(club: Club, table: Table, after: timedelta) -> int:
    """Let time pass and return how many actions the computers took."""
    before = len(await club.actions(table.id))
    await club.later(after)
    await club.rest(table.id)
    await club.settle()
    return len(await club.actions(table.id)) - before


async def test_computers_play_in_the_channel_at_a_chosen_pace_until_the_host_ends_it(
    club: Club,
) -> None:
    anna, bert, clara, _ = club.people
    values = {"game": "burgundy", "level": "easy", "pace": "m10", "players": 2}
    opened = await anna.slash(club.channel, "game watch", **values)
    assert opened.is_private
    assert "computers play The Castles of Burgundy, a turn every 10 minutes" in (
        wording(opened.response)
    )
    table = await club.tables.reader.get(1)
    assert table.names == ("Easy 1", "Easy 2") or table.names == ("Easy 2", "Easy 1")
    assert club.dms(anna) == []
    (post,) = club.posts(table)
    assert "A game to watch: only computers play, a turn every 10 minutes" in wording(post)
    assert verbs(post) == {"board", "status", "rules"}

    again = await anna.slash(club.channel, "game watch", game="kogge")
    assert "You already have a game to watch" in wording(again.response)
    await bert.slash(club.channel, "game watch", game="kogge")
    third = await clara.slash(club.channel, "game watch", game="kogge")
    assert "already has 2 games to watch" in wording(third.response)
    alone = await clara.slash(club.channel, "game watch", game="kogge", players=1)
    assert "Possible numbers of players: 2, 3 and 4" in wording(alone.response)

    assert not await turn(club, table, timedelta(minutes=9))
    assert await turn(club, table, timedelta(minutes=2))
    await club.restart()
    assert not await turn(club, table, timedelta(minutes=5))
    posts = len(club.posts(table))
    for _ in range(3):
        assert await turn(club, table, timedelta(minutes=11))
    assert len(club.posts(table)) == posts + 3
    status = await clara.slash(club.place(table), "game status", table=table.id)
    assert "A game to watch" in wording(status.response)
    assert "wins by 5 points" in await predict(club, clara, table, winner="Easy 1", by=5)

    claimed = await clara.slash(club.place(table), "seat claim", table=table.id)
    assert "no free seat" in wording(claimed.response)
    refused = await clara.slash(club.place(table), "game abandon", table=table.id)
    assert "Only the host of this table or a moderator" in wording(refused.response)
    asked = await anna.slash(club.place(table), "game abandon", table=table.id)
    await press(anna, asked.response, "dissolve:")
    assert (await club.tables.reader.get(table.id)).status is Status.ABANDONED
    assert "the game stays unfinished" in wording(club.posts(table)[-1])
    assert not await turn(club, table, timedelta(days=1))
    asked = await club.owner().slash(club.channel, "game abandon", table=3)
    await press(club.owner(), asked.response, "dissolve:")
    assert (await club.tables.reader.get(3)).status is Status.ABANDONED


async def test_a_watched_game_needs_a_server_and_its_texts_are_translated(club: Club) -> None:
    anna = club.people[0]
    block_messages(club, anna)
    elsewhere = await anna.slash(anna.dm, "game watch", game="kogge")
    assert "only works in a server channel" in wording(elsewhere.response)
    bad = await anna.slash(club.channel, "game watch", game="kogge", level="genius")
    assert "no such computer player" in wording(bad.response)
    await club.tables.people.change(anna.id, language="it")
    opened = await anna.slash(club.channel, "game watch", game="kogge")
    assert "computers play" not in wording(opened.response)
