"""Whether Discord has been told of the commands as they are now.

Discord gives a command back in a form of its own (its documentation, "Application Command Object"):
with ids and a version, permissions as a string, and null, false or nothing at all for a field that
was left out. Sending the commands anew makes people's clients load them anew, so what only looks
different must be told from what is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Payload = Mapping[str, Any]

DEFAULTS = {"type": 1, "integration_types": [0]}
"""What Discord takes a command to be where nothing is said: typed in the chat, of a server."""
TEXTS = ("name", "description", "name_localizations", "description_localizations")
KEPT = (
    *TEXTS,
    "type",
    "options",
    "default_member_permissions",
    "nsfw",
    "contexts",
    "integration_types",
)
"""What Discord keeps of a command, but for what it adds itself, and for `dm_permission`, which it
derives from the contexts."""
KEPT_OF_OPTION = (
    *TEXTS,
    "type",
    "required",
    "autocomplete",
    "choices",
    "options",
    "channel_types",
    "min_value",
    "max_value",
    "min_length",
    "max_length",
)
KEPT_OF_CHOICE = ("name", "name_localizations", "value")
GLOBAL_ALONE = ("contexts", "integration_types")
"""What Discord does not keep of a command that is registered in one server."""
UNORDERED = ("contexts", "integration_types", "channel_types")


def are_known(known: Iterable[Payload], wanted: Iterable[Payload], *, in_guild: bool) -> bool:
    """Whether the commands that Discord gives back are those that would be sent, in any order."""
    return _by_name(known, in_guild) == _by_name(wanted, in_guild)


def _by_name(commands: Iterable[Payload], in_guild: bool) -> dict[tuple[Any, Any], Payload]:
    kept = [_command(each, in_guild) for each in commands]
    return {(each["type"], each["name"]): each for each in kept}


def _command(said: Payload, in_guild: bool) -> Payload:
    kept = {**DEFAULTS, **_kept(said, KEPT)}
    if "default_member_permissions" in kept:
        kept["default_member_permissions"] = str(kept["default_member_permissions"])
    if in_guild:
        kept = {name: value for name, value in kept.items() if name not in GLOBAL_ALONE}
    if "options" in kept:
        kept["options"] = [_option(each) for each in kept["options"]]
    return kept


def _option(said: Payload) -> Payload:
    kept = _kept(said, KEPT_OF_OPTION)
    if "options" in kept:
        kept["options"] = [_option(each) for each in kept["options"]]
    if "choices" in kept:
        kept["choices"] = [_kept(each, KEPT_OF_CHOICE) for each in kept["choices"]]
    return kept


def _kept(said: Payload, names: Iterable[str]) -> dict[str, Any]:
    found = {name: said[name] for name in names if name in said}
    return {
        name: sorted(value) if name in UNORDERED else value
        for name, value in found.items()
        if not _says_nothing(value)
    }


def _says_nothing(value: object) -> bool:
    # A lowest value of 0 does say something.
    return value is None or value is False or value in ("", [], {})
