"""What a message shows, from top to bottom, within what Discord takes of one."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import discord

from bot.cogs.ui.custom_id import CustomId
from bot.text import Label, Style, Words, clip, general, newest
from bot.text.contract import LONGEST_LABEL
from bot.text.markup import whole_sentences
from bot.text.words import plain_signs

MAX_OPTIONS = 25
MAX_TEXT = 100
PER_ROW = 5
THEN = "then"
"""The word of a button that opens the log as of its message: a number would tell of secrets."""

STYLES = {
    Style.NORMAL: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}

Interaction = discord.Interaction[Any]


Control = discord.ui.Button[Any] | discord.ui.Select[Any]
"""A link, or a button or select whose custom id says all there is to know about it.

No process has to remember it: `Routes` recognises it by its id, also after a restart.
"""


def button(
    custom_id: CustomId,
    label: Label | str,
    *,
    style: Style | None = None,
    disabled: bool = False,
) -> Control:
    """A button. Raises TooLong where its words do not fit into a custom id."""
    shown = Label(label) if isinstance(label, str) else label
    return discord.ui.Button(
        label=clip(shown.text, LONGEST_LABEL),
        emoji=shown.emoji,
        style=STYLES[style or shown.style],
        custom_id=custom_id.encoded(),
        disabled=disabled,
    )


def rules_button(game: str | None, topic: str, words: Words, title: str) -> Control:
    """A button that opens a chapter of a game's rules; None as `game` is for those of tables."""
    custom_id = CustomId("rules", 0, game, (topic,))
    return button(custom_id, Label(words("Rules: {topic}", topic=title), "📖"))


def hidden_events_button(
    words: Words, table: int, count: int, *, is_newest: bool = True
) -> Control:
    """A button that tells its presser what a message leaves out: the log, up to when the message
    was sent where it is not the newest."""
    custom_id = CustomId("log", table, words=() if is_newest else (THEN,), page=1)
    return button(
        custom_id, words.plural("Show {count} more event", "Show {count} more events", count)
    )


def option(value: str, label: Label, *, default: bool = False) -> discord.SelectOption:
    """One line of a select."""
    return discord.SelectOption(
        label=clip(label.text, MAX_TEXT),
        value=value or "-",
        description=None if label.description is None else clip(label.description, MAX_TEXT),
        emoji=label.emoji,
        default=default,
    )


def select(
    custom_id: CustomId,
    options: Sequence[discord.SelectOption],
    placeholder: str,
    *,
    least: int = 1,
    most: int = 1,
) -> Control:
    """A select of at most 25 lines. Raises TooLong where its words do not fit into a custom id."""
    return discord.ui.Select(
        custom_id=custom_id.encoded(),
        placeholder=clip(placeholder, MAX_TEXT),
        min_values=least,
        max_values=most,
        options=list(options),
    )


class Line(NamedTuple):
    """A line of a form to type into, and an example for it.

    It holds `text` at first and at most so many characters; a `long` one has room for several
    lines.
    """

    label: str
    hint: str
    text: str = ""
    most: int = 200
    long: bool = False


class Form(discord.ui.Modal):
    """A form of some lines. What is typed comes back as a press does, also after a restart."""

    def __init__(self, custom_id: CustomId, title: str, *lines: Line) -> None:
        super().__init__(title=clip(title, 45), custom_id=custom_id.encoded(), timeout=None)
        for line in lines:
            typed = discord.ui.TextInput[discord.ui.Modal](
                placeholder=clip(line.hint, 100) or None,
                default=line.text or None,
                required=False,
                max_length=line.most,
                style=discord.TextStyle.paragraph if line.long else discord.TextStyle.short,
            )
            self.add_item(discord.ui.Label(text=clip(line.label, 45), component=typed))
        # Its answer is heard as an interaction, so that no process has to remember the form.
        self.stop()


MAX_COMPONENTS = 40
"""Components in a message, those within others counted too."""
MAX_CHARACTERS = 4000
"""Characters in all texts of a message together."""
MAX_ALT = 1024
"""Characters of the description of a picture. discord.py still documents 256 for a gallery."""


class TooMuch(ValueError):
    """More than fits into a message, and nothing of it may be left out."""


class Keep(Enum):
    """What stays of a text for which a message has too little room."""

    ALL = auto()
    BEGINNING = auto()
    NEWEST = auto()
    """Its last lines."""


class Text(NamedTuple):
    """Some lines; an empty one is not shown."""

    text: str
    keep: Keep = Keep.ALL


class Image(NamedTuple):
    """A picture or film as wide as the message; without `data` one that is `attached` already, by
    its id there."""

    name: str
    alt: str
    data: bytes | None = None
    attached: int | None = None


class Document(NamedTuple):
    """A file to be saved."""

    name: str
    alt: str
    data: bytes


class Section(NamedTuple):
    """A line with a button at its right."""

    text: str
    press: Control


class Card(NamedTuple):
    """A few lines with a small picture at their right."""

    text: str
    image: Image


class Divider(NamedTuple):
    """A line across."""


class Row(NamedTuple):
    """Up to five buttons, or a select; a `spare` one is left out where there are too many."""

    presses: Sequence[Control]
    spare: bool = False


Part = Text | Image | Document | Section | Card | Divider | Row


@dataclass(frozen=True)
class Layout:
    """The parts of a message from top to bottom, in a frame unless they are text alone.

    `accent` is the colour of its edge as RGB. Raises TooMuch where they do not fit, though all that
    may be cut or left out has been.
    """

    parts: Sequence[Part]
    accent: int | None = None

    def __post_init__(self) -> None:
        parts = [part for part in self.parts if not isinstance(part, Text) or part.text]
        fixed = sum(
            len(part.text)
            for part in parts
            if isinstance(part, Section | Card)
            or (isinstance(part, Text) and part.keep is Keep.ALL)
        )
        room = MAX_CHARACTERS - fixed
        if room < 0:
            raise TooMuch(f"{fixed} characters")
        # The first texts yield to those below them, and the last spare rows to those above.
        fitted: list[Part] = []
        for part in reversed(parts):
            if isinstance(part, Text) and part.keep is not Keep.ALL:
                part = part._replace(text=_short(part, room) if room else "")
                room -= len(part.text)
            if not isinstance(part, Text) or part.text:
                fitted.insert(0, part)
        spare = [place for place, part in enumerate(fitted) if isinstance(part, Row) and part.spare]
        while (count := 1 + sum(map(_components, fitted))) > MAX_COMPONENTS:
            if not spare:
                raise TooMuch(f"{count} components")
            del fitted[spare.pop()]
        object.__setattr__(self, "parts", tuple(fitted))

    @property
    def text(self) -> str:
        """All that it says, in lines."""
        lines = Text | Section | Card
        return "\n".join(part.text for part in self.parts if isinstance(part, lines))

    def view(self) -> discord.ui.LayoutView:
        """Its components; nothing waits for their presses, which are known by their ids."""
        view = discord.ui.LayoutView(timeout=None)
        items = [_item(part) for part in self.parts]
        if any(not isinstance(part, Text) for part in self.parts):
            items = [discord.ui.Container(*items, accent_colour=self.accent)]
        for item in items:
            view.add_item(item)
        # A stopped view is sent but not stored.
        view.stop()
        return view

    def files(self) -> list[discord.File]:
        """What is attached anew, in order; each call makes new ones, for one is sent only once."""
        shown = [part.image if isinstance(part, Card) else part for part in self.parts]
        return [
            discord.File(io.BytesIO(part.data), filename=part.name, description=_described(part))
            for part in shown
            if isinstance(part, Image | Document) and part.data is not None
        ]

    def sent(self) -> dict[str, Any]:
        """What a new message is sent with."""
        files = self.files()
        return {"view": self.view(), **({"files": files} if files else {})}

    def edited(self) -> dict[str, Any]:
        """What a message is edited with, so that it shows this alone, whatever it showed before.

        Of its attachments only those stay that are named: what is left out of an answer to a press
        Discord removes.
        """
        kept = [_Kept(image) for image in self._kept if image.attached is not None]
        return {
            "content": None,
            "embeds": [],
            "view": self.view(),
            "attachments": [*kept, *self.files()],
        }

    def anew(self) -> Layout:
        """The same for a new message, at which nothing is attached already."""
        return Layout([part for part in self.parts if part not in self._kept], self.accent)

    def plainly(self) -> Layout | None:
        """The same with plain signs in place of the bot's own emoji; None where it has none.

        It is in place of this one: they share their presses.
        """
        parts = [
            part._replace(text=plain_signs(part.text))
            if isinstance(part, Text | Section | Card)
            else part
            for part in self.parts
        ]
        replaced = [_use_plain_emoji(press) for part in parts for press in presses_of(part)]
        return Layout(parts, self.accent) if any(replaced) or parts != [*self.parts] else None

    @property
    def _kept(self) -> list[Image]:
        return [part for part in self.parts if isinstance(part, Image) and part.data is None]


@dataclass(frozen=True)
class _Kept:
    """An attachment that stays, named as `discord.Attachment.to_dict` names it.

    Discord refuses a component that shows by its name what is named here by its id alone. A gallery
    does not tell the size and the address of what it shows, so they are left out.
    """

    image: Image

    def to_dict(self) -> dict[str, Any]:
        image = self.image
        known = {"id": image.attached, "filename": image.name}
        return {**known, "description": _described(image)} if image.alt else known


def presses_of(part: Part) -> Sequence[Control]:
    """What can be pressed of a part."""
    if isinstance(part, Section):
        return [part.press]
    return part.presses if isinstance(part, Row) else ()


def said(content: str, presses: Iterable[Control] = (), image: Image | None = None) -> Layout:
    """The usual answer: a picture, a text, which is cut at its end, and below it the presses."""
    above = [] if image is None else [image]
    return Layout([*above, Text(content, Keep.BEGINNING), *rows(presses)])


def confirmation(words: Words, question: str, sure: CustomId) -> Layout:
    """A question before what cannot be taken back, with the button that confirms it."""
    return said(question, [button(sure, words(general.CONFIRM), style=Style.DANGER)])


def with_file(content: str, name: str, data: bytes) -> Layout:
    """A file of that name, and what it is."""
    return Layout([Text(content), Document(name, content, data)])


def lines_with(lines: Sequence[str], press: Control | None = None) -> list[Part]:
    """Short lines, of which the newest stay, and the press, if any, at the right of the last."""
    if press is None or not lines:
        return [Text("\n".join(lines), Keep.NEWEST)]
    return [Text("\n".join(lines[:-1]), Keep.NEWEST), Section(lines[-1], press)]


def rows(presses: Iterable[Control], *, spare: bool = False) -> list[Row]:
    """The presses in rows of five; a select has one to itself."""
    found: list[list[Control]] = []
    for press in presses:
        buttons = (press, *(found[-1] if found else ()))
        is_free = 1 < len(buttons) <= PER_ROW
        if not is_free or any(isinstance(each, discord.ui.Select) for each in buttons):
            found.append([])
        found[-1].append(press)
    return [Row(tuple(each), spare) for each in found]


def picture_of(message: discord.Message) -> Image | None:
    """The first picture of a message, as one that stays in it."""
    for each in walk(message.components):
        if isinstance(each, discord.MediaGalleryComponent):
            item = each.items[0]
            name = PurePosixPath(urlsplit(item.media.url).path).name
            return Image(name, item.description or "", attached=item.media.attachment_id)
    # A message of before has no gallery.
    for file in message.attachments:
        return Image(file.filename, file.description or "", attached=file.id)
    return None


def attached_to(message: discord.Message) -> int | None:
    """The id of a message's picture; None where it has none."""
    picture = picture_of(message)
    return picture and picture.attached


def walk(components: Iterable[Any]) -> Iterator[Any]:
    """The components of a message and those within them, in order."""
    for each in components:
        yield each
        yield from walk(getattr(each, "children", ()))
        if isinstance(each, discord.SectionComponent):
            yield each.accessory


def _short(part: Text, most: int) -> str:
    if part.keep is Keep.BEGINNING:
        return clip(part.text, most)
    return newest(part.text.splitlines(), most)


def _components(part: Part) -> int:
    match part:
        case Row():
            return 1 + len(part.presses)
        case Section() | Card():
            return 3
    return 1


def _item(part: Part) -> discord.ui.Item[Any]:
    match part:
        case Text():
            return discord.ui.TextDisplay(part.text)
        case Image():
            url = f"attachment://{part.name}"
            shown = discord.MediaGalleryItem(url, description=_described(part))
            return discord.ui.MediaGallery(shown)
        case Document():
            return discord.ui.File(f"attachment://{part.name}")
        case Section():
            return discord.ui.Section(part.text, accessory=part.press)
        case Card():
            url = f"attachment://{part.image.name}"
            small = discord.ui.Thumbnail[Any](url, description=_described(part.image) or None)
            return discord.ui.Section(part.text, accessory=small)
        case Divider():
            return discord.ui.Separator()
        case Row():
            return discord.ui.ActionRow(*part.presses)


def _described(part: Image | Document) -> str:
    return whole_sentences(part.alt, MAX_ALT)


def _use_plain_emoji(press: Control) -> bool:
    """Whether there was an emoji of the bot's own."""
    shown = press.options if isinstance(press, discord.ui.Select) else [press]
    own = [each for each in shown if each.emoji is not None and each.emoji.is_custom_emoji()]
    for each in own:
        each.emoji = plain_signs(str(each.emoji)) or None
    return bool(own)
