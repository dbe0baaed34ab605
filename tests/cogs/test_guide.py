"""The private panel: a person is led by what is legal, below the newest post and never twice."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.cogs.panel.open_panels import MAX_PANELS, OpenPanel, OpenPanels
from bot.render.sides import SIDE_LOOKS, rgb
from bot.tables import Table
from tests.cogs.conftest import (
    Club,
    begun_with,
    id_with,
    ids,
    part,
    parts,
    press,
    verbs,
    wording,
)
from tests.cogs.test_deals import undo
from tests.cogs.test_history import guild_master_moved
from tests.cogs.test_plans import end_turn
from tests.cogs.test_reply import pressed_late
from tests.robot import leading

FRAME = 17
"""How Discord numbers a frame."""


@pytest.mark.usefixtures("word_by_word")
async def test_the_panel_is_private_and_shows_the_question_with_a_picture(club: Club) -> None:
    table = await club.game()
    post = await club.panel(1)
    for seat in (0, 1):
        result = await club.person(table, seat).click(post, custom_id="play:1")
        assert result.is_private
        assert result.response.attachments
        assert "first office" in wording(result.response)
        # A word without alternative is said by itself.
        assert not any(each.endswith(":found") for each in ids(result.response))
        assert sum(each.startswith("act:1:0:found,") for each in ids(result.response)) == 9
        (frame,) = [each for each in parts(result.response) if "accent_color" in each]
        assert frame["accent_color"] == rgb(SIDE_LOOKS[seat].fill)
    # A post that awaits several has no colour.
    (frame,) = [each for each in parts(post) if each["type"] == FRAME]
    assert frame.get("accent_color") is None

    mine = await club.person(table, 0).click(post, custom_id="hand:1")
    stranger = await club.people[3].click(post, custom_id="hand:1")
    assert mine.is_private
    assert "Markers" in wording(mine.response)
    assert "aren't playing at this table" in wording(stranger.response)
    assert stranger.is_private


@pytest.mark.usefixtures("word_by_word")
async def test_actions_lead_on_in_the_same_message_and_an_end_is_not_announced_to_who_ends(
    club: Club,
) -> None:
    table, seat = await club.burgundy()
    (frame,) = [each for each in parts(await club.panel(1)) if each["type"] == FRAME]
    assert frame["accent_color"] == rgb(SIDE_LOOKS[seat].fill)
    person, shown = club.person(table, seat), await club.open_panel(table, seat)
    message, picture = shown.id, shown.attachments[0].id
    die = (await club.words(1, seat, "workers"))[0]
    for word in (":workers", f":workers,{die}"):
        shown = await press(person, shown, word)
    assert (await club.actions(1))[-1] == f"workers {die}"
    assert shown.id == message
    assert shown.attachments[0].id != picture

    die = (await club.words(1, seat, "workers"))[0]
    await club.tables.play.act(1, seat, ("workers", die))
    panel = await club.open_panel(table, seat)
    ended = await press(person, panel, "act:1:")
    assert (await club.actions(1))[-1] == "end"
    assert wording(ended).startswith("It's not your turn")


async def test_a_raid_is_asked_about_once_more(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "raid_city")
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    before = await club.tables.reader.seq(1)

    asked = await begun_with(person, panel, "raid_city")
    assert await club.tables.reader.seq(1) == before
    assert part(asked, ids(asked)[0])["style"] == 4
    await press(person, asked, "do:")

    assert (await club.actions(1))[before + 1] == "raid_city"


async def test_what_the_computers_did_meanwhile_is_told_with_the_own_action(club: Club) -> None:
    anna = club.people[0]
    table = await club.begun("kogge", seats=1, computers=1)
    mine = table.seat_of(anna.id)
    assert mine is not None
    panel = await club.open_panel(table, mine)
    await club.settle()

    await press(anna, panel, "act:1:0:found,")

    (message,) = club.private(table, anna)
    computer = table.names[1 - mine]
    assert f"**{computer}**" in wording(message).partition("\n\n")[0]


@pytest.mark.usefixtures("word_by_word")
async def test_where_one_kind_of_action_alone_has_more_to_choose_it_is_chosen_from_at_once(
    club: Club,
) -> None:
    """The words stand beside the other kinds, lit on the picture, and one press says them."""
    table, seat = await guild_master_moved(club)
    panel = await club.open_panel(table, seat)
    offered = [each.split(":")[-1] for each in ids(panel) if each.startswith("act:")]
    cities = await club.words(table.id, seat, "sail")
    assert offered == [*(f"sail,{city}" for city in cities), "stop"]
    assert panel.attachments[0].description.startswith("Marked choices: ")

    await press(club.person(table, seat), panel, f":sail,{cities[0]}")
    assert (await club.actions(table.id))[-1] == f"sail {cities[0]} -"


# It stays below the newest post, and never twice


async def pressed(club: Club, table: Table, person: Any) -> None:
    await person.click(await club.panel(table.id), custom_id=f"play:{table.id}")


async def bid_next(club: Club, table: Table) -> tuple[Any, int]:
    """The choice of founding is made by one; whoever bids first has their panel open: who, seat."""
    for seat in (0, 1):
        await club.open_panel(table, seat)
    await club.play((0, "found 0"), (1, "found 1"))
    (seat,) = await club.asked(table.id)
    return club.person(table, seat), seat


async def test_a_person_has_one_panel_a_table_however_it_is_asked_for(club: Club) -> None:
    table, other = await club.game(), await club.game()
    person = club.person(table, 0)
    for each in (table, other):
        for seat in (0, 1):
            await club.open_panel(each, seat)
    (first,) = club.private(table, person)
    await pressed(club, table, person)
    (second,) = club.private(table, person)
    assert second.id != first.id
    assert "act" in verbs(second)
    asked = await person.slash(club.place(table), "game turn")
    for each in (table, other):
        for seat in (0, 1):
            assert len(club.private(each, club.person(each, seat))) == 1
    assert [each.id for each in club.private(table, person)] == [asked.response.id]

    # One that the person has put away holds nothing up.
    club.fail("DELETE", "/webhooks/*", status=404, code=10008, times=1)
    await pressed(club, table, person)
    assert "act" in verbs(club.private(table, person)[-1])


async def test_panels_ask_nothing_when_the_game_is_over(club: Club) -> None:
    table = await club.game()
    asked = await club.play_until(1, "bid")
    for seat in (0, 1):
        await club.open_panel(table, seat)
        (panel,) = club.private(table, club.person(table, seat))
        assert ("act" in verbs(panel)) is (seat == asked)
        assert ("It's not your turn" in wording(panel)) is (seat != asked)

    await club.tables.leaving.dissolve(table.id)
    await club.settle()

    for seat in (0, 1):
        (panel,) = club.private(table, club.person(table, seat))
        assert "act" not in verbs(panel)
        assert "unfinished" in wording(panel)
        # Also to whose press was on its way.
        said = await pressed_late(club, club.person(table, seat), panel, "act:1:0:found,3")
        assert said == "The table is closed and the game stays unfinished."


async def test_a_panel_in_use_moves_below_the_post_that_calls_its_owner(club: Club) -> None:
    table = await club.game()

    person, seat = await bid_next(club, table)

    (waits,) = club.private(table, club.person(table, 1 - seat))
    assert waits.id < (await club.panel(1)).id
    (panel,) = club.private(table, person)
    assert panel.id > (await club.panel(1)).id
    assert "bid" in wording(panel).lower()
    assert panel.attachments
    # What is pressed in it is done, and shown in it.
    (first, *_) = leading(parts(panel))
    await person.click(panel, custom_id=first["custom_id"])
    assert len(club.private(table, person)) <= 1


@pytest.mark.usefixtures("unused")
async def test_a_panel_left_alone_for_long_stays_until_the_next_press(club: Club) -> None:
    table = await club.game()

    person, _seat = await bid_next(club, table)

    (panel,) = club.private(table, person)
    assert panel.id < (await club.panel(1)).id
    await pressed(club, table, person)
    (panel,) = club.private(table, person)
    assert panel.id > (await club.panel(1)).id


@pytest.mark.usefixtures("unused")
async def test_a_panel_no_longer_asks_what_has_been_taken_back(club: Club) -> None:
    table, seat = await club.burgundy()
    await end_turn(club, seat)
    other = club.person(table, 1 - seat)
    await club.open_panel(table, 1 - seat)
    (panel,) = club.private(table, other)
    assert "act" in verbs(panel)

    await undo(club, table, seat)
    await club.settle()

    (panel,) = club.private(table, other)
    assert "act" not in verbs(panel)
    assert "It's not your turn" in wording(panel)


@pytest.mark.usefixtures("word_by_word")
async def test_a_panel_with_an_open_form_stays_where_it_is(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    form = await person.click(panel, custom_id=id_with(panel, "type:"))
    await club.tables.leaving.resign(1, club.person(table, 1 - seat).id)
    await club.settle()

    assert [each.id for each in club.private(table, person)] == [panel.id]
    assert form.modal


@pytest.mark.parametrize(("method", "left"), [("DELETE", 1), ("POST", 0)])
async def test_a_panel_that_cannot_be_moved_comes_no_second_time_and_does_not_touch_the_post(
    club: Club, method: str, left: int
) -> None:
    table = await club.game()
    club.fail(method, "/webhooks/*", status=400, code=50035, times=None)

    person, _seat = await bid_next(club, table)

    assert len(club.private(table, person)) == left
    assert "bid" in wording(await club.panel(1))
    assert await club.tables.outbox.items(1) == []


async def test_panels_whose_token_is_old_or_of_which_there_are_too_many_are_forgotten() -> None:
    now = 0.0
    panels = OpenPanels(lambda: now)
    for user in range(MAX_PANELS + 1):
        answered: Any = SimpleNamespace(user=SimpleNamespace(id=user))
        await panels.put(1, OpenPanel(answered, message=user, is_original=True, used=now))

    assert panels.find(1, 0) is None
    assert panels.find(1, 1) is not None
    now = 15 * 60.0
    assert panels.find(1, 1) is None
