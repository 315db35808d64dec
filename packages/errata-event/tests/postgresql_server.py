"""A PostgreSQL server for tests, in a temporary folder: with a socket in it and no port, apart from all other servers of the machine."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

_USER = "postgres"
"""Who owns the server: its superuser, and the user of the system that runs it if root starts it, because PostgreSQL refuses root."""
_DEBIAN = Path("/usr/lib/postgresql")
_SECONDS = 60.0
_NEEDED = ("initdb", "postgres")
GUARDED = "guarded"
"""A user who needs a password, unlike the superuser."""
PASSWORD = "right/pass word@1"
_SETTINGS = {
    "fsync": "off",  # tests kill processes, not machines
    "listen_addresses": "",
    "max_connections": "120",
    "shared_buffers": "16MB",
    "log_min_messages": "fatal",
}


def find_postgresql() -> Path | None:
    """Find the folder of PostgreSQL's programs: the one that is named, Debian's newest, or one in PATH."""
    named = os.environ.get("ERRATA_POSTGRESQL_BIN")
    versions = [path for path in _DEBIAN.glob("*/bin") if path.parent.name.isdigit()] if _DEBIAN.is_dir() else []
    newest_first = sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    in_path = shutil.which("initdb")
    candidates = [Path(named)] if named else [*newest_first, *([Path(in_path).parent] if in_path else [])]
    return next((folder for folder in candidates if all((folder / name).is_file() for name in _NEEDED)), None)


def explain_missing() -> str:
    """Say in one line why PostgreSQL cannot be started here; nothing if it can."""
    if os.name != "posix":
        return "PostgreSQL is started on POSIX systems only"
    if find_postgresql() is None:
        return "no PostgreSQL found; install postgresql, or name the folder of its programs in ERRATA_POSTGRESQL_BIN"
    if os.geteuid() == 0:
        import pwd

        try:
            pwd.getpwnam(_USER)
        except KeyError:
            return f"root cannot run PostgreSQL, and there is no user {_USER}"
    return ""


class PostgresqlServer:
    """A server that can be stopped, killed and started again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._data = folder / "data"
        self._user = _USER if os.geteuid() == 0 else None
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        if self._user is not None:
            shutil.chown(folder, self._user, self._user)
        command = [str(programs / "initdb"), "-D", str(self._data), "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
        done = subprocess.run(command, user=self._user, group=self._user, cwd=folder, capture_output=True, check=False)
        if done.returncode:
            raise RuntimeError(f"initdb failed: {done.stderr.decode(errors='replace')[-2000:]}")
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"local all {GUARDED} scram-sha-256\nlocal all all trust\n")
        self.start()
        self.run(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{PASSWORD}'")

    def url(self, database: str = _USER, user: str = _USER, password: str = "") -> str:
        """The address of a database."""
        secret = f":{quote(password, safe='')}" if password else ""
        return f"postgresql://{user}{secret}@/{database}?host={quote(str(self._folder), safe='')}"

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        settings = {**_SETTINGS, "unix_socket_directories": str(self._folder)}
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *options],
                user=self._user,
                group=self._user,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        import psycopg

        until = time.monotonic() + _SECONDS
        while True:
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"PostgreSQL did not start: {(self._folder / 'log').read_text(errors='replace')[-2000:]}") from None
                time.sleep(0.02)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: its sessions are ended.  With SIGQUIT it does not tidy up, as if it had crashed."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(_SECONDS)

    def run(self, sql: str) -> None:
        """Carry out a statement as the superuser."""
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.encode())

    @contextmanager
    def make_database(self) -> Iterator[str]:
        """Make a database that nothing else uses; give its address, and drop it in the end."""
        self._made += 1
        name = f"event_{self._made}"
        self.run(f"CREATE DATABASE {name}")
        try:
            yield self.url(name)
        finally:
            if self._process is not None:
                self.run(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def run_postgresql() -> Iterator[PostgresqlServer]:
    """Run a server; :func:`explain_missing` has said that it can be started."""
    programs = find_postgresql()
    if programs is None:
        raise RuntimeError(explain_missing())
    # The path of a socket has at most about 100 bytes, so the folder is not among those of a test.
    with tempfile.TemporaryDirectory(prefix="errata-pg-", ignore_cleanup_errors=True) as folder:
        server = PostgresqlServer(programs, Path(folder))
        try:
            yield server
        finally:
            server.stop()
