"""Values for selects and modals, limited to what a chat client lets a person send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.local.model import ComponentKind, Guild, Json, User
from bot.local.options import CannotDoError, Resolved


def pick(
    select: Json, chosen: Sequence[object], resolved: Resolved, person: User, guild: Guild | None
) -> list[str]:
    """The values of a select to send; options are named by value or label.

    Raises `CannotDoError` for unknown options or a wrong number of them.
    """
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    if not least <= len(chosen) <= most:
        raise CannotDoError(f"between {least} and {most} are to be chosen, not {len(chosen)}")
    if select["type"] == ComponentKind.STRING_SELECT:
        return [_option(select, value) for value in chosen]
    picked = []
    for value in chosen:
        text = str(getattr(value, "id", value))
        key = int(text) if text.isdigit() else 0
        if select["type"] == ComponentKind.CHANNEL_SELECT and key in resolved.world.channels:
            picked.append(resolved.add_channel(resolved.world.channels[key], person))
        elif select["type"] == ComponentKind.USER_SELECT and key in resolved.world.users:
            picked.append(resolved.add_user(resolved.world.users[key], guild))
        else:
            raise CannotDoError(f"{value!r} cannot be chosen here")
    return picked


def _option(select: Json, wanted: object) -> str:
    options = select.get("options") or []
    for option in options:
        if wanted in (option["value"], option["label"]):
            return str(option["value"])
    there = [option["label"] for option in options]
    raise CannotDoError(f"there is no {wanted!r} to choose, only {there}")


def fill_modal(
    modal: Json,
    values: Mapping[str, object],
    resolved: Resolved,
    person: User,
    guild: Guild | None,
) -> list[Json]:
    """The components of a filled-in form; raises `CannotDoError` for what does not fit."""
    left = dict(values)

    def fill(field: Json) -> Json:
        custom_id = field["custom_id"]
        value = left.pop(custom_id, None)
        filled: Json = {"type": field["type"], "custom_id": custom_id, "id": field.get("id", 0)}
        if field["type"] == ComponentKind.TEXT_INPUT:
            filled["value"] = _text(field, value)
        else:
            chosen = _chosen(field, value)
            if not chosen and not field.get("required", True):
                filled["values"] = []
            else:
                filled["values"] = pick(field, chosen, resolved, person, guild)
        return filled

    components: list[Json] = []
    for part in modal["components"]:
        if part["type"] == ComponentKind.LABEL:
            components.append({"type": ComponentKind.LABEL, "component": fill(part["component"])})
        elif part["type"] == ComponentKind.TEXT_DISPLAY:
            components.append({"type": ComponentKind.TEXT_DISPLAY, "id": part.get("id", 0)})
    if left:
        raise CannotDoError(f"the form has no field {sorted(left)}")
    return components


def _chosen(field: Json, value: object) -> list[object]:
    if value is None:
        defaults = [o["value"] for o in field.get("options") or [] if o.get("default")]
        return [*defaults, *(d["id"] for d in field.get("default_values") or [])]
    return list(value) if isinstance(value, list | tuple) else [value]


def _text(field: Json, value: object) -> str:
    text = str(field.get("value") or "") if value is None else str(value)
    label = field.get("label") or field["custom_id"]
    if not text:
        if field.get("required", True):
            raise CannotDoError("{name} must be filled in", name=repr(label))
        return text
    least, most = field.get("min_length") or 0, field.get("max_length") or 4000
    if not least <= len(text) <= most:
        raise CannotDoError(
            "{name} must have {least} to {most} characters",
            name=repr(label),
            least=least,
            most=most,
        )
    return text
