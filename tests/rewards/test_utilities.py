"""Utilities: the rewards of each sample with each other one as reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import errata

from strategies import hypotheses, tokens

SOURCE = "He go to school ."
SAMPLES = ["He goes to school .", "He go to school .", "He goes to the school .", "He goes to school ."]


@pytest.mark.parametrize("metric", ["maxmatch", "gleu", "imeasure"])
@settings(max_examples=15)
@given(drawn=st.data())
def test_a_utility_is_a_reward_with_a_sample_as_reference(metric: str, drawn: st.DataObject) -> None:
    sources = drawn.draw(st.lists(tokens, max_size=3))
    lists = [list(map(" ".join, drawn.draw(st.lists(hypotheses(source), max_size=4)))) for source in sources]
    texts = list(map(" ".join, sources))
    found = errata.utilities(lists, texts, metric)
    assert [matrix.shape for matrix in found] == [(len(own), len(own)) for own in lists]
    reward = errata.Rewards(metric)
    for source, own, matrix in zip(texts, lists, found, strict=True):
        wanted = [reward([output] * len(own), [source] * len(own), own) for output in own]
        assert matrix.dtype == np.float64
        assert matrix.tolist() == wanted
        assert errata.utilities(own, source, metric).tolist() == wanted


def test_equal_samples_have_equal_utilities_and_1_with_each_other() -> None:
    matrix = errata.utilities(SAMPLES, SOURCE)
    assert matrix[0].tolist() == matrix[3].tolist()
    assert matrix[:, 0].tolist() == matrix[:, 3].tolist()
    assert matrix.diagonal().tolist() == [1, 1, 1, 1]
    assert matrix.mean(axis=1).argmax() == 0


def test_smoothing_and_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("errata.studies.rewards._LEAST_SOURCES", 1)
    assert errata.utilities(SAMPLES[:2], SOURCE, smoothing=0).tolist() == [[1, 0], [0, 1]]
    one, two = (errata.utilities([SAMPLES, SAMPLES[:2], []] * 3, [SOURCE] * 9, "maxmatch(beta=1)", jobs=jobs) for jobs in (1, 2))
    assert all((left == right).all() for left, right in zip(one, two, strict=True))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("He goes", SOURCE), "samples must be a list of sentences, found a single string: 'He goes'"),
        (("He goes", [SOURCE]), "samples must be a list with the samples of each source, found a single string: 'He goes'"),
        ((SAMPLES, [SOURCE]), "samples and sources must have the same length, found 4 and 1"),
        ((["He goes"], [SOURCE]), "samples of source 1 must be a list of sentences, found a single string: 'He goes'"),
        (([SAMPLES, [None]], [SOURCE] * 2), "samples of source 2, sentence 1: a sentence must be"),
        ((SAMPLES, None), "sources must be a list of sentences, found NoneType"),
        (
            (SAMPLES, SOURCE, "uccasim"),
            "utilities need a metric with references, found uccasim",
        ),
        ((["a", "a", "b " * 5000], SOURCE), "source 1, sample 3 cannot be scored: its text has 5000 tokens, more than the limit of 4000"),
        (([["a"], ["a", "\ud800"]], [SOURCE] * 2), "source 2, sample 2 cannot be scored: its text has a surrogate, which is no character"),
        (([["a"], ["a"]], [SOURCE, "b " * 5000]), "source 2 cannot be scored: its source has 5000 tokens"),
    ],
)
def test_bad_input_is_named(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(errata.ErrataError) as caught:
        errata.utilities(*arguments)
    assert message in str(caught.value)
