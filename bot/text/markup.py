"""Discord markdown: names made bold and safe, and texts kept within a length."""

from __future__ import annotations

import re

_MENTION = re.compile(r"<(?:@[!&]?|#)\d+>")
_SPECIAL = re.compile(r"([\\*_~`|\[\]<])")
ELLIPSIS = "…"


def is_mention(name: str) -> bool:
    """Whether the text is a mention, which Discord draws as a name itself."""
    return _MENTION.fullmatch(name) is not None


def escape(name: str) -> str:
    """The text so that Discord shows it as it is; mentions pass."""
    return name if is_mention(name) else _SPECIAL.sub(r"\\\1", name)


def bold(name: str) -> str:
    """A name in bold, escaped."""
    return f"**{escape(name)}**"


def clip(text: str, most: int) -> str:
    """The text, cut with an ellipsis where it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - len(ELLIPSIS)].rstrip() + ELLIPSIS


def code_block(text: str) -> str:
    """The text in equal-width letters; a fence inside it cannot end the block early."""
    return "```\n" + text.replace("```", "'''") + "\n```"
