"""What simcord and discord.py do anew for each bot and each request, done in less time.

A sixth of what tests on simcord took went into copying JSON, and a tenth into saying every command
in thirty languages for each test.
"""

from __future__ import annotations

import gettext
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import msgspec
from discord import app_commands
from simcord import components, gateway, results
from simcord.http import router

from bot.cogs.ui.localized_commands import InEveryLanguage

Languages = tuple[tuple[str, gettext.NullTranslations], ...]
_PLAIN = (str, int, float, type(None))

_told: dict[tuple[bytes, Languages], Any] = {}


def copied(value: Any) -> Any:
    """As `deepcopy`, for what is JSON for the most part."""
    kind = type(value)
    if kind is dict:
        return {key: copied(each) for key, each in value.items()}
    if kind is list:
        return [copied(each) for each in value]
    return value if kind in _PLAIN or kind is bool else deepcopy(value)


def install() -> None:
    """For all bots of this process."""
    vars(router)["copy"] = vars(gateway)["copy"] = SimpleNamespace(deepcopy=copied)
    for module in (components, results):
        vars(module)["deepcopy"] = copied
    for kind in (app_commands.Command, app_commands.Group):
        _translate_once(kind)


def _translate_once(kind: Any) -> None:
    """What Discord is told of a command is put together by the first bot that has it, in the same
    languages."""
    translated = kind.get_translated_payload

    async def once(self: Any, tree: Any, translator: Any) -> Any:
        if not isinstance(translator, InEveryLanguage):
            return await translated(self, tree, translator)
        languages = tuple(
            (words.locale, words._translations) for words in translator._words.values()
        )
        key = msgspec.json.encode(self.to_dict(tree)), languages
        if key not in _told:
            _told[key] = await translated(self, tree, translator)
        return copied(_told[key])

    kind.get_translated_payload = once
