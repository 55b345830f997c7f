"""The steps of the scenarios, as pytest-bdd definitions; they speak to the fixture `driver` alone.

A test run names the modules in `PLUGINS` as its pytest plugins and provides the fixture `driver`.
"""

PLUGINS = (
    "mnemo.conformance.steps.memory",
    "mnemo.conformance.steps.calls",
    "mnemo.conformance.steps.answers",
    "mnemo.conformance.steps.results",
    "mnemo.conformance.steps.file",
    "mnemo.conformance.steps.server",
    "mnemo.conformance.steps.resources",
    "mnemo.conformance.steps.names",
    "mnemo.conformance.steps.safety",
    "mnemo.conformance.steps.history",
)

TAGS = (
    "full: a scenario outside the profile `core`",
    "should: a scenario of a requirement that only warns",
)
