"""What inputs are made from: the example files, cut short, in every format, and a command line for each way to use them."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import tempfile
from functools import cache
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
_SENTENCES = 6

_COMMANDS = """
score gold.m2 a.txt b.txt
score gold.jsonl a.txt b.txt
score gold.xml a.txt b.txt
score essays.sgml essays/bold.txt essays/careful.txt
score gold.m2.gz a.txt.gz
score a.src -r b.txt a.txt
score small.m2 bold-small.txt -m uccasim --graphs source.mrp --graphs bold.mrp
score gold.m2 a.txt b.txt --by-type
compare gold.m2 a.txt b.txt
gate gold.m2 a.txt b.txt --drop 1 --replicates 200
inspect gold.m2 a.txt
correlate gold.m2 a.txt b.txt c.txt -m maxmatch -m imeasure
chart intervals gold.m2 a.txt b.txt -m maxmatch -o out.svg
chart improvement gold.m2 a.txt b.txt -o out.svg
chart precision-recall gold.m2 a.txt b.txt -o out.svg
chart length gold.m2 a.txt b.txt -m gleu -o out.svg
chart metrics gold.m2 a.txt b.txt -m maxmatch -m accuracy -o out.svg
detect cases.csv
detect cases.tsv
detect cases.jsonl
detect counts.csv
detect counted.tsv --column count=freq
detect gold.labels careful.labels bold.labels
detect gold.m2 a.txt b.txt
chance
coverage corrections.tsv
coverage corrections.csv
coverage corrections.tsv -m maxmatch --simulations 5
coverage --reference a.txt --reference b.txt a.src
judgments rankings.tsv --replicates 100
judgments rankings.xml --ranking trueskill --runs 2
meta gold.m2 a.txt b.txt c.txt --judgments judged.tsv --replicates 100
meta --human-scores people.csv --scores scores.tsv --window 3
meta gold.m2 a.txt b.txt c.txt --human-scores people.csv --scores sentences.csv --replicates 100
correlate --scores scores.tsv --scores people.csv
conservatism gold.m2 a.txt b.txt
align gold.m2 a.txt
score -r reference1.md -r reference2.md source.md free.md --per-document
align a.txt b.txt --fill source --format json
rerank a.txt b.txt --oracle gold.m2
rerank a.txt b.txt --source a.src --per sentence
faithfulness source.mrp bold.mrp
faithfulness essay.xml essay.xml
faithfulness source.conllu source.conllu
graphs source.mrp bold.mrp
graphs essay.xml --to mrp -o out.mrp
graphs source.conllu --to mrp -o out.mrp
graphs essay.xml --to mrp --text essay.txt
hoo --gold hoo/gold --system hoo/edits
hoo --gold hoo/gold --system hoo/texts --source hoo/source
hoo --gold hoo/gold --system hoo/texts --source hoo/source --edits maxmatch
score hoo/gold hoo/texts --source hoo/source
convert hoo/gold --source hoo/source --to m2
task run task.toml -o out
stats gold.m2
check gold.m2 a.txt gold.jsonl gold.xml essays.sgml
check essay.xml source.mrp source.conllu
check a.txt --against gold.m2
convert gold.m2 --to jsonl -o out.jsonl
convert gold.jsonl --to m2 -o out.m2
convert gold.xml --to sgml -o out.sgml
convert gold.m2 --to xml
convert gold.jsonl --to m2
convert gold.m2 --to jsonl
convert a.src -r a.txt --to m2
convert gold.m2 --to parallel -o out
convert essays.sgml --alternatives alternatives.sgml -o out.m2
convert a.src -r a.txt -o out.m2
metrics
metrics maxmatch
completion bash
"""


@cache
def command_lines() -> tuple[tuple[str, ...], ...]:
    """Command lines over the sample files."""
    return tuple(tuple(shlex.split(line)) for line in _COMMANDS.strip().splitlines())


def files_of(arguments: tuple[str, ...]) -> dict[str, bytes]:
    """The sample files that a command line names; those in a folder if it names that."""
    named = {name: content for name, content in sample_files().items() if name in arguments or name.rpartition("/")[0] in arguments}
    if "task.toml" in named:
        named.update({name: sample_files()[name] for name in ("essays.sgml", "alternatives.sgml", "essays/bold.txt", "essays/careful.txt")})
    return named


@cache
def sample_files() -> dict[str, bytes]:
    """Sample files by name."""
    plain = {
        "gold.m2": b"\n\n".join((EXAMPLES / "learner.m2").read_bytes().split(b"\n\n")[:_SENTENCES]) + b"\n\n",
        "a.txt": _lines("systems/eager.txt", _SENTENCES),
        "b.txt": _lines("systems/cautious.txt", _SENTENCES),
        "c.txt": _lines("systems/rewriter.txt", _SENTENCES),
        "small.m2": (EXAMPLES / "graphs/learner.m2").read_bytes(),
        "bold-small.txt": (EXAMPLES / "graphs/bold.txt").read_bytes(),
        "cases.csv": _lines("prepositions.csv", 30),
        "counts.csv": (EXAMPLES / "counts.csv").read_bytes(),
        "counted.tsv": b"error\tflagged\tconfidence\ttype\tfreq\n1\t1\t0.9\ta\t12\n0\t1\t0.6\ta\t18\n1\t0\t0.4\tb\t28\n0\t0\t0.1\tb\t142\n",
        "corrections.tsv": _lines("corrections.tsv", 30),
        "essays.sgml": (EXAMPLES / "essays.sgml").read_bytes(),
        "alternatives.sgml": (EXAMPLES / "alternatives.sgml").read_bytes(),
        "essays/bold.txt": (EXAMPLES / "essays/bold.txt").read_bytes(),
        "essays/careful.txt": (EXAMPLES / "essays/careful.txt").read_bytes(),
        "judged.tsv": b"sentence\tjudge\tranking\n0\tx\ta=1 b,c=2\n1\ty\tb=1 a=2 c=3\n2\tx\ta,b=1 c=1\n",
        "people.csv": b"system,people\na,0.5\nb,0.25\nc,-1\nd,2e-3\n",
        "scores.tsv": b"metric\tsystem\tscore\nm\ta\t1\nm\tb\t2\nm\tc\t3\nm\td\t0\n",
        "sentences.csv": b"system,sentence,neural\na,1,0.5\na,2,1\nb,1,0\nb,2,0\nc,1,1\nc,2,2\n",
        "rankings.tsv": _lines("judgments/rankings.tsv", 30),
        "rankings.xml": (EXAMPLES / "judgments/rankings.xml").read_bytes(),
        "task.toml": (EXAMPLES / "task.toml").read_bytes(),
        "source.conllu": _CONLLU,
    }
    plain.update({name: (EXAMPLES / "graphs" / name).read_bytes() for name in ("source.mrp", "bold.mrp", "essay.xml", "essay.txt")})
    plain.update({name: (EXAMPLES / "multigec" / name).read_bytes() for name in ("source.md", "reference1.md", "reference2.md", "free.md")})
    plain.update({f"{name}.labels": (EXAMPLES / f"labels/{name}.tsv").read_bytes() for name in ("gold", "careful", "bold")})
    plain.update({f"hoo/{path.parent.name}/{path.name}": path.read_bytes() for path in (EXAMPLES / "hoo").glob("*/*.*")})
    return {**plain, **_derived(plain)}


def _lines(name: str, count: int) -> bytes:
    return b"".join((EXAMPLES / name).read_bytes().splitlines(keepends=True)[:count])


def _derived(plain: dict[str, bytes]) -> dict[str, bytes]:
    """The same content in other formats."""
    from errata import read, write

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.m2").write_bytes(plain["gold.m2"])
        corpus = read(folder / "gold.m2")
        made = {}
        for extension in ("jsonl", "xml"):
            write(corpus, folder / f"gold.{extension}")
            made[f"gold.{extension}"] = (folder / f"gold.{extension}").read_bytes()
    header, *rows = (line.split(",") for line in plain["cases.csv"].decode().splitlines())
    made["cases.jsonl"] = "".join(json.dumps(dict(zip(header, row, strict=True))) + "\n" for row in rows).encode()
    made["cases.tsv"] = plain["cases.csv"].replace(b",", b"\t")
    made["corrections.csv"] = b"\n".join(
        b",".join(b'"' + cell + b'"' for cell in line.split(b"\t")) for line in plain["corrections.tsv"].splitlines()
    )
    made["a.src"] = b"".join(line[2:] + b"\n" for line in re.findall(rb"^S .*$", plain["gold.m2"], re.MULTILINE))
    made["gold.m2.gz"] = gzip.compress(plain["gold.m2"], mtime=0)
    made["a.txt.gz"] = gzip.compress(plain["a.txt"], mtime=0)
    return made


_CONLLU = b"""\
# sent_id = 1
# text = The student likes books
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tstudent\tstudent\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tlikes\tlike\tVERB\t_\t_\t0\troot\t_\t_
4\tbooks\tbook\tNOUN\t_\t_\t3\tobj\t_\t_

# sent_id = 2
# text = I agree
1\tI\tI\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tagree\tagree\tVERB\t_\t_\t0\troot\t_\t_

"""
