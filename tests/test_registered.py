"""Which differences of commands are changes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import discord
from discord import app_commands

from bot.client import COMPARED_FIELDS, are_in_sync

Json = dict[str, Any]
DERIVED = {"dm_permission"}
"""Fields that Discord derives from the contexts."""


def sent() -> Json:
    """Return a command with all fields, as the bot sends it."""
    return {
        "name": "game",
        "name_localizations": {"it": "partita"},
        "description": "Games",
        "description_localizations": {"it": "Partite"},
        "type": 1,
        "nsfw": False,
        "dm_permission": True,
        "default_member_permissions": 32,
        "contexts": [0, 1],
        "integration_types": [0],
        "options": [
            {
                "name": "new",
                "description": "Open a table",
                "type": 1,
                "options": [
                    {
                        "name": "title",
                        "description": "Which game",
                        "type": 3,
                        "required": True,
                        "choices": [
                            {"name": "Kogge", "value": "kogge"},
                            {"name": "Burgundy", "name_localizations": {"it": "B"}, "value": "b"},
                        ],
                    },
                    {
                        "name": "note",
                        "description": "Words",
                        "type": 3,
                        "required": False,
                        "autocomplete": True,
                        "min_length": 1,
                        "max_length": 100,
                    },
                    {
                        "name": "seats",
                        "description": "How many",
                        "type": 4,
                        "required": False,
                        "min_value": 0,
                        "max_value": 4,
                    },
                    {
                        "name": "place",
                        "description": "Where",
                        "type": 7,
                        "required": False,
                        "channel_types": [0, 11],
                    },
                ],
            }
        ],
    }


def returned(command: Json, *, in_guild: bool = False) -> Json:
    """Return the command in the form in which Discord returns it, by its documentation."""
    result: Json = copy.deepcopy(command)
    result |= {"id": "1", "application_id": "2", "version": "3", "default_permission": True}
    result["default_member_permissions"] = str(result["default_member_permissions"])
    result["contexts"], result["integration_types"] = [1, 0], [0]
    if in_guild:
        result |= {"guild_id": "4", "contexts": None, "integration_types": [0, 1]}
        del result["dm_permission"]
    result["options"][0]["name_localizations"] = None
    title, note, seats, place = result["options"][0]["options"]
    title["choices"][0]["name_localizations"] = None
    for option in (note, seats, place):
        del option["required"]
        option["description_localizations"] = {}
    title["autocomplete"] = False
    place["channel_types"] = [11, 0]
    return result


def test_another_form_of_a_command_is_no_change() -> None:
    for in_guild in (False, True):
        assert are_in_sync([returned(sent(), in_guild=in_guild)], [sent()], in_guild=in_guild)


def option(number: int, **fields: Any) -> Callable[[Json], object]:
    return lambda command: command["options"][0]["options"][number].update(fields)


CHANGES: dict[str, Callable[[Json], object]] = {
    "name in a language": lambda c: c["name_localizations"].update(it="gioco"),
    "another language": lambda c: c["name_localizations"].update(fr="jeu"),
    "description in a language": lambda c: c.update(description_localizations=None),
    "permissions": lambda c: c.update(default_member_permissions=8),
    "no permissions": lambda c: c.update(default_member_permissions=None),
    "only administrators": lambda c: c.update(default_member_permissions=0),
    "age": lambda c: c.update(nsfw=True),
    "contexts": lambda c: c.update(contexts=[0]),
    "every context": lambda c: c.update(contexts=None),
    "installs": lambda c: c.update(integration_types=[0, 1]),
    "order of options": lambda c: c["options"][0]["options"].reverse(),
    "one option less": lambda c: c["options"][0]["options"].pop(),
    "option's name in a language": option(1, name_localizations={"it": "nota"}),
    "not required": option(0, required=False),
    "autocomplete": option(1, autocomplete=False),
    "order of choices": lambda c: c["options"][0]["options"][0]["choices"].reverse(),
    "a choice's value": lambda c: c["options"][0]["options"][0]["choices"][0].update(value="k"),
    "a choice in a language": lambda c: c["options"][0]["options"][0]["choices"][0].update(
        name_localizations={"it": "K"}
    ),
    "no lowest": option(2, min_value=None),
    "channels": option(3, channel_types=[0]),
}


def test_changes_of_compared_fields_are_found() -> None:
    missed = []
    for name, change in CHANGES.items():
        wanted = sent()
        change(wanted)
        if are_in_sync([returned(sent())], [wanted], in_guild=False):
            missed.append(name)
    assert missed == []


def test_an_added_or_removed_command_is_found() -> None:
    other = {**sent(), "name": "other"}
    assert are_in_sync([returned(other), returned(sent())], [sent(), other], in_guild=False)
    assert not are_in_sync([returned(other), returned(sent())], [sent()], in_guild=False)
    assert not are_in_sync([returned(sent())], [sent(), other], in_guild=False)


def test_every_field_that_the_library_can_send_is_compared_or_derived() -> None:
    for kind in (discord.AppCommandOptionType.string, discord.AppCommandOptionType.integer):
        fields = app_commands.transformers.CommandParameter(
            name="a",
            description="b",
            required=True,
            type=kind,
            choices=[app_commands.Choice(name="c", value="d")],
            channel_types=[discord.ChannelType.text],
            min_value=0,
            max_value=1,
            autocomplete=lambda: None,  # type: ignore[arg-type,return-value]
        ).to_dict()
        assert {*fields, *fields["choices"][0]} <= set(COMPARED_FIELDS)

    @app_commands.command(name="a", description="b")
    async def callback(interaction: discord.Interaction) -> None: ...

    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    group = app_commands.Group(name="a", description="b")
    assert {*callback.to_dict(tree), *group.to_dict(tree)} <= {*COMPARED_FIELDS, *DERIVED}
