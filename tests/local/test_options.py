"""Which commands a person is offered, and how nested ones are found."""

from __future__ import annotations

import pytest

from bot.local import CannotDoError, Channel, Person, Standin
from bot.local.options import find_command

MANAGE_GUILD = str(1 << 5)


def register(standin: Standin, **changes: object) -> None:
    spec = {"name": "secret", "description": "x", **changes}
    standin.model.set_commands(None, [spec])


async def test_commands_for_moderators_are_offered_to_them_only(
    standin: Standin, anna: Person, bert: Person, harbour: Channel
) -> None:
    register(standin, default_member_permissions=MANAGE_GUILD)
    assert (anna.commands(harbour), bert.commands(harbour)) == (["secret"], [])
    with pytest.raises(CannotDoError, match="not offered to Bert here"):
        await bert.slash(harbour, "secret")


@pytest.mark.parametrize(
    ("changes", "in_guild", "in_dm"),
    [
        ({}, True, True),
        ({"dm_permission": False}, True, False),
        ({"contexts": [0]}, True, False),
        ({"contexts": [1]}, False, True),
        ({"contexts": [0, 1, 2]}, True, True),
    ],
)
async def test_commands_are_offered_where_they_may_be_used(
    standin: Standin,
    anna: Person,
    harbour: Channel,
    changes: dict[str, object],
    in_guild: bool,
    in_dm: bool,
) -> None:
    register(standin, **changes)
    assert bool(anna.commands(harbour)) == in_guild
    assert bool(anna.commands(anna.dm)) == in_dm


async def test_a_nested_command_is_found_by_its_words(standin: Standin) -> None:
    leaf = {"name": "bid", "type": 1, "description": "x"}
    group = {"name": "turn", "type": 2, "description": "x", "options": [leaf]}
    register(standin, name="kogge", options=[group])
    _, path, found = find_command(standin.model, "/kogge turn bid")
    assert (path, found) == (["turn", "bid"], leaf)
    with pytest.raises(CannotDoError, match="has no part 'ask'; there are: bid"):
        find_command(standin.model, "kogge turn ask")
    with pytest.raises(CannotDoError, match="needs one of its parts: turn"):
        find_command(standin.model, "kogge")
