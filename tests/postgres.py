"""PostgreSQL for tests: one server for the session, and others for tests that stop or kill them.

Each has a temporary folder and its own port, and ends with its owner. Run as a program, this module
waits for the end of a server's owner and then removes the server.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

if sys.platform != "win32":
    import fcntl

Mode = Literal["smart", "fast", "immediate"]

URL = "TEST_DATABASE_URL"
"""Names another server to use, with the right to create databases."""
FOLDER = "TEST_POSTGRES_FOLDER"
"""Names the folder of the session's server, for all processes of the session."""
ROOT, ACCOUNT = 0, "postgres"
"""PostgreSQL refuses to run as root, so it runs as its own account."""
DEBIAN = Path("/usr/lib/postgresql")
PORTS = range(20_000, 30_000)
"""Systems do not assign these automatically, so a stopped server keeps its port."""
START_S = 30.0
PAUSE_S = 0.05
OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "500",
    # Tests do not lose power.
    "fsync": "off",
    "full_page_writes": "off",
}


def _programs() -> Path | None:
    def version(programs: Path) -> list[int]:
        return [int(part) for part in programs.parent.name.split(".") if part.isdecimal()]

    if sys.platform == "win32":  # There is no fcntl.
        return None
    found = [programs for programs in DEBIAN.glob("*/bin") if (programs / "initdb").exists()]
    if found:
        return max(found, key=version)
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


PROGRAMS = _programs()
"""The folder of the newest version's programs; None if there are none."""
IS_EXPECTED = URL in os.environ or PROGRAMS is not None or bool(os.environ.get("CI"))
"""CI must have PostgreSQL: a skip would hide breakage."""


class Postgres:
    """A server with its data in a folder, created at the first start.

    Its methods block: coroutines call them with `asyncio.to_thread`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._port = 0

    @property
    def port(self) -> int:
        """The port, which stays the same after a restart."""
        return self._port

    @property
    def url(self) -> str:
        """The URL of its first database, for the superuser."""
        return f"postgresql://{ACCOUNT}@127.0.0.1:{self._port}/postgres"

    @property
    def is_running(self) -> bool:
        """Whether its main process is alive."""
        pid = self._pid()
        with suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, 0)
                return True
        return False

    def start(self) -> None:
        """Start the server, also after it was killed. Raises RuntimeError with its log."""
        if not self._data.exists():
            self._make()
        options = OPTIONS | {"port": str(self._port), "unix_socket_directories": str(self.folder)}
        arguments = " ".join(f"-c {name}={value}" for name, value in options.items())
        log = self.folder / "log"
        deadline = time.monotonic() + START_S
        # After a kill, processes of connected clients live on for a moment.
        while self._run("pg_ctl", "start", "--wait", f"--log={log}", f"--options={arguments}"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {log.read_text()}")
            time.sleep(PAUSE_S)

    def stop(self, mode: Mode = "fast") -> None:
        """Stop the server: `fast` ends sessions, `smart` waits for them, `immediate` crashes."""
        if self._run("pg_ctl", "stop", "--wait", f"--mode={mode}") and self.is_running:
            raise RuntimeError("PostgreSQL does not stop")

    def kill(self) -> None:
        """Kill the server with SIGKILL. Clients notice a moment later."""
        pid = self._pid()
        assert pid is not None, "it is not running"
        os.kill(pid, signal.SIGKILL)

    def _make(self) -> None:
        if os.geteuid() == ROOT:
            shutil.chown(self.folder, ACCOUNT)
        self._port = _free_port()
        options = ("--auth=trust", f"--username={ACCOUNT}", "--encoding=UTF8", "--locale=C")
        if self._run("initdb", *options, "--no-sync"):
            raise RuntimeError(f"{PROGRAMS}/initdb could not make {self._data}")

    def _run(self, program: str, *arguments: str) -> int:
        assert PROGRAMS is not None, "no programs of PostgreSQL found, and CI needs them"
        command = [str(PROGRAMS / program), f"--pgdata={self._data}", *arguments]
        account: dict[str, Any] = {}
        if os.geteuid() == ROOT:
            account = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []}
        # The account may not be allowed to enter the current folder.
        return subprocess.run(
            command, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **account
        ).returncode

    def _pid(self) -> int | None:
        try:
            return int((self._data / "postmaster.pid").read_text().split("\n")[0])
        except (FileNotFoundError, ValueError):
            return None


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Any]:
    """Connect to a database by a URL of the program."""
    import asyncpg  # type: ignore[import-untyped]

    connection = await asyncpg.connect(url.replace("+asyncpg", "", 1))
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def own_server() -> Iterator[Postgres]:
    """Run a server for a single test."""
    with _owned_folder() as folder:
        server = Postgres(folder)
        _remove_with_owner(folder)
        server.start()
        yield server


@contextmanager
def of_the_session() -> Iterator[None]:
    """Prepare the server of the session for `session_url`, in all processes of the block."""
    if URL in os.environ or FOLDER in os.environ or PROGRAMS is None:
        yield
        return
    with _owned_folder() as folder:
        os.environ[FOLDER] = str(folder)
        try:
            yield
        finally:
            del os.environ[FOLDER]


def session_url() -> str:
    """Return the URL of the session's server. The first caller starts it."""
    if URL in os.environ:
        return os.environ[URL]
    assert FOLDER in os.environ, "no programs of PostgreSQL found, and CI needs them"
    folder = Path(os.environ[FOLDER])
    note = folder / "url"
    with (folder / "starting").open("w") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        if not note.exists():
            server = Postgres(folder)
            _remove_with_owner(folder)
            server.start()
            note.write_text(server.url)
    return note.read_text()


@contextmanager
def _owned_folder() -> Iterator[Path]:
    # Not in pytest's folders, which only their owner may enter.
    folder = Path(tempfile.mkdtemp(prefix="test-postgres-"))
    with (folder / "owner").open("w") as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        try:
            yield folder
        finally:
            _remove(folder)


def _remove_with_owner(folder: Path) -> None:
    """Start a process that removes the server when the owner of the folder ends in any way."""
    # In its own session, which Ctrl+C does not reach, and detached, so that nothing waits for it.
    program = '"$0" "$@" </dev/null >/dev/null 2>&1 &'
    subprocess.run(
        ["sh", "-c", program, sys.executable, __file__, str(folder)],
        check=True,
        start_new_session=True,
    )


def _remove(folder: Path) -> None:
    if (folder / "data").exists():
        Postgres(folder).stop("immediate")
    shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    while True:
        port = random.choice(PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def main(folder: Path) -> None:
    """Wait for the end of the owner, then remove the server."""
    with suppress(FileNotFoundError), (folder / "owner").open("r+") as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        _remove(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
