"""Discord's limits, each at its edge and one step beyond."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.local.checks import check_choices, check_message, check_modal
from bot.local.errors import ApiError

Tree = dict[str, Any]


def faults(error: ApiError) -> set[str]:
    """The dotted paths of all fields that are wrong."""
    found: set[str] = set()

    def walk(node: Tree, path: str) -> None:
        for key, child in node.items():
            if key == "_errors":
                found.add(path)
            else:
                walk(child, f"{path}.{key}" if path else key)

    walk(error.errors or {}, "")
    return found


def wrong_fields(check: Callable[[], None]) -> set[str]:
    """The fields that a check complains about, empty when it is content."""
    try:
        check()
    except ApiError as error:
        return faults(error) if error.code == 50035 else {f"code {error.code}"}
    return set()


def message_faults(files: tuple[int, ...] = (), **payload: object) -> set[str]:
    """What is wrong with a message."""
    return wrong_fields(lambda: check_message(payload, files))


def button(**changes: object) -> Tree:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go", **changes}


def rows(*parts: Tree) -> list[Tree]:
    return [{"type": 1, "components": list(parts)}]


def select(count: int = 1, **changes: object) -> Tree:
    options = [{"label": str(n), "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **changes}


@pytest.mark.parametrize(
    ("payload", "wrong"),
    [
        ({"content": "x" * 2000}, set()),
        ({"content": "x" * 2001}, {"content"}),
        ({"nonce": "x" * 26}, {"nonce"}),
        ({"embeds": [{"title": "x"}] * 10}, set()),
        ({"embeds": [{"title": "x"}] * 11}, {"embeds"}),
        ({"embeds": [{"title": "x" * 257}]}, {"embeds.0.title"}),
        ({"embeds": [{"description": "x" * 4096}]}, set()),
        ({"embeds": [{"description": "x" * 4097}]}, {"embeds.0.description"}),
        ({"embeds": [{"description": "x" * 3001}] * 2}, {"embeds"}),
        ({"embeds": [{"fields": [{"name": "", "value": "x"}]}]}, {"embeds.0.fields.0.name"}),
        ({"embeds": [{"fields": [{"name": "x", "value": "x"}] * 26}]}, {"embeds.0.fields"}),
        ({"embeds": [{"image": {"url": "nonsense"}}]}, {"embeds.0.image.url"}),
        ({"components": rows(button()) * 1}, set()),
        ({"components": rows(*(button(custom_id=str(n)) for n in range(5)))}, set()),
        (
            {"components": rows(*(button(custom_id=str(n)) for n in range(6)))},
            {"components.0.components"},
        ),
        (
            {"components": [rows(button(custom_id=str(n)))[0] for n in range(6)]},
            {"components"},
        ),
        ({"components": rows(button(), button())}, {"components.0.components.1.custom_id"}),
        ({"components": rows(button(label="x" * 81))}, {"components.0.components.0.label"}),
        ({"components": rows(button(label=None))}, {"components.0.components.0.label"}),
        (
            {"components": rows(button(custom_id="x" * 101))},
            {"components.0.components.0.custom_id"},
        ),
        ({"components": rows(button(custom_id=""))}, {"components.0.components.0.custom_id"}),
        ({"components": rows(button(style=9))}, {"components.0.components.0.style"}),
        ({"components": rows(select(25))}, set()),
        ({"components": rows(select(26))}, {"components.0.components.0.options"}),
        ({"components": rows(select(0))}, {"components.0.components.0.options"}),
        ({"components": rows(select(2, max_values=3))}, {"components.0.components.0.max_values"}),
        (
            {"components": rows(select(1, placeholder="x" * 151))},
            {"components.0.components.0.placeholder"},
        ),
        ({"components": rows(select(), button())}, {"components.0"}),
        ({"components": [button()]}, {"components.0.type"}),
        ({"attachments": [{"description": "x" * 1025}]}, {"attachments.0.description"}),
    ],
)
def test_a_message_is_held_to_its_limits(payload: Tree, wrong: set[str]) -> None:
    assert message_faults(**payload) == wrong


def test_all_faults_are_told_at_once() -> None:
    wrong = message_faults(content="x" * 2001, embeds=[{"title": "x" * 300}])
    assert wrong == {"content", "embeds.0.title"}


def test_files_are_held_to_their_number_and_size() -> None:
    assert message_faults(files=(1,) * 10) == set()
    assert message_faults(files=(1,) * 11) == {"attachments"}
    with pytest.raises(ApiError) as refused:
        check_message({}, [10 * 1024 * 1024 + 1])
    assert (refused.value.status, refused.value.code) == (413, 40005)


def text_input(**changes: object) -> Tree:
    return {"type": 4, "custom_id": "t", "label": "Text", "style": 1, **changes}


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({}, set()),
        ({"title": "x" * 46}, {"data.title"}),
        ({"custom_id": ""}, {"data.custom_id"}),
        (
            {"components": rows(text_input(label="x" * 46))},
            {"data.components.0.components.0.label"},
        ),
        (
            {"components": [rows(text_input(custom_id=str(n)))[0] for n in range(6)]},
            {"data.components"},
        ),
        (
            {"components": [{"type": 18, "label": "x" * 46, "component": select()}]},
            {"data.components.0.label"},
        ),
        ({"components": [{"type": 18, "label": "Who", "component": select()}]}, set()),
        (
            {"components": rows(text_input(), text_input(custom_id="u"))},
            {"data.components.0.components"},
        ),
    ],
)
def test_a_form_is_held_to_its_limits(changes: Tree, wrong: set[str]) -> None:
    form = {"title": "Form", "custom_id": "f", "components": rows(text_input()), **changes}
    assert wrong_fields(lambda: check_modal(form)) == wrong


def test_autocomplete_gives_at_most_25_choices_of_100_characters() -> None:
    check_choices([{"name": "x" * 100, "value": "x"}] * 25)
    with pytest.raises(ApiError) as many:
        check_choices([{"name": "x", "value": "x"}] * 26)
    assert faults(many.value) == {"data.choices"}
    with pytest.raises(ApiError) as long:
        check_choices([{"name": "x" * 101, "value": "x" * 101}])
    assert faults(long.value) == {"data.choices.0.name", "data.choices.0.value"}
