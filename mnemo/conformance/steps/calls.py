"""Steps in which the client does something: calls, searches, requests."""

from pytest_bdd import parsers, step

from mnemo.conformance.driver import RequestRefusedError
from mnemo.conformance.situation import Situation, parse


@step(parsers.re(r"the client calls (?P<tool>fact_\w+) with (?P<arguments>\{.*\})"))
def call_tool(situation: Situation, tool: str, arguments: str) -> None:
    """Call a tool with the arguments as JSON; brackets in them are replaced."""
    situation.call(tool, parse(arguments))


@step(parsers.re(r'the client searches for "(?P<query>.*)"'))
def search(situation: Situation, query: str) -> None:
    """Search for the text between the outermost quotes, as it stands."""
    situation.search(query)


@step(parsers.re(r'the client searches for "(?P<query>.*)" with explanation'))
def search_explained(situation: Situation, query: str) -> None:
    """Search and ask for the factors of each score."""
    situation.search(query, {"explain": True})


@step(parsers.re(r'the client searches for "(?P<query>.*)" with (?P<options>\{.*\})'))
def search_with(situation: Situation, query: str, options: str) -> None:
    """Search with further arguments, as JSON."""
    situation.search(query, parse(options))


@step(parsers.re(r'the client requests "(?P<method>[^"]+)"'))
def request(situation: Situation, method: str) -> None:
    """Send any MCP request without parameters."""
    request_with(situation, method, "{}")


@step(parsers.re(r'the client requests "(?P<method>[^"]+)" with (?P<params>\{.*\})'))
def request_with(situation: Situation, method: str, params: str) -> None:
    """Send any MCP request with parameters as JSON."""
    situation.result, situation.refusal = None, None
    try:
        situation.result = situation.driver.request(method, parse(params))
    except RequestRefusedError as refusal:
        situation.refusal = str(refusal)
