from __future__ import annotations

import re
from datetime import UTC, timedelta
from pathlib import Path

import pytest

from errata.errors import ErrataError, InputError, RequestError, UsageError
from errata_event.definition import EventDefinition, parse_event
from errata_event.event import create_event
from errata_event.instants import parse_instant

from example_events import DEFINITION, EXAMPLES, GOLD, ExampleEvent

TOP = """\
title = "An event"
timezone = "Europe/Berlin"
metrics = ["maxmatch", "gleu"]
"""
PHASE = """\
[[phases]]
name = "test"
gold = "gold.m2"
opens = "2027-03-01 00:00 UTC"
closes = "2027-03-07 12:00 AoE"
"""
ANSWERS = """\
[[phases]]
name = "answers"
kind = "alternatives"
about = "test"
opens = "2027-03-09 00:00"
closes = "2027-03-13 00:00"
"""


def read(text: str) -> EventDefinition:
    return parse_event(text.encode(), "event.toml")


def test_a_definition_has_everything_in_utc() -> None:
    definition = read(f'{TOP}rank_by = "gleu"\n{PHASE}grace = "10 minutes"\n{ANSWERS}')
    test, answers = definition.phases
    assert definition.metrics == ["gleu", "maxmatch"]
    assert (test.title, test.opens) == ("Test", parse_instant("2027-03-01 00:00 UTC"))
    assert test.closes == parse_instant("2027-03-08 00:00 UTC")
    assert test.deadline - test.closes == timedelta(minutes=10)
    assert answers.opens == parse_instant("2027-03-08 23:00 UTC")
    assert {phase.opens.tzinfo for phase in definition.phases} == {UTC}
    assert definition.answers_about(test) == answers
    assert definition.answers_about(answers) is None
    assert definition.settings["confidence"] == 0.95
    assert definition.task(test).title == "An event: Test"


def test_a_metric_that_ranks_may_be_written_otherwise() -> None:
    assert (
        read(f'{TOP}rank_by = "maxmatch(beta=0.5)"\n{PHASE}'.replace('"maxmatch",', '"maxmatch(beta=0.5)",')).metrics[0].startswith("max")
    )
    assert read(f'{TOP}rank_by = "gleu()"\n{PHASE}').metrics[0] == "gleu"


CASES = [
    ("", r"event.toml: an event has one phase or more, each below a line [[phases]]"),
    (TOP, r"event.toml: an event has one phase or more"),
    ('phases = "test"', "event.toml: an event has one phase or more"),
    (f'tittle = "x"\n{PHASE}', "event.toml:1: unknown key 'tittle'; choose from title, "),
    (f'tittle = "x"\n{PHASE}', "did you mean title?"),
    (f'{TOP}gold = "gold.m2"\n{PHASE}', "event.toml:4: gold belongs to a phase, below a line [[phases]]"),
    (f'{TOP}systems = ["a"]\n{PHASE}', "event.toml:4: systems belongs to a phase"),
    (f"{TOP}contact = 5\n{PHASE}", "event.toml:4: contact must be a string of at most 10,000 characters"),
    (f'{TOP}contact = "{"x" * 10_001}"\n{PHASE}', "event.toml:4: contact must be a string of at most 10,000 characters"),
    (f'{TOP}strict = "yes"\n{PHASE}', "event.toml:4: strict must be true or false, found a value of type str"),
    (f"title = 5\n{PHASE}", "event.toml:1: title must be a string, found a value of type int"),
    (f'{TOP}\n\nconfidence = "high"\n{PHASE}', "event.toml:6: confidence must be a number between 0 and 1"),
    (f'timezone = "Berlin"\n{PHASE}', "event.toml:1: timezone: unknown time zone 'Berlin'"),
    (f'metrics = ["maxmatsch"]\n{PHASE}', "event.toml:1: metrics: unknown metric 'maxmatsch'"),
    (f'{TOP}rank_by = "glue"\n{PHASE}', "event.toml:4: rank_by: unknown metric 'glue'"),
    (f'{TOP}rank_by = "errant"\n{PHASE}', "event.toml:4: rank_by: errant is none of the metrics: maxmatch, gleu"),
    (f'{PHASE}colour = "red"', "event.toml:6: phase 1: colour: unknown key; choose from name, opens, "),
    (f"{PHASE}per_dya = 3", "did you mean per_day?"),
    (f'{PHASE}kind = "games"', "event.toml:6: phase 1: kind: must be one of submissions, alternatives, found 'games'"),
    (f'{PHASE}kind = ["submissions"]', "event.toml:6: phase 1: kind: must be one of"),
    (f"{PHASE}judges = 2", "event.toml:6: phase 1: judges: belongs to another kind of phase than 'submissions'"),
    (f"{PHASE}{ANSWERS}per_day = 2", "event.toml:12: phase 2: per_day: belongs to another kind of phase than 'alternatives'"),
    (PHASE.replace('name = "test"\n', ""), "event.toml:1: phase 1: name: is missing"),
    (PHASE.replace('gold = "gold.m2"\n', ""), "event.toml:1: phase 1: gold: is missing"),
    (PHASE.replace('closes = "2027-03-07 12:00 AoE"\n', ""), "event.toml:1: phase 1: closes: is missing"),
    (f"{PHASE}{ANSWERS}".replace('about = "test"\n', ""), "event.toml:6: phase 2: about: is missing"),
    (
        PHASE.replace('"test"', '"Test 1"'),
        "event.toml:2: phase 1: name: must be at most 40 lower-case letters, digits and hyphens, found 'Test 1'",
    ),
    (PHASE.replace('"test"', '"../x"'), "phase 1: name: must be at most 40 lower-case letters"),
    (PHASE.replace('"test"', f'"{"x" * 41}"'), "phase 1: name: must be at most 40 lower-case letters"),
    (PHASE.replace('"test"', "5"), "phase 1: name: must be a string of at most 200 characters, found 5"),
    (PHASE.replace('"gold.m2"', "[]"), "event.toml:3: phase 1: gold: must be a list of files, found []"),
    (PHASE.replace('"gold.m2"', "[1]"), "event.toml:3: phase 1: gold: must be a list of files, found [1]"),
    (PHASE.replace("03-01 00:00 UTC", "03-01"), "event.toml:4: phase 1: opens: found a date without a time: '2027-03-01'; expected a date"),
    (PHASE.replace("12:00 AoE", "12:00 Mars/X"), "event.toml:5: phase 1: closes: unknown time zone 'Mars/X'"),
    (PHASE.replace("2027-03-07 12:00 AoE", "2027-03-01 00:00 UTC"), "event.toml:5: phase 1: closes: a phase must close after it opens"),
    (
        f"{TOP}{PHASE.replace('03-01 00:00 UTC', '02-28 02:30')}x = 1".replace("2027-02-28", "2027-03-28"),
        "02:30:00 does not exist in Europe/Berlin",
    ),
    (f'{PHASE}grace = "a while"', "event.toml:6: phase 1: grace: expected a duration such as '90 seconds'"),
    (f'{PHASE}publishes = "2027-03-07 23:59 UTC"', "event.toml:6: phase 1: publishes: a phase is published after it has closed"),
    (f'{PHASE}grace = "2 hours"\npublishes = "2027-03-08 01:00 UTC"', "event.toml:7: phase 1: publishes: a phase is published after"),
    (f'{PHASE}per_day = "many"', "event.toml:6: phase 1: per_day: must be a whole number from 0 to 1,000,000, found 'many'"),
    (f"{PHASE}per_day = true", "event.toml:6: phase 1: per_day: must be a whole number"),
    (f"{PHASE}per_phase = -1", "event.toml:6: phase 1: per_phase: must be a whole number"),
    (f"{PHASE}{ANSWERS}judges = 3", "event.toml:12: phase 2: judges: must be a whole number from 1 to 2, found 3"),
    (f'{PHASE}{ANSWERS}pool = "yes"', "event.toml:12: phase 2: pool: must be true or false, found 'yes'"),
    (f'{PHASE}scores = "later"', "event.toml:6: phase 1: scores: must be one of open, closed, published, never, found 'later'"),
    (f'{PHASE}names = "never"', "event.toml:6: phase 1: names: must be one of open, closed, published"),
    (f'{PHASE}scores = "closed"', "event.toml:1: phase 1: board: is visible before scores: from 'open', but scores from 'closed'"),
    (f'{PHASE}scores = "never"\nboard = "published"', "event.toml:7: phase 1: board: is visible before scores"),
    (f"{PHASE}{PHASE}", "event.toml:7: phase 2: name: there are two phases 'test'"),
    (
        f"{PHASE}{ANSWERS.replace('test', 'tset')}",
        "event.toml:9: phase 2: about: must name an earlier phase with submissions (test), found 'tset'",
    ),
    (f"{ANSWERS}{PHASE}", "phase 1: about: must name an earlier phase with submissions (none), found 'test'"),
    (f"{PHASE}{ANSWERS}{ANSWERS.replace('answers', 'more')}", "phase 3: about: there are two phases about 'test'"),
    (
        f"{PHASE}{ANSWERS.replace('03-09', '03-07')}",
        "event.toml:10: phase 2: opens: teams then see the gold of 'test', so this phase must open after",
    ),
    (
        f'{PHASE}gold_visible = "never"\n{ANSWERS}',
        "event.toml:10: phase 2: about: teams would see the gold of 'test', whose gold_visible is 'never'",
    ),
    ("[[phases]]\n" * 51, "event.toml: an event has at most 50 phases, found 51"),
    ("title = ", "event.toml:1: not TOML"),
    ('title = "\0"', "event.toml:1: "),
]


@pytest.mark.parametrize(("text", "message"), CASES)
def test_what_is_wrong_with_a_definition(text: str, message: str) -> None:
    if message.startswith("02:30"):
        text = text.replace("x = 1", "").replace("2027-03-07 12:00 AoE", "2027-04-07 12:00 AoE").replace(" UTC", "")
    with pytest.raises(ErrataError, match=re.escape(message)):
        read(text)


def test_no_message_repeats_a_long_value() -> None:
    for text in (
        f'{PHASE}scores = "{"x" * 150}"',
        f"{PHASE}{'k' * 500} = 1",
        f"{TOP}{'k' * 500} = 1\n{PHASE}",
        f'timezone = "{"x" * 9000}"\n{PHASE}',
    ):
        with pytest.raises(ErrataError) as caught:
            read(text)
        assert len(str(caught.value)) < 600


def test_texts_of_several_lines_do_not_shift_the_lines_of_messages() -> None:
    text = f'description = """\n[[phases]]\nname = "x"\nscores = 1\n"""\ncontact = \'\'\'a\n[[phases]]\'\'\'\n{PHASE}scores = "later"\n'
    with pytest.raises(InputError, match=r"event\.toml:13: phase 1: scores"):
        read(text)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(InputError, match=r"event\.toml:1: not UTF-8"):
        parse_event(b'title = "\xff"\n', "event.toml")
    with pytest.raises(InputError, match=r"event\.toml: more than 1,048,576 bytes"):
        parse_event(b"#" * (1 << 20) + b"\n\n", "event.toml")


def test_an_unknown_phase_is_named() -> None:
    with pytest.raises(UsageError, match=r"there is no phase 'tset'; choose from test, answers; did you mean test\?"):
        read(f"{PHASE}{ANSWERS}").phase("tset")


def test_settings_hash_tells_what_scores_depend_on() -> None:
    first = read(f"{TOP}{PHASE}")
    assert read(f'{TOP}description = "Another text"\n{PHASE}per_day = 7').settings_hash == first.settings_hash
    assert read(f"{TOP}seed = 3\n{PHASE}").settings_hash != first.settings_hash
    assert read(f'{TOP}rank_by = "gleu"\n{PHASE}').settings_hash != first.settings_hash
    assert read(f"{TOP}{PHASE}#").sha256 != first.sha256


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('tokenise = "sauce"', r"event\.toml:4: tokenise: there is no tokeniser 'sauce'"),
        ('unicode = "NFX"', r"event\.toml:4: unicode: .*NFX"),
        ('tagger = "pencil"', r"event\.toml:4: tagger: .*pencil"),
        ("replicates = 0", r"event\.toml: confidence: replicates must be"),
        ('test = "luck"', r"event\.toml:4: test: .*luck"),
        ('interval = "luck"', r"event\.toml: confidence: .*luck"),
        ("confidence = 7", r"event\.toml:4: confidence: "),
        ('handles = {A = ["Nonsense"]}', r"event\.toml:4: handles: A: unknown type 'Nonsense'"),
        ('types = ["Nonsense"]', r"event\.toml:?4?: .*Nonsense"),
        ('title = "x"', r"event\.toml:4: not TOML: Cannot overwrite a value"),
    ],
)
def test_what_would_fail_while_the_event_runs_is_refused_when_it_is_made(tmp_path: Path, setting: str, message: str) -> None:
    (tmp_path / "gold.m2").write_bytes(GOLD)
    (tmp_path / "event.toml").write_text(f"{TOP}{setting}\n{PHASE}")
    with pytest.raises(ErrataError, match=message):
        create_event(str(tmp_path / "data"), str(tmp_path / "event.toml"))
    assert not (tmp_path / "data").exists()


def test_the_same_metric_twice(tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_bytes(GOLD)
    (tmp_path / "event.toml").write_text(f'metrics = ["maxmatch", "maxmatch(beta=0.5)"]\n{PHASE}')
    with pytest.raises(ErrataError, match=r"event\.toml:1: metrics: maxmatch.* is given twice"):
        create_event(str(tmp_path / "data"), str(tmp_path / "event.toml"))


def test_gold_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(f"{TOP}{PHASE}")
    for content, message in (
        (None, r"event\.toml: there is no file .*gold\.m2"),
        (b"S A cat .\n\nS A dog .\n", "no sentence has an annotation, so nothing can be scored; is this the text without its gold"),
        (b"nonsense\n", r"gold\.m2:1: "),
        (b"", r"gold\.m2: "),
    ):
        if content is not None:
            (tmp_path / "gold.m2").write_bytes(content)
        with pytest.raises(ErrataError, match=message):
            create_event(str(tmp_path / "data"), str(tmp_path / "event.toml"))
    (tmp_path / "event.toml").write_text(f"{TOP}{PHASE}".replace("gold.m2", "../gold.m2"))
    with pytest.raises(ErrataError, match="outside"):
        create_event(str(tmp_path / "data"), str(tmp_path / "event.toml"))


def test_an_event_is_made_once(event: ExampleEvent) -> None:
    with pytest.raises(RequestError, match="has an event already; errata serve update takes a changed file"):
        create_event(str(event.data), str(event.folder / "event.toml"), event.url)
    assert event.organiser().role == "organiser"


def test_a_phase_that_was_used_cannot_be_left_out_or_become_another_kind(event: ExampleEvent) -> None:
    event.upload(event.add("Alpha"), "test")
    before = event.event.moment().definition
    dev = DEFINITION.partition('[[phases]]\nname = "test"')[0]
    with pytest.raises(RequestError, match="the phase 'test' has 1 submission, so it cannot be left out"):
        event.event.update(event.write(dev))
    other = (
        f'{dev}[[phases]]\nname = "test"\nkind = "alternatives"\nabout = "dev"\nopens = "2027-04-02 00:00"\ncloses = "2027-04-03 00:00"\n'
    )
    with pytest.raises(RequestError, match="the phase 'test' has 1 submission, so it cannot be left out or be another kind"):
        event.event.update(event.write(other))
    assert event.event.moment().definition == before
    assert event.event.update(event.write(DEFINITION)) == []
    assert event.event.update(event.write(DEFINITION.replace("per_day = 10", "per_day = 3"))) == ["the definition"]
    assert event.phase("dev").per_day == 3


def test_the_example_event_is_open_for_long() -> None:
    path = EXAMPLES / "event.toml"
    definition = parse_event(path.read_bytes(), str(path))
    dev, test, answers = definition.phases
    assert min(dev.closes, test.closes, answers.opens).year >= 2098
    assert max(dev.opens, test.opens).year <= 2026
    assert (dev.gold_visible, test.scores, answers.about) == ("open", "published", "test")
