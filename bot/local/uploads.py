"""Bodies of requests: JSON, or `multipart/form-data` with `payload_json` and `files[n]`."""

from __future__ import annotations

import io
import mimetypes
import re
from dataclasses import dataclass

import msgspec
from PIL import Image, UnidentifiedImageError

from bot.local import errors
from bot.local.model import Attachment, Json

_BOUNDARY = re.compile(r'boundary="?([^";]+)"?')
_FILE_FIELD = re.compile(r"files\[(\d+)\]\Z")
_DISPOSITION = re.compile(rb'content-disposition:[^\r\n]*?;\s*name="([^"]*)"', re.IGNORECASE)
_FILENAME = re.compile(rb'content-disposition:[^\r\n]*?filename="([^"]*)"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Upload:
    """One file as it came in."""

    filename: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Body:
    """A request's JSON, `None` when there is none, and its files by number."""

    json: Json | list[Json] | None
    files: dict[int, Upload]

    @property
    def payload(self) -> Json:
        """The JSON object; raises `ApiError` 50109 for anything else."""
        if not isinstance(self.json, dict):
            raise errors.invalid_json()
        return self.json


def parse_body(content_type: str, data: bytes) -> Body:
    """Read a body; raises `ApiError` 50109 when it cannot be read."""
    if content_type.startswith("multipart/form-data"):
        return _parse_multipart(content_type, data)
    return Body(_json(data) if data else None, {})


def _json(data: bytes) -> Json | list[Json]:
    try:
        decoded = msgspec.json.decode(data)
    except msgspec.DecodeError:
        raise errors.invalid_json() from None
    if not isinstance(decoded, dict | list):
        raise errors.invalid_json()
    return decoded


def _parse_multipart(content_type: str, data: bytes) -> Body:
    # aiohttp's own reader parses a body line by line, which costs milliseconds for a picture; the
    # whole body is in memory anyway, so it is split at the boundaries.
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise errors.invalid_json()
    delimiter = b"\r\n--" + found[1].encode()
    payload: Json | list[Json] | None = None
    files: dict[int, Upload] = {}
    for part in (b"\r\n" + data).split(delimiter)[1:-1]:
        head, separator, content = part.partition(b"\r\n\r\n")
        name = _DISPOSITION.search(head)
        if not separator or name is None:
            raise errors.invalid_json()
        field = name[1].decode(errors="replace")
        number = _FILE_FIELD.match(field)
        filename = _FILENAME.search(head)
        if field == "payload_json":
            payload = _json(content)
        elif number is not None and filename is not None:
            files[int(number[1])] = Upload(filename[1].decode(errors="replace"), content)
    return Body(payload, files)


def describe_file(upload: Upload, attachment_id: int, alt: str | None) -> Attachment:
    """A file's metadata: its type, and for a picture its size in pixels."""
    content_type = mimetypes.guess_type(upload.filename)[0] or "application/octet-stream"
    width = height = None
    if content_type.startswith("image/"):
        try:
            with Image.open(io.BytesIO(upload.data)) as picture:
                width, height = picture.size
        except (UnidentifiedImageError, OSError, ValueError):
            content_type = "application/octet-stream"
    return Attachment(
        id=attachment_id,
        filename=upload.filename,
        size=len(upload.data),
        content_type=content_type,
        width=width,
        height=height,
        description=alt,
    )
