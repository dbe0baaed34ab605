"""Transport compression of the gateway, as the client requests it in the URL."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable
from typing import Any

#: Turns one event into one frame of the stream.
Compress = Callable[[bytes], bytes]


def compressor(name: str | None) -> Compress | None:
    """The stream compressor of that name, `None` for none.

    Raises `ValueError` when the name is unknown or its library is not installed.
    """
    if name is None:
        return None
    if name == "zlib-stream":
        return _zlib_stream()
    if name == "zstd-stream":
        return _zstd_stream()
    raise ValueError(f"unknown transport compression {name!r}")


def _zlib_stream() -> Compress:
    stream = zlib.compressobj(1)

    def compress(data: bytes) -> bytes:
        return stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)

    return compress


def _zstd_stream() -> Compress:
    # discord.py requests zstd when it finds one of these two libraries, so one is installed here
    # too, unless the bot runs from another environment.
    stream: Any
    try:
        library: Any = importlib.import_module("zstandard")
    except ModuleNotFoundError:
        try:
            library = importlib.import_module("compression.zstd")
        except ModuleNotFoundError:
            raise ValueError("zstd-stream needs the zstandard package or Python 3.14") from None
        stream = library.ZstdCompressor()
        return lambda data: bytes(stream.compress(data, mode=stream.FLUSH_BLOCK))
    stream = library.ZstdCompressor().compressobj()
    flush_block = library.COMPRESSOBJ_FLUSH_BLOCK
    return lambda data: bytes(stream.compress(data) + stream.flush(flush_block))
