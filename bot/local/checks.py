"""Discord's limits on messages, components, modals and autocomplete.

Every check collects all faults and raises one `ApiError` 50035 whose tree names each field, as
Discord does, so that a bot's log shows what to fix.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.local import errors
from bot.local.layout_checks import check_layout
from bot.local.model import ComponentKind, Json, is_select
from bot.local.problems import Problems

MAX_CONTENT = 2000
MAX_EMBEDS = 10
MAX_EMBED_TOTAL = 6000
MAX_ROWS = 5
MAX_BUTTONS_PER_ROW = 5
MAX_OPTIONS = 25
MAX_CHOICES = 25
MAX_FILES = 10
MAX_FILE_BYTES = 10 * 1024 * 1024
MAX_NONCE = 25
MAX_MODAL_PARTS = 5

_PICKS_IN_MODAL = (
    ComponentKind.RADIO_GROUP,
    ComponentKind.CHECKBOX_GROUP,
    ComponentKind.CHECKBOX,
)
_LINK_STYLE = 5
_URL = re.compile(r"(https?|attachment)://\S+\Z")


def check_message(payload: Json, file_sizes: Sequence[int], *, layout: bool = False) -> None:
    """Check a message to be posted or edited against the limits; files by size in bytes.

    `layout` says that it is made of layout components. Raises `ApiError` 40005 for files that are
    too large and 50035 for everything else.
    """
    if any(size > MAX_FILE_BYTES for size in file_sizes):
        raise errors.request_too_large()
    problems = Problems()
    problems.text("content", payload.get("content"), MAX_CONTENT)
    problems.text("nonce", payload.get("nonce"), MAX_NONCE)
    problems.count("attachments", payload.get("attachments") or file_sizes, MAX_FILES)
    for index, attachment in enumerate(payload.get("attachments") or []):
        problems.text(f"attachments.{index}.description", attachment.get("description"), 1024)
    _check_embeds(payload.get("embeds") or [], problems)
    seen: set[str] = set()
    if layout:
        check_layout(payload, problems, lambda part, at: _check_part(part, at, seen, problems))
    else:
        _check_rows(payload.get("components") or [], seen, problems)
    problems.raise_if_any()


def _check_embeds(embeds: list[Json], problems: Problems) -> None:
    problems.count("embeds", embeds, MAX_EMBEDS)
    total = 0
    for index, embed in enumerate(embeds):
        at = f"embeds.{index}"
        fields = embed.get("fields") or []
        footer, author = embed.get("footer") or {}, embed.get("author") or {}
        problems.text(f"{at}.title", embed.get("title"), 256)
        problems.text(f"{at}.description", embed.get("description"), 4096)
        problems.text(f"{at}.footer.text", footer.get("text"), 2048)
        problems.text(f"{at}.author.name", author.get("name"), 256)
        problems.count(f"{at}.fields", fields, 25)
        for number, field in enumerate(fields):
            problems.text(f"{at}.fields.{number}.name", field.get("name"), 256, 1)
            problems.text(f"{at}.fields.{number}.value", field.get("value"), 1024, 1)
        for picture in ("image", "thumbnail"):
            url = (embed.get(picture) or {}).get("url")
            if url is not None and not _URL.match(url):
                problems.add(f"{at}.{picture}.url", "URL_TYPE_INVALID_URL", "Not a well formed URL")
        texts = [embed.get("title"), embed.get("description"), footer.get("text")]
        texts += [author.get("name")]
        texts += [field.get(key) for field in fields for key in ("name", "value")]
        total += sum(len(text) for text in texts if isinstance(text, str))
    if total > MAX_EMBED_TOTAL:
        said = f"Embed size exceeds maximum size of {MAX_EMBED_TOTAL}"
        problems.add("embeds", "MAX_EMBED_SIZE_EXCEEDED", said)


def _check_rows(rows: list[Json], seen: set[str], problems: Problems) -> None:
    problems.count("components", rows, MAX_ROWS)
    for index, row in enumerate(rows):
        at = f"components.{index}"
        if row.get("type") == ComponentKind.ACTION_ROW:
            _check_part(row, at, seen, problems)
        else:
            said = 'Value of field "type" must be one of (1,).'
            problems.add(f"{at}.type", "UNION_TYPE_CHOICES", said)


def _check_part(part: Json, at: str, seen: set[str], problems: Problems) -> None:
    """Check an action row with what is in it, a button or a select."""
    if part.get("type") == ComponentKind.ACTION_ROW:
        inside = part.get("components") or []
        problems.count(f"{at}.components", inside, MAX_BUTTONS_PER_ROW, 1)
        if len(inside) > 1 and any(each.get("type") != ComponentKind.BUTTON for each in inside):
            said = "A select fills its row alone."
            problems.add(at, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", said)
        for number, each in enumerate(inside):
            _check_usable(each, f"{at}.components.{number}", seen, problems)
    else:
        _check_usable(part, at, seen, problems)


def _check_usable(part: Json, at: str, seen: set[str], problems: Problems) -> None:
    if part.get("type") == ComponentKind.BUTTON:
        _check_button(part, at, problems)
    elif is_select(part):
        _check_select(part, at, problems)
    else:
        problems.add(f"{at}.type", "UNION_TYPE_CHOICES", "Not a button or a select.")
    _check_unique(part, at, seen, problems)


def _check_unique(part: Json, at: str, seen: set[str], problems: Problems) -> None:
    custom_id = part.get("custom_id")
    if custom_id in seen:
        said = "Component custom id cannot be duplicated"
        problems.add(f"{at}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", said)
    if isinstance(custom_id, str):
        seen.add(custom_id)


def _check_button(button: Json, at: str, problems: Problems) -> None:
    problems.text(f"{at}.label", button.get("label"), 80)
    if not button.get("label") and not button.get("emoji"):
        problems.required(f"{at}.label")
    if button.get("style") == _LINK_STYLE:
        if button.get("custom_id") is not None:
            said = "A custom id and url cannot both be specified"
            problems.add(at, "BUTTON_COMPONENT_CUSTOM_ID_AND_URL", said)
        problems.text(f"{at}.url", button.get("url"), 512, 1)
    elif button.get("style") not in (1, 2, 3, 4):
        problems.add(f"{at}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5}.")
    else:
        problems.text(f"{at}.custom_id", button.get("custom_id"), 100, 1)


def _check_select(select: Json, at: str, problems: Problems) -> None:
    problems.text(f"{at}.custom_id", select.get("custom_id"), 100, 1)
    problems.text(f"{at}.placeholder", select.get("placeholder"), 150)
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not 0 <= least <= MAX_OPTIONS:
        problems.add(f"{at}.min_values", "NUMBER_TYPE_MIN", "Must be between 0 and 25.")
    if not 1 <= most <= MAX_OPTIONS or most < least:
        problems.add(f"{at}.max_values", "NUMBER_TYPE_MAX", "Must be between 1 and 25.")
    if select.get("type") == ComponentKind.STRING_SELECT:
        options = select.get("options") or []
        problems.count(f"{at}.options", options, MAX_OPTIONS, 1)
        if options and most > len(options):
            said = "Must not exceed the number of options."
            problems.add(f"{at}.max_values", "NUMBER_TYPE_MAX", said)
        _check_options(options, at, problems)


def _check_options(options: list[Json], at: str, problems: Problems) -> None:
    values: set[object] = set()
    for index, option in enumerate(options):
        place = f"{at}.options.{index}"
        problems.text(f"{place}.label", option.get("label"), 100, 1)
        problems.text(f"{place}.value", option.get("value"), 100, 1)
        problems.text(f"{place}.description", option.get("description"), 100)
        if option.get("value") in values:
            said = "The specified option value is already used"
            problems.add(f"{place}.value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", said)
        values.add(option.get("value"))


def check_modal(modal: Json) -> None:
    """Check a modal against the limits; raises `ApiError` 50035."""
    problems = Problems()
    problems.text("data.title", modal.get("title"), 45, 1)
    problems.text("data.custom_id", modal.get("custom_id"), 100, 1)
    parts = modal.get("components") or []
    problems.count("data.components", parts, MAX_MODAL_PARTS, 1)
    seen: set[str] = set()
    for index, part in enumerate(parts):
        at = f"data.components.{index}"
        if part.get("type") == ComponentKind.ACTION_ROW:
            problems.count(f"{at}.components", part.get("components") or [], 1, 1)
            for field in part.get("components") or []:
                _check_field(field, f"{at}.components.0", True, seen, problems)
        elif part.get("type") == ComponentKind.LABEL:
            problems.text(f"{at}.label", part.get("label"), 45, 1)
            problems.text(f"{at}.description", part.get("description"), 100)
            _check_field(part.get("component") or {}, f"{at}.component", False, seen, problems)
        elif part.get("type") != ComponentKind.TEXT_DISPLAY:
            problems.add(f"{at}.type", "UNION_TYPE_CHOICES", "Not a part of a modal.")
    problems.raise_if_any()


def _check_field(
    field: Json, at: str, needs_label: bool, seen: set[str], problems: Problems
) -> None:
    _check_unique(field, at, seen, problems)
    kind = field.get("type")
    if kind == ComponentKind.TEXT_INPUT:
        problems.text(f"{at}.custom_id", field.get("custom_id"), 100, 1)
        if needs_label:
            problems.text(f"{at}.label", field.get("label"), 45, 1)
        problems.text(f"{at}.placeholder", field.get("placeholder"), 100)
        problems.text(f"{at}.value", field.get("value"), 4000)
        if field.get("style") not in (1, 2):
            problems.add(f"{at}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2}.")
    elif is_select(field):
        _check_select(field, at, problems)
    elif kind in _PICKS_IN_MODAL:
        problems.text(f"{at}.custom_id", field.get("custom_id"), 100, 1)
        _check_options(field.get("options") or [], at, problems)
    else:
        problems.add(f"{at}.type", "UNION_TYPE_CHOICES", "Not a field of a modal.")


def check_choices(choices: list[Json]) -> None:
    """Check the answer to an autocomplete against the limits; raises `ApiError` 50035."""
    problems = Problems()
    check_choice_list(choices, "data.choices", problems)
    problems.raise_if_any()


def check_choice_list(choices: list[Json], at: str, problems: Problems) -> None:
    """Check the choices of an option or an autocomplete against the limits."""
    problems.count(at, choices, MAX_CHOICES)
    for index, choice in enumerate(choices):
        problems.text(f"{at}.{index}.name", choice.get("name"), 100, 1)
        value = choice.get("value")
        if isinstance(value, str):
            problems.text(f"{at}.{index}.value", value, 100)
        elif not isinstance(value, int | float):
            problems.required(f"{at}.{index}.value")
