"""Discord markdown: escaping, bold names, and clipped texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from bot.text.user_text import ELLIPSIS, NO_PING, Name, Written

_UNSEEN = re.compile(r"\*\*|\\(?=[^\w\s])|(?<=<):\w+:\d+(?=>)|[\u200b\ufe0f\u20e3]")
"""Characters of markdown that take no room: marks, backslashes, variation selectors. The brackets
of an application emoji are counted, as they are as wide as its picture."""

_SENTENCE_END = re.compile(r"[.!?](?= )")

_HALF_SIGN = re.compile(r"<:?\w*(:\d*)?$")
"""The rest of an application emoji after a cut."""


def escape(plain: str) -> str:
    """Escape a line of plain text for Discord."""
    return Written(plain).markdown


def bold(name: str | Name) -> str:
    """Return a name or a line of plain text, escaped and in bold."""
    return f"**{escape(name) if isinstance(name, str) else name.markdown}**"


def moment(at: datetime) -> dict[str, str]:
    """Return a time as facts of a message: `date` and `relative`.

    Discord shows them in each reader's time zone and language. `relative` is "3 days ago" or "in 5
    hours", so no message can have it after "since" or "until".
    """
    seconds = int(at.timestamp())
    return {"date": f"<t:{seconds}:f>", "relative": f"<t:{seconds}:R>"}


def clip(text: str, limit: int) -> str:
    """Return the text, cut with an ellipsis if it has more than `limit` characters."""
    if len(text) <= limit:
        return text
    return _HALF_SIGN.sub("", text[: limit - len(ELLIPSIS)]).rstrip() + ELLIPSIS


def whole_sentences(text: str, limit: int) -> str:
    """Return the first sentences that fit into `limit` characters, with an ellipsis if some are
    left out. If not even the first fits, it is clipped."""
    if len(text) <= limit:
        return text
    end = max((match.end() for match in _SENTENCE_END.finditer(text, 0, limit - 1)), default=0)
    return f"{text[:end]} {ELLIPSIS}" if end else clip(text, limit)


def newest(lines: Sequence[str], limit: int) -> str:
    """Return the last lines that fit into `limit` characters, after an ellipsis if some are left
    out. If not even the last fits, it is clipped."""
    if len(whole := "\n".join(lines)) <= limit:
        return whole
    shown: list[str] = []
    room = limit - len(ELLIPSIS)
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    return "\n".join([ELLIPSIS, *reversed(shown)]) if shown else clip(lines[-1], limit)


def visible(text: str) -> int:
    """Return about how many characters of a markdown text are shown."""
    return len(_UNSEEN.sub("", text))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def keycap(number: int | str) -> str:
    """Return a digit as one emoji."""
    return f"{number}\ufe0f\u20e3"


def uncapital(text: str) -> str:
    """Return the text with a small first letter, to continue a sentence."""
    return text[:1].lower() + text[1:]


def code(plain: str) -> str:
    """Format a few plain words as inline code, with backticks replaced."""
    return "`" + plain.replace("`", "'").replace("@", NO_PING) + "`"


def code_block(text: str) -> str:
    """Format the text as a code block, with fences replaced."""
    return "```\n" + text.replace("```", "'''") + "\n```"


def columns(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """Format a table of numbers as a code block: the titles, then a column for each head.

    Columns are four characters wide, to fit on a phone.
    """
    left = max(len(title) for title, _ in rows)
    lines = [" " * left + "".join(f"{head:>4}" for head in heads)]
    lines += [f"{title:<{left}}" + "".join(f"{n:>4}" for n in numbers) for title, numbers in rows]
    return code_block("\n".join(lines))
