"""The private panel: it offers legal actions, below the newest post and only once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.cogs.panel.open_panels import MAX_PANELS, OpenPanel, OpenPanels
from bot.render.sides import SIDE_LOOKS, rgb
from bot.tables import Table
from tests.cogs.conftest import (
    Club,
    choose_kind,
    id_with,
    ids,
    part,
    parts,
    press,
    verbs,
    wording,
)
from tests.cogs.test_deals import undo
from tests.cogs.test_history import move_guild_master
from tests.cogs.test_plans import end_turn
from tests.cogs.test_reply import late_press
from tests.robot import leading

FRAME = 17
"""Discord's component type of a frame."""


@pytest.mark.usefixtures("word_by_word")
async def test_the_panel_is_private_and_shows_the_question_with_a_picture(club: Club) -> None:
    table = await club.game()
    post = await club.panel(1)
    for seat in (0, 1):
        result = await club.person(table, seat).click(post, custom_id="play:1")
        assert result.is_private
        assert result.response.attachments
        assert "first office" in wording(result.response)
        # A step with only one word is skipped.
        assert not any(each.endswith(":found") for each in ids(result.response))
        assert sum(each.startswith("act:1:0:found,") for each in ids(result.response)) == 9
        (frame,) = [each for each in parts(result.response) if "accent_color" in each]
        assert frame["accent_color"] == rgb(SIDE_LOOKS[seat].fill)
    # A post that several players must act on has no colour.
    (frame,) = [each for each in parts(post) if each["type"] == FRAME]
    assert frame.get("accent_color") is None

    own = await club.person(table, 0).click(post, custom_id="hand:1")
    stranger = await club.people[3].click(post, custom_id="hand:1")
    assert own.is_private
    assert "Markers" in wording(own.response)
    assert "aren't playing at this table" in wording(stranger.response)
    assert stranger.is_private


@pytest.mark.usefixtures("word_by_word")
async def test_actions_continue_in_the_same_message_until_the_turn_ends(
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


async def test_a_raid_must_be_confirmed(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "raid_city")
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    before = await club.tables.reader.seq(1)

    asked = await choose_kind(person, panel, "raid_city")
    assert await club.tables.reader.seq(1) == before
    assert part(asked, ids(asked)[0])["style"] == 4
    await press(person, asked, "do:")

    assert (await club.actions(1))[before + 1] == "raid_city"


async def test_the_answer_includes_what_computers_did_next(club: Club) -> None:
    anna = club.people[0]
    table = await club.start_game("kogge", seats=1, computers=1)
    seat = table.seat_of(anna.id)
    assert seat is not None
    panel = await club.open_panel(table, seat)
    await club.settle()

    await press(anna, panel, "act:1:0:found,")

    (message,) = club.private(table, anna)
    computer = table.names[1 - seat]
    assert f"**{computer}**" in wording(message).partition("\n\n")[0]


@pytest.mark.usefixtures("word_by_word")
async def test_the_only_kind_with_several_choices_is_listed_directly(
    club: Club,
) -> None:
    """Its words are buttons next to the other kinds and are marked on the picture."""
    table, seat = await move_guild_master(club)
    panel = await club.open_panel(table, seat)
    offered = [each.split(":")[-1] for each in ids(panel) if each.startswith("act:")]
    cities = await club.words(table.id, seat, "sail")
    assert offered == [*(f"sail,{city}" for city in cities), "stop"]
    assert panel.attachments[0].description.startswith("Marked choices: ")

    await press(club.person(table, seat), panel, f":sail,{cities[0]}")
    assert (await club.actions(table.id))[-1] == f"sail {cities[0]} -"


# It stays below the newest post, and only once


async def open_again(club: Club, table: Table, person: Any) -> None:
    await person.click(await club.panel(table.id), custom_id=f"play:{table.id}")


async def bid_next(club: Club, table: Table) -> tuple[Any, int]:
    """Found for both seats with their panels open. Returns the first bidder and their seat."""
    for seat in (0, 1):
        await club.open_panel(table, seat)
    await club.play((0, "found 0"), (1, "found 1"))
    (seat,) = await club.asked(table.id)
    return club.person(table, seat), seat


async def test_a_person_has_one_panel_per_table_however_it_is_opened(club: Club) -> None:
    table, other = await club.game(), await club.game()
    person = club.person(table, 0)
    for each in (table, other):
        for seat in (0, 1):
            await club.open_panel(each, seat)
    (first,) = club.private(table, person)
    await open_again(club, table, person)
    (second,) = club.private(table, person)
    assert second.id != first.id
    assert "act" in verbs(second)
    asked = await person.slash(club.place(table), "game turn")
    for each in (table, other):
        for seat in (0, 1):
            assert len(club.private(each, club.person(each, seat))) == 1
    assert [each.id for each in club.private(table, person)] == [asked.response.id]

    # A panel that the person has dismissed delays nothing.
    club.fail("DELETE", "/webhooks/*", status=404, code=10008, times=1)
    await open_again(club, table, person)
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
        # The same for a press that was already on its way.
        text = await late_press(club, club.person(table, seat), panel, "act:1:0:found,3")
        assert text == "The table is closed and the game stays unfinished."


async def test_a_panel_in_use_moves_below_the_post_that_pings_its_owner(club: Club) -> None:
    table = await club.game()

    person, seat = await bid_next(club, table)

    (waiting,) = club.private(table, club.person(table, 1 - seat))
    assert waiting.id < (await club.panel(1)).id
    (panel,) = club.private(table, person)
    assert panel.id > (await club.panel(1)).id
    assert "bid" in wording(panel).lower()
    assert panel.attachments
    # Its buttons still work, in the same message.
    (first, *_) = leading(parts(panel))
    await person.click(panel, custom_id=first["custom_id"])
    assert len(club.private(table, person)) <= 1


@pytest.mark.usefixtures("idle_panels")
async def test_an_idle_panel_stays_until_the_next_press(club: Club) -> None:
    table = await club.game()

    person, _seat = await bid_next(club, table)

    (panel,) = club.private(table, person)
    assert panel.id < (await club.panel(1)).id
    await open_again(club, table, person)
    (panel,) = club.private(table, person)
    assert panel.id > (await club.panel(1)).id


@pytest.mark.usefixtures("idle_panels")
async def test_a_panel_stops_asking_after_an_undo(club: Club) -> None:
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
async def test_a_panel_that_cannot_be_moved_is_not_doubled_and_does_not_delay_the_post(
    club: Club, method: str, left: int
) -> None:
    table = await club.game()
    club.fail(method, "/webhooks/*", status=400, code=50035, times=None)

    person, _seat = await bid_next(club, table)

    assert len(club.private(table, person)) == left
    assert "bid" in wording(await club.panel(1))
    assert await club.tables.outbox.items(1) == []


async def test_old_and_surplus_panels_are_forgotten() -> None:
    now = 0.0
    panels = OpenPanels(lambda: now)
    for user in range(MAX_PANELS + 1):
        answered: Any = SimpleNamespace(user=SimpleNamespace(id=user))
        await panels.put(1, OpenPanel(answered, message=user, is_original=True, used=now))

    assert panels.find(1, 0) is None
    assert panels.find(1, 1) is not None
    now = 15 * 60.0
    assert panels.find(1, 1) is None
