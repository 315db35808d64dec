"""Every compiler accepts the core: no warning under those that are installed, and nothing that another is known to lack."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import nanobind
import pytest

from thoroughness import THOROUGH

HEADERS = sorted(Path("native").glob("*.hpp"))
BINDINGS = [Path("native/module.cpp"), *sorted(Path("native/bindings").glob("*.cpp"))]
FILES = sorted(path for path in Path("native").rglob("*.*pp"))
COMPILERS = ["g++", "clang++", "x86_64-w64-mingw32-g++"]
"""The last one compiles for Windows, where ``long`` has 32 bits and nothing of POSIX is promised."""
STRICT = ["-std=c++17", "-pedantic-errors", "-Werror"]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wpedantic"]


def compile_with(compiler: str, files: list[Path], *options: str) -> str:
    """What a compiler says; empty if it has nothing to say."""
    program = shutil.which(compiler)
    if program is None:
        pytest.skip(f"{compiler} is not installed")
    command = [program, *STRICT, *WARNINGS, "-fsyntax-only", "-fvisibility=hidden", "-Inative", *options, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bool(done.returncode) == bool(done.stderr), done.stderr
    return done.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_headers_compile_without_warnings(compiler: str, tmp_path: Path) -> None:
    """All in one file, and each of them needs nothing that another happens to include before it."""
    together = tmp_path / "together.cpp"
    together.write_text("".join(f'#include "{path.name}"\n' for path in HEADERS))
    assert compile_with(compiler, [together]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_bindings_compile_without_warnings(compiler: str) -> None:
    if compiler == "g++" and shutil.which("clang++") is not None and not THOROUGH:
        pytest.skip("make has compiled them with warnings as errors; make thorough tries more warnings")
    python = sysconfig.get_path("include")
    stable = ["-DPy_LIMITED_API=0x030C0000"] if sys.version_info >= (3, 12) else []
    assert compile_with(compiler, BINDINGS, "-isystem", nanobind.include_dir(), "-isystem", python, "-DNB_STATIC", *stable) == ""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize(
    "mistake",
    [
        "int narrow(long long value) { return value; }",
        "unsigned change_sign(int value) { return value; }",
        "int shadow(int value) { { int value = 1; (void)value; } return value; }",
        "int unused(int value) { return 1; }",
        "struct Point { int x, y; }; Point point{.x = 1, .y = 2};",
        "int ranges(int value) { switch (value) { case 1 ... 3: return 1; default: return 0; } }",
        "int statement = ({ int inner = 1; inner; });",
        "int length(int count) { int row[count]; return sizeof(row) > 1; }",
    ],
)
def test_mistakes_are_found(compiler: str, mistake: str, tmp_path: Path) -> None:
    source = tmp_path / "mistake.cpp"
    source.write_text(mistake + "\n")
    assert "error:" in compile_with(compiler, [source])


HEADERS_ELSEWHERE = ["unistd.h", "strings.h", "pthread.h", "alloca.h", "dlfcn.h", "sys/.*", "bits/.*", "ext/.*", "[a-z]?mmintrin.h"]
FUNCTIONS_ELSEWHERE = ["alloca", "asprintf", "bcopy", "bzero", "strcasecmp", "strncasecmp", "strndup", "strsep", "mmap", "usleep"]
ALTERNATIVE_TOKENS = ["and", "or", "not", "xor", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq"]
MACROS_TO_ASK_FOR = ["VA_ARGS__", "cplusplus", "clang__", "clang_version__", "GNUC__", "VERSION__", "OPTIMIZE__"]
"""Behind two underscores: what the standard defines, and what says which compiler it is."""
NOT_PORTABLE = {
    "a name of one compiler": rf"\b__(?!(?:{'|'.join(MACROS_TO_ASK_FOR)})\b)\w+",
    "a header of POSIX or of one library": rf"#\s*include\s*<(?:{'|'.join(HEADERS_ELSEWHERE)})>",
    "a type of POSIX": r"\b(?:ssize_t|off_t|u_?int(?:8|16|32|64)?|ulong|ushort)\b",
    "a function of POSIX or of one library": rf"\b(?:{'|'.join(FUNCTIONS_ELSEWHERE)})\s*\(",
    "long, whose size differs": r"(?<!long )\blong\b(?! long| double)",
    "an alternative token": rf"\b(?:{'|'.join(ALTERNATIVE_TOKENS)})\b",
    "a macro that Windows lacks": r"\bM_(?:PI|E|LN2|SQRT2)\b",
    "a member that is initialised by name": r"[{,]\s*\.\w+\s*=",
    "a byte outside ASCII": r"[^\x00-\x7f]",
}


def find_not_portable(text: str) -> list[str]:
    """Names of what is found outside of comments and strings; names of included files are kept."""
    comments = r"//[^\n]*|/\*.*?\*/"
    strings = r'(?<!include )"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'(?!\d)'
    code = re.sub(f"{comments}|{strings}", " ", text, flags=re.DOTALL)
    return [name for name, pattern in NOT_PORTABLE.items() if re.search(pattern, code)]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_nothing_is_used_that_a_compiler_lacks(path: Path) -> None:
    assert path.suffix in {".hpp", ".cpp"}
    assert find_not_portable(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("int bits = __builtin_popcount(3);", "a name of one compiler"),
        ("__int128 wide = 1;", "a name of one compiler"),
        ("void stop() __attribute__((noreturn));", "a name of one compiler"),
        ("#include <unistd.h>", "a header of POSIX or of one library"),
        ("#include <bits/stdc++.h>", "a header of POSIX or of one library"),
        ("ssize_t read();", "a type of POSIX"),
        ("auto same = strcasecmp(a, b);", "a function of POSIX or of one library"),
        ("unsigned long size = 0;", "long, whose size differs"),
        ("if (a and b) {}", "an alternative token"),
        ("double pi = M_PI;", "a macro that Windows lacks"),
        ("Point point{.x = 1};", "a member that is initialised by name"),
        ("int caf\u00e9 = 1;", "a byte outside ASCII"),
    ],
)
def test_what_a_compiler_lacks_is_found(code: str, found: str) -> None:
    assert find_not_portable(code) == [found]


def test_comments_strings_and_wide_numbers_are_portable() -> None:
    assert (
        find_not_portable("// and __builtin_x\nauto text = \"long or not\"; unsigned long long n = 1'000; char c = '\\''; /* ssize_t */")
        == []
    )
    assert find_not_portable("long double x; long long y; #define F(...) f(__VA_ARGS__)") == []
