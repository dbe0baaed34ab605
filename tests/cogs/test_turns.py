"""The posts of turns."""

from __future__ import annotations

from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from msgspec import structs

from bot.cogs.ui.pictures import Pictures
from bot.game.contract import SPECTATOR
from bot.store import Store, Unavailable, WriteBatch
from bot.tables import StoreUnavailable
from bot.text.user_text import Written
from tests.cogs.conftest import Club, emit, ids, wording
from tests.wire.witness import CLOSING


async def test_the_first_post_pings_each_player_once_and_anyone_can_see_the_board(
    club: Club,
) -> None:
    table = await club.game(*club.people[1:3])

    (post,) = club.posts(table)
    assert all(f"<@{person.id}>" in wording(post) for person in club.people[:3])
    assert set(post.mentions) == {person.id for person in club.people[:3]}
    assert table.key_hash in wording(post)
    assert ids(post) == ["play:1", "hand:1", "board:1", "status:1", "rules:1"]
    (picture,) = post.attachments
    assert club.bytes_of(picture).startswith(b"\x89PNG")
    assert "Guild master in " in picture.description

    stranger = club.people[3]
    shown = await stranger.click(post, custom_id="board:1")
    text = await stranger.click(shown.response, custom_id="text:1")
    assert shown.is_private
    assert shown.response.attachments
    assert "Lübeck" in wording(text.response)
    status = await stranger.click(post, custom_id="status:1")
    assert status.is_private
    assert "Anna" in wording(status.response)
    assert "<t:" in wording(status.response)


async def test_the_post_says_that_a_computer_player_is_thinking(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "stop")
    names = [Written("Anna"), Written("Bert")]

    async def calls(locale: str, **changes: object) -> list[str]:
        words = club.services.words_for(locale)
        table_view = await club.services.table_view(table.id, SPECTATOR, words)
        players = tuple(structs.replace(each, **changes) for each in table_view.table.players)
        seated = structs.replace(table_view.table, players=players)
        return replace(table_view, table=seated).calls(names)

    (call,) = await calls("en")
    name = call.partition(",")[0]
    assert name in ("Anna", "Bert")
    assert await calls("en", user=None, policy="strong") == [f"{name} is thinking…"]
    assert await calls("it", user=None, policy="strong") == [f"{name} sta pensando…"]
    # A player on autopilot can take their turn at any time.
    assert await calls("en", policy="strong") == [call]


@pytest.mark.slow
async def test_a_picture_drawn_for_an_unstored_action_is_never_shown(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    play, started, start = club.tables.play, list[object](), Pictures.start_drawing

    def recorded(pictures: Pictures, drawing: Coroutine[Any, Any, bytes]) -> None:
        started.append(drawing)
        start(pictures, drawing)

    async def disk_full(_store: Store, _batch: WriteBatch) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(Pictures, "start_drawing", recorded)
    await play.act(table.id, 0, ("found", "4"))
    with monkeypatch.context() as full:
        full.setattr(Store, "commit", disk_full)
        with pytest.raises(StoreUnavailable):
            await play.act(table.id, 1, ("found", "5"))
    await play.act(table.id, 1, ("found", "6"))
    await club.settle()
    assert len(club.posts(table)) == 2

    assert started
    (shown,) = club.posts(table)[-1].attachments
    with ThreadPoolExecutor(1) as executor:
        uncached = replace(club.services, pictures=Pictures(executor))
        table_view = await uncached.table_view(table.id, SPECTATOR, uncached.words_for(None))
        events = await uncached.tables.reader.visible_events_since(
            await uncached.tables.reader.seen(table.id, SPECTATOR), 0
        )
        picture = await uncached.picture(table_view, 0, events)
    assert picture is not None
    assert club.bytes_of(shown) == picture.data


async def test_all_actions_of_a_turn_are_added_to_one_post(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(table.id, "stop")
    before = await club.panel(table.id)
    count = len(club.posts(table))

    await club.play((seat, "stop"))

    after = await club.panel(table.id)
    assert len(club.posts(table)) == count
    assert after.id == before.id
    assert wording(after) != wording(before)
    assert wording(after).splitlines()[-1].endswith(", it's your turn.")

    await club.play((seat, "end"))

    posts = club.posts(table)
    assert len(posts) == count + 1
    # The old post keeps the events its picture shows, and a button to the rest.
    story = [line for line in wording(before).splitlines()[:-1] if not line.startswith("-# ")]
    assert wording(posts[-2]).splitlines() == story
    assert ids(posts[-2]) == [f"log1:{table.id}::then"]


async def test_a_failed_picture_is_sent_with_the_next_edit(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "bid")
    seat = await club.play_until(table.id, "advance")
    before = await club.panel(table.id)
    drawn = club.bytes_of(before.attachments[0])
    edits = f"/channels/{table.thread}/messages/*"
    club.fail("PATCH", edits, status=400, code=50035, times=1)
    step = (await club.words(table.id, seat, "advance"))[0]
    await club.play((seat, f"advance {step}"))
    assert wording(await club.panel(table.id)) == wording(before)
    assert await club.tables.outbox.items(table.id) == []
    await club.play((seat, "stop"))
    after = await club.panel(table.id)
    assert "guild master" in wording(after)
    (shown,) = after.attachments
    assert club.bytes_of(shown) != drawn


async def test_a_long_story_is_folded_and_a_button_shows_the_rest(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "sail", seed=3)
    post = await club.panel(table.id)
    lines = wording(post).splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("<@"))
    assert place <= 6
    (fold,) = [each for each in ids(post) if each.startswith("log")]
    reader = club.people[3]
    full = wording((await reader.click(post, custom_id=fold)).response).splitlines()
    (folded,) = [line.removesuffix(" …") for line in lines if line.endswith(" …")]
    assert any(line.startswith(f"{folded}, ") for line in full)
    assert not any(line.startswith(f"{folded}, ") for line in lines)


async def test_each_turn_gets_its_own_post_even_if_the_same_player_continues(club: Club) -> None:
    rng = Random(2)
    for _game in range(8):
        table = await club.game()
        while before := await club.asked(table.id):
            panel = await club.panel(table.id)
            await club.step(table.id, rng)
            if (await club.actions(table.id))[-1] == "end":
                assert (await club.panel(table.id)).id != panel.id
                if await club.asked(table.id) == before:
                    return
    raise AssertionError("no player had two turns in a row")


async def test_computers_play_at_once_and_share_one_post(club: Club) -> None:
    anna = club.people[0]
    table = await club.start_game("kogge", seats=1, computers=3)
    seat = table.seat_of(anna.id)
    assert seat is not None
    await anna.click(await club.open_panel(table, seat), custom_id="act:1:0:found,6")
    assert await club.asked(1) == [seat]
    assert len(club.posts(table)) == 2
    assert f"<@{anna.id}>" in wording(club.posts(table)[-1])


async def test_a_table_is_abandoned_when_all_agree(club: Club) -> None:
    table = await club.game()
    anna, bert = club.people[:2]
    for answer in ("no", "yes"):
        # Even if typed elsewhere, the vote is posted at the table.
        assert (await anna.slash(anna.dm, "game abandon")).is_private
        vote = club.posts(table)[-1]
        assert "end the game unfinished" in wording(vote)
        await bert.click(vote, custom_id=f"{answer}:{table.id}::abandon,-")
        if answer == "no":
            # The button of an older version.
            emit(club, bert, vote, f"agree:{table.id}")
            await club.settle()
            assert "vote is over" in wording(club.private(table, bert)[-1])
    assert (await club.tables.reader.get(table.id)).is_over
    last = await club.panel(table.id)
    assert "unfinished" in wording(last)
    assert ids(last) == [f"{verb}:{table.id}" for verb in CLOSING]
