"""Runs commands, each in a process of its own: ``python -m fuzz.server [UNDO...]``, requests and answers as lines of JSON.

A server loads errata once and forks for every command, so that a command takes milliseconds.
``ERRATA_CORE`` selects the core; names in the arguments are fixes to take back (:mod:`fuzz.undo`).

A request has ``folder``, ``arguments`` and optionally:

- ``terminal``: standard input, output and error are a terminal;
- ``standard_input``: a file;
- ``stdout``, ``stderr``: files such as /dev/full to write to;
- ``file_size``: most bytes of a file that is written (a full disk);
- ``memory``: most megabytes of address space beyond what the server has;
- ``signal`` and ``after``: a signal, and the seconds until it is sent;
- ``cold``: a process of its own loads errata;
- ``seconds``: of the processor, before the command is ended.
"""

from __future__ import annotations

import json
import os
import pty
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

MOST_SECONDS = 30.0
_MOST_ADDRESS_SPACE = 4 << 30
_MOST_OUTPUT = 1 << 28
_SENT = {signal.SIGINT, signal.SIGTERM}
"""Signals that a request may ask for."""


def main(undone: list[str]) -> None:
    """Answer requests until standard input ends."""
    _load()
    from fuzz.undo import take_back

    for name in undone:
        take_back(name)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)


def _load() -> None:
    """Import what commands use, so that forked processes need not."""
    import errata
    from errata.formats.registry import FORMATS
    from errata.metrics import METRICS

    for module in walk_packages(errata.__path__, "errata."):
        if module.name.rpartition(".")[2] != "__main__":
            with suppress(ImportError):  # an optional dependency is missing
                import_module(module.name)
    for name in ("numpy", "scipy.stats", "scipy.special", "scipy.optimize", "gzip", "json", "csv", "pyarrow.parquet"):
        import_module(name)
    METRICS.load_all()
    FORMATS.load_all()


def _answer(request: dict[str, Any]) -> dict[str, Any]:
    out, err = f"{request['folder']}.out", f"{request['folder']}.err"
    controller, terminal = pty.openpty() if request.get("terminal") else (-1, -1)
    sys.stdout.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, _SENT)  # in the child until the command begins
    child = os.fork()
    if child == 0:
        _run(request, out, err, controller, terminal)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SENT)
    if terminal >= 0:
        os.close(terminal)
    status, usage, late, shown = _wait(child, request, controller)
    if controller >= 0:
        os.close(controller)
    return {
        "status": os.waitstatus_to_exitcode(status),
        "seconds": usage.ru_utime + usage.ru_stime,
        "megabytes": usage.ru_maxrss / 1024,
        "late": late,
        "shown": shown.decode("latin-1"),
    }


def _wait(child: int, request: dict[str, Any], controller: int) -> tuple[int, Any, bool, bytes]:
    """Wait for a process, send it what was asked for, and end it if it takes too long."""
    begin = time.monotonic()
    limit = request.get("seconds", MOST_SECONDS)
    shown = bytearray()
    late = sent = False
    pause = 0.0005
    while True:
        if controller >= 0 and select.select([controller], [], [], 0)[0]:
            with suppress(OSError):  # the terminal was closed
                shown += os.read(controller, 1 << 16)
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            break
        passed = time.monotonic() - begin
        if "signal" in request and not sent and passed >= request["after"]:
            os.kill(child, request["signal"])
            sent = True
        if passed > 4 * limit and not late:
            os.kill(child, signal.SIGKILL)
            late = True
        time.sleep(pause)
        pause = min(2 * pause, 0.01)
    while controller >= 0 and select.select([controller], [], [], 0)[0]:
        try:
            more = os.read(controller, 1 << 16)
        except OSError:
            break
        if not more:
            break
        shown += more
    return status, usage, late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU), bytes(shown)


def _run(request: dict[str, Any], out: str, err: str, controller: int, terminal: int) -> None:
    """Become the command."""
    os.chdir(request["folder"])
    os.environ["NO_COLOR"] = "1"
    if terminal >= 0:
        os.close(controller)
        os.login_tty(terminal)
    else:
        _redirect(request.get("standard_input") or os.devnull, 0, os.O_RDONLY)
        _redirect(request.get("stdout") or out, 1, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        _redirect(request.get("stderr") or err, 2, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    seconds = int(request.get("seconds", MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    size = request.get("file_size", _MOST_OUTPUT)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    if not _draws(request["arguments"]):
        space = request["memory"] << 20 if "memory" in request else _MOST_ADDRESS_SPACE
        space += 0 if request.get("cold") else _address_space()
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    if request.get("cold"):
        from fuzz.undo import ENTRY

        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SENT)
        os.execv(sys.executable, [sys.executable, *ENTRY, *request["arguments"]])
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode) for number, mode in ((0, "r"), (1, "w"), (2, "w")))
    sys.argv = ["errata", *request["arguments"]]
    status = _call()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(status & 0xFF)


def _call() -> int:
    from errata.cli import main as run

    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SENT)
        return run()
    except KeyboardInterrupt:  # the command catches its own, so this one came before
        return 128 + signal.SIGINT
    except SystemExit as stopped:
        return stopped.code if isinstance(stopped.code, int) else int(stopped.code is not None)
    except BaseException:  # noqa: BLE001 - whatever it is, it is a finding
        import traceback

        traceback.print_exc()
        return 99


def _draws(arguments: list[str]) -> bool:
    """Whether a chart is drawn, by an engine that reserves far more addresses than memory."""
    return any(word.endswith((".svg", ".png", ".pdf")) for word in arguments)


def _redirect(path: str, number: int, flags: int) -> None:
    opened = os.open(path, flags, 0o644)
    os.dup2(opened, number)
    os.close(opened)


def _address_space() -> int:
    """How many bytes this process has mapped."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main(sys.argv[1:])
