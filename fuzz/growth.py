"""Inputs that are large in one way: each would show work or memory that grows faster than the input."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from random import Random

from fuzz.inputs import Input

Maker = Callable[[Random, int], Input]
GROWTH: dict[str, tuple[int, Maker]] = {}
"""Ways to grow, with the largest size of each."""
_MOST_SECONDS = 5
"""Of the processor, where the right algorithm needs a second or two."""
_METRICS = ("maxmatch", "imeasure", "accuracy", "indexmatch", "hoo")


def grows(largest: int) -> Callable[[Maker], Maker]:
    """Add a way to grow."""

    def add(make: Maker) -> Maker:
        GROWTH[make.__name__.removeprefix("_")] = (largest, make)
        return make

    return add


def grow(random: Random, name: str = "", size: int = 0) -> Input:
    """Make a large input; by default a random one, mostly not of the largest size."""
    name = name or random.choice(sorted(GROWTH))
    largest, make = GROWTH[name]
    return make(random, size or max(1, int(largest * random.choice((0.01, 0.1, 1)))))


def _input(name: str, arguments: str, files: dict[str, bytes], **settings: float) -> Input:
    return Input(
        f"grown:{name}",
        arguments.split(),
        files,
        compare_cores=False,
        outputs=("out",),
        settings={"most_seconds": _MOST_SECONDS, "seconds": _MOST_SECONDS + 1, **settings},
    )


def _words(random: Random, count: int) -> str:
    return " ".join(random.choice("ab") for _ in range(count))


def _ambiguous(random: Random, tokens: int, annotators: int) -> dict[str, bytes]:
    """Texts of two words only, so that nearly every alignment is possible."""
    edits = "".join(
        f"A {start} {start + 1}|||X|||{_words(random, 2)}|||REQUIRED|||-NONE-|||{annotator}\n"
        for annotator in range(annotators)
        for start in range(0, tokens - 1, 2)
    )
    return {"g.m2": f"S {_words(random, tokens)}\n{edits}\n".encode(), "s.txt": f"{_words(random, tokens)}\n".encode()}


@grows(4_000)
def _ambiguous_tokens(random: Random, size: int) -> Input:
    return _input(
        "ambiguous_tokens", f"score g.m2 s.txt -m {random.choice(_METRICS)}", _ambiguous(random, size, 1), most_seconds=16, seconds=17
    )


@grows(4_000)
def _ambiguous_tokens_imeasure(random: Random, size: int) -> Input:
    return _input("ambiguous_tokens_imeasure", "score g.m2 s.txt -m imeasure", _ambiguous(random, size, 1), most_seconds=16, seconds=17)


@grows(1_000)
def _ambiguous_references(random: Random, size: int) -> Input:
    return _input(
        "ambiguous_references", "score g.m2 s.txt -m imeasure", _ambiguous(random, size // 5 or 2, 5), most_seconds=16, seconds=17
    )


@grows(30_000)
def _annotators(random: Random, size: int) -> Input:
    lines = "".join(f"A 0 1|||X|||b{number % 7}|||REQUIRED|||-NONE-|||{number}\n" for number in range(size))
    metric = random.choice(_METRICS)
    return _input(
        "annotators",
        f"score g.m2 s.txt -m {metric}",
        {"g.m2": f"S a c\n{lines}\n".encode(), "s.txt": b"b1 c\n"},
        most_seconds=12,
        seconds=13,
    )


@grows(30_000)
def _annotators_imeasure(_: Random, size: int) -> Input:
    lines = "".join(f"A 0 1|||X|||b{number % 7}|||REQUIRED|||-NONE-|||{number}\n" for number in range(size))
    return _input(
        "annotators_imeasure",
        "score g.m2 s.txt -m imeasure",
        {"g.m2": f"S a c\n{lines}\n".encode(), "s.txt": b"b1 c\n"},
        most_seconds=12,
        seconds=13,
    )


@grows(20_000)
def _annotators_to_sgml(_: Random, size: int) -> Input:
    lines = "".join(f"A 0 1|||X|||b{number}|||REQUIRED|||-NONE-|||{number}\n" for number in range(size))
    return _input("annotators_to_sgml", "convert g.m2 --to sgml -o out", {"g.m2": f"S a c\n{lines}\n".encode()})


@grows(600_000_000)
def _compressed_system(_: Random, size: int) -> Input:
    return _input("compressed_system", "score g.m2 s.txt.gz", {"g.m2": b"S a\n\n", "s.txt.gz": _repeat(b"a\n", size)})


@grows(600_000_000)
def _compressed_gold(_: Random, size: int) -> Input:
    return _input("compressed_gold", "score g.m2.gz s.txt --max-lines 200000", {"g.m2.gz": _repeat(b"S a\n\n", size), "s.txt": b"a\n"})


@grows(300_000_000)
def _commas(_: Random, size: int) -> Input:
    return _input("commas", "detect t.csv.gz", {"t.csv.gz": _repeat(b",", size)})


def _repeat(piece: bytes, size: int) -> bytes:
    """A compressed repetition; the packed form of a megabyte is repeated, so that this takes milliseconds."""
    block = piece * max(1, min(size, 1 << 20) // len(piece))
    packed = gzip.compress(block, mtime=0)
    return packed * max(1, size // len(block))  # gzip files behind each other are one file


@grows(20_000_000)
def _parquet_rows(_: Random, size: int) -> Input:
    import pyarrow as pa
    from pyarrow import parquet

    column = pa.DictionaryArray.from_arrays(pa.array([0] * (size // 20), pa.int8()), ["1"])
    table = pa.table({"error": column, "flagged": column})
    file = io.BytesIO()
    with parquet.ParquetWriter(file, table.schema) as writer:
        for _repeated in range(20):
            writer.write_table(table)
    return _input("parquet_rows", "detect t.parquet", {"t.parquet": file.getvalue()})


@grows(60_000)
def _dotted_key(_: Random, size: int) -> Input:
    return _input("dotted_key", "task run t.toml -o out", {"t.toml": b".".join([b"a"] * (size // 2)) + b" = 1\n"})


@grows(50_000)
def _columns(_: Random, size: int) -> Input:
    header = ",".join(f"column{number}" for number in range(size))
    return _input("columns", "detect t.csv", {"t.csv": f"error,flagged,{header}\n1,1,{'0,' * (size - 1)}0\n".encode()})


@grows(100_000)
def _unknown_columns(_: Random, size: int) -> Input:
    header = ",".join(f"eror{number}" for number in range(size))
    return _input("unknown_columns", "detect t.csv", {"t.csv": f"{header}\n{'0,' * (size - 1)}0\n".encode()})


@grows(5_000)
def _hoo_edits(_: Random, size: int) -> Input:
    edits = "".join(
        f'<edit index="{number}" type="RT" file="1" part="1" start="{number % 50}" end="{number % 50 + 60}">'
        f"<original>{'x' * 60}</original><corrections><correction>y{number}</correction></corrections></edit>\n"
        for number in range(size)
    )
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<edits>\n{edits}</edits>\n'.encode()
    return _input("hoo_edits", "hoo --gold gold --system edits", {"gold/1GE.xml": text, "edits/1XX1.xml": text})


@grows(400_000)
def _characters(random: Random, size: int) -> Input:
    first, second = ("".join(random.choices("ab", k=size)) for _ in range(2))
    metric = random.choice(("conservatism g.m2 s.txt", "score g.m2 s.txt -m hoo", "detect g.m2 s.txt --case character"))
    return _input("characters", metric, {"g.m2": f"S {first}\n\n".encode(), "s.txt": f"{second}\n".encode()})


@grows(400_000)
def _long_words(random: Random, size: int) -> Input:
    first, second = ("".join(random.choices("ab", k=size)) for _ in range(2))
    return _input("long_words", "conservatism g.m2 s.txt", {"g.m2": f"S {first}\n\n".encode(), "s.txt": f"{second}\n".encode()})


@grows(4_000)
def _words_in_another_order(random: Random, size: int) -> Input:
    words = [f"w{number}" for number in range(size)]
    command = random.choice(("conservatism g.m2 s.txt", "score g.m2 s.txt -m hoo", "detect g.m2 s.txt", "score g.m2 s.txt"))
    source = " ".join(words)
    random.shuffle(words)
    return _input("words_in_another_order", command, {"g.m2": f"S {source}\n\n".encode(), "s.txt": f"{' '.join(words)}\n".encode()})


@grows(20_000)
def _essay_sentences(_: Random, size: int) -> Input:
    text = "It is a cat . " * size
    mistakes = "".join(
        f'<MISTAKE start_par="0" start_off="{number * 14}" end_par="0" end_off="{number * 14 + 2}">\n<TYPE>X</TYPE>\n'
        "<CORRECTION>He</CORRECTION>\n</MISTAKE>\n"
        for number in range(size // 4)
    )
    essay = f'<DOC nid="1">\n<TEXT>\n<P>\n{text}\n</P>\n</TEXT>\n<ANNOTATION teacher_id="0">\n{mistakes}</ANNOTATION>\n</DOC>\n'
    return _input("essay_sentences", "convert e.sgml -o out --to m2", {"e.sgml": essay.encode()})


@grows(750_000)
def _line_ends_in_cells(_: Random, size: int) -> Input:
    rows = "".join(f'{number},"a{chr(10) * 40} b","a c",1\n' for number in range(size // 60))
    return _input("line_ends_in_cells", "coverage t.csv", {"t.csv": f"sentence,source,correction,count\n{rows}".encode()})


@grows(1_000_000)
def _deep_json(random: Random, size: int) -> Input:
    deep = b'{"id": ' + b"[" * (size // 2) + b"]" * (size // 2) + b"}\n"
    name, arguments = random.choice((("g.jsonl", "stats g.jsonl"), ("g.mrp", "graphs g.mrp"), ("t.jsonl", "detect t.jsonl")))
    return _input("deep_json", arguments, {name: deep})


@grows(500_000)
def _deep_xml(random: Random, size: int) -> Input:
    name, arguments = random.choice((("g.xml", "stats g.xml"), ("g.xml", "graphs g.xml"), ("g.sgml", "stats g.sgml")))
    return _input("deep_xml", arguments, {name: b"<a>" * (size // 7) + b"</a>" * (size // 7)})


@grows(200_000)
def _error_types(random: Random, size: int) -> Input:
    blocks = "".join(f"S a c\nA 0 1|||T{number}|||b|||REQUIRED|||-NONE-|||0\n\n" for number in range(size // 60))
    command = random.choice(("stats g.m2", "score g.m2 s.txt", "convert g.m2 --to jsonl -o out"))
    return _input("error_types", command, {"g.m2": blocks.encode(), "s.txt": b"b c\n" * (size // 60)})


@grows(400_000)
def _repeated_characters(random: Random, size: int) -> Input:
    """One or two characters again and again, where regular expressions look for words, numbers and sentences."""
    piece = random.choice(("a", ".", "1", "a.", "A", "-", "_", "&", "<", "(", "a,", '"', "=", "1."))
    text = piece * (size // len(piece))
    essay = f'<DOC nid="1">\n<TEXT>\n<P>\n{piece.replace("<", "x").replace("&", "y") * (size // len(piece))}\n</P>\n</TEXT>\n</DOC>\n'
    files = {"g.m2": f"S a {text}\n\n".encode(), "s.txt": f"{text} b\n".encode(), "e.sgml": essay.encode()}
    command = random.choice(
        (
            "conservatism g.m2 s.txt",
            "score g.m2 s.txt -m hoo",
            "inspect g.m2 s.txt",
            "detect g.m2 s.txt",
            "check s.txt --against g.m2",
            "convert e.sgml --to m2 -o out",
            "convert g.m2 --to xml -o out",
        )
    )
    return _input("repeated_characters", command, files)


@grows(20_000)
def _edits_of_a_sentence(random: Random, size: int) -> Input:
    lines = "".join(f"A 0 0|||T|||w{number}|||REQUIRED|||-NONE-|||0\n" for number in range(size))
    metric = random.choice(_METRICS)
    return _input("edits_of_a_sentence", f"score g.m2 s.txt -m {metric}", {"g.m2": f"S a\n{lines}\n".encode(), "s.txt": b"w1 a\n"})
