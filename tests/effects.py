"""What Discord would make of a text: mentions, markup, links. Written apart from the bot's own."""

from __future__ import annotations

import re

_BY_SERVER = {
    "mention": re.compile(r"<@[!&]?\d+>|@everyone|@here"),
    "preview": re.compile(r"(?i)\w+://\S|www\.\w|discord(?:app)?\.(?:gg|com)/\w"),
}
"""What the server looks for, which takes no notice of backslashes."""

_BY_CLIENT = {
    "mention": re.compile(r"<(?:[@#]|/[^>]*:\d|t:-?\d|a?:\w+:\d|id:)"),
    "emoji": re.compile(r":[\w+-]+:"),
    "link": re.compile(r"\[[^]]*\]\(|<[^@#\s]+>"),
    "markup": re.compile(r"[*_`]|~~|\|\|"),
    "line": re.compile(r"(?m)^\s*(?:#{1,3}\s|-#\s|>|[-+*]\s|\d+[.)]\s)"),
}
"""What an app looks for once escaped signs are gone."""

_ESCAPED = re.compile(r"\\[^0-9A-Za-z\s]")


def effects(content: str) -> list[str]:
    """What in a message is more than text, each with its kind; empty where all is plain."""
    seen = _ESCAPED.sub("\ue000", content)
    return [
        f"{kind}: {found[0]}"
        for rules, text in ((_BY_SERVER, content), (_BY_CLIENT, seen))
        for kind, rule in rules.items()
        for found in rule.finditer(text)
    ]


def as_seen(content: str) -> str:
    """The text as people see it where nothing in it has an effect."""
    return re.sub(r"\\([^0-9A-Za-z\s])", r"\1", content).replace("\u200b", "")
