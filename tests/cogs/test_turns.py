"""What is posted as turns go by."""

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


async def test_the_first_post_names_the_players_once_and_anybody_may_look_at_the_board(
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


async def test_computer_players_are_not_called_but_said_to_think(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "stop")
    names = [Written("Anna"), Written("Bert")]

    async def called(locale: str, **changes: object) -> list[str]:
        words = club.services.words_for(locale)
        table_view = await club.services.table_view(table.id, SPECTATOR, words)
        players = tuple(structs.replace(each, **changes) for each in table_view.table.players)
        seated = structs.replace(table_view.table, players=players)
        return replace(table_view, table=seated).calls(names)

    (called_one,) = await called("en")
    name = called_one.partition(",")[0]
    assert name in ("Anna", "Bert")
    assert await called("en", user=None, policy="strong") == [f"{name} is thinking…"]
    assert await called("it", user=None, policy="strong") == [f"{name} sta pensando…"]
    # Whose seat it is can take their turn themselves at any time.
    assert await called("en", policy="strong") == [called_one]


@pytest.mark.slow
async def test_a_picture_begun_for_what_was_not_stored_is_never_shown(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.game()
    play, begun, begin = club.tables.play, list[object](), Pictures.start_drawing

    def counted(pictures: Pictures, drawing: Coroutine[Any, Any, bytes]) -> None:
        begun.append(drawing)
        begin(pictures, drawing)

    async def disk_full(_store: Store, _batch: WriteBatch) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(Pictures, "start_drawing", counted)
    await play.act(table.id, 0, ("found", "4"))
    with monkeypatch.context() as full:
        full.setattr(Store, "commit", disk_full)
        with pytest.raises(StoreUnavailable):
            await play.act(table.id, 1, ("found", "5"))
    await play.act(table.id, 1, ("found", "6"))
    await club.settle()
    assert len(club.posts(table)) == 2

    assert begun
    (shown,) = club.posts(table)[-1].attachments
    with ThreadPoolExecutor(1) as executor:
        afresh = replace(club.services, pictures=Pictures(executor))
        table_view = await afresh.table_view(table.id, SPECTATOR, afresh.words_for(None))
        events = await afresh.tables.reader.visible_events_since(
            await afresh.tables.reader.seen(table.id, SPECTATOR), 0
        )
        picture = await afresh.picture(table_view, 0, events)
    assert picture is not None
    assert club.bytes_of(shown) == picture.data


async def test_several_actions_of_one_turn_make_one_post_that_tells_them_as_they_come(
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
    # The old post keeps what its picture shows, and a way to what it leaves out.
    story = [line for line in wording(before).splitlines()[:-1] if not line.startswith("-# ")]
    assert wording(posts[-2]).splitlines() == story
    assert ids(posts[-2]) == [f"log1:{table.id}::then"]


async def test_a_picture_that_did_not_get_through_comes_with_the_next_edit(club: Club) -> None:
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


async def test_a_long_story_is_folded_and_its_rest_is_told_to_whoever_asks(club: Club) -> None:
    table = await club.game()
    await club.play_until(table.id, "sail", seed=3)
    post = await club.panel(table.id)
    lines = wording(post).splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("<@"))
    assert place <= 6
    (fold,) = [each for each in ids(post) if each.startswith("log")]
    reader = club.people[3]
    told = wording((await reader.click(post, custom_id=fold)).response).splitlines()
    (folded,) = [line.removesuffix(" …") for line in lines if line.endswith(" …")]
    assert any(line.startswith(f"{folded}, ") for line in told)
    assert not any(line.startswith(f"{folded}, ") for line in lines)


async def test_the_end_of_a_turn_is_posted_even_where_the_same_person_goes_on(club: Club) -> None:
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
    raise AssertionError("nobody has moved twice running")


async def test_computers_play_at_once_and_their_moves_come_together(club: Club) -> None:
    anna = club.people[0]
    table = await club.start_game("kogge", seats=1, computers=3)
    mine = table.seat_of(anna.id)
    assert mine is not None
    await anna.click(await club.open_panel(table, mine), custom_id="act:1:0:found,6")
    assert await club.asked(1) == [mine]
    assert len(club.posts(table)) == 2
    assert f"<@{anna.id}>" in wording(club.posts(table)[-1])


async def test_a_table_is_abandoned_when_all_agree(club: Club) -> None:
    table = await club.game()
    anna, bert = club.people[:2]
    for answer in ("no", "yes"):
        # Typed elsewhere, it is nevertheless put to the table.
        assert (await anna.slash(anna.dm, "game abandon")).is_private
        vote = club.posts(table)[-1]
        assert "end the game unfinished" in wording(vote)
        await bert.click(vote, custom_id=f"{answer}:{table.id}::abandon,-")
        if answer == "no":
            # The button of before there were votes of this kind.
            emit(club, bert, vote, f"agree:{table.id}")
            await club.settle()
            assert "vote is over" in wording(club.private(table, bert)[-1])
    assert (await club.tables.reader.get(table.id)).is_over
    last = await club.panel(table.id)
    assert "unfinished" in wording(last)
    assert ids(last) == [f"{verb}:{table.id}" for verb in CLOSING]
