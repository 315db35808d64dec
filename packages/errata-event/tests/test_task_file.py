"""What is written as TOML is read as it was."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from errata_event.export import _write_toml

texts = st.text(st.characters(codec="utf-8"), max_size=60)
lists = st.lists(texts, max_size=6)
values = st.one_of(texts, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), lists)


@given(st.dictionaries(st.one_of(texts, st.just("title")), st.one_of(values, st.dictionaries(texts, lists, max_size=4)), max_size=6))
@example({"title": 'a "quoted" \\ text\n\x7f\x00\t\u2028é😀', "handles": {"Team 1": ["Prep"], "": []}})
@example({"confidence": 1e-05, "alpha": 1e300, "strict": True, "replicates": 100})
@example({"systems": [f"systems/Team {number}.txt" for number in range(40)]})
def test_toml_is_read_as_it_was_written(record: dict[str, Any]) -> None:
    read = tomllib.loads(_write_toml(record))
    assert read == record
    assert {key: type(value) for key, value in read.items()} == {key: type(value) for key, value in record.items()}
