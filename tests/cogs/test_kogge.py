"""`/kogge`: every action as a command, with choices out of what is legal."""

from __future__ import annotations

import pytest

from tests.cogs.conftest import Club, ids, wording


async def test_a_whole_action_is_done_at_once(club: Club) -> None:
    table = await club.game()

    result = await club.person(table, 0).slash(club.place(table), "kogge found", marker="Riga")

    assert result.ephemeral
    assert (await club.actions(1))[-1] == "found 4"


async def test_what_a_command_leaves_open_is_asked_by_a_panel(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "trade")
    give = (await club.words(1, seat, "trade"))[-1]

    before = await club.actions(1)
    result = await club.person(table, seat).slash(club.place(table), "kogge trade", give=give)

    assert result.ephemeral
    if await club.actions(1) == before:
        assert any(f"trade,{give}" in each for each in ids(result.response))


async def test_an_action_out_of_turn_is_refused_with_whose_turn_it_is(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    other = 1 - seat

    before = await club.actions(1)
    result = await club.person(table, other).slash(club.place(table), "kogge bid", markers="5")

    assert result.ephemeral
    assert table.names[seat] in wording(result.response)
    assert await club.actions(1) == before


async def test_what_cannot_be_read_is_quoted_back(club: Club) -> None:
    table = await club.game()

    result = await club.person(table, 0).slash(club.place(table), "kogge found", marker="Paris")

    assert result.ephemeral
    assert "Paris" in wording(result.response)


async def test_an_illegal_choice_names_its_reason_and_changes_nothing(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")

    before = await club.actions(1)
    result = await club.person(table, seat).slash(
        club.place(table), "kogge bid", markers="8 8 8 8 8 8 8"
    )

    assert result.ephemeral
    assert wording(result.response)
    assert await club.actions(1) == before


async def test_autocomplete_offers_what_is_legal(club: Club) -> None:
    table = await club.game()
    anna, place = club.person(table, 0), club.place(table)

    everything = await anna.autocomplete(place, "kogge found", "marker", "")
    riga = await anna.autocomplete(place, "kogge found", "marker", "rig")

    assert [each["value"] for each in everything] == await club.words(1, 0, "found")
    assert [each["value"] for each in riga] == ["4"]


async def test_autocomplete_reads_bundles_and_what_stands_before(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "trade")
    person, place = club.person(table, seat), club.place(table)
    give = (await club.words(1, seat, "trade"))[0]

    gives = await person.autocomplete(place, "kogge trade", "give", "")
    takes = await person.autocomplete(place, "kogge trade", "take", "", give=give)

    assert give in {each["value"] for each in gives}
    legal = await club.words(1, seat, "trade", give)
    assert {each["value"] for each in takes} <= set(legal)
    assert takes


async def test_every_offered_value_can_be_sent_back(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    person, place = club.person(table, seat), club.place(table)

    word = next(word for word in await club.words(1, seat, "bid") if len(word) == 2)

    offered = await person.autocomplete(place, "kogge bid", "markers", " ".join(word))
    await person.slash(place, "kogge bid", markers=offered[0]["value"])

    assert (await club.actions(1))[-1] == f"bid {word}"


@pytest.mark.parametrize("option", ["marker"])
async def test_autocomplete_offers_nothing_to_strangers(club: Club, option: str) -> None:
    table = await club.game()

    assert await club.people[3].autocomplete(club.place(table), "kogge found", option, "") == []
