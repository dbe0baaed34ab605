"""What Discord is told of the commands, and when."""

from __future__ import annotations

import json
from typing import Any

import discord
from discord import app_commands

from bot.app import make_bot
from tests.cogs.conftest import Club


def syncs(club: Club) -> int:
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


async def test_commands_are_for_servers_and_most_for_direct_messages_with_the_bot_too(
    club: Club,
) -> None:
    bot: Any = club.env.bot
    for command in bot.tree.get_commands():
        payload = command.to_dict(bot.tree)
        in_servers_alone = command.name in ("server", "leaderboard")
        assert payload["contexts"] == ([0] if in_servers_alone else [0, 1])
        assert payload["integration_types"] == [0]


async def test_commands_are_known_in_every_language_and_each_is_described(club: Club) -> None:
    bot = club.env.bot
    assert bot.application_id is not None
    known: Any = await bot.http.get_global_commands(bot.application_id)
    # Discord does not mind what discord.py says where nothing was said.
    assert '"…"' not in json.dumps(known, ensure_ascii=False)
    (game,) = (each for each in known if each["name"] == "game")
    assert game["name_localizations"] == {"it": "partita"}
    new = next(each for each in game["options"] if each["name"] == "new")
    assert new["name_localizations"] == {"it": "nuova"}
    assert new["description_localizations"] == {"it": "Apri un tavolo in questo canale"}
    levels = next(each for each in new["options"] if each["name"] == "level")
    assert levels["name_localizations"] == {"it": "livello"}
