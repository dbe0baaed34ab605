"""The layout of messages, from top to bottom and within Discord's limits."""

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
"""Word of a button that opens the log at the time of its message: a number would reveal secret
actions."""

STYLES = {
    Style.NORMAL: discord.ButtonStyle.secondary,
    Style.PRIMARY: discord.ButtonStyle.primary,
    Style.SUCCESS: discord.ButtonStyle.success,
    Style.DANGER: discord.ButtonStyle.danger,
}

Interaction = discord.Interaction[Any]


Control = discord.ui.Button[Any] | discord.ui.Select[Any]
"""A link, or a button or select.

`Routes` recognises it by its custom id alone, also after a restart.
"""


def button(
    custom_id: CustomId,
    label: Label | str,
    *,
    style: Style | None = None,
    disabled: bool = False,
) -> Control:
    """Return a button. Raise TooLong if the words do not fit into a custom id."""
    shown = Label(label) if isinstance(label, str) else label
    return discord.ui.Button(
        label=clip(shown.text, LONGEST_LABEL),
        emoji=shown.emoji,
        style=STYLES[style or shown.style],
        custom_id=custom_id.encoded(),
        disabled=disabled,
    )


def link_button(label: str, url: str) -> Control:
    """Return a button that opens an address."""
    return discord.ui.Button(label=clip(label, LONGEST_LABEL), url=url)


def rules_button(game: str | None, topic: str, words: Words, title: str) -> Control:
    """Return a button that opens a chapter of a game's rules; a `game` of None is for tables."""
    custom_id = CustomId("rules", 0, game, (topic,))
    return button(custom_id, Label(words("Rules: {topic}", topic=title), "📖"))


def hidden_events_button(
    words: Words, table: int, count: int, *, is_newest: bool = True
) -> Control:
    """Return a button that opens the log at the events left out of a message.

    If the message is not the newest, the log ends at the time when it was sent.
    """
    custom_id = CustomId("log", table, words=() if is_newest else (THEN,), page=1)
    return button(
        custom_id, words.plural("Show {count} more event", "Show {count} more events", count)
    )


def option(value: str, label: Label, *, default: bool = False) -> discord.SelectOption:
    """Return one line of a select."""
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
    min_values: int = 1,
    max_values: int = 1,
) -> Control:
    """Return a select of at most 25 lines. Raise TooLong if the words do not fit into a custom
    id."""
    return discord.ui.Select(
        custom_id=custom_id.encoded(),
        placeholder=clip(placeholder, MAX_TEXT),
        min_values=min_values,
        max_values=max_values,
        options=list(options),
    )


class Line(NamedTuple):
    """An input of a form, prefilled with `text`. `hint` is an example; `long` inputs are
    multi-line."""

    label: str
    hint: str
    text: str = ""
    max_length: int = 200
    long: bool = False


class Form(discord.ui.Modal):
    """A form. Its input arrives as a press, also after a restart."""

    def __init__(self, custom_id: CustomId, title: str, *lines: Line) -> None:
        super().__init__(title=clip(title, 45), custom_id=custom_id.encoded(), timeout=None)
        for line in lines:
            typed = discord.ui.TextInput[discord.ui.Modal](
                placeholder=clip(line.hint, 100) or None,
                default=line.text or None,
                required=False,
                max_length=line.max_length,
                style=discord.TextStyle.paragraph if line.long else discord.TextStyle.short,
            )
            self.add_item(discord.ui.Label(text=clip(line.label, 45), component=typed))
        # `Routes` handles its input, so discord.py must not store the form.
        self.stop()


MAX_COMPONENTS = 40
"""Components of a message, including nested ones."""
MAX_CHARACTERS = 4000
"""Characters in all texts of a message together."""
MAX_ALT = 1024
"""Characters of a picture's description. discord.py still documents 256 for a gallery."""


class TooMuch(ValueError):
    """The parts that must not be cut or left out do not fit into a message."""


class Keep(Enum):
    """Which part of a text is kept if a message has too little room."""

    ALL = auto()
    BEGINNING = auto()
    NEWEST = auto()
    """Its last lines."""


class Text(NamedTuple):
    """Some lines; an empty one is not shown."""

    text: str
    keep: Keep = Keep.ALL


class Image(NamedTuple):
    """A picture or film as wide as the message. Without `data` it is the existing attachment with
    the id `attached`."""

    name: str
    alt: str
    data: bytes | None = None
    attached: int | None = None


class Document(NamedTuple):
    """A file to download."""

    name: str
    alt: str
    data: bytes


class Section(NamedTuple):
    """A line with a button at its right."""

    text: str
    control: Control


class Card(NamedTuple):
    """A few lines with a small picture at their right."""

    text: str
    image: Image


class Divider(NamedTuple):
    """A horizontal line."""


class Row(NamedTuple):
    """Up to five buttons, or a select; an `optional` row is left out if there are too many."""

    controls: Sequence[Control]
    optional: bool = False


Part = Text | Image | Document | Section | Card | Divider | Row


@dataclass(frozen=True)
class Layout:
    """The parts of a message from top to bottom, in a frame unless they are only text.

    Texts are cut and rows left out as far as these allow it; raises TooMuch if the rest still does
    not fit. `accent` is the colour of the frame's edge as RGB.
    """

    parts: Sequence[Part]
    accent: int | None = None

    def __post_init__(self) -> None:
        parts = [part for part in self.parts if not isinstance(part, Text) or part.text]
        uncut = sum(
            len(part.text)
            for part in parts
            if isinstance(part, Section | Card)
            or (isinstance(part, Text) and part.keep is Keep.ALL)
        )
        room = MAX_CHARACTERS - uncut
        if room < 0:
            raise TooMuch(f"{uncut} characters")
        # Upper texts are cut first, and lower optional rows left out first.
        fitted: list[Part] = []
        for part in reversed(parts):
            if isinstance(part, Text) and part.keep is not Keep.ALL:
                part = part._replace(text=_cut(part, room) if room else "")
                room -= len(part.text)
            if not isinstance(part, Text) or part.text:
                fitted.insert(0, part)
        optional = [n for n, part in enumerate(fitted) if isinstance(part, Row) and part.optional]
        while (count := 1 + sum(map(_count_components, fitted))) > MAX_COMPONENTS:
            if not optional:
                raise TooMuch(f"{count} components")
            del fitted[optional.pop()]
        object.__setattr__(self, "parts", tuple(fitted))

    @property
    def text(self) -> str:
        """All its text, in lines."""
        lines = Text | Section | Card
        return "\n".join(part.text for part in self.parts if isinstance(part, lines))

    def view(self) -> discord.ui.LayoutView:
        """Return its components; presses are routed by their custom ids."""
        view = discord.ui.LayoutView(timeout=None)
        items = [_item(part) for part in self.parts]
        if any(not isinstance(part, Text) for part in self.parts):
            items = [discord.ui.Container(*items, accent_colour=self.accent)]
        for item in items:
            view.add_item(item)
        # discord.py sends a stopped view but does not store it.
        view.stop()
        return view

    def files(self) -> list[discord.File]:
        """Return the new attachments in order. A file can be sent only once: each call makes new
        ones."""
        shown = [part.image if isinstance(part, Card) else part for part in self.parts]
        return [
            discord.File(io.BytesIO(part.data), filename=part.name, description=_described(part))
            for part in shown
            if isinstance(part, Image | Document) and part.data is not None
        ]

    def sent(self) -> dict[str, Any]:
        """Return the arguments for sending it as a new message."""
        files = self.files()
        return {"view": self.view(), **({"files": files} if files else {})}

    def edited(self) -> dict[str, Any]:
        """Return the arguments for editing a message to show only this.

        Discord removes all attachments that are not listed.
        """
        attached = [
            _ExistingAttachment(image) for image in self._existing if image.attached is not None
        ]
        return {
            "content": None,
            "embeds": [],
            "view": self.view(),
            "attachments": [*attached, *self.files()],
        }

    def for_new_message(self) -> Layout:
        """Return the layout without existing attachments, which a new message does not have."""
        return Layout([part for part in self.parts if part not in self._existing], self.accent)

    def with_plain_emoji(self) -> Layout | None:
        """Return the layout with plain signs for the bot's own emoji; None if it has none.

        Use it instead of this one, as they share their controls.
        """
        parts = [
            part._replace(text=plain_signs(part.text))
            if isinstance(part, Text | Section | Card)
            else part
            for part in self.parts
        ]
        replaced = [_use_plain_emoji(each) for part in parts for each in controls_of(part)]
        return Layout(parts, self.accent) if any(replaced) or parts != [*self.parts] else None

    @property
    def _existing(self) -> list[Image]:
        return [part for part in self.parts if isinstance(part, Image) and part.data is None]


@dataclass(frozen=True)
class _ExistingAttachment:
    """An attachment to keep, in the form of `discord.Attachment.to_dict`.

    It needs its file name, as Discord refuses components that refer to an attachment listed only by
    id. A gallery does not know size and address, so they are left out.
    """

    image: Image

    def to_dict(self) -> dict[str, Any]:
        image = self.image
        fields = {"id": image.attached, "filename": image.name}
        return {**fields, "description": _described(image)} if image.alt else fields


def controls_of(part: Part) -> Sequence[Control]:
    """Return the buttons and selects of a part."""
    if isinstance(part, Section):
        return [part.control]
    return part.controls if isinstance(part, Row) else ()


def text_layout(
    content: str, controls: Iterable[Control] = (), image: Image | None = None
) -> Layout:
    """Return the usual answer: a picture, a text, cut at its end, and the controls below."""
    above = [] if image is None else [image]
    return Layout([*above, Text(content, Keep.BEGINNING), *rows(controls)])


def confirmation(words: Words, question: str, confirm: CustomId) -> Layout:
    """Return a question with a button that confirms what cannot be undone."""
    return text_layout(question, [button(confirm, words(general.CONFIRM), style=Style.DANGER)])


def with_file(content: str, name: str, data: bytes) -> Layout:
    return Layout([Text(content), Document(name, content, data)])


def lines_with(lines: Sequence[str], control: Control | None = None) -> list[Part]:
    """Return short lines, cut to the newest, with the button next to the last."""
    if control is None or not lines:
        return [Text("\n".join(lines), Keep.NEWEST)]
    return [Text("\n".join(lines[:-1]), Keep.NEWEST), Section(lines[-1], control)]


def rows(controls: Iterable[Control], *, optional: bool = False) -> list[Row]:
    """Return rows of up to five buttons; a select has its own row."""
    grouped: list[list[Control]] = []
    for control in controls:
        row = (control, *(grouped[-1] if grouped else ()))
        has_room = 1 < len(row) <= PER_ROW
        if not has_room or any(isinstance(each, discord.ui.Select) for each in row):
            grouped.append([])
        grouped[-1].append(control)
    return [Row(tuple(each), optional) for each in grouped]


def picture_of(message: discord.Message) -> Image | None:
    """Return the first picture of a message, as an existing attachment."""
    for each in walk(message.components):
        if isinstance(each, discord.MediaGalleryComponent):
            item = each.items[0]
            name = PurePosixPath(urlsplit(item.media.url).path).name
            return Image(name, item.description or "", attached=item.media.attachment_id)
    # Messages of older versions have no gallery.
    for file in message.attachments:
        return Image(file.filename, file.description or "", attached=file.id)
    return None


def attached_to(message: discord.Message) -> int | None:
    """Return the attachment id of a message's picture; None if it has no picture."""
    picture = picture_of(message)
    return picture and picture.attached


def walk(components: Iterable[Any]) -> Iterator[Any]:
    """Yield the components of a message in order, including nested ones."""
    for each in components:
        yield each
        yield from walk(getattr(each, "children", ()))
        if isinstance(each, discord.SectionComponent):
            yield each.accessory


def _cut(part: Text, limit: int) -> str:
    if part.keep is Keep.BEGINNING:
        return clip(part.text, limit)
    return newest(part.text.splitlines(), limit)


def _count_components(part: Part) -> int:
    match part:
        case Row():
            return 1 + len(part.controls)
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
            return discord.ui.Section(part.text, accessory=part.control)
        case Card():
            url = f"attachment://{part.image.name}"
            small = discord.ui.Thumbnail[Any](url, description=_described(part.image) or None)
            return discord.ui.Section(part.text, accessory=small)
        case Divider():
            return discord.ui.Separator()
        case Row():
            return discord.ui.ActionRow(*part.controls)


def _described(part: Image | Document) -> str:
    return whole_sentences(part.alt, MAX_ALT)


def _use_plain_emoji(control: Control) -> bool:
    """Replace the bot's own emoji and return whether there were any."""
    shown = control.options if isinstance(control, discord.ui.Select) else [control]
    own = [each for each in shown if each.emoji is not None and each.emoji.is_custom_emoji()]
    for each in own:
        each.emoji = plain_signs(str(each.emoji)) or None
    return bool(own)
