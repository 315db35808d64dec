"""Where the command line starts: an interrupt, or a lack of memory, is answered in one line even while errata is imported.

Before ``start`` is called this module imports nothing, because what happens there Python answers with a traceback.
"""


def start() -> int:
    """Run errata with the arguments of the process, and return its exit status."""
    try:
        from errata.cli.process import run_process

        return run_process()
    except KeyboardInterrupt:
        _stop(b"errata: interrupted\n", 130)
    except MemoryError:
        _stop(b"errata: error: not enough memory to start\n", 1)
    return 1


def _stop(line: bytes, status: int) -> None:
    """End at once; nothing that was written is lost, because a command writes what it has before it returns or fails."""
    import os

    try:
        os.write(2, line)
    finally:
        os._exit(status)
