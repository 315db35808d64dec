"""Where the command line starts, by ``errata`` and by ``python -m errata``.

An interrupt, or a lack of memory, is answered in one line even while errata is imported.  Before ``start`` is called this module
imports nothing, because what happens there Python answers with a traceback.
"""


def start() -> int:
    """Run errata with the arguments of the process, and return its exit status."""
    try:
        _leave_current_folder_out()
        from errata.cli.process import run_process

        return run_process()
    except BaseException as error:  # Python may turn an interrupt into another exception, and keep it as the cause
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, (KeyboardInterrupt, MemoryError)):
            cause = cause.__cause__ or cause.__context__
        if isinstance(cause, KeyboardInterrupt):
            _stop(b"errata: interrupted\n", 130)
        elif isinstance(cause, MemoryError):
            _stop(b"errata: error: not enough memory to start\n", 1)
        raise


def _leave_current_folder_out() -> None:
    """Take the current folder from the path of modules: a file there, such as gzip.py, must not be imported instead of a module.

    Python puts it first for ``python -m``, and wherever PYTHONPATH has an empty part.
    """
    import os
    import sys

    try:
        here = os.getcwd()  # noqa: PTH109 - pathlib is not imported yet
    except OSError:  # it was removed
        here = ""
    if not sys.flags.safe_path and sys.path[:1] in ([""], [here]):
        del sys.path[0]
    if "" in os.environ.get("PYTHONPATH", "x").split(os.pathsep):
        sys.path[:] = [folder for folder in sys.path if folder not in ("", here)]


def _stop(line: bytes, status: int) -> None:
    """End at once; nothing that was written is lost, because a command writes what it has before it returns or fails."""
    import os

    try:
        os.write(2, line)
    finally:
        os._exit(status)


if __name__ == "__main__":
    import sys

    sys.exit(start())
