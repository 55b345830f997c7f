"""Steps about what facts were before."""

from pytest_bdd import parsers, step

from mnemo.conformance.situation import Situation


@step(parsers.re(r'the client restores "(?P<label>[^"]+)" to what it was before its newest change'))
def restore_before_newest_change(situation: Situation, label: str) -> None:
    """Ask for the newest version of a fact and restore it by its number, which is the server's own."""
    fact_id = situation.id_of(label)
    situation.call("fact_store", {"action": "history", "fact_id": fact_id, "limit": 1})
    versions = situation.value().get("versions")
    assert isinstance(versions, list), "the history holds no list of versions"
    assert versions, f"the history of {label!r} is empty"
    situation.call("fact_store", {"action": "restore", "fact_id": fact_id, "version": versions[0].get("version")})
