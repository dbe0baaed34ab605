"""`/burgundy`: every action as a command, with choices out of what is legal."""

from __future__ import annotations

from discord import app_commands

from bot.app import make_bot
from bot.game.contract import parse_action
from bot.game.registry import GAMES
from bot.tables import Table
from tests.cogs.conftest import Club, ids

GAME = GAMES["burgundy"]


async def begun(club: Club, *options: tuple[str, str]) -> tuple[Table, int]:
    """A table of Burgundy for two that has begun, and the seat that is asked first."""
    host, guest = club.people[:2]
    await host.slash(club.channel, "game new", game="burgundy")
    for option, value in options:
        await club.shell.tables.set_option(1, host.id, option, value)
    await guest.click(await club.lobby_message(1), custom_id="join:1")
    await host.click(await club.lobby_message(1), custom_id="begin:1")
    return await club.shell.tables.get(1), (await club.asked(1))[0]


async def done(club: Club) -> list[str]:
    """What has been done since the set-up."""
    return [line for line in await club.actions(1) if not line.startswith("setup")]


async def test_every_kind_of_action_has_its_command_with_its_parameters(club: Club) -> None:
    bot = make_bot(club.shell)
    group = next(cog.app_command for cog in bot.cogs_to_load if cog.qualified_name == "burgundy")
    assert isinstance(group, app_commands.Group)
    known = {
        command.extras["path"].removeprefix("burgundy "): [
            parameter.name for parameter in command.parameters if parameter.name != "table"
        ]
        for command in group.walk_commands()
        if isinstance(command, app_commands.Command)
    }
    assert known == {kind: list(move.params) for kind, move in GAME.moves.items()}


async def test_a_turn_is_played_by_commands_taken_back_and_ended(club: Club) -> None:
    table, seat = await begun(club)
    person, place = club.person(table, seat), club.place(table)
    die, depot, tile = "", "", ""
    for die in await club.words(1, seat, "take"):
        depot = (await club.words(1, seat, "take", die))[0]
        tile = (await club.words(1, seat, "take", die, depot))[0]

    await person.slash(place, "burgundy take", die=die, depot=f"depot {depot}", tile=tile)
    await person.slash(place, "burgundy workers")
    await person.slash(place, "burgundy back")
    early = await person.slash(place, "burgundy end")
    await person.slash(place, "burgundy workers")
    await person.slash(place, "burgundy end")

    kinds = [parse_action(line)[0] for line in await done(club)]
    assert (await done(club))[0] == f"take {die} {depot} {tile} -"
    assert kinds == ["take", "workers", "back", "workers", "end"]
    assert early.ephemeral
    assert "both must be used" in early.response.content
    assert await club.asked(1) == [1 - seat]


async def test_autocomplete_names_a_tile_by_what_it_is_and_what_it_does(club: Club) -> None:
    table, seat = await begun(club)
    person, place = club.person(table, seat), club.place(table)
    die = (await club.words(1, seat, "take"))[0]
    depot = (await club.words(1, seat, "take", die))[0]

    depots = await person.autocomplete(place, "burgundy take", "depot", "", die=die)
    tiles = await person.autocomplete(place, "burgundy take", "tile", "", die=die, depot=depot)
    stranger = await club.people[3].autocomplete(place, "burgundy take", "die", "")

    assert {each["value"] for each in depots} == set(await club.words(1, seat, "take", die))
    assert {each["value"] for each in tiles} == set(await club.words(1, seat, "take", die, depot))
    assert all(each["name"].startswith("Depot ") for each in depots)
    assert stranger == []


async def test_what_a_command_leaves_open_is_asked_by_a_panel(club: Club) -> None:
    table, seat = await begun(club)
    dice = await club.words(1, seat, "take")

    result = await club.person(table, seat).slash(club.place(table), "burgundy take", die=dice[-1])

    assert result.ephemeral
    assert any(f"take,{dice[-1]}" in each for each in ids(result.response))
    assert await done(club) == []


async def test_castles_are_chosen_in_secret_and_revealed_together(club: Club) -> None:
    table, _ = await begun(club, ("boards", "random"))
    spaces = [(await club.words(1, seat, "castle"))[-1] for seat in (0, 1)]

    for seat in (0, 1):
        said = "".join(message.content for message in club.posts(table))
        assert f"**{spaces[0]}**" not in said
        await club.person(table, seat).slash(
            club.place(table), "burgundy castle", space=spaces[seat].upper()
        )

    assert await done(club) == [f"castle {space}" for space in spaces]
    assert any(f"**{spaces[1]}**" in message.content for message in club.posts(table))


async def test_a_step_can_be_taken_back_beside_what_is_asked(club: Club) -> None:
    table, seat = await begun(club)
    person = club.person(table, seat)
    die = (await club.words(1, seat, "workers"))[0]
    await person.slash(club.place(table), "burgundy workers", die=die)

    panel = await club.open_panel(table, seat)
    back = next(each for each in ids(panel) if each.endswith(":back"))
    await person.click(panel, custom_id=back)

    assert [line.split()[0] for line in await done(club)] == ["workers", "back"]
