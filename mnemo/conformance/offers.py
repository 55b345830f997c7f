"""What of the profile `full` a server offers, as its tool list and capabilities tell.

Everything here is optional for an implementation. What neither list can show, such as the search across languages, a
server claims under `experimental` in its capabilities: `{"mnemo-facts": {"offers": "full"}}`, or a list of the names of
capabilities and requirements.
"""

import json
from collections.abc import Iterable
from typing import Any

from mnemo.conformance.catalogue import FULL, Case, near
from mnemo.conformance.pool import Offer

CLAIM = "mnemo-facts"

# What must be declared, by capability or requirement: actions and arguments of fact_store, capabilities of the server.
DECLARED_BY = {
    "entity-graph": ("action:probe", "action:related", "action:reason", "action:contradict"),
    "query-refinement": ("argument:refine",),
    "A query that is only an operation is not searched": ("argument:refine",),
    "fact-resources": ("capability:resources",),
    "fact-history": ("action:history", "action:restore"),
    "A superseded fact steps back": ("argument:supersedes", "argument:include_superseded"),
    "An expired fact steps back": ("argument:expires_at",),
    "batches": ("argument:contents", "argument:fact_ids"),
    "Several facts can be added at once": ("argument:contents",),
    "Several facts can be read and removed at once": ("argument:fact_ids",),
    "answer-size": ("argument:brief", "argument:offset"),
    "Answers can be kept small": ("argument:brief", "argument:offset", "argument:after"),
}


def is_declared(case: Case, offer: Offer) -> bool | None:
    """Tell whether a server declares what a case is about; None where no list could show it."""
    needs = DECLARED_BY.get(case.requirement.name) or DECLARED_BY.get(case.capability.name)
    return None if needs is None else all(need in _declared(offer) for need in needs)


def is_claimed(case: Case, offer: Offer) -> bool:
    """Tell whether a server claims a case's capability, its requirement, or the whole profile `full`."""
    return not {case.capability.name, case.requirement.name, FULL}.isdisjoint(_claims(offer))


def unknown_claims(cases: Iterable[Case], offer: Offer) -> list[str]:
    """Return a sentence for each claim that names nothing of these cases, with the names that are near it."""
    known = [FULL, *dict.fromkeys(name for case in cases for name in (case.capability.name, case.requirement.name))]
    unknown = [claim for claim in _claims(offer) if claim not in known]
    whole = f"{FULL!r} claims all of it"
    return [
        f"the server claims {claim!r}, which is no capability and no requirement{near(claim, known) or ''}; {whole}"
        for claim in unknown
    ]


def _claims(offer: Offer) -> list[str]:
    given = _object(_object(offer.capabilities.get("experimental")).get(CLAIM)).get("offers")
    listed = given if isinstance(given, list) else [] if given is None else [given]
    return [claim if isinstance(claim, str) else json.dumps(claim, ensure_ascii=False) for claim in listed]


def _declared(offer: Offer) -> set[str]:
    schema = _object(_object(offer.tools.get("fact_store")).get("inputSchema"))
    properties = _object(schema.get("properties"))
    actions = _object(properties.get("action")).get("enum")
    return {
        *(f"capability:{name}" for name in offer.capabilities),
        *(f"argument:{name}" for name in properties),
        *(f"action:{name}" for name in (actions if isinstance(actions, list) else ())),
    }


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def partition(cases: Iterable[Case], offer: Offer, *, all_of_it: bool) -> tuple[list[Case], list[Case]]:
    """Return the cases to run, and those of the profile `full` that the server does not offer.

    With `all_of_it`, what no list could show counts as offered; otherwise the server must claim it.
    """
    run: list[Case] = []
    missing: list[Case] = []
    for case in cases:
        declared = is_declared(case, offer)
        offered = case.is_core or is_claimed(case, offer) or (all_of_it if declared is None else declared)
        (run if offered else missing).append(case)
    return run, missing
