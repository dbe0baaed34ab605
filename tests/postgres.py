"""PostgreSQL for tests: one server for the session, and servers of their own for tests that stop
and kill them. Each is in a temporary folder, at a port of its own, and ends with its owner.

Run as a program it waits for the end of a server's owner, and then removes what that has left.
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
"""Names a server to be used instead, with the right to make databases."""
FOLDER = "TEST_POSTGRES_FOLDER"
"""Where the session keeps its server, for all its processes."""
ROOT, ACCOUNT = 0, "postgres"
"""PostgreSQL refuses to run as root, and does as the account that comes with it."""
DEBIAN = Path("/usr/lib/postgresql")
PORTS = range(20_000, 30_000)
"""No system hands these out by itself, so a server that is down keeps its port."""
START_S = 30.0
PAUSE_S = 0.05
OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "500",
    # Nobody pulls the plug during a test.
    "fsync": "off",
    "full_page_writes": "off",
}


def _programs() -> Path | None:
    def version(programs: Path) -> list[int]:
        return [int(part) for part in programs.parent.name.split(".") if part.isdecimal()]

    if sys.platform == "win32":  # What keeps one for a session is not there.
        return None
    found = [programs for programs in DEBIAN.glob("*/bin") if (programs / "initdb").exists()]
    if found:
        return max(found, key=version)
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path else None


PROGRAMS = _programs()
"""The newest version's; None where there are none."""
IS_EXPECTED = URL in os.environ or PROGRAMS is not None or bool(os.environ.get("CI"))
"""On a server that checks changes it must be there: a skip would hide breakage."""


class Postgres:
    """A server whose data are in a folder, which everybody can reach; it is made at the first
    start. The methods wait until it is so; a coroutine calls them by `asyncio.to_thread`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._port = 0

    @property
    def port(self) -> int:
        """The same after every start."""
        return self._port

    @property
    def url(self) -> str:
        """Of its first database, by a user who may do anything."""
        return f"postgresql://{ACCOUNT}@127.0.0.1:{self._port}/postgres"

    @property
    def is_running(self) -> bool:
        """Whether its first process is alive."""
        pid = self._pid()
        with suppress(ProcessLookupError):
            if pid is not None:
                os.kill(pid, 0)
                return True
        return False

    def start(self) -> None:
        """Also after it was killed. Raises RuntimeError with what it says where it cannot."""
        if not self._data.exists():
            self._make()
        options = OPTIONS | {"port": str(self._port), "unix_socket_directories": str(self.folder)}
        said = " ".join(f"-c {name}={value}" for name, value in options.items())
        log = self.folder / "log"
        deadline = time.monotonic() + START_S
        # What serves those who are still connected outlives one that was killed for a moment.
        while self._run("pg_ctl", "start", "--wait", f"--log={log}", f"--options={said}"):
            if time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL does not start: {log.read_text()}")
            time.sleep(PAUSE_S)

    def stop(self, mode: Mode = "fast") -> None:
        """`fast` ends all sessions; `immediate` is a crash; `smart` waits for them to end."""
        if self._run("pg_ctl", "stop", "--wait", f"--mode={mode}") and self.is_running:
            raise RuntimeError("PostgreSQL does not stop")

    def kill(self) -> None:
        """By SIGKILL; those who are connected find out a moment later."""
        pid = self._pid()
        assert pid is not None, "it is not running"
        os.kill(pid, signal.SIGKILL)

    def _make(self) -> None:
        if os.geteuid() == ROOT:
            shutil.chown(self.folder, ACCOUNT)
        self._port = _free_port()
        how = ("--auth=trust", f"--username={ACCOUNT}", "--encoding=UTF8", "--locale=C")
        if self._run("initdb", *how, "--no-sync"):
            raise RuntimeError(f"{PROGRAMS}/initdb could not make {self._data}")

    def _run(self, program: str, *arguments: str) -> int:
        assert PROGRAMS is not None, "no programs of PostgreSQL found, and CI needs them"
        command = [str(PROGRAMS / program), f"--pgdata={self._data}", *arguments]
        account: dict[str, Any] = {}
        if os.geteuid() == ROOT:
            account = {"user": ACCOUNT, "group": ACCOUNT, "extra_groups": []}
        # A folder that the account may not enter is no place to start from.
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
    """A connection to the database of such a URL as the program takes, for one test."""
    import asyncpg  # type: ignore[import-untyped]

    connection = await asyncpg.connect(url.replace("+asyncpg", "", 1))
    try:
        yield connection
    finally:
        await connection.close()


@contextmanager
def own_server() -> Iterator[Postgres]:
    """A server for one test alone, running; it is stopped and removed at the end."""
    with _owned_folder() as folder:
        server = Postgres(folder)
        _keep(folder)
        server.start()
        yield server


@contextmanager
def of_the_session() -> Iterator[None]:
    """Within the block, in every process begun there, `session_url` has a server to name."""
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
    """The URL of the session's server, which whoever asks first starts."""
    if URL in os.environ:
        return os.environ[URL]
    assert FOLDER in os.environ, "no programs of PostgreSQL found, and CI needs them"
    folder = Path(os.environ[FOLDER])
    note = folder / "url"
    with (folder / "starting").open("w") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        if not note.exists():
            server = Postgres(folder)
            _keep(folder)
            server.start()
            note.write_text(server.url)
    return note.read_text()


@contextmanager
def _owned_folder() -> Iterator[Path]:
    # Not within pytest's own folders: only their owner may enter those.
    folder = Path(tempfile.mkdtemp(prefix="test-postgres-"))
    with (folder / "owner").open("w") as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        try:
            yield folder
        finally:
            _remove(folder)


def _keep(folder: Path) -> None:
    """However the owner of the folder ends, the server ends too."""
    # In a session of its own, which Ctrl+C does not reach; nobody's child, so nobody waits for it.
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
    """Waits for the end of the owner."""
    with suppress(FileNotFoundError), (folder / "owner").open("r+") as owner:
        fcntl.flock(owner, fcntl.LOCK_EX)
        _remove(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
