"""Discord markdown: names made bold and safe, and texts kept within a length."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from bot.text.user_text import ELLIPSIS, NO_CALL, Name, Written

_UNSEEN = re.compile(r"\*\*|\\(?=[^\w\s])|(?<=<):\w+:\d+(?=>)|[\u200b\ufe0f\u20e3]")
"""What takes no room once Discord shows a text: marks, backslashes, what makes an emoji of a sign.
Of an emoji of the bot's own the brackets stay, which are as wide as its picture."""

_SENTENCE_END = re.compile(r"[.!?](?= )")

_HALF_SIGN = re.compile(r"<:?\w*(:\d*)?$")
"""What a cut leaves of an emoji of the bot's own."""


def escape(plain: str) -> str:
    """A line of plain text so that Discord shows it as it is."""
    return Written(plain).markdown


def bold(name: str | Name) -> str:
    """A name or a line of plain text in bold, escaped."""
    return f"**{escape(name) if isinstance(name, str) else name.markdown}**"


def moment(at: datetime) -> dict[str, str]:
    """A time as facts of a message: its `date`, and how far off it is as `relative`.

    Each reader is shown them in their own zone and language. "3 days ago" and "in 5 hours" are
    phrases of their own: no message has `relative` behind "since" or "until".
    """
    seconds = int(at.timestamp())
    return {"date": f"<t:{seconds}:f>", "relative": f"<t:{seconds}:R>"}


def clip(text: str, most: int) -> str:
    """The text, cut with an ellipsis where it is longer than `most` characters."""
    if len(text) <= most:
        return text
    return _HALF_SIGN.sub("", text[: most - len(ELLIPSIS)]).rstrip() + ELLIPSIS


def whole_sentences(text: str, most: int) -> str:
    """As many sentences as fit into `most` characters, marked where more follow; of the first at
    least its beginning."""
    if len(text) <= most:
        return text
    end = max((found.end() for found in _SENTENCE_END.finditer(text, 0, most - 1)), default=0)
    return f"{text[:end]} {ELLIPSIS}" if end else clip(text, most)


def newest(lines: Sequence[str], most: int) -> str:
    """As many of the last lines as fit into `most` characters, marked where older ones are left
    out; of the last at least its beginning."""
    if len(whole := "\n".join(lines)) <= most:
        return whole
    kept: list[str] = []
    room = most - len(ELLIPSIS)
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([ELLIPSIS, *reversed(kept)]) if kept else clip(lines[-1], most)


def visible(text: str) -> int:
    """About how many characters of markdown are shown."""
    return len(_UNSEEN.sub("", text))


def capital(text: str) -> str:
    """The text, its first letter a capital."""
    return text[:1].upper() + text[1:]


def keycap(number: int | str) -> str:
    """A digit as one emoji."""
    return f"{number}\ufe0f\u20e3"


def uncapital(text: str) -> str:
    """The text, its first letter small, to go on a sentence with."""
    return text[:1].lower() + text[1:]


def code(plain: str) -> str:
    """A few plain words in equal-width letters; no backtick inside them ends it early."""
    return "`" + plain.replace("`", "'").replace("@", NO_CALL) + "`"


def code_block(text: str) -> str:
    """The text in equal-width letters; a fence inside it cannot end the block early."""
    return "```\n" + text.replace("```", "'''") + "\n```"


def columns(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> str:
    """A table of numbers in equal-width letters: titles, then a column for each head.

    Columns are four wide, so that it fits a phone.
    """
    left = max(len(title) for title, _ in rows)
    lines = [" " * left + "".join(f"{head:>4}" for head in heads)]
    lines += [f"{title:<{left}}" + "".join(f"{n:>4}" for n in numbers) for title, numbers in rows]
    return code_block("\n".join(lines))
