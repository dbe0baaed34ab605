"""Registered commands, and when they are registered. A game's rules and texts define its moves."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import discord
import pytest
from discord import app_commands

from bot.app import make_bot
from bot.client import discord_languages, localized
from bot.cogs.dialogues.server import ServerDialogue
from bot.cogs.panel.move_commands import MAX_COMMANDS, arranged, move_commands
from bot.cogs.ui.services import Services
from bot.game.contract import Move
from bot.local.checks import check_commands
from bot.local.model import Json
from bot.text.commands import CommandText, GameCommands, OptionText
from bot.text.words import msg, words_for
from bot.titles import TITLES
from bot.titles.title import Title, Titles
from tests.cogs.conftest import Club
from tests.games import archipelago
from tests.games.pebbles import Pebbles

GOLDEN = Path(__file__).parent / "commands"
TREE = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
LANGUAGES = discord_languages(words_for)


def command_payload(title: Title) -> Json:
    class FakeServices:
        titles = Titles((title,))

    (command,) = move_commands(cast(Services, FakeServices()), cast(Any, None))
    return localized(command.to_dict(TREE), LANGUAGES)


def test_commands_match_the_golden_files() -> None:
    """``GOLDEN=refresh`` rewrites the files. Players notice every change."""
    for name, title in TITLES.items():
        file, payload = GOLDEN / f"{name}.json", command_payload(title)
        if os.environ.get("GOLDEN") == "refresh":
            text = json.dumps(payload, ensure_ascii=False, indent=1)
            file.write_text(f"{text}\n", encoding="utf-8")
        assert payload == json.loads(file.read_text(encoding="utf-8"))


class ManyMoves(Pebbles):
    """A game of many moves. Each name begins with the move's chapter."""

    def __init__(self, moves: Mapping[str, int]) -> None:
        super().__init__()
        self.moves = {
            f"{topic}_{number}": Move(f"{topic}_{number}", ("space", "die"), topic)
            for topic, count in moves.items()
            for number in range(count)
        }


def many_moves(grouped: str = "", **moves: int) -> Title:
    options = {"space": OptionText(msg("Which space"), "space")}
    options |= {"die": OptionText(msg("Which die"), "die", optional=True)}
    game = ManyMoves(moves)
    texts = {
        kind: CommandText(
            msg("Do this"),
            kind.replace("_", "-"),
            options,
            group=grouped if move.topic == grouped else None,
        )
        for kind, move in game.moves.items()
    }
    commands = GameCommands(
        CommandText(msg("Your moves"), "chatty"),
        texts,
        {grouped: CommandText(msg("Some of them"), grouped)} if grouped else {},
    )
    return replace(TITLES["kogge"], game=game, commands=commands)


def test_too_many_commands_are_grouped_by_chapter_the_largest_first() -> None:
    payload = command_payload(many_moves(raid=20, trade=5))
    check_commands([payload])
    assert [each["type"] for each in payload["options"]] == [1] * MAX_COMMANDS
    assert [(o["name"], o["required"]) for o in payload["options"][0]["options"]] == [
        ("space", True),
        ("die", False),
        ("table", False),
    ]
    payload = command_payload(many_moves(raid=20, trade=9, loading=4, grouped="loading"))
    check_commands([payload])
    groups = {each["name"]: each for each in payload["options"] if each["type"] == 2}
    assert {name: len(each["options"]) for name, each in groups.items()} == {
        "loading": 4,
        "raid": 20,
    }
    assert groups["loading"]["description"] == "Some of them"
    assert groups["raid"]["description"] == "Raids"
    assert groups["raid"]["description_localizations"]["it"] == words_for("it")(msg("Raids"))
    assert len(payload["options"]) == 2 + 9


def test_too_many_moves_for_groups_and_a_move_without_texts_raise_an_error() -> None:
    with pytest.raises(ValueError, match="more commands than Discord allows"):
        arranged(many_moves(raid=26))
    title = many_moves(raid=3)
    moves = {kind: text for kind, text in title.commands.moves.items() if kind != "raid_1"}
    with pytest.raises(ValueError, match="'raid_1'"):
        arranged(replace(title, commands=title.commands._replace(moves=moves)))
    others = {**title.commands.moves, "raid_1": CommandText(msg("Do this"), "raid")}
    with pytest.raises(ValueError, match="texts for \\('space', 'die'\\)"):
        arranged(replace(title, commands=title.commands._replace(moves=others)))


def test_an_amount_is_an_integer_option_with_bounds() -> None:
    options = command_payload(archipelago.TITLE)["options"]
    (cubes,) = [each["options"][0] for each in options if each["name"] == "stock"]
    number = discord.AppCommandOptionType.integer.value
    assert (cubes["name"], cubes["type"]) == ("cubes", number)
    assert (cubes["min_value"], cubes["max_value"]) == (1, archipelago.MAX_CUBES)
    assert not cubes.get("autocomplete")


# When commands are registered


def syncs(club: Club) -> int:
    return sum(
        entry.method == "PUT" and entry.path.endswith("/commands") for entry in club.requests
    )


async def test_commands_are_registered_again_when_they_or_their_permissions_change(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    @app_commands.command(name="more", description="One more")
    async def more(interaction: Any) -> None: ...

    same, longer, stricter = (make_bot(club.services) for _ in range(3))
    longer.tree.add_command(more)
    stricter.tree.add_command(more)
    club.standin.model.set_commands(None, [])
    # The first bot of a process registers them too.
    before = syncs(club)
    for count, bot in ((1, make_bot(club.services)), (1, same), (2, longer), (3, stricter)):
        if bot is stricter:
            admins = discord.Permissions(administrator=True)
            shown = vars(ServerDialogue.show)["__command__"]
            monkeypatch.setattr(shown, "default_permissions", admins)
        await club.bot.close()
        await club.connect(bot)
        assert syncs(club) - before == count
    # No privileged intent is requested.
    assert {name for name, wanted in stricter.intents if wanted} == {"guilds"}


async def test_all_commands_work_in_servers_and_most_in_direct_messages(
    club: Club,
) -> None:
    bot: Any = club.bot
    for command in bot.tree.get_commands():
        payload = command.to_dict(bot.tree)
        servers_only = command.name in ("cup", "find", "leaderboard", "server")
        assert payload["contexts"] == ([0] if servers_only else [0, 1])
        assert payload["integration_types"] == [0]


async def test_commands_are_registered_in_every_language_with_descriptions(club: Club) -> None:
    bot = club.bot
    assert bot.application_id is not None
    registered: Any = await bot.http.get_global_commands(bot.application_id)
    # "…" is discord.py's default for a missing description.
    assert '"…"' not in json.dumps(registered, ensure_ascii=False)
    (game,) = (each for each in registered if each["name"] == "game")
    assert game["name_localizations"] == {"it": "partita"}
    new = next(each for each in game["options"] if each["name"] == "new")
    assert new["name_localizations"] == {"it": "nuova"}
    assert new["description_localizations"] == {"it": "Apri un tavolo in questo canale"}
    levels = next(each for each in new["options"] if each["name"] == "level")
    assert levels["name_localizations"] == {"it": "livello"}
