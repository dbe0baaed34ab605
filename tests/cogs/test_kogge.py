"""`/kogge`: every action as a command, with choices out of what is legal."""

from __future__ import annotations

from tests.cogs.conftest import Club, ids, wording


async def test_a_command_is_completed_by_what_is_legal_and_done_at_once(club: Club) -> None:
    table = await club.game()
    anna, place = club.person(table, 0), club.place(table)

    everything = await anna.autocomplete(place, "kogge found", "marker", "")
    riga = await anna.autocomplete(place, "kogge found", "marker", "rig")
    assert [each["value"] for each in everything] == await club.words(1, 0, "found")
    assert [each["value"] for each in riga] == ["4"]
    assert await club.people[3].autocomplete(place, "kogge found", "marker", "") == []

    unread = await anna.slash(place, "kogge found", marker="Paris")
    assert unread.ephemeral
    assert "Paris" in wording(unread.response)
    result = await anna.slash(place, "kogge found", marker="Riga")
    assert result.ephemeral
    assert (await club.actions(1))[-1] == "found 4"


async def test_what_is_out_of_turn_or_illegal_is_refused_and_what_is_offered_can_be_sent(
    club: Club,
) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    person, place, before = club.person(table, seat), club.place(table), await club.actions(1)

    early = await club.person(table, 1 - seat).slash(place, "kogge bid", markers="5")
    many = await person.slash(place, "kogge bid", markers="8 8 8 8 8 8 8")
    assert early.ephemeral
    assert table.names[seat] in wording(early.response)
    assert many.ephemeral
    assert wording(many.response)
    assert await club.actions(1) == before

    word = next(word for word in await club.words(1, seat, "bid") if len(word) == 2)
    offered = await person.autocomplete(place, "kogge bid", "markers", " ".join(word))
    await person.slash(place, "kogge bid", markers=offered[0]["value"])
    assert (await club.actions(1))[-1] == f"bid {word}"


async def test_what_a_command_leaves_open_is_asked_by_a_panel(club: Club) -> None:
    table = await club.game()
    seat = await club.play_until(1, "trade")
    person, place = club.person(table, seat), club.place(table)
    for give in await club.words(1, seat, "trade"):
        if len(await club.words(1, seat, "trade", give)) > 1:
            break
    gives = await person.autocomplete(place, "kogge trade", "give", "")
    takes = await person.autocomplete(place, "kogge trade", "take", "", give=give)
    assert give in {each["value"] for each in gives}
    assert takes
    assert {each["value"] for each in takes} <= set(await club.words(1, seat, "trade", give))

    before = await club.actions(1)
    result = await person.slash(place, "kogge trade", give=give)

    assert result.ephemeral
    assert any(f"trade,{give}" in each for each in ids(result.response))
    assert await club.actions(1) == before
