"""Raw text: outputs, references and sources as people write them."""

from __future__ import annotations

import pickle

import pytest

import errata

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
