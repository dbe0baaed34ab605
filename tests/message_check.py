"""A mypy plugin: `Words` translates and formats only literals and `Message` values.

A `Message` is made from a literal by `msg` or `forms`, or read from the project's data. So no text
of a user can be one, and `python -m tools.extract` finds every message. Without this plugin, mypy
also rejects literals.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import CallExpr, MemberExpr, NameExpr, StrExpr
from mypy.plugin import FunctionSigContext, MethodSigContext, Plugin
from mypy.types import FunctionLike

_WORDS = "bot.text.words.Words"
TAKE_MESSAGES = {f"{_WORDS}.__call__": 1, f"{_WORDS}.plural": 2, f"{_WORDS}.phrase": 1}
"""How many of the first arguments of each are messages."""
EXTRACTED = frozenset({"words", "plural"})
"""The names of functions whose literals `tools.extract` finds."""


class Messages(Plugin):
    """Allows literals as messages."""

    def get_method_signature_hook(
        self, fullname: str
    ) -> Callable[[MethodSigContext], FunctionLike] | None:
        """Return the check of a method."""
        count = TAKE_MESSAGES.get(fullname)
        return None if count is None else lambda context: _literals_pass(context, count)


def _literals_pass(context: MethodSigContext | FunctionSigContext, count: int) -> FunctionLike:
    signature, text = context.default_signature, context.api.named_generic_type("builtins.str", [])
    types = list(signature.arg_types)
    called = context.context.callee if isinstance(context.context, CallExpr) else None
    if not isinstance(called, NameExpr | MemberExpr) or called.name not in EXTRACTED:
        return signature
    for place in range(count):
        if all(isinstance(each, StrExpr) for each in context.args[place]):
            types[place] = text
    return signature.copy_modified(arg_types=types)


def plugin(version: str) -> type[Plugin]:
    """Return the plugin to mypy."""
    return Messages
