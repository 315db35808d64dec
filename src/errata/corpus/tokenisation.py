"""Tokenise outputs as models write them, so that they can be compared with tokenised gold."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from errata.corpus.corpus import WHITESPACE_TOKENS, Corpus
from errata.corpus.unicode import has_characters, is_unspaced, warn_of_english
from errata.errors import FormatError, InputError, RequestError, UsageError, suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from errata.corpus.corpus import Sentence, System
    from errata.corpus.texts import Tokens


class Tokeniser(NamedTuple):
    """Makes tokens of the text of an output and the tokens of its source; called as a function."""

    name: str
    """What a signature says, with all that can change the tokens."""
    tokenise: Callable[[str, Tokens], Tokens]

    def __call__(self, text: str, source: Tokens) -> Tokens:
        """Tokenise the output for a source."""
        return self.tokenise(text, source)


# --- The tokeniser of the CoNLL shared tasks: an old Treebank tokeniser.
#
# Words consist of ASCII letters, digits and underscores; quotation marks are unchanged, and a full stop or a comma inside a text stays
# with its word.

_CONLL_CLITIC = re.compile(r"([^' ])('ll|'re|'ve|n't|'s|'m|'d)\b", re.IGNORECASE | re.ASCII)
_CONLL_TOGETHER = (
    "can|not",
    "D|'ye",
    "Gim|me",
    "Gon|na",
    "Got|ta",
    "Lem|me",
    "Mor|'n",
    "T|is",
    "T|was",
    "Wan|na",
    "Whad|dd|ya",
    "Wha|t|cha",
)
"""Contracted words, with their parts."""
_CONLL_WORDS = [
    (re.compile(rf"\b{''.join(f'({part})' for part in word.split('|'))}\b", re.IGNORECASE | re.ASCII), word) for word in _CONLL_TOGETHER
]
_CONTRACTIONS = [(_CONLL_CLITIC, r"\1 \2")] + [
    (pattern, " ".join(rf"\{number}" for number in range(1, word.count("|") + 2))) for pattern, word in _CONLL_WORDS
]
_CONLL_SEPARATE = re.compile(r"([^\w.'\-/,&\s])", re.ASCII)
_COMMA = re.compile(r"(,\s)")
_APOSTROPHE = re.compile(r"('\s)")
_FINAL_STOP = re.compile(r"\.\s*$")


def tokenise_as_conll(text: str) -> tuple[str, ...]:
    r"""Split a sentence into tokens.

    >>> tokenise_as_conll('He can\'t say "no," and goes.')
    ('He', 'ca', "n't", 'say', '"', 'no', ',', '"', 'and', 'goes', '.')
    """
    for pattern, replacement in _CONTRACTIONS:
        text = pattern.sub(replacement, text)
    text = _CONLL_SEPARATE.sub(r" \1 ", text)
    text = _COMMA.sub(r" \1", text)
    text = _APOSTROPHE.sub(r" \1", text)
    text = _FINAL_STOP.sub(" .", text)
    return tuple(text.split())


_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_ABBREVIATIONS = frozenset(
    "adj. adv. al. approx. apr. assn. aug. ave. bros. ca. capt. cf. ch. chap. co. col. conf. corp. dec. dept. dr. ed. eds. eq. esp. est. "  # noqa: SIM905 - short
    "etc. feb. fig. figs. fr. fri. gen. gov. hon. inc. jan. jr. lt. ltd. maj. messrs. mr. mrs. ms. mt. nos. nov. oct. op. pp. ph.d. pres. "
    "prof. pt. rep. rev. sec. sen. sept. sep. sgt. sr. st. supt. thu. tue. univ. viz. vol. vols. vs. a.m. p.m. e.g. i.e.".split()
)
_CLOSING = frozenset("\"'”’»)]}>") | {"''"}


def _is_abbreviation(word: str) -> bool:
    """Whether a word with a full stop at its end is an abbreviation.

    >>> [_is_abbreviation(word) for word in ("Mr.", "U.S.", "etc.", "school.")]
    [True, True, True, False]
    """
    return word.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(word) is not None


def _split_stops(tokens: Iterable[str], *, ends: bool, is_kept: Callable[[str], bool] = _is_abbreviation) -> Tokens:
    """Split full stops off words; if a text ends here, the last one is a token even after an abbreviation, as in the Treebank.

    >>> _split_stops(["left.", "Mr.", "etc.", '"'], ends=True)
    ('left', '.', 'Mr.', 'etc', '.', '"')
    """
    given = list(tokens)
    last = len(given) - 1 if ends else -1
    while last > 0 and given[last] in _CLOSING:
        last -= 1
    result: list[str] = []
    for index, token in enumerate(given):
        word = token.rstrip(".")
        if len(word) == len(token) or not word:
            result += _split_ellipsis(token)
        elif index != last and is_kept(token):
            result.append(token)
        else:
            result += [word, *_split_ellipsis(token[len(word) :])]
    return tuple(result)


def _split_ellipsis(token: str) -> tuple[str, ...]:
    """Split two full stops; three or more are an ellipsis.

    >>> _split_ellipsis(".."), _split_ellipsis("...")
    (('.', '.'), ('...',))
    """
    return (".", ".") if len(token) == 2 and not token.strip(".") else (token,)  # noqa: PLR2004 - two


# --- Tokens as in the Penn Treebank, for texts of one sentence or more; quotation marks stay as they are written.
#
# Nothing is dropped or replaced: a token is a part of the text.

_TREEBANK_SEPARATE = [
    re.compile(pattern)
    for pattern in (
        r"(?<!\.)(\.{3,})",  # an ellipsis
        r"([,:])(?![0-9])|(?<![0-9])([,:])",  # but not those of 1,000 and 10:30
        r"([;@#$%&?!()\[\]{}<>\"“”„«»…])",
        r"(``|''|--+|[–—]+)",
        r"(?<![^\s(\[{<\"“«—])(['‘’`])(?=\w)(?!(?i:s|m|d|ll|re|ve|t|tis|twas|em|cause)\b)",  # an opening quotation mark
        r"(?<=[\w.!?,])(['’])(?!\w)",  # a closing one, or the end of a genitive
    )
]
_TREEBANK_CLITIC = re.compile(r"(?<=\w)(?=(?:['’](?:s|m|d|ll|re|ve)|n['’]t)\b)", re.IGNORECASE)
_TREEBANK_TOGETHER = ("can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n", "wan|na", "'t|is", "'t|was")
"""Words that are written together, with their parts."""
_WORDS_TOGETHER = {word.replace("|", ""): word.index("|") for word in _TREEBANK_TOGETHER}
"""Where they are split."""
_TREEBANK_WORDS = re.compile(rf"(?<![\w'’])(?:{'|'.join(map(re.escape, _WORDS_TOGETHER))})(?!\w)", re.IGNORECASE)


def _split_as_treebank(word: str, *, ends: bool, is_kept: Callable[[str], bool] = _is_abbreviation) -> tuple[str, ...]:
    """Split what stands between white space; ``ends`` says that a text ends here.

    >>> _split_as_treebank("(didn't),", ends=False), _split_as_treebank("etc.", ends=True)
    (('(', 'did', "n't", ')', ','), ('etc', '.'))
    """
    for pattern in _TREEBANK_SEPARATE:
        word = pattern.sub(r" \g<0> ", word)
    word = _TREEBANK_CLITIC.sub(" ", word)
    return _split_stops(_TREEBANK_WORDS.sub(_part, word).split(), ends=ends, is_kept=is_kept)


def _part(match: re.Match[str]) -> str:
    word = match[0]
    border = _WORDS_TOGETHER[word.lower()]
    return f"{word[:border]} {word[border:]}"


@cache
def _load_spacy_rules() -> tuple[Callable[[str], Tokens], str]:
    """Load the tokeniser; return it with the version of spaCy."""
    try:
        import spacy
    except ImportError:
        raise RequestError("the tokeniser spacy needs spaCy: pip install 'errata[spacy]'") from None
    split = spacy.blank("en").tokenizer
    return lambda word: tuple(token.text for token in split(word)), spacy.__version__


_MOST_KEPT_WORDS = 1 << 16
"""Words whose parts are kept, for all texts of a rule."""
_MOST_JOINED = 4
"""Parts of a word that a gold may have as one token."""
_LONGEST_KEPT = 100
"""Characters of a word whose parts are kept."""


class TokenRule:
    """A rule with the words that it has split before."""

    def __init__(self, name: str, split: Callable[[str, bool], Tokens]) -> None:
        self.name = name
        """What signatures say."""
        self._whole: frozenset[str] = frozenset()
        self._split = split
        self._inside: dict[str, Tokens] = {}
        self._last: dict[str, Tokens] = {}

    def keep_whole(self, words: frozenset[str]) -> None:
        """Do not split these words from now on."""
        self._whole = words
        self._inside.clear()
        self._last.clear()

    def split(self, word: str, *, ends: bool) -> Tokens:
        """Split a word; ``ends`` says that it is the last one of its text."""
        known = self._last if ends else self._inside
        parts = known.get(word)
        if parts is None:
            parts = self._split(word, ends)
            if self._whole and len(parts) > 1:
                parts = _join_whole(parts, self._whole)
            if len(word) <= _LONGEST_KEPT:
                if len(known) >= _MOST_KEPT_WORDS:
                    known.clear()
                known[word] = parts
        return parts

    def __call__(self, text: str) -> Tokens:
        r"""Split a text.

        >>> load_rule("ptb")('I didn\'t go, "really". We cannot (3,000 of us).')
        ('I', 'did', "n't", 'go', ',', '"', 'really', '"', '.', 'We', 'can', 'not', '(', '3,000', 'of', 'us', ')', '.')
        """
        words = text.split()
        if not words:
            return ()
        last = words.pop()
        return (*(part for word in words for part in self.split(word, ends=False)), *self.split(last, ends=True))


def load_rule(name: str, is_kept: Callable[[str], bool] = _is_abbreviation) -> TokenRule:
    """Make a rule; ``is_kept`` says which words keep their full stops inside a text."""
    if name == "conll":
        return TokenRule(name, partial(_split_as_conll, is_kept=is_kept))
    if name == "ptb":
        return TokenRule(name, lambda word, ends: _split_as_treebank(word, ends=ends, is_kept=is_kept))
    if name == "spacy":
        tokenise, version = _load_spacy_rules()
        return TokenRule(f"spacy {version}", lambda word, _: tokenise(word))
    return TokenRule(name, lambda word, _: (word,))


def _split_as_conll(word: str, ends: bool, is_kept: Callable[[str], bool]) -> Tokens:  # noqa: FBT001 - as every rule
    """Split a word as the CoNLL shared tasks do, but inside a text that may have several sentences; letters are those of Unicode."""
    parts = _join_letters(tokenise_as_conll(f"{word} ,")[:-1])
    return _split_stops(parts, ends=ends, is_kept=is_kept)


def _join_whole(parts: Tokens, whole: frozenset[str]) -> Tokens:
    """Join parts that are a whole word.

    >>> _join_whole(("can", "not", "."), frozenset({"cannot"}))
    ('cannot', '.')
    """
    joined: list[str] = []
    start = 0
    while start < len(parts):
        ends = (end for end in range(min(start + _MOST_JOINED, len(parts)), start + 1, -1) if "".join(parts[start:end]) in whole)
        end = next(ends, start + 1)
        joined.append("".join(parts[start:end]))
        start = end
    return tuple(joined)


def _join_letters(parts: Tokens) -> Tokens:
    """Join what only the letters of ASCII had split.

    >>> _join_letters(("fa", "ç", "ades")), _join_letters(("did", "n't"))
    (('façades',), ('did', "n't"))
    """
    if len(parts) == 1 or "".join(parts).isascii():
        return parts
    joined = [parts[0]]
    for part in parts[1:]:
        before, after = joined[-1][-1], part[0]
        if before.isalnum() and after.isalnum() and not (before.isascii() and after.isascii()):
            joined[-1] += part
        else:
            joined.append(part)
    return tuple(joined)


# --- Texts cut into characters, as gold whose tokens are characters: Chinese and Japanese in most corpora.
#
# A character is a code point, as in the tools that write such gold; a combining mark is a token of its own, unless texts are normalised
# (NFC).  What the gold keeps whole stays whole: tokens of the source with several characters where the output has them, and words and
# numbers of ASCII if the gold has them as tokens more often than as single letters.

_CHARACTERS = "characters"
"""The name of the tokeniser."""
_WORD, _NUMBER = re.compile("[A-Za-z]+"), re.compile("[0-9]+")
_MOST_KEPT_TEXTS = 1 << 14
"""Sources whose longer tokens are remembered."""


def _make_characters(sources: Sequence[Tokens]) -> Tokeniser:
    """Make the tokeniser of a gold with these sources.

    >>> tokenise = _make_characters([("我", "有", "GPS", "2", "0", "个", "。")])
    >>> tokenise.name, tokenise("我有3个GPS。他有[UNK]。", ("他", "有", "[UNK]", "。"))
    ('characters+words', ('我', '有', '3', '个', 'GPS', '。', '他', '有', '[UNK]', '。'))
    """
    words, numbers = (_keeps_whole(sources, run) for run in (_WORD, _NUMBER))
    wholes = [run.pattern for run, whole in ((_WORD, words), (_NUMBER, numbers)) if whole]
    name = "+".join([_CHARACTERS, *(["words"] if words else []), *(["numbers"] if numbers else [])])
    known: dict[Tokens, re.Pattern[str]] = {}

    def tokenise(text: str, source: Tokens) -> Tokens:
        longer = tuple(sorted({token for token in source if len(token) > 1}, key=lambda token: (-len(token), token)))
        pattern = known.get(longer)
        if pattern is None:
            if len(known) >= _MOST_KEPT_TEXTS:
                known.clear()
            pattern = known[longer] = re.compile("|".join([*map(_whole, longer), *wholes, r"\S"]))
        return tuple(pattern.findall(text))

    return Tokeniser(name, tokenise)


def _whole(token: str) -> str:
    """Write a pattern of a token that is not a part of a longer word or number."""
    before = r"(?<![A-Za-z0-9])" if token[0].isascii() and token[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if token[-1].isascii() and token[-1].isalnum() else ""
    return f"{before}{re.escape(token)}{after}"


def _keeps_whole(sources: Sequence[Tokens], run: re.Pattern[str]) -> bool:
    """Whether runs of letters or digits are tokens more often than they are cut."""
    whole = cut = 0
    for tokens in sources:
        previous = False
        for token in tokens:
            own = run.fullmatch(token) is not None
            whole += own and len(token) > 1
            cut += own and previous and len(token) == 1
            previous = own and len(token) == 1
    return whole > cut


# --- Project the tokens of a source onto the text of an output.
#
# White space in the output is always a border of tokens.
# Between white space, words that the source has keep its tokens: ``etc.,`` is split as in the source.
# Words that it does not have are split by the rule that the gold follows.
#
# A border of the source counts where text is usually written without a space, as before a full stop.
# Elsewhere two tokens of the source that are one word in the output were joined by the system, as *it self* to *itself*, unless the rule
# splits them too, as *cannot*.

_ATTACHED_TO_THE_LEFT = frozenset(".,;:!?…%°)]}>\"'”’»")
_ATTACHED_TO_THE_RIGHT = frozenset("([{<\"'`“‘„«$£€¥#")
_MARKS = _ATTACHED_TO_THE_LEFT | _ATTACHED_TO_THE_RIGHT
_MOST_TOKENS = 8
"""Tokens of the source that may be written as one word."""
_MOST_PARTS = 16
"""Parts of a word that are searched for words of the source."""

_Runs = dict[str, list[tuple[int, tuple[str, ...]]]]
"""Words as they may be written, with the tokens of the source and the number of characters before them."""


class _Projection:
    """Tokenises outputs by their sources."""

    def __init__(self, rule: TokenRule) -> None:
        self._rule = rule
        self._plain: set[str] = set()
        self._runs: dict[Tokens, _Runs] = {}

    def __call__(self, text: str, source: Tokens) -> Tokens:
        """Tokenise the text of an output."""
        words = text.split()
        plain = self._plain
        if plain.issuperset(words):
            return tuple(words)
        runs: _Runs | None = None
        result: list[str] = []
        position, last = 0, len(words) - 1
        for index, word in enumerate(words):
            if word in plain or (word.isalnum() and self._is_plain(word)):
                result.append(word)
            else:
                if runs is None:
                    runs = self._find_runs(source)
                result += (word,) if word in source else self._split(word, runs, position, ends=index == last)
            position += len(word)
        return tuple(result)

    def _is_plain(self, word: str) -> bool:
        """Whether a word of letters and digits is one token, whatever the source is."""
        if len(self._rule.split(word, ends=False)) > 1:
            return False
        if len(self._plain) >= _MOST_KEPT_TEXTS:
            self._plain.clear()
        self._plain.add(word)
        return True

    def _split(self, word: str, runs: _Runs, position: int, *, ends: bool) -> Tokens:
        if word in runs:
            return _find_nearest(runs[word], position)
        parts = self._rule.split(word, ends=ends)
        if len(parts) == 1 and word.isalnum():
            return parts
        start, before, end, after = _find_unchanged(word, runs, position)
        if start == 0 and end == len(word):
            return parts
        middle = self._rule.split(word[start:end], ends=ends and end == len(word)) if start < end else ()
        return (*before, *middle, *after)

    def _find_runs(self, source: Tokens) -> _Runs:
        runs = self._runs.get(source)
        if runs is None:
            if len(self._runs) >= _MOST_KEPT_TEXTS:
                self._runs.clear()
            runs = self._runs[source] = _list_runs(tuple(filter(None, source)))
        return runs


def _list_runs(source: Tokens) -> _Runs:
    """List the tokens of a source that may be written as one word, or are no plain words."""
    runs: _Runs = {}
    position = 0
    for first, token in enumerate(source):
        written = token
        for last in range(first + 1, min(first + _MOST_TOKENS, len(source)) + 1):
            if last > first + 1 or not token.isalnum():
                tokens = source[first:last]
                known = runs.setdefault(written, [])
                if all(tokens != other for _, other in known):
                    known.append((position, tokens))
            if last == len(source) or not _is_attached(written, source[last]):
                break
            written += source[last]
        position += len(token)
    return runs


def _is_attached(written: str, token: str) -> bool:
    """Whether a token may be written without a space before it."""
    return token[0] in _ATTACHED_TO_THE_LEFT or written[-1] in _ATTACHED_TO_THE_RIGHT


def _find_nearest(known: list[tuple[int, Tokens]], position: int) -> Tokens:
    return known[0][1] if len(known) == 1 else min(known, key=lambda own: abs(own[0] - position))[1]


def _find_unchanged(word: str, runs: _Runs, position: int) -> tuple[int, Tokens, int, Tokens]:
    """Find words of the source, with the marks that they have there, at the beginning and the end of a word.

    Return where the rest of the word begins, the tokens before it, where it ends and the tokens after it.
    """
    borders = [index for index in range(1, len(word)) if word[index - 1].isalnum() != word[index].isalnum()]
    if len(borders) > _MOST_PARTS:
        return 0, (), len(word), ()
    start = 0
    before: Tokens = ()
    for border in reversed(borders):
        if word[border - 1] in _ATTACHED_TO_THE_LEFT and (known := runs.get(word[:border])) and any(map(str.isalnum, word[:border])):
            start, before = border, _find_nearest(known, position)
            break
    for border in borders:
        if border >= start and word[border] in _MARKS and (known := runs.get(word[border:])) and any(map(str.isalnum, word[border:])):
            return start, before, border, _find_nearest(known, position)
    return start, before, len(word), ()


def _make_projection(rule: TokenRule) -> Tokeniser:
    """Make a tokeniser that follows the source, and a rule where words are changed."""
    return Tokeniser(f"source:{rule.name}", _Projection(rule))


_MOST_COMPARED = 500
"""Sentences that show which rule a gold follows; of more, an even sample."""
_MOST_COUNTED = 5000
"""Sentences whose tokens are counted; of more, an even sample."""
_LONGEST_WORD = 40
_ENOUGH = 0.95
"""The share of sentences that a rule must reproduce if no other is to be tried."""
_LEFT = frozenset(".,;:!?%)]}")
_RIGHT = frozenset("([{$")
_BETWEEN = frozenset("-/")
_CLITICS = ("'s", "'m", "'d", "'ll", "'re", "'ve", "n't")


def _find_rule(sentences: Sequence[Sentence]) -> str:
    """Find the rule that best reproduces the tokens of the sources from their text.

    >>> from errata.corpus.corpus import Sentence
    >>> _find_rule([Sentence.of("I did n't go , but he did .")]), _find_rule([Sentence.of("A,b is n't c .")])
    ('ptb', 'conll')
    """
    step = max(1, len(sentences) // _MOST_COMPARED)
    sources = [tokens for sentence in sentences[::step] if (tokens := tuple(filter(None, sentence.tokens)))]
    if not sources:
        return "ptb"
    texts = [_write_text(tokens) for tokens in sources]
    found: dict[str, int] = {}
    for name in ("ptb", "conll", "spacy", WHITESPACE_TOKENS):
        if name == "spacy" and (max(found.values()) >= _ENOUGH * len(sources) or find_spec("spacy") is None):
            continue
        rule = load_rule(name)
        found[name] = sum(rule(text) == tokens for text, tokens in zip(texts, sources, strict=True))
    return max(found, key=lambda name: found[name])


def _write_text(tokens: Tokens) -> str:
    """Write tokens as text is usually written.

    >>> _write_text(("I", "did", "n't", "go", "(", "face", "-", "to", "-", "face", ")", "."))
    "I didn't go (face-to-face)."
    """
    text, before, joined = "", "", False
    for token, after in zip(tokens, (*tokens[1:], ""), strict=True):
        between = token in _BETWEEN and before[-1:].isalnum() and after[:1].isalnum()
        attached = joined or between or token[0] in _LEFT or token.lower() in _CLITICS or text[-1:] in _RIGHT
        text += token if attached or not text else f" {token}"
        before, joined = token, between
    return text


class _GoldTokens:
    """The tokens of a gold, of its sources and corrections: what its rule alone does not say."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        step = max(1, len(sentences) // _MOST_COUNTED)
        self._texts = [text for sentence in sentences[::step] for text in _list_texts(sentence)]
        self._counts = Counter(token for text in self._texts for token in text if token)

    def find_abbreviations(self) -> Callable[[str], bool]:
        """Make a function that says which words keep a full stop: known abbreviations, and words that the gold has mostly with one."""
        counts = self._counts
        own = {word for word, count in counts.items() if word[-1] == "." and word.strip(".") and count > counts[word[:-1]]}
        return lambda word: word in own or _is_abbreviation(word)

    def find_whole(self, rule: TokenRule) -> frozenset[str]:
        """Find words that the rule splits, but the gold does not, or less often: *cannot* in some."""
        parts = {
            word: rule.split(word, ends=False)
            for word in self._counts
            if word[-1] != "." and len(word) <= _LONGEST_WORD and not (word.isalpha() and word.lower() not in _WORDS_TOGETHER)
        }
        split = {word: own for word, own in parts.items() if len(own) > 1}
        lengths = {len(own) for own in split.values()}
        wanted = set(split.values())
        found = Counter(
            text[start : start + length]
            for text in self._texts
            for length in lengths
            for start in range(len(text) - length + 1)
            if text[start : start + length] in wanted
        )
        return frozenset(word for word, own in split.items() if self._counts[word] > found[own])


def _list_texts(sentence: Sentence) -> Iterator[Tokens]:
    yield sentence.tokens
    for annotation in sentence.annotations:
        for edit in annotation.edits:
            yield from (tuple(correction.split()) for correction in edit.corrections)


SOURCE, _CONLL = "source", "conll"
TOKENISERS = (SOURCE, "ptb", "spacy", _CHARACTERS, WHITESPACE_TOKENS)
"""What texts may be tokenised by; ``source:RULE`` also names the rule for changed words."""
TOKEN_RULES = (_CONLL, "ptb", "spacy", WHITESPACE_TOKENS)
"""What changed words may be tokenised by."""


def check_tokeniser(name: object) -> str:
    """Return the name of a tokeniser if there is one.

    >>> check_tokeniser("source:ptb")
    'source:ptb'
    """
    known = (*TOKENISERS, *(f"{SOURCE}:{rule}" for rule in TOKEN_RULES))
    if not isinstance(name, str) or name not in known:
        listed = ", ".join((*TOKENISERS, f"{SOURCE}:RULE"))
        raise UsageError(f"there is no tokeniser {name!r:.42}; choose from {listed}{suggest(str(name)[:40], known)}")
    return str(name)


def find_tokeniser(name: str, gold: Corpus | Iterable[Sentence] = ()) -> Tokeniser:
    """Find a tokeniser by its name; ``source`` follows the rule by which the gold is tokenised, of a subset the whole.

    >>> tokenise = find_tokeniser("source:conll")
    >>> tokenise("I don't know.", ("I", "do", "n't", "knew", "."))
    ('I', 'do', "n't", 'know', '.')
    """
    kind, _, named = check_tokeniser(name).partition(":")
    if kind == WHITESPACE_TOKENS:
        return Tokeniser(WHITESPACE_TOKENS, _split_at_spaces)
    sentences = list(gold.whole or gold) if isinstance(gold, Corpus) else list(gold)
    sources = [sentence.tokens for sentence in sentences]
    if kind == _CHARACTERS or (kind == SOURCE and not named and has_characters(sources)):
        return _make_characters(sources)
    if kind == SOURCE and not named and is_unspaced(sources):
        raise UsageError(
            "the gold has words of a script without spaces, which no rule here can find; outputs must have its words "
            "(--tokenise whitespace), or the gold must have characters"
        )

    if kind == SOURCE:
        known = _GoldTokens(sentences)
        own = named or _find_rule(sentences)
        if own != WHITESPACE_TOKENS:
            warn_of_english(sources, f"words that outputs change are split by {own}, a rule for English; source:whitespace splits none")
        rule = load_rule(own, known.find_abbreviations())
        rule.keep_whole(known.find_whole(rule))
        return _make_projection(rule)
    warn_of_english(sources, f"outputs are tokenised by {kind}, a rule for English")
    rule = load_rule(kind)
    return Tokeniser(rule.name, lambda text, _: rule(text))


def _split_at_spaces(text: str, source: Tokens = ()) -> Tokens:
    """Split a text at white space.

    >>> _split_at_spaces("A  cat.")
    ('A', 'cat.')
    """
    del source
    return tuple(text.split())


def tokenise_system(system: System, gold: Corpus, tokenise: Tokeniser, max_tokens: int | None = None) -> System:
    """Tokenise the texts of a system that fits its gold; one with edits of its own has the tokens of the gold already.

    >>> from errata.corpus.corpus import Corpus, Sentence, System
    >>> from errata.corpus import find_tokeniser
    >>> gold = Corpus((Sentence.of("I does n't know ."),))
    >>> tokenise_system(System.of("mine", ["I don't know."]), gold, find_tokeniser("source:conll")).sentences[0]
    ('I', 'do', "n't", 'know', '.')
    """
    if system.edits is not None or tokenise.name in {WHITESPACE_TOKENS, system.tokenisation}:
        return system
    if system.tokenisation != WHITESPACE_TOKENS:
        raise UsageError(f"{system.path or system.name} is tokenised by {system.tokenisation} already, so not by {tokenise.name}")
    made = []
    for number, tokens, sentence in zip(gold.numbers, system.sentences, gold, strict=True):
        new = tokenise(" ".join(tokens), sentence.tokens)
        if max_tokens is not None and len(new) > max_tokens:
            found = f"{len(new):,} tokens in a line by {tokenise.name}, more than the limit of {max_tokens:,}"
            if system.path:
                raise FormatError(system.path, number, found)
            raise InputError(f"{system.name}: sentence {number:,}: {found}")
        made.append(new)
    return replace(system, sentences=tuple(made), tokenisation=tokenise.name)
