"""A game's history: the replay, the log, the posts at its end, and undo."""

from __future__ import annotations

import io
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageColor

from bot.cogs.dialogues import films
from bot.cogs.ui.services import Services
from bot.game.contract import SPECTATOR
from bot.game.sides import Side
from bot.render.sides import SIDE_LOOKS
from bot.tables import Status, Table
from bot.titles import TITLES
from tests.cogs.conftest import Club, id_with, ids, part, pings, press, verbs, wording


async def test_a_replay_of_a_running_game_shows_what_the_reader_saw_then(club: Club) -> None:
    table, seat = await move_guild_master(club)
    player, stranger = club.person(table, seat), club.people[3]

    newest = (await player.slash(club.place(table), "game replay")).response
    assert "As you saw it then" in wording(newest)
    assert "Round 1" in wording(newest)
    assert "guild master" in wording(newest)
    assert [part(newest, each)["disabled"] for each in ids(newest)[2:4]] == [True, True]

    back = await press(player, newest, "step2:")
    assert back.id == newest.id
    assert "guild master" not in wording(back).split("\n", 2)[2]
    first = await press(player, back, "step1:")
    assert "Set-up" in wording(first)
    (picture,) = first.attachments
    assert picture.description

    watched = (await stranger.slash(club.place(table), "game replay", eyes="own")).response
    assert "As everyone saw it" in wording(watched)
    on = await press(stranger, await press(stranger, watched, "step1:"), "step3:")
    assert "turn 1 of" in wording(on)


async def test_a_step_of_a_replay_shows_only_what_its_observer_saw_then(
    club: Club,
) -> None:
    """Each view equals the one shown then. A secret choice is a turn only for its owner."""
    table = await club.start_game("kogge", ("goods", "hidden"))
    tables, rng = club.tables, Random(4)
    seen: dict[tuple[int, int], Any] = {}
    for _ in range(25):
        await club.act(table.id, rng)
        seq = await tables.reader.seq(table.id)
        for observer in (SPECTATOR, 0, 1):
            seen[observer, seq] = (await tables.reader.seen(table.id, observer)).view

    for observer in (SPECTATOR, 0, 1):
        turns = await tables.history.turns(table.id, observer)
        visible = {event.kind for turn in turns for event in turn.events}
        # Seat 0 chose in secret; the choice of seat 1 revealed both.
        assert ("founding_chosen" in visible) is (observer == 0)
        assert all(event.visible_to(observer) for turn in turns for event in turn.events)
        for turn in turns[1:]:
            then = await tables.history.view(table.id, observer, turn.last)
            assert then == seen[observer, turn.last]


async def test_undone_moves_are_crossed_out_in_the_log_and_left_out_of_the_replay(
    club: Club,
) -> None:
    table, seat = await move_guild_master(club)
    person = club.person(table, seat)
    asked = (await person.slash(club.place(table), "game undo")).response
    await press(person, asked, "undoit:")

    log = wording((await person.slash(club.place(table), "game log")).response)
    (struck,) = [line for line in log.split("\n") if "~~" in line]
    assert "guild master" in struck
    assert "undoes an action" in log
    assert "Crossed-out moves were undone" in log
    assert "### Round 1" in log
    assert "<t:" in struck

    end = (await person.slash(club.place(table), "game replay")).response
    assert "moves the guild master" not in wording(end)


@pytest.mark.slow
async def test_the_end_posts_a_story_a_chart_and_a_film_once_and_the_log_has_pages(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(films, "MAX_FRAMES", 150)
    # As if seat 0 played side C, and seat 1 sides D and A.
    guilds = (Side(0, 2), Side(1, 3), Side(1, 0))
    kogge = TITLES["kogge"]
    pictures = replace(kogge.pictures, sides=lambda _view, _seats: guilds)
    monkeypatch.setitem(vars(kogge), "pictures", pictures)
    table = await club.game()
    await club.finish(table.id)
    table = await club.tables.reader.get(table.id)
    assert table.status is Status.FINISHED
    posts = club.posts(table)
    (end,) = [n for n, post in enumerate(posts) if post.id == table.panel_message]
    assert "The game is over" in wording(await club.lobby_message(table.id))
    story, film = posts[end + 1 :]

    lines = wording(story).split("\n")[1:]
    assert 2 <= len(lines) <= 10
    assert "rounds" in lines[0]
    assert "wins" in lines[-1] or "share" in lines[-1]
    (chart,) = story.attachments
    assert "after rounds" in chart.description
    with Image.open(io.BytesIO(club.bytes_of(chart))) as opened:
        colours = {colour for _, colour in opened.convert("RGB").getcolors(9999) or ()}
    fills = [ImageColor.getrgb(table_view.fill) in colours for table_view in SIDE_LOOKS]
    assert fills == [True, False, True, True]
    (animation,) = film.attachments
    assert animation.description
    assert animation.size < 8 * 1024 * 1024
    with Image.open(io.BytesIO(club.bytes_of(animation))) as opened:
        turns = await club.tables.history.turns(table.id, SPECTATOR)
        assert opened.n_frames == sum(turn.in_effect for turn in turns)  # type: ignore[attr-defined]

    await club.restart()
    assert [post.id for post in club.posts(table)] == [post.id for post in posts]

    reader = club.people[3]
    log = (await reader.click(posts[end], custom_id=f"log:{table.id}")).response
    pages = [wording(log)]
    for page in ("page1:", "page2:"):
        await press(reader, log, page)
        pages.append(wording(log))
    newest, older, again = (page.split("\n") for page in pages)
    assert "The game ends" in newest[-1] == again[-1]
    assert "The game ends" not in older[-1]

    replay = (await reader.click(film, custom_id=f"replay:{table.id}")).response
    assert "Set-up" in wording(replay)
    rounds = id_with(replay, "step5:")
    last = part(replay, rounds)["options"][-1]
    shown = (await reader.choose(replay, [last["value"]], custom_id=rounds)).response
    assert last["label"] in wording(shown)


# Undo: alone up to a barrier, with everyone's consent past it


async def move_guild_master(club: Club) -> tuple[Table, int]:
    table = await club.game()
    seat = await club.play_until(table.id, "advance")
    await club.open_panel(table, seat)
    await club.play((seat, "advance 1"))
    return table, seat


async def test_undo_first_shows_what_it_would_undo(club: Club) -> None:
    table, seat = await move_guild_master(club)
    person = club.person(table, seat)
    before = await club.tables.reader.seq(table.id)
    asked = (await person.slash(club.place(table), "game undo")).response
    assert "guild master" in wording(asked)
    assert await club.tables.reader.seq(table.id) == before
    await press(person, asked, "undoit:")
    assert (await club.tables.reader.pending(table.id))[0].kind == "advance"
    assert (await club.actions(table.id))[-1].startswith("@undo")
    await club.settle()
    content = "\n".join(wording(post) for post in club.posts(table))
    assert f"**{table.names[seat]}** undoes an action" in content
    seat = await club.play_until(table.id, "end")
    await club.tables.play.act(table.id, seat, ("end",))
    asked = (await club.person(table, seat).slash(club.place(table), "game undo")).response
    assert f"**{table.names[seat]}**: " in wording(asked)


async def test_after_an_undo_the_panel_shows_the_current_table(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_picture(*_: Any) -> None:
        """Return no picture of the question, so that the panel shows the whole table."""

    monkeypatch.setattr(Services, "question_picture", no_picture)
    table, seat = await move_guild_master(club)
    panel = await club.open_panel(table, seat)
    before = [each.id for each in panel.attachments]
    after = await press(club.person(table, seat), panel, "backstep:")
    assert len(after.attachments) == len(before) == 1
    assert [each.id for each in after.attachments] != before


async def test_the_last_player_undoes_an_action_or_the_turn_with_one_press(
    club: Club,
) -> None:
    table, seat = await move_guild_master(club)
    action = ["sail"]
    while words := await club.words(table.id, seat, *action):
        action.append(words[0])
    await club.tables.play.act(table.id, seat, tuple(action))
    await club.settle()
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    assert {"backstep", "backturn"} <= verbs(panel)
    assert not {"backstep", "backturn"} & verbs(await club.open_panel(table, 1 - seat))
    after = await press(person, panel, "backstep:")
    assert (await club.actions(table.id))[-1].startswith("@undo")
    assert (await club.tables.reader.pending(table.id))[0].kind == "move"
    assert "Undone" in wording(after or panel)
    # Only one action is left: undoing the turn would do the same.
    assert "backturn" not in verbs(await club.open_panel(table, seat))
    await club.tables.play.act(table.id, seat, tuple(action))
    await club.settle()
    await press(person, await club.open_panel(table, seat), "backturn:")
    assert (await club.tables.reader.pending(table.id))[0].kind == "advance"
    assert (await club.actions(table.id))[-1].startswith("@undo")


async def test_undoing_another_players_move_needs_everyones_consent(
    club: Club,
) -> None:
    table, seat = await move_guild_master(club)
    asker, other = club.person(table, 1 - seat), club.person(table, seat)
    before, reader = await club.tables.reader.seq(table.id), club.tables.reader
    for back, answer in (("round", "no"), ("step", "yes")):
        asked = (await asker.slash(club.place(table), "game undo", back=back)).response
        assert "undoit" not in verbs(asked)
        before_pings = len(pings(club))
        panel = await press(asker, asked, "undoall:") or asked
        assert "asked the others" in wording(panel)
        assert "hand" in verbs(panel)
        proposal = club.posts(table)[-1]
        assert f"<@{other.id}>" in wording(proposal)
        assert pings(club)[before_pings:] == [other.id]
        stranger = await press(club.people[3], proposal, "yes:")
        assert "aren't playing at this table" in wording(stranger)
        assert await reader.seq(table.id) == before
        await press(other, proposal, f"{answer}:")
        assert not any(each.missing for each in await club.tables.votes.to_post(table.id))
        (decided,) = [post for post in club.posts(table) if post.id == proposal.id]
        assert not ids(decided)
        assert (await reader.pending(table.id))[0].kind == ("move" if answer == "no" else "bid")
