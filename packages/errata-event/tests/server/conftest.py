from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from example_events import make_example_event
from served_event import ServedEvent, serve_event


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServedEvent, str]]:
    """A server that waits for nobody long, with the token of a team, for all tests of a file."""
    with ExitStack() as stack:
        example = make_example_event(tmp_path_factory.mktemp("abuse"))
        stack.callback(example.event.close)
        token = example.add_with_token("Team")[1]
        # Waiting for what never comes is tested elsewhere.
        limits = {"attempts_per_minute": 100_000, "header_seconds": 0.3, "body_seconds": 0.5}
        yield stack.enter_context(serve_event(example.data, None, example.clock.now, **limits)), token


@pytest.fixture
def server(served: tuple[ServedEvent, str]) -> Iterator[ServedEvent]:
    """That server, which has nothing to complain of after a test, and goes on."""
    yield served[0]
    assert served[0].log == ""
    assert served[0].client().get("/").status == 200


@pytest.fixture
def token(served: tuple[ServedEvent, str]) -> str:
    """The token of the team."""
    return served[1]
