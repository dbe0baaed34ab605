"""What Discord is told of the commands, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import discord
from discord import app_commands

from bot.app import make_bot, open_services
from bot.client import GameBot
from bot.cogs.panel.move_commands import MoveCommands
from bot.cogs.ui.localized_commands import InEveryLanguage
from bot.host.discord_address import point_discord_at
from bot.local import Standin
from bot.local.command_checks import check_commands
from bot.local.faults import Request
from bot.local.model import Json
from tests.cogs.conftest import Club


def syncs(club: Club) -> int:
    """How often the commands have been sent."""
    return sum(
        entry.method == "PUT" and entry.path.endswith("/commands")
        for entry in club.env.http_requests
    )


async def test_commands_are_made_known_again_when_they_or_the_right_to_them_change(
    club: Club,
) -> None:
    assert syncs(club) == 1
    await club.restart()
    assert syncs(club) == 1

    @app_commands.command(name="more", description="One more")
    async def more(interaction: Any) -> None: ...

    longer, stricter = make_bot(club.services), make_bot(club.services)
    longer.tree.add_command(more)
    stricter.tree.add_command(more)
    for cog in stricter.cogs_to_load:
        if isinstance(cog.app_command, app_commands.Group) and cog.app_command.name == "server":
            cog.app_command.default_permissions = discord.Permissions(administrator=True)
    for count, bot in ((2, longer), (3, stricter)):
        await club.env.bot.close()
        await club.env.restart_bot(bot)
        assert syncs(club) == count
    # Nothing privileged is asked for.
    assert {name for name, wanted in stricter.intents if wanted} == {"guilds"}


async def test_a_discord_with_a_form_of_its_own_is_told_once(tmp_path: Path) -> None:
    requests: list[Request] = []
    async with (
        Standin() as standin,
        open_services(f"sqlite+aiosqlite:///{tmp_path}/t.db") as services,
    ):
        standin.faults.on_request.append(requests.append)
        with point_discord_at(standin.url):
            for _ in range(2):
                bot = make_bot(services, guild_ready_s=0.1)
                running = asyncio.create_task(bot.start(standin.token))
                await standin.bot_online()
                await bot.close()
                await running
    asked = [each.method for each in requests if each.path.endswith("/commands")]
    assert asked == ["GET", "PUT", "GET"]


async def test_the_commands_keep_to_discords_limits(club: Club) -> None:
    bot = make_bot(club.services)
    translator = InEveryLanguage(club.services.words_for)
    payloads = [
        await command.get_translated_payload(bot.tree, translator) for command in commands(bot)
    ]
    check_commands(payloads)
    # Discord does not mind what discord.py says where nothing was said.
    assert "…" not in descriptions(payloads)


def commands(bot: GameBot) -> list[app_commands.Group]:
    """What a bot makes known when it starts, but for commands of one word."""
    groups = [cog.app_command for cog in bot.cogs_to_load]
    moves = [
        each for cog in bot.cogs_to_load if isinstance(cog, MoveCommands) for each in cog.groups
    ]
    return [each for each in (*groups, *moves) if isinstance(each, app_commands.Group)]


def descriptions(parts: Iterable[Json]) -> list[str]:
    """Of commands and their options, however deep."""
    return [
        text
        for part in parts
        for text in (part["description"], *descriptions(part.get("options", ())))
    ]


async def test_commands_are_for_servers_and_most_for_direct_messages_with_the_bot_too(
    club: Club,
) -> None:
    bot: Any = club.env.bot
    for command in bot.tree.get_commands():
        payload = command.to_dict(bot.tree)
        in_servers_alone = command.name in ("server", "leaderboard")
        assert payload["contexts"] == ([0] if in_servers_alone else [0, 1])
        assert payload["integration_types"] == [0]
