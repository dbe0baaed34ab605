"""Mentions, markup and links that Discord would find in a text, independent of the bot's code."""

from __future__ import annotations

import re

_BY_SERVER = {
    "mention": re.compile(r"<@[!&]?\d+>|@everyone|@here"),
    "preview": re.compile(r"(?i)\w+://\S|www\.\w|discord(?:app)?\.(?:gg|com)/\w"),
}
"""Patterns that the server looks for, which ignores backslashes."""

_BY_CLIENT = {
    "mention": re.compile(r"<(?:[@#]|/[^>]*:\d|t:-?\d|a?:\w+:\d|id:)"),
    "emoji": re.compile(r":[\w+-]+:"),
    "link": re.compile(r"\[[^]]*\]\(|<[^@#\s]+>"),
    "markup": re.compile(r"[*_`]|~~|\|\|"),
    "line": re.compile(r"(?m)^\s*(?:#{1,3}\s|-#\s|>|[-+*]\s|\d+[.)]\s)"),
}
"""Patterns that a client looks for, after it has removed escaped characters."""

_ESCAPED = re.compile(r"\\[^0-9A-Za-z\s]")


def effects(content: str) -> list[str]:
    """Return everything in a message that is more than text, with its kind."""
    seen = _ESCAPED.sub("\ue000", content)
    return [
        f"{kind}: {found[0]}"
        for rules, text in ((_BY_SERVER, content), (_BY_CLIENT, seen))
        for kind, rule in rules.items()
        for found in rule.finditer(text)
    ]


def as_seen(content: str) -> str:
    """Return a text without effects as users see it."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", content).replace("\u200b", "")
