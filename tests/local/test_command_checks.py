"""The limits on commands, which once took a big bot off every server."""

from __future__ import annotations

from typing import Any

import pytest

from bot.local.command_checks import check_commands
from bot.local.errors import ApiError
from tests.local.test_checks import faults, wrong_fields

Spec = dict[str, Any]


def command(name: str = "game", **changes: object) -> Spec:
    return {"name": name, "description": "Something", **changes}


def option(name: str = "seats", kind: int = 3, **changes: object) -> Spec:
    return {"name": name, "type": kind, "description": "Something", **changes}


@pytest.mark.parametrize(
    ("specs", "wrong"),
    [
        ([command()], set()),
        ([command(str(n)) for n in range(100)], set()),
        ([command(str(n)) for n in range(101)], {"commands"}),
        ([command("Game")], {"0.name"}),
        ([command("two words")], {"0.name"}),
        ([command("x" * 33)], {"0.name"}),
        ([command(description="")], {"0.description"}),
        ([command(description="x" * 101)], {"0.description"}),
        ([command(), command()], {"0.name", "1.name"}),
        ([command(options=[option(str(n)) for n in range(25)])], set()),
        ([command(options=[option(str(n)) for n in range(26)])], {"0.options"}),
        ([command(options=[option(str(n), 1) for n in range(26)])], {"0.options"}),
        ([command(options=[option(), option()])], {"0.options.0.name", "0.options.1.name"}),
        (
            [command(options=[option("a"), option("b", required=True)])],
            {"0.options.1"},
        ),
        (
            [command(options=[option(choices=[{"name": "x", "value": "x"}] * 26)])],
            {"0.options.0.choices"},
        ),
        (
            [command(options=[option(choices=[{"name": "x" * 101, "value": "x"}])])],
            {"0.options.0.choices.0.name"},
        ),
        (
            [command(options=[option(choices=[{"name": "x", "value": "x"}], autocomplete=True)])],
            {"0.options.0.autocomplete"},
        ),
        ([command(name_localizations={"it": "Gioco"})], {"0.name_localizations.it"}),
        (
            [command(options=[option("g", 2, options=[option("Sub", 1)])])],
            {"0.options.0.options.0.name"},
        ),
        (
            [command(options=[option(str(n), description="x" * 100) for n in range(25)] * 1)],
            set(),
        ),
    ],
)
def test_commands_are_held_to_their_limits(specs: list[Spec], wrong: set[str]) -> None:
    assert wrong_fields(lambda: check_commands(specs)) == wrong


def test_a_command_may_not_be_too_large_in_all() -> None:
    subcommands = [
        option(str(n), 1, options=[option(str(k), description="x" * 100) for k in range(5)])
        for n in range(16)
    ]
    with pytest.raises(ApiError) as refused:
        check_commands([command(options=subcommands)])
    assert faults(refused.value) == {"0"}


def test_of_a_text_in_several_languages_the_longest_counts() -> None:
    def said(description: str, italian: str) -> list[Spec]:
        words = {"description": description, "description_localizations": {"it": italian}}
        groups = [option(str(n), 2, options=[option(str(k), 1, **words) for k in range(25)])
                  for n in range(4)]  # fmt: skip
        return [command(options=groups)]

    check_commands(said("x" * 70, "x" * 70))
    for longer in (said("x" * 70, "x" * 90), said("x" * 90, "x" * 70)):
        with pytest.raises(ApiError) as refused:
            check_commands(longer)
        assert faults(refused.value) == {"0"}
