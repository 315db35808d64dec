"""Raw text: outputs, references and sources as people write them."""

from __future__ import annotations

import pickle
import re
import warnings

import pytest

import errata
from errata import Corpus
from errata.studies.rewards import pick_best, rerank

SOURCES = ["I doesn't likes cake.", "I doesn't likes cake."]
OUTPUTS = ["I don't like cake.", "I don't likes cake."]
REFERENCE = "I don't like cake."


@pytest.mark.parametrize("tokenise", ["ptb", "source:ptb", "source"])
def test_raw_texts_get_the_rewards_of_tokenised_ones(tokenise: str) -> None:
    tokenised = ["I do n't like cake .", "I do n't likes cake ."]
    source, reference = "I does n't likes cake .", "I do n't like cake ."
    wanted = errata.Rewards()(tokenised, [source] * 2, [reference] * 2)
    raw = errata.Rewards(tokenise=tokenise)
    assert raw(OUTPUTS, [source] * 2, [reference] * 2) == wanted
    assert raw(OUTPUTS, [source] * 2, [REFERENCE] * 2) == wanted
    assert errata.utilities(OUTPUTS, source, tokenise=tokenise).tolist() == errata.utilities(tokenised, source).tolist()
    if tokenise == "ptb":
        assert raw(OUTPUTS, SOURCES, [REFERENCE] * 2) == wanted
        assert errata.utilities(OUTPUTS, SOURCES[0], tokenise=tokenise).tolist() == errata.utilities(tokenised, source).tolist()
    copy = pickle.loads(pickle.dumps(raw))
    assert copy(OUTPUTS, [source] * 2, [reference] * 2) == wanted
    assert copy.signature == raw.signature


def test_the_signature_names_all_that_changes_a_reward() -> None:
    full = errata.MaxMatch().signature
    assert errata.Rewards().signature == f"{full} | reward of the sentence | smoothing 0.5 | errata {errata.__version__}"
    assert " | tokenised by " in errata.Rewards("gleu", kind="corpus", tokenise="ptb").signature


def test_unknown_tokenisers_are_refused() -> None:
    with pytest.raises(errata.UsageError, match="there is no tokeniser 'moses'; choose from"):
        errata.Rewards(tokenise="moses")
    with pytest.raises(errata.UsageError, match="there is no tokeniser 'moses'; choose from"):
        errata.utilities(["a"], "a", tokenise="moses")


RAW_OUTPUTS = ["I like cake.", "He goes home.", "They sleep."]
TOKENISED = ["I likes cake .", "He go home .", "They sleeps ."]


def test_untokenised_outputs_are_told_once() -> None:
    reward = errata.Rewards()
    message = "outputs: punctuation at the end of 3 of 8 tokens; are they tokenised like their sources?"
    with pytest.warns(errata.InputWarning, match=re.escape(message)):
        reward(RAW_OUTPUTS, TOKENISED, TOKENISED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reward(RAW_OUTPUTS, TOKENISED, TOKENISED)
        errata.Rewards(tokenise="source")(RAW_OUTPUTS, TOKENISED, TOKENISED)
        errata.Rewards()(TOKENISED, TOKENISED, TOKENISED)
    lists = [[text, source] for text, source in zip(RAW_OUTPUTS, TOKENISED, strict=True)]
    gold = Corpus.from_texts(TOKENISED, TOKENISED)
    for call in (lambda: errata.utilities(lists, TOKENISED), lambda: rerank(lists, TOKENISED), lambda: pick_best(lists, gold)):
        with pytest.warns(errata.InputWarning, match="punctuation at the end of 3 of"):
            call()
