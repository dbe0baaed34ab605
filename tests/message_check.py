"""A plugin of mypy: what a `Words` translates or formats is a literal, or a `Message`.

A `Message` is made of a literal by `msg` or `forms`, or read from the project's own data. So no
text of a person can get there, and every message stands where `python -m tools.extract` finds
it. Without this plugin literals are refused as well.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.nodes import CallExpr, MemberExpr, NameExpr, StrExpr
from mypy.plugin import FunctionSigContext, MethodSigContext, Plugin
from mypy.types import FunctionLike

_WORDS = "bot.text.words.Words"
TAKE_MESSAGES = {f"{_WORDS}.__call__": 1, f"{_WORDS}.plural": 2, f"{_WORDS}.phrase": 1}
"""How many of the first arguments of each are messages."""
FOUND = frozenset({"words", "plural"})
"""What must be called where a literal is to be found as a message."""


class Messages(Plugin):
    """Takes a literal for a message."""

    def get_method_signature_hook(
        self, fullname: str
    ) -> Callable[[MethodSigContext], FunctionLike] | None:
        """The check of one of the methods."""
        count = TAKE_MESSAGES.get(fullname)
        return None if count is None else lambda context: _literals_pass(context, count)


def _literals_pass(context: MethodSigContext | FunctionSigContext, count: int) -> FunctionLike:
    signature, text = context.default_signature, context.api.named_generic_type("builtins.str", [])
    types = list(signature.arg_types)
    called = context.context.callee if isinstance(context.context, CallExpr) else None
    if not isinstance(called, NameExpr | MemberExpr) or called.name not in FOUND:
        return signature
    for place in range(count):
        if all(isinstance(each, StrExpr) for each in context.args[place]):
            types[place] = text
    return signature.copy_modified(arg_types=types)


def plugin(version: str) -> type[Plugin]:
    """What mypy asks for."""
    return Messages
