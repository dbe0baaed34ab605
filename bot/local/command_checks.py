"""Discord's limits on application commands."""

from __future__ import annotations

import re
from collections import Counter

from bot.local.checks import MAX_CHOICES, check_choice_list
from bot.local.model import Json
from bot.local.problems import Problems

MAX_COMMANDS = 100
MAX_COMMAND_OPTIONS = 25
#: All names, descriptions and choices of one command together, in characters.
MAX_COMMAND_TOTAL = 8000

_NAME = re.compile(r"[-_'\w]{1,32}\Z")
_CHAT_INPUT = 1
_SUBCOMMAND = 1
_GROUP = 2
_WITH_CHOICES = (3, 4, 10)
_CODE_LENGTH = "BASE_TYPE_BAD_LENGTH"


def check_commands(specs: list[Json]) -> None:
    """Check all commands of one scope against the limits; raises `ApiError` 50035."""
    problems = Problems()
    counted = Counter((spec.get("type", 1), spec.get("name")) for spec in specs)
    if sum(1 for spec in specs if spec.get("type", 1) == _CHAT_INPUT) > MAX_COMMANDS:
        said = f"Maximum number of application commands reached ({MAX_COMMANDS})"
        problems.add("commands", "APPLICATION_COMMAND_TOO_MANY", said)
    for index, spec in enumerate(specs):
        _check_command(spec, str(index), problems)
        if counted[spec.get("type", 1), spec.get("name")] > 1:
            said = "Application command names must be unique"
            problems.add(f"{index}.name", "APPLICATION_COMMANDS_DUPLICATE_NAME", said)
    problems.raise_if_any()


def check_command(spec: Json) -> None:
    """Check one command against the limits; raises `ApiError` 50035."""
    problems = Problems()
    _check_command(spec, "command", problems)
    problems.raise_if_any()


def _check_command(spec: Json, at: str, problems: Problems) -> None:
    if spec.get("type", 1) != _CHAT_INPUT:
        problems.text(f"{at}.name", spec.get("name"), 32, 1)
        return
    _check_name(spec, at, problems)
    _check_options(spec.get("options") or [], at, problems)
    total = _weight(spec)
    if total > MAX_COMMAND_TOTAL:
        said = f"Command exceeds maximum size ({MAX_COMMAND_TOTAL}), it has {total}"
        problems.add(at, "APPLICATION_COMMAND_TOO_LARGE", said)


def _check_name(spec: Json, at: str, problems: Problems) -> None:
    name = spec.get("name")
    names = [("name", name)]
    names += [
        (f"name_localizations.{locale}", text)
        for locale, text in (spec.get("name_localizations") or {}).items()
    ]
    for field, text in names:
        if not isinstance(text, str) or not _NAME.match(text) or text != text.lower():
            said = "Command name is invalid"
            problems.add(f"{at}.{field}", "APPLICATION_COMMAND_INVALID_NAME", said)
    problems.text(f"{at}.description", spec.get("description"), 100, 1)
    for locale, text in (spec.get("description_localizations") or {}).items():
        problems.text(f"{at}.description_localizations.{locale}", text, 100, 1)


def _check_options(options: list[Json], at: str, problems: Problems) -> None:
    if len(options) > MAX_COMMAND_OPTIONS:
        said = f"Must be between 0 and {MAX_COMMAND_OPTIONS} in length."
        problems.add(f"{at}.options", _CODE_LENGTH, said)
    names = Counter(option.get("name") for option in options)
    optional_seen = False
    for index, option in enumerate(options):
        place = f"{at}.options.{index}"
        _check_name(option, place, problems)
        if names[option.get("name")] > 1:
            said = "Option name already exists in these options"
            problems.add(f"{place}.name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", said)
        if option.get("type") in (_SUBCOMMAND, _GROUP):
            _check_options(option.get("options") or [], place, problems)
            continue
        if option.get("required") and optional_seen:
            said = "Required options must be placed before non-required options"
            problems.add(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", said)
        optional_seen = optional_seen or not option.get("required")
        _check_value_rules(option, place, problems)


def _check_value_rules(option: Json, at: str, problems: Problems) -> None:
    choices = option.get("choices") or []
    if len(choices) > MAX_CHOICES or choices:
        check_choice_list(choices, f"{at}.choices", problems)
    if choices and option.get("type") not in _WITH_CHOICES:
        said = "Choices are not allowed for this type of option"
        problems.add(f"{at}.choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", said)
    if choices and option.get("autocomplete"):
        said = "An option has either choices or autocomplete"
        problems.add(f"{at}.autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES", said)


def _weight(spec: Json) -> int:
    """Characters in a command's names, descriptions, and choice names and values.

    A text in several languages counts as its longest version.
    """
    total = _longest(spec, "name") + _longest(spec, "description")
    for choice in spec.get("choices") or []:
        total += _longest(choice, "name") + len(str(choice.get("value", "")))
    return total + sum(_weight(option) for option in spec.get("options") or [])


def _longest(spec: Json, field: str) -> int:
    localized = (spec.get(f"{field}_localizations") or {}).values()
    return max(len(str(text)) for text in (spec.get(field, ""), *localized))
