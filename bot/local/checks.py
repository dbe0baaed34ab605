"""Discord's documented limits on messages, modals, autocompletion and commands.

A shape maps the fields of an object to their bounds. A check raises one `ApiError` 50035 with all
field errors, as Discord does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from bot.local.errors import ApiError, Problems
from bot.local.model import ComponentKind as Kind
from bot.local.model import Json, walk

MAX_CONTENT = 2000
MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_COMPONENTS = 40
#: Characters in all texts of a layout together.
MAX_TEXT = 4000
MAX_COMMANDS = 100
#: Characters in all names, descriptions and choices of a command together.
MAX_COMMAND_TOTAL = 8000

LINK_STYLE = 5
FILE = "attachment://"
#: Fields that layouts may not have, and that the stand-in does not support in classic messages.
_UNSUPPORTED = ("embeds", "poll", "sticker_ids", "message_reference")
_WEB = re.compile(r"https?://\S+\Z")
_COMMAND_NAME = re.compile(r"[-_'\w]{1,32}\Z")
_SUB = (1, 2)
_WITH_CHOICES = (3, 4, 10)


class _Text(NamedTuple):
    """A length range; `form` "name" means a command name, and "value" also accepts numbers."""

    maximum: int
    minimum: int = 0
    form: Literal["", "name", "value"] = ""


class _Number(NamedTuple):
    """An integer range."""

    minimum: int
    maximum: int


class _OneOf(NamedTuple):
    """A required enum value."""

    values: Collection[int]


class _Emoji(NamedTuple):
    """A Unicode emoji, or an emoji id of the application."""


class _Media(NamedTuple):
    """A file of the message, or a URL if `is_web`."""

    is_web: bool = True


class _Each(NamedTuple):
    """A bound for the texts of a dict by locale."""

    bound: Bound


class _Many(NamedTuple):
    """A list of objects; duplicates of the field `unique` get the error `code`."""

    shape: Shape
    maximum: int
    minimum: int = 0
    unique: str = ""
    code: str = ""


class _Parts(NamedTuple):
    """A list of components of these kinds."""

    kinds: Collection[Kind]
    maximum: int
    minimum: int = 0


class _Part(NamedTuple):
    """A required component of one of these kinds."""

    kinds: Collection[Kind]


Bound = _Text | _Number | _OneOf | _Emoji | _Media | _Each | _Many | _Parts | _Part
Shape = Mapping[str, Bound]

_IN_CONTAINER = (
    Kind.ACTION_ROW,
    Kind.SECTION,
    Kind.TEXT_DISPLAY,
    Kind.MEDIA_GALLERY,
    Kind.FILE,
    Kind.SEPARATOR,
)
_OPTION: Shape = {
    "label": _Text(100, 1),
    "value": _Text(100, 1),
    "description": _Text(100),
    "emoji": _Emoji(),
}
_OPTIONS = _Many(_OPTION, 25, 1, "value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED")
COMPONENTS: Mapping[Kind, Shape] = {
    Kind.ACTION_ROW: {"components": _Parts((Kind.BUTTON, Kind.STRING_SELECT), 5, 1)},
    Kind.BUTTON: {"label": _Text(80), "style": _OneOf(range(1, 6)), "emoji": _Emoji()},
    Kind.STRING_SELECT: {
        "custom_id": _Text(100, 1),
        "placeholder": _Text(150),
        "min_values": _Number(0, 25),
        "max_values": _Number(1, 25),
        "options": _OPTIONS,
    },
    Kind.CONTAINER: {
        "components": _Parts(_IN_CONTAINER, MAX_COMPONENTS, 1),
        "accent_color": _Number(0, 0xFFFFFF),
    },
    Kind.SECTION: {
        "components": _Parts((Kind.TEXT_DISPLAY,), 3, 1),
        "accessory": _Part((Kind.BUTTON, Kind.THUMBNAIL)),
    },
    Kind.TEXT_DISPLAY: {"content": _Text(MAX_TEXT, 1)},
    Kind.THUMBNAIL: {"description": _Text(1024), "media": _Media()},
    Kind.MEDIA_GALLERY: {"items": _Many({"description": _Text(1024), "media": _Media()}, 10, 1)},
    Kind.FILE: {"file": _Media(is_web=False)},
    Kind.SEPARATOR: {"spacing": _Number(1, 2)},
    Kind.LABEL: {
        "label": _Text(45, 1),
        "description": _Text(100),
        "component": _Part((Kind.TEXT_INPUT, Kind.STRING_SELECT)),
    },
    Kind.TEXT_INPUT: {
        "custom_id": _Text(100, 1),
        "placeholder": _Text(100),
        "value": _Text(4000),
        "style": _OneOf((1, 2)),
        "min_length": _Number(0, 4000),
        "max_length": _Number(1, 4000),
    },
}
MESSAGE: Shape = {
    "content": _Text(MAX_CONTENT),
    "nonce": _Text(25),
    "attachments": _Many({"description": _Text(1024)}, 10),
}
ROWS: Shape = {"components": _Parts((Kind.ACTION_ROW,), 5)}
LAYOUT: Shape = {"components": _Parts((*_IN_CONTAINER, Kind.CONTAINER), MAX_COMPONENTS)}
MODAL: Shape = {
    "title": _Text(45, 1),
    "custom_id": _Text(100, 1),
    "components": _Parts((Kind.LABEL, Kind.TEXT_DISPLAY), 5, 1),
}
CHOICES = _Many({"name": _Text(100, 1), "value": _Text(100, 1, "value")}, 25)
_NAMED: Shape = {
    "name": _Text(32, 1, "name"),
    "name_localizations": _Each(_Text(32, 1, "name")),
    "description": _Text(100, 1),
    "description_localizations": _Each(_Text(100, 1)),
}
_DUPLICATE_OPTION = "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS"
_VALUE: Shape = {**_NAMED, "choices": CHOICES}
_SUBCOMMAND: Shape = {**_VALUE, "options": _Many(_VALUE, 25, 0, "name", _DUPLICATE_OPTION)}
_GROUP: Shape = {**_VALUE, "options": _Many(_SUBCOMMAND, 25, 0, "name", _DUPLICATE_OPTION)}
COMMAND: Shape = {**_NAMED, "options": _Many(_GROUP, 25, 0, "name", _DUPLICATE_OPTION)}


class _Check:
    """Checks objects against shapes and collects their errors.

    `filenames` and `emojis` are the files and emoji ids that components may use, `None` for any.
    """

    def __init__(
        self, filenames: Collection[str] | None = None, emojis: Collection[int] | None = None
    ) -> None:
        self.problems = Problems()
        self._filenames, self._emojis = filenames, emojis
        self._custom_ids: set[str] = set()

    def all(self, value: Json, shape: Shape, at: str) -> None:
        """Check an object, and raise `ApiError` if it has errors."""
        self.fields(value, shape, at)
        self.problems.raise_if_any()

    def fields(self, value: Json, shape: Shape, at: str = "") -> None:
        """Check the fields of an object at a dotted path."""
        for name, bound in shape.items():
            self._field(value.get(name), bound, f"{at}.{name}" if at else name)

    def _field(self, value: Any, bound: Bound, at: str) -> None:
        add = self.problems.add
        match bound:
            case _Text(maximum, minimum, form):
                is_number = form == "value" and isinstance(value, int | float)
                if is_number or (value is None and not minimum):
                    return
                if value is None:
                    add(at, "BASE_TYPE_REQUIRED", "This field is required")
                elif not isinstance(value, str):
                    add(at, "BASE_TYPE_BAD_TYPE", "Could not interpret as string.")
                elif form == "name" and not (_COMMAND_NAME.match(value) and value == value.lower()):
                    add(at, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
                elif not minimum and len(value) > maximum:
                    add(at, "BASE_TYPE_MAX_LENGTH", f"Must be {maximum} or fewer in length.")
                else:
                    self._length(value, maximum, minimum, at)
            case _Number(low, high):
                if value is not None and (type(value) is not int or not low <= value <= high):
                    add(at, "NUMBER_TYPE_MAX", f"Must be between {low} and {high}.")
            case _OneOf(values):
                if value not in values:
                    add(at, "BASE_TYPE_CHOICES", f"Value must be one of {[*values]}.")
            case _Emoji():
                emoji, allowed = (value or {}).get("id"), self._emojis
                if emoji is not None and allowed is not None and int(emoji) not in allowed:
                    add(f"{at}.id", "COMPONENT_INVALID_EMOJI", "Invalid emoji")
            case _Media(is_web):
                self._media(str((value or {}).get("url")), is_web, f"{at}.url")
            case _Each(each):
                for locale, text in (value or {}).items():
                    self._field(text, each, f"{at}.{locale}")
            case _Many(shape, maximum, minimum):
                self._length(value or [], maximum, minimum, at)
                values = [each.get(bound.unique) for each in value or []]
                for index, each in enumerate(value or []):
                    self.fields(each, shape, f"{at}.{index}")
                    if bound.unique and values[index] in values[:index]:
                        add(f"{at}.{index}.{bound.unique}", bound.code, "It is already used")
            case _Parts(kinds, maximum, minimum):
                self._length(value or [], maximum, minimum, at)
                for index, each in enumerate(value or []):
                    self._component(each, kinds, f"{at}.{index}")
            case _Part(kinds):
                self._component(value or {}, kinds, at)

    def _length(self, values: Sequence[object], maximum: int, minimum: int, at: str) -> None:
        if not minimum <= len(values) <= maximum:
            text = f"Must be between {minimum} and {maximum} in length."
            self.problems.add(at, "BASE_TYPE_BAD_LENGTH", text)

    def _media(self, url: str, is_web: bool, at: str) -> None:
        name = url.removeprefix(FILE)
        if name != url:
            if self._filenames is not None and name not in self._filenames:
                text = f"The referenced attachment '{name}' was not found"
                code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
                self.problems.add(at, code, text)
        elif not is_web or not _WEB.match(url):
            self.problems.add(at, "URL_TYPE_INVALID_URL", "Not a well formed URL.")

    def _component(self, part: Json, kinds: Collection[Kind], at: str) -> None:
        add, kind = self.problems.add, part.get("type")
        if kind not in kinds:
            text = f'Value of field "type" must be one of {sorted(map(int, kinds))}.'
            add(f"{at}.type", "UNION_TYPE_CHOICES", text)
            return
        self.fields(part, COMPONENTS[Kind(part["type"])], at)
        custom_id, children = part.get("custom_id"), part.get("components") or []
        if kind == Kind.BUTTON:
            self._button(part, at)
        elif kind == Kind.ACTION_ROW and len(children) > 1:
            if any(each.get("type") != Kind.BUTTON for each in children):
                add(at, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "A select fills its row alone.")
        elif kind == Kind.STRING_SELECT:
            maximum = part.get("max_values", 1)
            options = len(part.get("options") or []) or 25
            if not part.get("min_values", 1) <= maximum <= options:
                text = "Must not exceed the number of options, nor fall below the minimum."
                add(f"{at}.max_values", "NUMBER_TYPE_MAX", text)
        if custom_id in self._custom_ids:
            text = "Component custom id cannot be duplicated"
            add(f"{at}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", text)
        if custom_id is not None:
            self._custom_ids.add(custom_id)

    def _button(self, button: Json, at: str) -> None:
        if not button.get("label") and not button.get("emoji"):
            self.problems.add(f"{at}.label", "BASE_TYPE_REQUIRED", "This field is required")
        if button.get("style") != LINK_STYLE:
            self.fields(button, {"custom_id": _Text(100, 1)}, at)
        elif button.get("custom_id") is None:
            self.fields(button, {"url": _Text(512, 1)}, at)
        else:
            text = "A custom id and url cannot both be specified"
            self.problems.add(at, "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", text)


def check_message(
    payload: Json,
    file_sizes: Sequence[int],
    *,
    layout: bool = False,
    filenames: Collection[str] | None = None,
    emojis: Collection[int] | None = None,
) -> None:
    """Check a message before it is posted or edited; file sizes are in bytes.

    `layout` means a message of layout components. Its components may show the files `filenames` and
    the emoji ids `emojis`, `None` for any. Raises `ApiError` 40005 if a file is too large, 50035
    for all other errors.
    """
    if any(size > MAX_FILE_BYTES for size in file_sizes):
        raise ApiError("Request entity too large")
    check = _Check(filenames, emojis)
    add, parts = check.problems.add, list(walk(payload.get("components") or []))
    check.fields({"attachments": [{}] * len(file_sizes), **payload}, MESSAGE)
    check.fields(payload, LAYOUT if layout else ROWS)
    for field in (*_UNSUPPORTED, *(["content"] if layout else [])):
        if payload.get(field):
            text = f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            add(field, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", text)
    if len(parts) > MAX_COMPONENTS:
        text = f"Total number of components cannot exceed {MAX_COMPONENTS}"
        add("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", text)
    texts = (part for part in parts if part.get("type") == Kind.TEXT_DISPLAY)
    if sum(len(str(part.get("content") or "")) for part in texts) > MAX_TEXT:
        text = f"Components displayable text size exceeds maximum size of {MAX_TEXT}"
        add("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", text)
    check.problems.raise_if_any()


def check_modal(modal: Json) -> None:
    """Check a modal; raise `ApiError` 50035 if it is invalid."""
    _Check().all(modal, MODAL, "data")


def check_choices(choices: Sequence[Json]) -> None:
    """Check the choices of an autocompletion; raise `ApiError` 50035 if they are invalid."""
    _Check().all({"choices": choices}, {"choices": CHOICES}, "data")


def check_commands(specs: Sequence[Json]) -> None:
    """Check all global or server commands; raise `ApiError` 50035 if they are invalid."""
    check = _Check()
    add, names = check.problems.add, [spec.get("name") for spec in specs]
    if len(specs) > MAX_COMMANDS:
        text = f"Maximum number of application commands reached ({MAX_COMMANDS})"
        add("commands", "APPLICATION_COMMAND_TOO_MANY", text)
    for index, spec in enumerate(specs):
        at = str(index)
        check.fields(spec, COMMAND, at)
        _check_order(spec, at, check.problems)
        if names[index] in names[:index]:
            text = "Application command names must be unique"
            add(f"{at}.name", "APPLICATION_COMMANDS_DUPLICATE_NAME", text)
        if (weight := _weight(spec)) > MAX_COMMAND_TOTAL:
            text = f"Command exceeds maximum size ({MAX_COMMAND_TOTAL}), it has {weight}"
            add(at, "APPLICATION_COMMAND_TOO_LARGE", text)
    check.problems.raise_if_any()


def _check_order(spec: Json, at: str, problems: Problems) -> None:
    """Check the order of options, and rules between their fields, at any depth."""
    is_optional = False
    for index, option in enumerate(spec.get("options") or []):
        place = f"{at}.options.{index}"
        _check_order(option, place, problems)
        if option.get("type") in _SUB:
            continue
        if option.get("required") and is_optional:
            text = "Required options must be placed before non-required options"
            problems.add(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", text)
        is_optional = is_optional or not option.get("required")
        if option.get("choices") and option.get("type") not in _WITH_CHOICES:
            text = "Choices are not allowed for this type of option"
            problems.add(f"{place}.choices", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", text)
        if option.get("choices") and option.get("autocomplete"):
            text = "An option has either choices or autocomplete"
            code = "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES"
            problems.add(f"{place}.autocomplete", code, text)


def _weight(spec: Json) -> int:
    """Count the characters in a command's names, descriptions and choices.

    A translated text counts as its longest version.
    """

    def longest(of: Json, field: str) -> int:
        localized = (of.get(f"{field}_localizations") or {}).values()
        return max(len(str(text)) for text in (of.get(field, ""), *localized))

    choices, options = spec.get("choices") or [], spec.get("options") or []
    own = longest(spec, "name") + longest(spec, "description") + sum(map(_weight, options))
    return own + sum(longest(each, "name") + len(str(each.get("value", ""))) for each in choices)
