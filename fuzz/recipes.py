"""Ways to make an input, each with its weight."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from typing import TYPE_CHECKING

from fuzz.growth import GROWTH, grow
from fuzz.inputs import Input
from fuzz.mutations import mutate, rename_element, spoil
from fuzz.options import draw_options
from fuzz.samples import command_lines, files_of, sample_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

RECIPES: dict[str, tuple[float, Callable[[Random], Input]]] = {}
_STEERING = ("\x1b[31m", "\x1b]0;x\x07", "\x9b2J", "\x07", "\u202e", "a\rb", "\x08", "[red]", "\x7f")


def recipe(weight: float) -> Callable[[Callable[[Random], Input]], Callable[[Random], Input]]:
    """Add a recipe."""

    def add(make: Callable[[Random], Input]) -> Callable[[Random], Input]:
        RECIPES[make.__name__.removeprefix("_")] = (weight, make)
        return make

    return add


def make_input(random: Random, only: str = "") -> Input:
    """Make an input by one recipe, or by a random one."""
    if only.startswith("grown:"):
        return grow(random, name := only.removeprefix("grown:"), GROWTH[name][0])
    names = list(RECIPES)
    name = only or random.choices(names, [RECIPES[name][0] for name in names])[0]
    made = RECIPES[name][1](random)
    return made if made.recipe else replace(made, recipe=name)


def _sample(random: Random, *commands: str) -> Input:
    """A sample command as it is; one of these commands."""
    arguments = random.choice([line for line in command_lines() if not commands or line[0] in commands])
    outputs = tuple(arguments[index + 1] for index, word in enumerate(arguments) if word == "-o")
    return Input("", list(arguments), files_of(arguments), outputs=outputs)


def _with_options(random: Random, given: Input) -> Input:
    options, outputs = draw_options(random, given.arguments[0], [*given.files])
    arguments = given.arguments + options
    if random.random() < 0.3:
        arguments += ["--format", random.choice(("json", "csv", "markdown", "latex"))]
    return replace(given, arguments=arguments, outputs=given.outputs + outputs)


def _with_old_output(random: Random, given: Input) -> Input:
    """Something stands where the output goes."""
    return given.with_file(given.outputs[0], b"old") if given.outputs and given.outputs[0] != "out" and random.random() < 0.5 else given


@recipe(10)
def _mutated(random: Random) -> Input:
    given = _sample(random)
    for name in random.sample(sorted(given.files), min(len(given.files), random.choice((1, 1, 2)))):
        given = given.with_file(name, mutate(random, name, given.files[name]).content)
    return _with_old_output(random, _with_options(random, given) if random.random() < 0.5 else given)


@recipe(3)
def _optional(random: Random) -> Input:
    return _with_old_output(random, _with_options(random, _sample(random)))


@recipe(3)
def _spoiled(random: Random) -> Input:
    given = _sample(random)
    names = [name for name in sorted(given.files) if not name.endswith(".gz")]
    if not names:
        return given
    name = random.choice(names)
    change = spoil(random, name, given.files[name])
    if change is None or not change.noticed or (name.startswith("hoo/") and "carriage" in change.noticed):
        return given  # HOO counts characters, so a line may end as it likes
    mentions = f"{name}:{change.line}" if change.line and "hoo" not in name and given.arguments[0] != "check" else ""
    return given.with_file(name, change.content, noticed=f"{change.noticed} in {name}", mentions=mentions)


@recipe(0.5)
def _misspelt_elements(random: Random) -> Input:
    """An element of XML has a name that nobody knows."""
    arguments = random.choice([line for line in command_lines() if line[0] == "hoo" or any(word.endswith(".xml") for word in line)])
    outputs = tuple(word for word in arguments if word.startswith("out"))
    given = Input("", list(arguments), files_of(arguments), outputs=outputs)
    name = random.choice([name for name in sorted(given.files) if name.endswith(".xml")])
    change = rename_element(random, given.files[name])
    return given if change is None else given.with_file(name, change.content, noticed=change.noticed)


@recipe(2)
def _in_a_terminal(random: Random) -> Input:
    """Control characters in everything that a stranger can choose, on a terminal."""
    given = _sample(random) if random.random() < 0.6 else _sample(random, "convert", "graphs", "check", "inspect")
    files = dict(given.files)
    arguments = list(given.arguments)
    way = random.randrange(4)
    mark = random.choice(_STEERING)
    if way == 0 and files:
        name = random.choice(sorted(files))
        words = files[name].split(b" ")
        words.insert(random.randrange(len(words)), f"x{mark}y".encode())
        files[name] = b" ".join(words)
    elif way == 1 and files:
        name = random.choice(sorted(files))
        stem, dot, extension = name.rpartition(".")
        new = f"{stem}{mark.replace('/', '')}{dot}{extension}"
        files[new] = files.pop(name)
        arguments = [new if word == name else word for word in arguments]
    elif way == 2:
        arguments.insert(random.randrange(len(arguments) + 1), f"--{mark}" if random.random() < 0.5 else f"x{mark}")
    else:
        arguments += [random.choice(("-m", "--types", "--format", "--from", "-o")), f"x{mark}"]
    outputs = (*given.outputs, *(word for word in arguments if mark in word))
    return replace(given, files=files, arguments=arguments, terminal=True, outputs=outputs, compare_cores=False)


@recipe(1)
def _odd_paths(random: Random) -> Input:
    """A file of the command is replaced by something that cannot be read."""
    given = _sample(random)
    candidates = [
        index
        for index, word in enumerate(given.arguments)
        if word in given.files or any(name.startswith(f"{word}/") for name in given.files)
    ]
    if not candidates:
        return given
    index = random.choice(candidates)
    old = given.arguments[index]
    extension = old.rpartition(".")[2] if "." in old else ""
    kinds = {"missing": "nowhere", "long": "x" * 300, "folder": "folder", "loop": "loop", "below": "file/below", "empty": ""}
    kind = random.choice(sorted(kinds))
    new = f"{kinds[kind]}.{extension}" if extension and kind not in {"empty", "folder"} else kinds[kind]
    arguments = list(given.arguments)
    arguments[index] = new
    files = {name: content for name, content in given.files.items() if old in arguments or (name != old and not name.startswith(f"{old}/"))}
    files.update({"folder": {"folder/nothing.bin": b"\xff"}, "below": {"file": b"a\n"}}.get(kind, {}))
    links = {new: new} if kind == "loop" else {}
    return replace(given, arguments=arguments, files=files, links=links, noticed=f"a path that cannot be read ({kind})", mentions=new)


@recipe(1)
def _failing_output(random: Random) -> Input:
    """There is no room for what is written."""
    given = _with_old_output(random, _sample(random))
    kind = random.choice(("stdout", "stderr", "file_size"))
    if kind == "file_size":  # enough for messages
        return replace(given, settings={"file_size": random.choice((1000, 2000))})
    if kind == "stderr":  # the status must say what standard error cannot
        return replace(given, arguments=[*given.arguments, "--nothing"], settings={kind: "/dev/full", "status": 2}, compare_cores=False)
    return replace(given, settings={kind: "/dev/full"}, compare_cores=False)


@recipe(0.3)
def _interrupted(random: Random) -> Input:
    """A signal at any time, of a command that runs or that is still starting."""
    number = random.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM))
    given = replace(_sample(random, "score", "convert", "compare", "task", "graphs"), compare_cores=False)
    if random.random() < 0.5:
        return replace(given, settings={"signal": int(number), "after": random.random() * 0.1})
    settings = {"signal": int(number), "after": random.uniform(0.04, 0.5), "cold": True}
    return replace(given, settings=settings)


@recipe(0.1)
def _terminated(random: Random) -> Input:
    """A signal while a large file is written."""
    files = {"gold.m2": sample_files()["gold.m2"] * 400}
    settings = {"signal": int(random.choice((signal.SIGTERM, signal.SIGINT))), "after": random.random() * 0.6}
    return Input("", ["convert", "gold.m2", "-o", "out.jsonl"], files, outputs=("out.jsonl",), settings=settings, compare_cores=False)


@recipe(0.2)
def _little_memory(random: Random) -> Input:
    """An address space that is too small for the command; libraries are loaded, because some crash without enough of it."""
    given = replace(_sample(random, "score", "compare", "convert", "detect", "faithfulness"), compare_cores=False)
    return replace(given, settings={"memory": random.choice((1, 2, 4, 8, 16))})


@recipe(0.1)
def _planted_module(random: Random) -> Input:
    """The current folder has a module with a name of the standard library."""
    given = replace(_sample(random, "score", "convert", "stats"), compare_cores=False)
    name = random.choice(("gzip.py", "json/__init__.py", "csv.py", "typing.py", "numpy.py", "argparse.py"))
    planted = given.with_file(name, b"print('Traceback (most recent call last): a planted module was imported')\n")
    return replace(planted, settings={"cold": True})


@recipe(0.7)
def _task_outside(random: Random) -> Input:
    """A task file that asks for files outside its folder."""
    files = {f"task/{name}": content for name, content in sample_files().items() if name.startswith(("task.toml", "essays"))}
    files["task/alternatives.sgml"] = sample_files()["alternatives.sgml"]
    files["secret/gold.sgml"] = sample_files()["essays.sgml"]
    files["secret/team.txt"] = sample_files()["essays/bold.txt"]
    kind, links = random.choice(
        (
            ('gold = ["../secret/gold.sgml"]', {}),
            ('systems = ["../secret/*.txt"]', {}),
            ('systems = ["essays/*.txt", "l*/*.txt"]', {"task/link": "../secret"}),
            ('systems = ["essays/*.txt", "link.txt"]', {"task/link.txt": "../secret/team.txt"}),
        )
    )
    key = kind.partition(" ")[0]
    lines = files["task/task.toml"].decode().splitlines()
    files["task/task.toml"] = "\n".join(kind if line.startswith(key) else line for line in lines).encode()
    return Input(
        "",
        ["task", "run", "task/task.toml", "-o", "out"],
        files,
        links,
        outputs=("out",),
        noticed=f"a path outside: {kind}",
        files_written=0,
    )


@recipe(0.5)
def _user_functions(random: Random) -> Input:
    """Functions that fail, or return something else than a list of strings."""
    names = (
        "os:getcwd",
        "os:abort_",
        "builtins:len",
        "builtins:exit",
        "math:sqrt",
        "json:loads",
        "builtins:list",
        "str:split",
        "this_is:no",
    )
    arguments = ["convert", "essays.sgml", random.choice(("--tokeniser", "--sentence-splitter")), random.choice(names), "--to", "m2"]
    return Input("", arguments, {"essays.sgml": sample_files()["essays.sgml"]})


@recipe(0.7)
def _task_file(random: Random) -> Input:
    """A task file with a wrong value must be named in the error."""
    given = _sample(random, "task")
    line = random.choice(
        (
            'metrics = ["nothing"]',
            'metrics = ["maxmatch(beta=x)"]',
            "metrics = [1]",
            'profile = "nothing"',
            'tagger = "nothing"',
            "types = 3",
            'systems = ["nowhere/*.txt"]',
            "nothing = 1",
            "title = ",
            "confidence = 2",
            "replicates = 500",
            'test = "nothing"',
        )
    )
    key = line.partition(" ")[0]
    lines = [line for line in given.files["task.toml"].decode().splitlines() if not line.startswith(f"{key} ")]
    return given.with_file("task.toml", "\n".join([line, *lines, ""]).encode(), noticed=f"a wrong value: {line}", mentions="task.toml")


@recipe(0.5)
def _graph_ids(random: Random) -> Input:
    """Graphs whose ids, given or made up, may become the same file name."""
    own = random.choice(("1-2", "1-3", "1.1", "2", "1 ", "", "..", "a/b", "x" * 250))
    first, second = sample_files()["source.mrp"].splitlines(keepends=True)[:2]
    texts = [json.loads(line)["input"] for line in (first, second)]
    files = {
        "g.mrp": first + second.replace(b'"id": "2"', f'"id": "{own}"'.encode(), 1),
        "text.txt": "".join(f"{texts[number]}\n" for number in random.choice(((0, 0, 1), (0, 1, 0)))).encode(),
        "out/nothing": b"",
    }
    return Input("", ["graphs", "g.mrp", "--text", "text.txt", "-o", "out/"], files, outputs=("out",), files_written=3)


@recipe(0.5)
def _formulas(random: Random) -> Input:
    """Names that a spreadsheet would take for formulas, in every table that is written."""
    name = random.choice(("=cmd()", "+1+1", "@x", "-x", " =1", "\t=1", "ok"))
    if random.random() < 0.5:
        table = f'error,"confidence_{name}"\n1,0.9\n0,0.1\n'.encode()
        return Input("", ["detect", "t.csv", "--curves", "out.csv"], {"t.csv": table}, outputs=("out.csv",))
    given = _sample(random, "score", "stats", "conservatism", "compare")
    gold = {file: content.replace(b"|||Prep|||", f"|||{name}|||".encode()) for file, content in given.files.items()}
    arguments = [f"./{name}.txt" if word == "a.txt" else word for word in given.arguments]
    files = {**gold, f"{name}.txt": sample_files()["a.txt"]}
    return replace(given, files=files, arguments=[*arguments, "--format", "csv"])


@recipe(2)
def _degenerate(random: Random) -> Input:
    """Data on which statistics are undefined, with every statistic."""
    if random.random() < 0.4:
        rows = [f"{random.randrange(2)},{random.randrange(2)}" for _ in range(random.choice((1, 2, 3, 5)))]
        files = {"t.csv": ("error,flagged\n" + "\n".join(rows) + "\n").encode()}
        if random.random() < 0.3:
            counts = [",".join(str(random.choice((0, 0, 1, 2, 0.25, 10**12))) for _ in range(4)) for _ in rows]
            files = {"t.csv": ("system,tp,fp,fn,tn\n" + "".join(f"{number},{row}\n" for number, row in enumerate(counts))).encode()}
        arguments = ["detect", "t.csv"]
    else:
        count = random.choice((1, 2, 3))
        edits = ("", "A 0 1|||X|||b|||REQUIRED|||-NONE-|||0\n", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n")
        gold = "".join(
            f"S {random.choice(('a', 'a c', ''))}\n{random.choice(edits[: 1 + 2 * (random.random() < 0.7)])}\n" for _ in range(count)
        )
        files = {"g.m2": gold.encode()}
        for name in ("s.txt", "t.txt", "u.txt"):
            files[name] = "".join(random.choice(("a\n", "b\n", "a c\n", "\n")) for _ in range(count)).encode()
        command = random.choice(("score", "compare", "detect", "detect", "conservatism", "correlate", "score --by-type"))
        arguments = [*command.split(), "g.m2", "s.txt", "t.txt", "u.txt"]
    return Input("", [*arguments, *_statistics(random, arguments)], files)


def _statistics(random: Random, arguments: list[str]) -> list[str]:
    """Options that ask for intervals and tests."""
    command = arguments[0]
    options: list[str] = []
    if command in {"score", "detect"}:
        options += ["--confidence"]
    if command == "correlate":
        options += ["-m", "maxmatch", "-m", "imeasure"]
    if command == "detect":
        options += ["--measure", random.choice(("kappa", "f", "precision", "recall", "accuracy"))]
        options += ["--case", random.choice(("token", "character", "edit"))] if "g.m2" in arguments else []
    if command in {"score", "compare"}:
        options += ["-m", random.choice(("maxmatch", "imeasure", "accuracy", "indexmatch", "hoo"))] if "--by-type" not in arguments else []
        options += random.choice(([], ["--rechoose"]))
    if command in {"score", "compare", "detect"}:
        options += ["--replicates", "100", *random.choice(([], ["--interval", "percentile"], ["--resample", "document"]))]
    if command in {"compare", "detect"}:
        options += random.choice(([], ["--test", random.choice(("randomisation", "bootstrap", "t", "sign"))]))
    return options + random.choice(([], ["--format", random.choice(("json", "csv", "latex", "markdown"))]))


@recipe(0.3)
def _grown(random: Random) -> Input:
    return grow(random)
