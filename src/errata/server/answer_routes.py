"""The addresses of alternative answers: for teams, annotators, organisers and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.routing import Route

from errata.server import answer_pages, answers_interface, judged_pages, judging_pages, organiser_answer_pages, proposal_pages
from errata.server.visits import api, form, page

if TYPE_CHECKING:
    from errata.server.visits import EventSite


def list_answer_routes(site: EventSite) -> list[Route]:
    """List them."""
    return [*_list_proposing(site), *_list_judging(site), *_list_organising(site)]


def _list_proposing(site: EventSite) -> list[Route]:
    own, program = "/team/answers/{phase}", "/api/phases/{phase}/proposals"
    return [
        Route(own, page(site, answer_pages.show_unmatched, "team")),
        Route(f"{own}/edits", form(site, answer_pages.take_edits, "team"), methods=["POST"]),
        Route(f"{own}/sentence", page(site, answer_pages.show_sentence, "team")),
        Route(f"{own}/sentence", form(site, answer_pages.take_sentence, "team"), methods=["POST"]),
        Route(f"{own}/withdraw", form(site, answer_pages.withdraw, "team"), methods=["POST"]),
        Route(f"{own}/proposals", page(site, proposal_pages.show_proposals, "team")),
        Route(f"{own}/file", page(site, proposal_pages.show_file, "team")),
        Route(f"{own}/file", form(site, proposal_pages.take_file, "team", file=True), methods=["POST"]),
        Route(program, api(site, answers_interface.list_own_proposals, "team")),
        Route(
            program,
            api(site, answers_interface.take_proposals, "team", upload=answers_interface.prepare_proposals),
            methods=["POST"],
        ),
    ]


def _list_judging(site: EventSite) -> list[Route]:
    item = "/judging/{phase}/items/{item}"
    return [
        Route("/judging", page(site, judging_pages.show_judging, "annotator")),
        Route("/judging/{phase}", page(site, judging_pages.show_next, "annotator")),
        Route("/judging/{phase}/done", page(site, judged_pages.show_done, "annotator")),
        Route(item, page(site, judging_pages.show_judged_item, "annotator")),
        Route(item, form(site, judging_pages.take_judgment, "annotator"), methods=["POST"]),
    ]


def _list_organising(site: EventSite) -> list[Route]:
    own = "/organiser/answers/{phase}"
    return [
        Route(own, page(site, organiser_answer_pages.show_progress, "organiser")),
        Route(f"{own}/items", page(site, organiser_answer_pages.show_items, "organiser")),
        Route(f"{own}/tables", page(site, organiser_answer_pages.show_tables, "organiser")),
    ]
