"""Corpora that are long enough for several parts of evidence, and what folders contain."""

from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

import errata
from errata.formats.reading import _make_parallel_columns
from errata.settings import BLOCK_SIZE

EXAMPLES = Path(__file__).parent.parent / "examples"
NAMES = ("cautious", "eager", "rewriter")


def repeat(texts: list[str], count: int) -> list[str]:
    return (texts * (count // len(texts) + 1))[:count]


class LongCorpus:
    """The example corpus with two annotators and its systems, repeated, as files in a folder."""

    def __init__(self, folder: Path, sentences: int = 3 * BLOCK_SIZE + 100) -> None:
        self.folder, self.sentences = folder, sentences
        gold = errata.read(EXAMPLES / "learner.m2")
        columns = {name: repeat(list(texts), sentences) for name, texts in _make_parallel_columns(gold).items()}
        for name in NAMES:
            lines = (EXAMPLES / "systems" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
            columns[name] = repeat([text.replace("  ", " ") for text in lines], sentences)
        for name, texts in columns.items():
            (folder / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        parquet.write_table(pa.table(columns), folder / "all.parquet", row_group_size=700)
        errata.write(errata.Corpus(tuple(gold.sentences[index % len(gold)] for index in range(sentences))), folder / "gold.m2")

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def texts(self, *systems: str) -> list[str]:
        """The arguments of a command for texts."""
        references = ["-r", self.path("ref0.txt"), "-r", self.path("ref1.txt")]
        return [self.path("src.txt"), *references, *(self.path(f"{name}.txt") for name in systems or NAMES)]

    def columns(self, *systems: str) -> list[str]:
        """The same as columns of Parquet."""
        whole = self.path("all.parquet")
        references = ["-r", f"{whole}:ref0", "-r", f"{whole}:ref1"]
        return [f"{whole}:src", *references, *(f"{name}={whole}:{name}" for name in systems or NAMES)]

    def annotated(self, *systems: str) -> list[str]:
        """The arguments of a command for M2."""
        return [self.path("gold.m2"), *(self.path(f"{name}.txt") for name in systems or NAMES)]


def read_folder(folder: Path) -> dict[str, bytes]:
    """Read all files of a folder of evidence."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def read_parts(folder: Path) -> dict[str, bytes]:
    """Read all parts of a folder; the manifest lists systems in the order in which they were asked for."""
    return {name: content for name, content in read_folder(folder).items() if name != "manifest.json"}
