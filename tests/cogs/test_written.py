"""What people write is said again as it is, and is never a template, whatever it holds."""

from __future__ import annotations

import json
from typing import Any

import discord
import pytest
from discord import AppCommandOptionType
from discord.app_commands import Command

from bot.text.errors import ERRORS
from tests.cogs.conftest import Club, ids
from tests.cogs.test_import import EXAMPLE, brought

TEMPLATES = ("{", "{a}", "%s {0.__class__} {typed!r:>1000000}")
"""What a formatter would read; the last one would cost a megabyte."""


def commands(club: Club) -> list[Command[Any, Any, Any]]:
    """Every command of the bot."""
    bot: Any = club.env.bot
    return [each for each in bot.tree.walk_commands() if isinstance(each, Command)]


def others_of(command: Command[Any, Any, Any], typed: str) -> dict[str, Any]:
    """Something in each option that has to be filled, but for the one that is typed in."""
    return {
        each.display_name: "1" if each.type is AppCommandOptionType.string else 1
        for each in command.parameters
        if each.required and each.display_name != typed
    }


def check(result: Any, asked: str) -> None:
    """Somebody was answered, by what was foreseen."""
    answer = result.response
    assert answer is not None or result.modal is not None, asked
    if answer is not None:
        assert answer.content or answer.attachments, asked
        assert ERRORS["unforeseen"] not in answer.content, asked


@pytest.mark.parametrize(
    "group", ["game", "me", "server", "seat", "table", "", "kogge", "burgundy"]
)
@pytest.mark.parametrize("begun", [False, True])
async def test_every_option_of_every_command_takes_any_text(
    club: Club, group: str, begun: bool
) -> None:
    rights = club.guild.create_role("Owners", permissions=discord.Permissions(manage_guild=True))
    owner = club.guild.add_member(club.env.create_user("Olga"), roles=[rights])
    table = await (club.game if begun else club.lobby)(owner, host=club.people[0])
    asked = 0
    for command in commands(club):
        name = command.qualified_name
        if (name.partition(" ")[0] if " " in name else "") != group or name == "me forget":
            continue
        for option in command.parameters:
            if option.type is not AppCommandOptionType.string:
                continue
            for typed in TEMPLATES:
                what = f"/{name} {option.display_name}:{typed}"
                filled = others_of(command, option.display_name)
                if option.choices:
                    continue
                if option.autocomplete:
                    await owner.autocomplete(
                        club.place(table), name, option.display_name, typed, **filled
                    )
                result = await owner.slash(
                    club.place(table), name, **{option.display_name: typed, **filled}
                )
                check(result, what)
                asked += 1
    assert asked


@pytest.mark.parametrize("typed", TEMPLATES)
async def test_a_form_takes_any_text(club: Club, typed: str) -> None:
    table = await club.game()
    seat = await club.play_until(1, "bid")
    person = club.person(table, seat)

    panel = await club.open_panel(table, seat)
    kind = next(each for each in ids(panel) if each.startswith("type:"))
    form = await person.click(panel, custom_id=kind)
    (line,) = [each["component"]["custom_id"] for each in form.modal["components"]]
    check(await person.submit_modal(form, {line: typed}), f"the panel: {typed}")

    form = await person.slash(club.place(table), "table note")
    (line,) = [each["component"]["custom_id"] for each in form.modal["components"]]
    noted = await person.submit_modal(form, {line: typed})
    check(noted, f"notes: {typed}")
    assert typed.partition("_")[0] in noted.response.content


def fields(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Where a file holds a text, and under which keys; of entries the first two."""
    if isinstance(data, str):
        return [path]
    if isinstance(data, dict):
        return [found for key, value in data.items() for found in fields(value, (*path, key))]
    if isinstance(data, list):
        return [
            found for key, value in enumerate(data[:2]) for found in fields(value, (*path, key))
        ]
    return []


@pytest.mark.parametrize("typed", TEMPLATES)
async def test_a_file_may_hold_any_text_anywhere(club: Club, typed: str) -> None:
    whole = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    for *above, last in fields(whole):
        changed = json.loads(EXAMPLE.read_text(encoding="utf-8"))
        place = changed
        for key in above:
            place = place[key]
        place[last] = typed
        answer, _ = await brought(club, club.people[0], json.dumps(changed).encode())
        assert answer is not None, (above, last)
        assert answer.content, (above, last)
        assert ERRORS["unforeseen"] not in answer.content, (above, last)


async def test_what_was_typed_is_said_again_escaped(club: Club) -> None:
    anna = club.people[0]

    answer = await anna.slash(club.channel, "me quiet", **{"from": "<@1> **{x}**", "to": "9"})

    assert "“\\<@\u200b1\\> \\*\\*{x}\\*\\*”" in answer.response.content
