"""Playing on from a turn of a game that is over, and positions as files."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from bot.game.contract import SPECTATOR
from bot.local import InteractionKind
from bot.tables import Status, Table
from bot.tables.core.record import decode
from bot.titles import TITLES
from bot.tools.replay import replay
from bot.tools.verify import check
from tests.cogs.conftest import (
    EXAMPLE,
    Club,
    emit,
    id_with,
    ids,
    part,
    pings,
    press,
    verbs,
    wording,
)
from tests.tables.world import whole_record


async def all_tables(club: Club) -> list[Table]:
    return await club.tables.reader.find(club.channel.id, tuple(Status))


async def finished_game(club: Club) -> Table:
    """Return a finished game, which Anna has imported."""
    file = ("game.json", EXAMPLE.read_bytes())
    await club.people[0].slash(club.channel, "table import", file=file)
    return (await all_tables(club))[0]


async def abandoned_game(club: Club) -> Table:
    """Return an abandoned game of Anna and Bert with an undone turn and a player who resigned."""
    table = await club.game()
    seat = await club.play_until(table.id, "advance")
    await club.play((seat, "advance 1"))
    person = club.person(table, seat)
    asked = (await person.slash(club.place(table), "game undo")).response
    await press(person, asked, "undoit:")
    seat = await club.play_until(table.id, "end", seed=2)
    await club.play((seat, "end"))
    await club.person(table, 1).slash(club.place(table), "game resign")
    await press(club.person(table, 1), club.private(table, club.person(table, 1))[-1], "resign:")
    await club.give_up(table)
    return await club.tables.reader.get(table.id)


async def replay_at(club: Club, person: Any, table: Table, turn: int) -> Any:
    """Return the replay that a person has opened at this turn in effect, in the channel."""
    shown = (await person.slash(club.channel, "game replay", eyes="all", table=table.id)).response
    for _ in range(turn):
        shown = await press(person, shown, "step3:")
    return shown


async def forge(club: Club, person: Any, shown: Any, custom_id: str) -> Any:
    """Press a forged button of a message. Returns the answer."""
    place = club.standin.model.channels[shown.channel_id]
    data = {"custom_id": custom_id, "component_type": 2}
    return (await person.act(InteractionKind.COMPONENT, place, data, source=shown)).response


async def seq_of(club: Club, table: Table, turn: int) -> int:
    """Return the last log entry of this turn in effect."""
    turns = await club.tables.history.turns(table.id, SPECTATOR)
    return [each.last for each in turns if each.in_effect][turn]


async def views(club: Club, table: Table, seq: int) -> list[Any]:
    observers = (SPECTATOR, *range(len(table.players)))
    return [await club.tables.history.view(table.id, each, seq) for each in observers]


async def test_one_person_plays_on_against_computers_after_a_restart(club: Club) -> None:
    source, dirk = await finished_game(club), club.people[3]
    asked = await press(dirk, await replay_at(club, dirk, source, 7), "playfrom:")
    assert "Kogge · table 1 · unrated · Round 2, turn 7 of" in wording(asked)
    assert "knows what was secret" in wording(asked)
    for verb, value in (("fromseat:", "1"), ("fromlevel:", "easy")):
        asked = (await dirk.choose(asked, [value], custom_id=id_with(asked, verb))).response
        (chosen,) = [o for o in part(asked, id_with(asked, verb))["options"] if o.get("default")]
        assert chosen["value"] == value

    tavern = club.new_channel("tavern")
    await club.owner().slash(club.channel, "server channel", {"channel": tavern})
    refused = await press(dirk, asked, "playnow:")
    assert f"only in these channels: <#{tavern.id}>" in wording(refused)
    await club.owner().slash(club.channel, "server channel", {"channel": tavern}, change="remove")
    await club.restart()
    for _ in range(2):
        emit(club, dirk, asked, id_with(asked, "playnow:"))
    await club.settle()
    await club.rest(2)
    await club.settle()

    table, *others = await all_tables(club)
    assert [each.id for each in others] == [source.id]
    assert (table.status, table.unrated, table.source) == (Status.PLAYING, True, source.id)
    assert [(each.user, each.policy, each.name) for each in table.players] == [
        (None, "easy", "Easy 1"),
        (dirk.id, None, "Dirk"),
    ]
    end = await seq_of(club, source, 7)
    log = await club.actions(table.id)
    start = next(n for n, line in enumerate(log) if line.startswith("@import"))
    assert await views(club, table, start) == await views(club, source, end)
    assert table.key_hash != source.key_hash
    (post, *_) = club.posts(table)
    assert "continues from round 2 of table 1. It doesn't count for ratings." in wording(post)
    assert f"`{table.key_hash}`" in wording(post)
    assert "Anna" not in wording(post)
    assert "Bert" not in wording(post)
    assert "Table 2 is open" in "".join(
        wording(each) for each in club.seen(club.channel, dirk) if each.is_ephemeral
    )
    assert club.dms(dirk)
    status = (await dirk.slash(club.place(table), "game status")).response
    assert "being played · unrated" in wording(status)
    mine = (await dirk.slash(club.channel, "game mine")).response
    assert "being played · unrated" in wording(mine)
    board = (await dirk.slash(club.place(table), "game board")).response
    assert "table 2 · unrated" in wording(board)


async def test_others_take_seats_before_a_paused_game_goes_on_and_it_counts_for_nothing(
    club: Club,
) -> None:
    source = await finished_game(club)
    clara, dirk = club.people[2:]
    turns = await club.tables.history.turns(source.id, SPECTATOR)
    near_end = sum(each.in_effect for each in turns) - 3
    asked = await replay_at(club, dirk, source, 0)
    asked = await press(dirk, asked, "step4:")
    assert not {"playfrom", "saveturn"} & verbs(asked)
    end_id = next(each for each in ids(asked) if each.startswith("step4:"))
    for _ in range(2):
        asked = await press(dirk, asked, "step2:")
    asked = await press(dirk, asked, "playfrom:")
    since = len(club.requests)
    opened = await press(dirk, asked, "playlater:")
    assert "open and paused" in wording(opened)
    table = (await all_tables(club))[0]
    assert table.status is Status.PAUSED
    assert [each.vacant for each in table.players] == [False, True]
    assert not pings(club, since=since)

    await press(clara, await club.panel(table.id), "claim:")
    await press(dirk, await club.panel(table.id), "goon:")
    vote = next(post for post in club.posts(table) if "resume the game" in wording(post))
    await press(clara, vote, "yes:")
    table = await club.tables.reader.get(table.id)
    assert table.status is Status.PLAYING
    assert [each.user for each in table.players] == [dirk.id, clara.id]
    log = await club.actions(table.id)
    start = next(n for n, line in enumerate(log) if line.startswith("@import"))
    past = await seq_of(club, source, near_end)
    assert await views(club, table, start) == await views(club, source, past)

    await club.finish(table.id, seed=5)
    for person in (clara, dirk):
        assert await club.tables.results.of_person(person.id, None) == ()
    verified = check(await club.file_of(table, "game export"))
    assert "The result is right" in verified
    assert f"{source.key_hash}, {table.key_hash}" in verified

    # A forged id of the last turn opens nothing.
    shown = await replay_at(club, dirk, source, 0)
    last = end_id.split(",")[-1]
    refused = await forge(club, dirk, shown, f"playlater:{source.id}::all,{last},0,easy")
    assert "a turn before the last" in wording(refused)
    assert len(await all_tables(club)) == 2


async def test_only_its_players_play_on_from_an_abandoned_game(club: Club) -> None:
    source = await abandoned_game(club)
    player, dirk = club.person(source, 0), club.people[3]
    count = sum(e.in_effect for e in await club.tables.history.turns(source.id, SPECTATOR))
    shown = await replay_at(club, dirk, source, 1)
    assert not {"playfrom", "saveturn"} & verbs(shown)
    for forged in ("playfrom:1::all,1", "saveturn:1::own,1", "playnow:1::all,1,0,easy"):
        refused = await forge(club, dirk, shown, forged)
        assert "abandoned one you played in" in wording(refused)
        assert refused.attachments == []
    for forged in ("2,easy", "-1,easy", "0,x", "-,easy"):
        refused = await forge(club, player, shown, f"playnow:1::all,1,{forged}")
        assert "no longer works" in wording(refused)
    assert len(await all_tables(club)) == 1

    # The game can be played on from its last turn.
    shown = await replay_at(club, player, source, count - 1)
    data = club.bytes_of((await press(player, shown, "saveturn:")).attachments[0])
    assert '"@' not in data.decode()  # no undo, no resignation
    assert check(data).startswith("Yes.")
    await press(player, await press(player, shown, "playfrom:"), "playlater:")
    table = (await all_tables(club))[0]
    now = await club.tables.reader.seq(table.id)
    assert await views(club, table, now) == await views(
        club, source, await seq_of(club, source, count - 1)
    )
    assert table.seat_of(player.id) is not None
    assert len(table.owners) == 1


async def test_a_player_plays_on_in_direct_messages_in_their_language(club: Club) -> None:
    source = await abandoned_game(club)
    player = club.person(source, 0)
    await player.slash(club.channel, "me set", language="it")
    shown = (await player.slash(player.dm, "game replay", table=source.id)).response
    asked = await press(player, shown, "playfrom:")
    assert "playlater" not in verbs(asked)
    assert "Preparazione" in wording(asked)
    await press(player, asked, "playnow:")
    (table,) = await club.tables.reader.find(player.dm.id, tuple(Status))
    assert (table.guild, table.source, table.unrated) == (None, source.id, True)
    assert [each.user for each in table.players].count(player.id) == 1


async def test_a_saved_position_is_a_small_file_to_verify_draw_and_import(
    club: Club, tmp_path: Path
) -> None:
    source, dirk = await finished_game(club), club.people[3]
    shown = await replay_at(club, dirk, source, 7)
    answer = await press(dirk, shown, "saveturn:")
    assert answer.is_ephemeral
    (file,) = answer.attachments
    assert file.filename == "kogge-table-1-turn-7.json"
    data = club.bytes_of(file)
    end = await seq_of(club, source, 7)
    whole = json.loads(await club.file_of(source, "game export"))
    saved = json.loads(data)
    assert [e["action"] for e in saved["entries"]] == [
        e["action"] for e in whole["entries"][: end + 1]
    ]
    assert all(len(e.get("asked", ())) == len(e.get("drawn", ())) for e in saved["entries"])
    assert check(data).startswith("Yes.")
    assert "not finished" in check(data)
    assert replay(TITLES["kogge"], decode(data), tmp_path) == end + 1

    imported = await dirk.slash(club.channel, "table import", file=("position.json", data))
    assert "take their seats with **Take over**" in wording(imported.response)
    table = (await all_tables(club))[0]
    assert (table.status, table.unrated, table.source) == (Status.PAUSED, True, None)
    assert await views(club, table, end + 1) == await views(club, source, end)
    post = await club.panel(table.id)
    assert "imported from a file. It doesn't count for ratings." in wording(post)


async def test_the_same_moves_draw_otherwise_than_in_the_source(club: Club) -> None:
    source, dirk = await finished_game(club), club.people[3]
    asked = await press(dirk, await replay_at(club, dirk, source, 0), "playfrom:")
    await press(dirk, asked, "playlater:")
    table = (await all_tables(club))[0]
    assert "continues from the start of table 1." in wording(await club.panel(table.id))
    whole = json.loads(await club.file_of(source, "game export"))["entries"]
    await press(club.people[2], await club.panel(table.id), "claim:")
    await press(dirk, await club.panel(table.id), "goon:")
    vote = next(post for post in club.posts(table) if "resume the game" in wording(post))
    await press(club.people[2], vote, "yes:")
    rng, own = Random(3), list[tuple[int, ...]]()
    while sum(map(len, own)) < 6:
        await club.act(table.id, rng)
        entries = (await whole_record(club.tables, table.id)).entries
        own = [entry.drawn for entry in entries[1:] if entry.drawn]
    await club.settle()
    theirs = [tuple(entry["drawn"]) for entry in whole[1:] if entry.get("drawn")]
    assert own != theirs[: len(own)]
    for person in (dirk, club.people[2]):
        await person.slash(club.place(table), "game abandon")
    record = (await club.tables.exports.game(table.id, 0)).data
    assert f"{source.key_hash}, {table.key_hash}" in check(record)
