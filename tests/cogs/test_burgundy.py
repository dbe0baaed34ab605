"""`/burgundy`: every action as a command, with choices out of what is legal."""

from __future__ import annotations

from bot.game.contract import parse_action
from bot.tables import Table
from tests.cogs.conftest import Club, ids, press, wording


async def begun(club: Club, *options: tuple[str, str]) -> tuple[Table, int]:
    """A table of Burgundy for two that has begun, and the seat that is asked first."""
    return await club.begun("burgundy", *options), (await club.asked(1))[0]


async def done(club: Club) -> list[str]:
    return [line for line in await club.actions(1) if not line.startswith("setup")]


async def test_a_turn_is_played_by_commands_and_ended(club: Club) -> None:
    table, seat = await begun(club)
    person, place = club.person(table, seat), club.place(table)
    die, depot, tile = "", "", ""
    for die in await club.words(1, seat, "take"):
        depot = (await club.words(1, seat, "take", die))[0]
        tile = (await club.words(1, seat, "take", die, depot))[0]

    await person.slash(place, "burgundy take", die=die, depot=f"depot {depot}", tile=tile)
    early = await person.slash(place, "burgundy end")
    await person.slash(place, "burgundy workers")
    await person.slash(place, "burgundy end")

    kinds = [parse_action(line)[0] for line in await done(club)]
    assert (await done(club))[0] == f"take {die} {depot} {tile} -"
    assert kinds == ["take", "workers", "end"]
    assert early.ephemeral
    assert "1 die to use" in wording(early.response)
    assert await club.asked(1) == [1 - seat]


async def took_back(club: Club, table: Table, seat: int) -> bool:
    """Whether the panel lets the seat take its last action back alone; it is done then."""
    await club.env.settle()
    person, panel = club.person(table, seat), await club.open_panel(table, seat)
    found = [each for each in ids(panel) if each.startswith("backstep:")]
    before = await club.services.tables.reader.seq(table.id)
    for each in found:
        await person.click(panel, custom_id=each)
    return await club.services.tables.reader.seq(table.id) > before


async def test_one_estate_is_shown_large_and_the_others_are_a_press_away(club: Club) -> None:
    table, _ = await begun(club)
    watcher, place = club.people[3], club.place(table)

    offered = await watcher.autocomplete(place, "game board", "seat", "")
    shown = await watcher.slash(place, "game board", seat=table.names[1])
    title, picture = wording(shown.response), shown.response.message.attachments[0]
    other = await watcher.click(shown.response, custom_id="seat:1::0")
    other_title = wording(other.response)
    whole = await watcher.click(other.response, custom_id="seat:1")
    buttons = ids(whole.response)
    depots = await watcher.click(whole.response, custom_id="seat:1::depots")
    text = await watcher.slash(place, "game board", seat="0", form="text")
    nobody = await watcher.slash(place, "game board", seat="Zoe")

    assert [each["name"] for each in offered] == list(table.names)
    assert f"Estate of {table.names[1]}" in title
    assert "Storage: nothing" in picture.description
    assert other.response.id == whole.response.id == shown.response.id
    assert f"Estate of {table.names[0]}" in other_title
    assert buttons == ["seat:1::0", "seat:1::1", "seat:1::depots", "seat:1::legend", "text:1"]
    assert "Depots" in wording(depots.response)
    assert "Depot 6: " in depots.response.message.attachments[0].description
    assert "**Storage:** nothing" in wording(text.response)
    assert "Its players are" in wording(nobody.response)


async def test_the_next_round_is_rolled_when_its_first_player_looks(club: Club) -> None:
    """Until then the last player takes back alone what ended the round."""
    table, start = await begun(club)
    tables, last = club.services.tables, 1 - start
    for seat, dice in ((start, 2), (last, 1)):
        for _ in range(dice):
            die = (await club.words(1, seat, "workers"))[0]
            await tables.play.act(1, seat, ("workers", die))
        if seat == start:
            await tables.play.act(1, seat, ("end",))
            assert await took_back(club, table, seat)
            await tables.play.act(1, seat, ("end",))
    await club.env.settle()

    async def end_the_round() -> None:
        panel = await club.open_panel(table, last)
        await press(club.person(table, last), panel, ",+,end")
        assert (await done(club))[-1] == "end"
        assert await club.asked(1) == [start]

    await end_the_round()
    assert club.person(table, start).mention in wording(await club.panel(1))
    for _ in ("end", "last die"):
        assert await took_back(club, table, last)
        assert await club.asked(1) == [last]
    await end_the_round()

    shown = await club.open_panel(table, start)
    assert (await done(club))[-1] == "roll"
    assert "Round A2" in wording(shown)
    assert await club.asked(1) == [start]
    assert not await took_back(club, table, last)
