"""Components of messages as they are kept and as they go out: ids, and the files they show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from bot.local.model import ComponentKind, Json, walk


def rebuilt(components: Sequence[Json], change: Callable[[Json], Json]) -> list[Json]:
    """Copies of components, each and all that stand in them as `change` returns it."""

    def one(component: Json) -> Json:
        written = change(component)
        if component.get("components"):
            written["components"] = [one(part) for part in component["components"]]
        if component.get("accessory"):
            written["accessory"] = one(component["accessory"])
        return written

    return [one(component) for component in components]


def with_ids(components: Sequence[Json]) -> list[Json]:
    """Components with the ids that the bot gave them, the others numbered as Discord does."""
    given = {component["id"] for component in walk(components) if component.get("id")}
    free = (number for number in count(1) if number not in given)
    return rebuilt(components, lambda each: {**each, "id": each.get("id") or next(free)})


def with_emoji(components: Sequence[Json]) -> list[Json]:
    """Components whose emoji have their ids as text, as Discord writes them; bots send numbers."""

    def changed(component: Json) -> Json:
        written = _with_emoji(component)
        if component.get("options"):
            written["options"] = [_with_emoji(option) for option in component["options"]]
        return written

    return rebuilt(components, changed)


def _with_emoji(part: Json) -> Json:
    emoji = part.get("emoji")
    if not emoji or emoji.get("id") is None:
        return dict(part)
    return {**part, "emoji": {**emoji, "id": str(emoji["id"])}}


def with_media(components: Sequence[Json], change: Callable[[Json], Json]) -> list[Json]:
    """Components with each media item, `{"url": ...}`, as `change` returns it.

    The component of a file takes over the `name` and `size` that it finds there.
    """

    def changed(component: Json) -> Json:
        match component["type"]:
            case ComponentKind.THUMBNAIL:
                return {**component, "media": change(component["media"])}
            case ComponentKind.MEDIA_GALLERY:
                items = [{**item, "media": change(item["media"])} for item in component["items"]]
                return {**component, "items": items}
            case ComponentKind.FILE:
                file = change(component["file"])
                about: Json = {key: file[key] for key in ("name", "size") if key in file}
                return {**component, "file": file, **about}
        return dict(component)

    return rebuilt(components, changed)
