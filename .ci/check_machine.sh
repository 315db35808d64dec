#!/bin/sh
# Says in one line what errata needs to be built and this machine lacks: a Python that is new enough, and a C++ compiler.
# Its argument is the Python that would be used.
set -eu
cd "$(dirname "$0")/.."

fail() {
    echo "errata: error: $1" >&2
    exit 1
}

needed=$(sed -n 's/^requires-python = ">=\(.*\)"$/\1/p' pyproject.toml)
another="name another, as in: make run PYTHON=python$needed"
command -v "$1" >/dev/null || fail "errata needs Python $needed or later, and $1 was not found; $another"
found=$("$1" -c 'import sys; print(".".join(map(str, sys.version_info[:3])))' 2>/dev/null) ||
    fail "errata needs Python $needed or later, and $1 does not run; $another"
"$1" -c "import sys; sys.exit(sys.version_info < ($(echo "$needed" | tr . ,)))" ||
    fail "errata needs Python $needed or later, and $1 is Python $found; $another"

# What CMake would use.
for compiler in ${CXX:-c++ g++ clang++}; do
    if command -v "$compiler" >/dev/null; then exit 0; fi
    if [ -n "${CXX:-}" ]; then break; fi
done
fail "the core of errata is compiled from C++, and ${CXX:-a compiler} was not found; install one, such as g++ or clang++, or name it: make run CXX=clang++"
