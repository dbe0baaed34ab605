"""The private panel: a person is led through their actions by what is legal."""

from __future__ import annotations

import pytest

from bot.render.sides import SIDE_LOOKS, rgb
from tests.cogs.conftest import Club, ids, part, parts, press, wording
from tests.cogs.test_undo import guild_master_moved

FRAME = 17
"""How Discord numbers a frame."""


@pytest.mark.usefixtures("word_by_word")
async def test_the_panel_is_private_and_shows_the_question_with_a_picture(club: Club) -> None:
    table = await club.game()
    post = await club.panel(1)
    for seat in (0, 1):
        result = await club.person(table, seat).click(post, custom_id="play:1")
        assert result.ephemeral
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
    assert mine.ephemeral
    assert "Markers" in wording(mine.response)
    assert "not playing at this table" in wording(stranger.response)
    assert stranger.ephemeral


@pytest.mark.usefixtures("word_by_word")
async def test_actions_lead_on_in_the_same_message_and_an_end_is_not_announced_to_who_ends(
    club: Club,
) -> None:
    table, seat = await club.burgundy()
    (frame,) = [each for each in parts(await club.panel(1)) if each["type"] == FRAME]
    assert frame["accent_color"] == rgb(SIDE_LOOKS[seat].fill)
    person, shown = club.person(table, seat), await club.open_panel(table, seat)
    message, picture = shown.id, shown.message.attachments[0].id
    die = (await club.words(1, seat, "workers"))[0]
    for word in (":workers", f":workers,{die}"):
        shown = await press(person, shown, word)
    assert (await club.actions(1))[-1] == f"workers {die}"
    assert shown.id == message
    assert shown.message.attachments[0].id != picture

    die = (await club.words(1, seat, "workers"))[0]
    await club.tables.play.act(1, seat, ("workers", die))
    panel = await club.open_panel(table, seat)
    ended = await press(person, panel, "act:1:")
    assert (await club.actions(1))[-1] == "end"
    assert wording(ended).startswith("You have nothing to do right now")


async def test_a_raid_is_asked_about_once_more(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "raid_city")
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    before = await club.tables.reader.seq(1)

    asked = await press(person, panel, ":raid_city")
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
    await club.until(lambda: club.tables.reader.seq(1))

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
    assert panel.attachments[0].description.startswith("Highlighted choices: ")

    await press(club.person(table, seat), panel, f":sail,{cities[0]}")
    assert (await club.actions(table.id))[-1] == f"sail {cities[0]} -"
