"""What a table agrees on besides the options of its game."""

from __future__ import annotations

import pytest

from bot.tables.core.terms import HINTS, OFF, ON, OWN, term
from tests.tables.world import ANNA, BEN, World


async def test_whoever_plays_without_other_people_has_hints(world: World) -> None:
    lobby = world.tables.lobby
    table = await lobby.open("pebbles", ANNA, "Anna", 1, 500)
    assert term(table, HINTS) == ON
    table = await lobby.add_computer(table.id, ANNA, "normal")
    assert term(table, HINTS) == ON


async def test_people_who_play_against_one_another_have_none_unless_they_choose_them(
    world: World,
) -> None:
    lobby = world.tables.lobby
    table = await lobby.open("pebbles", ANNA, "Anna", 1, 500)
    table = await lobby.join(table.id, BEN, "Ben")
    assert term(table, HINTS) == OFF
    table = await lobby.set_option(table.id, ANNA, HINTS, OWN)
    assert term(table, HINTS) == OWN
    assert HINTS not in table.options


@pytest.mark.parametrize("chosen", [OFF, OWN, ON])
async def test_what_is_chosen_holds_for_one_person_as_well(world: World, chosen: str) -> None:
    table = await world.tables.lobby.open("pebbles", ANNA, "Anna", 1, 500)
    table = await world.tables.lobby.set_option(table.id, ANNA, HINTS, chosen)
    assert term(table, HINTS) == chosen
