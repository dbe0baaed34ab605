"""Discord's limits on messages, layouts, modals and commands, at the limit and one beyond."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from bot.local.checks import check_choices, check_commands, check_message, check_modal
from bot.local.errors import ApiError

Tree = dict[str, Any]
Faults = set[str]


def faults(error: ApiError) -> Faults:
    """Return the dotted paths of all fields with errors."""
    paths: Faults = set()

    def walk(node: Tree, path: str) -> None:
        for key, child in node.items():
            if key == "_errors":
                paths.add(path)
            else:
                walk(child, f"{path}.{key}" if path else key)

    walk(error.errors or {}, "")
    return paths


def wrong_fields(check: Callable[[], None]) -> Faults:
    """Return the fields with errors, or the code of another error."""
    try:
        check()
    except ApiError as error:
        return faults(error) if error.code == 50035 else {f"code {error.code}"}
    return set()


def message_faults(payload: Tree) -> Faults:
    return wrong_fields(lambda: check_message(payload, ()))


def form_faults(changes: Tree) -> Faults:
    form = {"title": "Form", "custom_id": "f", "components": [labelled()], **changes}
    return wrong_fields(lambda: check_modal(form))


def layout_faults(*components: Tree, **payload: object) -> Faults:
    message = {"components": list(components), **payload}
    return wrong_fields(lambda: check_message(message, (), layout=True))


def command_faults(*specs: Tree) -> Faults:
    return wrong_fields(lambda: check_commands(list(specs)))


def button(**changes: object) -> Tree:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": "go", **changes}


def buttons(count: int) -> list[Tree]:
    return [button(custom_id=str(number)) for number in range(count)]


def rows(*parts: Tree) -> list[Tree]:
    return [{"type": 1, "components": list(parts)}]


def select(count: int = 1, **changes: object) -> Tree:
    options = [{"label": str(n), "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "s", "options": options, **changes}


def labelled(**changes: object) -> Tree:
    """Return a labelled text field, or another one by `changes`."""
    field = {"type": 4, "custom_id": "t", "style": 1, **changes}
    return {"type": 18, "label": "Text", "component": field}


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


def command(name: str = "game", **changes: object) -> Tree:
    return {"name": name, "description": "Something", **changes}


def option(name: str = "seats", kind: int = 3, **changes: object) -> Tree:
    return {"name": name, "type": kind, "description": "Something", **changes}


def in_row(fault: str) -> Faults:
    return {f"components.0.components.0.{fault}"}


def test_a_message_has_limits() -> None:
    for payload, wrong in (
        ({"content": "x" * 2000}, set()),
        ({"content": "x" * 2001, "nonce": "x" * 26}, {"content", "nonce"}),
        ({"embeds": [{"title": "x"}]}, {"embeds"}),
        ({"attachments": [{"description": "x" * 1025}]}, {"attachments.0.description"}),
        ({"components": rows(*buttons(5)) + rows(select(25))}, set()),
        ({"components": rows(*buttons(6))}, {"components.0.components"}),
        ({"components": [rows(each)[0] for each in buttons(6)]}, {"components"}),
        ({"components": rows(button(), button())}, {"components.0.components.1.custom_id"}),
        ({"components": rows(button(label="x" * 81))}, in_row("label")),
        ({"components": rows(button(custom_id="x" * 101))}, in_row("custom_id")),
        ({"components": rows(select(26))}, in_row("options")),
        ({"components": rows(select(2, max_values=3))}, in_row("max_values")),
        ({"components": rows(select(1, placeholder="x" * 151))}, in_row("placeholder")),
        ({"components": rows(select(), button())}, {"components.0"}),
        # Layout components need their flag.
        ({"components": [container(text())]}, {"components.0.type"}),
    ):
        assert message_faults(payload) == wrong, payload


def test_files_have_a_maximum_number_and_size() -> None:
    assert wrong_fields(lambda: check_message({}, (1,) * 10)) == set()
    assert wrong_fields(lambda: check_message({}, (1,) * 11)) == {"attachments"}
    with pytest.raises(ApiError) as refused:
        check_message({}, [10 * 1024 * 1024 + 1])
    assert (refused.value.status, refused.value.code) == (413, 40005)


def test_a_layout_has_limits() -> None:
    thirteen = [section(text(), accessory=thumbnail())] * 13
    described = "components.0.accessory.description"
    for components, wrong in (
        ([text("x" * 4000)], set()),
        ([text("x" * 2000), container(text("x" * 2001))], {"components"}),
        ([text("")], {"components.0.content"}),
        ([text()] * 40, set()),
        ([container(*[text()] * 39)], set()),
        ([container(*[text()] * 40)], {"components"}),
        ([container(*thirteen)], set()),
        ([container(*thirteen, text())], {"components"}),
        ([container()], {"components.0.components"}),
        ([container(container(text()))], {"components.0.components.0.type"}),
        ([button()], {"components.0.type"}),
        ([container(*rows(button()))], set()),
        ([container(*rows(button(), select()))], {"components.0.components.0"}),
        ([section(text(), text(), text())], set()),
        ([section(*[text()] * 4)], {"components.0.components"}),
        ([section()], {"components.0.components"}),
        ([section(text(), accessory=thumbnail(description="x" * 1024))], set()),
        ([section(text(), accessory=thumbnail(description="x" * 1025))], {described}),
        ([section(text(), accessory=button(label="x" * 81))], {"components.0.accessory.label"}),
        ([section(text()), *rows(button())], {"components.1.components.0.custom_id"}),
        ([gallery(10, description="x" * 1024)], set()),
        ([gallery(11)], {"components.0.items"}),
        ([gallery(description="x" * 1025)], {"components.0.items.0.description"}),
    ):
        assert layout_faults(*components) == wrong, components


def test_a_layout_shows_only_files_of_its_message_and_web_pictures() -> None:
    other = "attachment://b.png"
    for component, wrong in (
        (gallery(), set()),
        (gallery(url="https://example.org/a.png"), set()),
        (gallery(url="nonsense"), {"components.0.items.0.media.url"}),
        (container(text(), gallery(url=other)), {"components.0.components.1.items.0.media.url"}),
        (
            container(section(text(), accessory=thumbnail(other))),
            {"components.0.components.0.accessory.media.url"},
        ),
    ):
        payload = {"components": [component]}
        check = partial(check_message, payload, (), layout=True, filenames=["a.png"])
        assert wrong_fields(check) == wrong, component


def test_a_modal_has_limits() -> None:
    fields = [labelled(custom_id=str(number)) for number in range(6)]
    for changes, wrong in (
        ({"components": [*fields[:4], labelled(**select())]}, set()),
        ({"title": "x" * 46}, {"data.title"}),
        ({"components": fields}, {"data.components"}),
        ({"components": [{**labelled(), "label": "x" * 46}]}, {"data.components.0.label"}),
        ({"components": [labelled(), labelled()]}, {"data.components.1.component.custom_id"}),
        (
            {"components": [labelled(value="x" * 4001)]},
            {"data.components.0.component.value"},
        ),
    ):
        assert form_faults(changes) == wrong, changes


def test_autocomplete_has_at_most_25_choices_of_100_characters() -> None:
    def wrong(count: int, length: int) -> Faults:
        choice = {"name": "x" * length, "value": "x" * length}
        return wrong_fields(lambda: check_choices([choice] * count))

    assert wrong(25, 100) == set()
    assert wrong(26, 1) == {"data.choices"}
    assert wrong(1, 101) == {"data.choices.0.name", "data.choices.0.value"}


def test_commands_have_limits() -> None:
    def choices(count: int, name: str = "x") -> list[Tree]:
        return [{"name": name, "value": "x"}] * count

    def options(count: int, kind: int = 3) -> list[Tree]:
        return [option(str(number), kind, description="x" * 100) for number in range(count)]

    for changes, wrong in (
        ({"options": options(25)}, set()),
        ({"options": options(26)}, {"0.options"}),
        ({"name": "Game"}, {"0.name"}),
        ({"name": "x" * 33}, {"0.name"}),
        ({"description": "x" * 101}, {"0.description"}),
        ({"options": [option(), option()]}, {"0.options.1.name"}),
        ({"options": [option("a"), option("b", required=True)]}, {"0.options.1"}),
        ({"options": [option(choices=choices(26))]}, {"0.options.0.choices"}),
        ({"options": [option(choices=choices(1, "x" * 101))]}, {"0.options.0.choices.0.name"}),
        (
            {"options": [option(choices=choices(1), autocomplete=True)]},
            {"0.options.0.autocomplete"},
        ),
        ({"name_localizations": {"it": "Gioco"}}, {"0.name_localizations.it"}),
        ({"options": [option("g", 2, options=[option("Sub", 1)])]}, {"0.options.0.options.0.name"}),
    ):
        assert command_faults(command(**changes)) == wrong, changes
    assert command_faults(*(command(str(number)) for number in range(100))) == set()
    assert command_faults(*(command(str(number)) for number in range(101))) == {"commands"}
    assert command_faults(command(), command()) == {"1.name"}


def test_the_longest_translation_counts_for_the_size_of_a_command() -> None:
    def wrong(english: int, italian: int) -> Faults:
        texts = {
            "description": "x" * english,
            "description_localizations": {"it": "x" * italian},
        }
        parts = [option(str(number), 1, **texts) for number in range(25)]
        groups = [option(str(number), 2, options=parts) for number in range(4)]
        return command_faults(command(options=groups))

    assert wrong(70, 70) == set()
    assert wrong(70, 90) == wrong(90, 70) == {"0"}
