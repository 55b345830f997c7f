"""Every scenario of the specification on the driver `stdio`."""

from pathlib import Path

import pytest
from pytest_bdd import scenarios

from mnemo.conformance.driver import Driver
from mnemo.conformance.steps import PLUGINS

pytest_plugins = PLUGINS
pytestmark = pytest.mark.stdio
FEATURES = Path(__file__).parents[2] / "features"


@pytest.fixture
def driver(stdio_driver: Driver) -> Driver:
    return stdio_driver


scenarios(str(FEATURES))
