"""Discord's limits on messages of layout components, each at its edge and one step beyond."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.local.checks import check_message
from bot.local.errors import ApiError
from bot.local.layout_checks import check_media
from tests.local.test_checks import Tree, button, rows, select, wrong_fields


def text(content: str = "x") -> Tree:
    return {"type": 10, "content": content}


def container(*parts: Tree, **changes: object) -> Tree:
    return {"type": 17, "components": list(parts), **changes}


def section(*texts: Tree, **changes: object) -> Tree:
    return {"type": 9, "components": list(texts), "accessory": button(), **changes}


def gallery(count: int = 1, url: str = "attachment://a.png", **changes: object) -> Tree:
    return {"type": 12, "items": [{"media": {"url": url}, **changes}] * count}


def thumbnail(url: str = "attachment://a.png", **changes: object) -> Tree:
    return {"type": 11, "media": {"url": url}, **changes}


def layout_faults(*components: Tree, **payload: object) -> set[str]:
    """What is wrong with a message of layout components."""
    written = {"components": list(components), **payload}
    return wrong_fields(lambda: check_message(written, (), layout=True))


@pytest.mark.parametrize(
    ("components", "wrong"),
    [
        ([text("x" * 4000)], set()),
        ([text("x" * 2000), container(text("x" * 2001))], {"components"}),
        ([text("")], {"components.0.content"}),
        ([text()] * 40, set()),
        ([container(*[text()] * 39)], set()),
        ([container(*[text()] * 40)], {"components"}),
        ([container(*[section(text(), accessory=thumbnail())] * 13)], set()),
        ([container(*[section(text(), accessory=thumbnail())] * 13, text())], {"components"}),
        ([container()], {"components.0.components"}),
        ([container(text(), accent_color=0xFFFFFF)], set()),
        ([container(text(), accent_color=0x1000000)], {"components.0.accent_color"}),
        ([container(text(), accent_color="red")], {"components.0.accent_color"}),
        ([container(container(text()))], {"components.0.components.0.type"}),
        ([button()], {"components.0.type"}),
        ([thumbnail()], {"components.0.type"}),
        ([container(*rows(button()))], set()),
        ([container(*rows(button(), select()))], {"components.0.components.0"}),
        ([section(text(), text(), text())], set()),
        ([section(*[text()] * 4)], {"components.0.components"}),
        ([section()], {"components.0.components"}),
        ([section(text(), accessory=None)], {"components.0.accessory"}),
        ([section(text(), accessory=select())], {"components.0.accessory.type"}),
        ([section(text(), accessory=thumbnail(description="x" * 1024))], set()),
        (
            [section(text(), accessory=thumbnail(description="x" * 1025))],
            {"components.0.accessory.description"},
        ),
        ([section(text(), accessory=button(label="x" * 81))], {"components.0.accessory.label"}),
        ([section(text()), *rows(button())], {"components.1.components.0.custom_id"}),
        ([gallery(10)], set()),
        ([gallery(11)], {"components.0.items"}),
        ([gallery(0)], {"components.0.items"}),
        ([gallery(description="x" * 1024)], set()),
        ([gallery(description="x" * 1025)], {"components.0.items.0.description"}),
        ([{"type": 14, "spacing": 2}], set()),
        ([{"type": 14, "spacing": 3}], {"components.0.spacing"}),
        ([{"type": 14, "spacing": 0}], {"components.0.spacing"}),
    ],
)
def test_a_layout_is_held_to_its_limits(components: list[Tree], wrong: set[str]) -> None:
    assert layout_faults(*components) == wrong


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", "hello"),
        ("embeds", [{"title": "x"}]),
        ("poll", {"question": {}}),
        ("sticker_ids", ["1"]),
    ],
)
def test_a_layout_has_nothing_of_a_classic_message(field: str, value: object) -> None:
    assert layout_faults(text(), **{field: value}) == {field}


def test_layout_components_need_the_flag() -> None:
    payload = {"components": [container(text())]}
    assert wrong_fields(lambda: check_message(payload, ())) == {"components.0.type"}


@pytest.mark.parametrize(
    ("component", "wrong"),
    [
        (gallery(), set()),
        (gallery(url="https://example.org/a.png"), set()),
        (gallery(url="nonsense"), {"components.0.items.0.media.url"}),
        (
            container(text(), gallery(url="attachment://b.png")),
            {"components.0.components.1.items.0.media.url"},
        ),
        (container(section(text(), accessory=thumbnail())), set()),
        (
            container(section(text(), accessory=thumbnail("attachment://b.png"))),
            {"components.0.components.0.accessory.media.url"},
        ),
        ({"type": 13, "file": {"url": "attachment://a.png"}}, set()),
        ({"type": 13, "file": {"url": "https://example.org/a"}}, {"components.0.file.url"}),
    ],
)
def test_what_a_layout_shows_is_a_file_of_its_message(component: Tree, wrong: set[str]) -> None:
    assert wrong_fields(lambda: check_media([component], ["a.png"])) == wrong


def code_of(check: Callable[[], None]) -> str:
    """The code of the first fault that a check finds, empty when it is content."""
    try:
        check()
    except ApiError as error:
        node = error.errors or {}
        while "_errors" not in node:
            node = next(iter(node.values()))
        return str(node["_errors"][0]["code"])
    return ""


def test_the_faults_carry_the_codes_of_discord() -> None:
    def code(*components: Tree, **payload: object) -> str:
        written = {"components": list(components), **payload}
        return code_of(lambda: check_message(written, (), layout=True))

    assert code(content="x") == "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
    assert code(*[text()] * 41) == "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"
    assert code(text("x" * 4000), text()) == "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"
    assert code(button()) == "UNION_TYPE_CHOICES"
    missing = code_of(lambda: check_media([gallery()], []))
    assert missing == "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND"
