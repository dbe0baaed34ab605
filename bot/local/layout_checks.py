"""Discord's limits on messages made of layout components."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from bot.local.model import ComponentKind, Json, walk
from bot.local.problems import Problems

MAX_COMPONENTS = 40
MAX_TEXT = 4000
MAX_GALLERY = 10
MAX_ALT = 1024
_LEGACY = ("content", "embeds", "poll", "sticker_ids")
_WEB = re.compile(r"https?://\S+\Z")
_FILE = "attachment://"
_CONTAINER = ComponentKind.CONTAINER
_IN_CONTAINER = (
    ComponentKind.ACTION_ROW,
    ComponentKind.SECTION,
    ComponentKind.TEXT_DISPLAY,
    ComponentKind.MEDIA_GALLERY,
    ComponentKind.FILE,
    ComponentKind.SEPARATOR,
)

CheckRow = Callable[[Json, str], None]


def check_layout(payload: Json, problems: Problems, check_part: CheckRow) -> None:
    """Check a message that carries the flag; `check_part(part, path)` looks at rows and buttons."""
    for field in _LEGACY:
        if payload.get(field):
            said = f"The '{field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            problems.add(field, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", said)
    components = payload.get("components") or []
    parts = list(walk(components))
    if len(parts) > MAX_COMPONENTS:
        said = f"Total number of components cannot exceed {MAX_COMPONENTS}"
        problems.add("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", said)
    texts = (part for part in parts if part.get("type") == ComponentKind.TEXT_DISPLAY)
    if sum(len(str(part.get("content") or "")) for part in texts) > MAX_TEXT:
        said = f"Components displayable text size exceeds maximum size of {MAX_TEXT}"
        problems.add("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", said)
    _Layout(problems, check_part).check(components, "components", (*_IN_CONTAINER, _CONTAINER))


class _Layout:
    """Walks a layout and notes what is wrong with each component."""

    def __init__(self, problems: Problems, check_part: CheckRow) -> None:
        self._problems = problems
        self._check_part = check_part

    def check(
        self, components: Sequence[Json], path: str, allowed: Sequence[ComponentKind]
    ) -> None:
        """Check the components of one list, `allowed` being the types that may stand in it."""
        for index, component in enumerate(components):
            self._check_one(component, f"{path}.{index}", allowed)

    def _check_one(self, component: Json, at: str, allowed: Sequence[ComponentKind]) -> None:
        problems, kind = self._problems, component.get("type")
        if kind not in allowed:
            kinds = ", ".join(str(int(each)) for each in sorted(allowed))
            said = f'Value of field "type" must be one of ({kinds}).'
            problems.add(f"{at}.type", "UNION_TYPE_CHOICES", said)
            return
        match kind:
            case ComponentKind.CONTAINER:
                inside = component.get("components") or []
                problems.count(f"{at}.components", inside, MAX_COMPONENTS, 1)
                problems.number(f"{at}.accent_color", component.get("accent_color"), 0, 0xFFFFFF)
                self.check(inside, f"{at}.components", _IN_CONTAINER)
            case ComponentKind.SECTION:
                self._check_section(component, at)
            case ComponentKind.TEXT_DISPLAY:
                problems.text(f"{at}.content", component.get("content"), MAX_TEXT, 1)
            case ComponentKind.THUMBNAIL:
                problems.text(f"{at}.description", component.get("description"), MAX_ALT)
            case ComponentKind.MEDIA_GALLERY:
                items = component.get("items") or []
                problems.count(f"{at}.items", items, MAX_GALLERY, 1)
                for number, item in enumerate(items):
                    place = f"{at}.items.{number}.description"
                    problems.text(place, item.get("description"), MAX_ALT)
            case ComponentKind.SEPARATOR:
                problems.number(f"{at}.spacing", component.get("spacing"), 1, 2)
            case ComponentKind.ACTION_ROW | ComponentKind.BUTTON:
                self._check_part(component, at)

    def _check_section(self, section: Json, at: str) -> None:
        texts = section.get("components") or []
        self._problems.count(f"{at}.components", texts, 3, 1)
        self.check(texts, f"{at}.components", (ComponentKind.TEXT_DISPLAY,))
        accessory = section.get("accessory")
        if accessory is None:
            self._problems.required(f"{at}.accessory")
        else:
            beside = (ComponentKind.BUTTON, ComponentKind.THUMBNAIL)
            self._check_one(accessory, f"{at}.accessory", beside)


def check_media(components: Sequence[Json], filenames: Collection[str]) -> None:
    """Check that each picture and file is one of those named, or a web address.

    Raises `ApiError` 50035.
    """
    problems = Problems()

    def check(media: Json | None, at: str, *, web: bool = True) -> None:
        url = str((media or {}).get("url") or "")
        name = url.removeprefix(_FILE)
        if url.startswith(_FILE) and name not in filenames:
            said = f"The referenced attachment '{name}' was not found"
            code = "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
            problems.add(f"{at}.url", code, said)
        elif not url.startswith(_FILE) and not (web and _WEB.match(url)):
            problems.add(f"{at}.url", "URL_TYPE_INVALID_URL", "Not a well formed URL.")

    for at, component in _placed(components, "components"):
        match component.get("type"):
            case ComponentKind.THUMBNAIL:
                check(component.get("media"), f"{at}.media")
            case ComponentKind.MEDIA_GALLERY:
                for index, item in enumerate(component.get("items") or []):
                    check(item.get("media"), f"{at}.items.{index}.media")
            case ComponentKind.FILE:
                check(component.get("file"), f"{at}.file", web=False)
    problems.raise_if_any()


def check_emojis(components: Sequence[Json], known: Collection[int]) -> None:
    """Check that each emoji of a button or an option is Unicode's, or one that is `known` by id.

    Raises `ApiError` 50035.
    """
    problems = Problems()
    for at, component in _placed(components, "components"):
        options = enumerate(component.get("options") or [])
        shown = [(at, component), *((f"{at}.options.{index}", each) for index, each in options)]
        for place, each in shown:
            emoji = (each.get("emoji") or {}).get("id")
            if emoji is not None and int(emoji) not in known:
                problems.add(f"{place}.emoji.id", "COMPONENT_INVALID_EMOJI", "Invalid emoji")
    problems.raise_if_any()


def _placed(components: Sequence[Json], at: str) -> Iterator[tuple[str, Json]]:
    """Each component with its path, one before what stands in it."""
    for index, component in enumerate(components):
        place = f"{at}.{index}"
        yield place, component
        yield from _placed(component.get("components") or [], f"{place}.components")
        if component.get("accessory"):
            yield f"{place}.accessory", component["accessory"]
