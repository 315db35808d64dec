"""Tokens as the types of ERRANT see them: with a category, which is coarser than the tag."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from errata.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from errata.corpus.parses import Parse

_TAGS = {
    "DET": "DT PDT PRP$ WDT WP$",
    "PRON": "EX PRP WP",
    "PREP": "IN",
    "PART": "POS RP TO",
    "VERB": "MD VB VBD VBG VBN VBP VBZ BES HVS",
    "NOUN": "NN NNP NNPS NNS",
    "ADJ": "AFX JJ JJR JJS",
    "ADV": "RB RBR RBS WRB",
    "CONJ": "CC",
    "NUM": "CD",
    "INTJ": "UH",
    "SYM": "# $ SYM",
    "PUNCT": "'' `` \"\" , . : -LRB- -RRB- HYPH",
    "X": "FW LS NIL ADD GW NFP XX",
    "SPACE": "SP _SP",
}
CATEGORIES = {tag: category for category, tags in _TAGS.items() for tag in tags.split()}
"""The category of each tag of the Penn Treebank."""
RARE_CATEGORIES = frozenset({"INTJ", "NUM", "SYM", "X"})
"""Categories that say too little to be a type."""
OPEN_CATEGORIES = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
DEPENDENCY_CATEGORIES = {"acomp": "ADJ", "amod": "ADJ", "advmod": "ADV", "det": "DET", "prep": "PREP", "prt": "PART", "punct": "PUNCT"}
"""The category that a dependency stands for."""
AUXILIARIES = frozenset({"aux", "auxpass"})


class Token(NamedTuple):
    """A token of a parsed sentence."""

    form: str
    lower: str
    lemma: str
    pos: str
    tag: str
    category: str
    dep: str
    parse: Parse
    position: int

    @property
    def is_auxiliary(self) -> bool:
        """Whether it depends on its head as an auxiliary."""
        return self.dep.startswith("aux")

    @property
    def has_auxiliary(self) -> bool:
        """Whether an auxiliary depends on it."""
        return any(self.parse.deps[child] in AUXILIARIES for child in self.parse.children[self.position])

    @property
    def follows_another_auxiliary(self) -> bool:
        """Whether the first auxiliary of its head is another word."""
        parse = self.parse
        first = next((child for child in parse.children[parse.heads[self.position]] if parse.deps[child].startswith("aux")), None)
        return first is not None and parse.forms[first] != self.form


def take_tokens(parse: Parse, start: int, end: int) -> list[Token]:
    """Take the tokens of a span."""
    return [_take_token(parse, position) for position in range(start, end)]


def _take_token(parse: Parse, position: int) -> Token:
    tag = parse.tags[position]
    if tag not in CATEGORIES:
        raise InputError(
            f"the tag of a token must be one of the Penn Treebank, such as NN or VBZ, found {tag!r:.40} for {parse.forms[position]!r:.40}"
        )
    return Token(
        parse.forms[position],
        parse.lower[position],
        parse.lemmas[position],
        parse.pos[position],
        tag,
        CATEGORIES[tag],
        parse.deps[position],
        parse,
        position,
    )


def find_only(values: Iterable[str]) -> str | None:
    """Return the value if all are the same.

    >>> find_only(["DET", "DET"]), find_only(["DET", "NOUN"])
    ('DET', None)
    """
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None
