"""Every scenario of the specification on the driver `inprocess`."""

from pathlib import Path

import pytest
from pytest_bdd import scenarios

from mnemo.conformance.driver import Driver
from mnemo.conformance.steps import PLUGINS

pytest_plugins = PLUGINS
FEATURES = Path(__file__).parents[2] / "features"


@pytest.fixture
def driver(inprocess_driver: Driver) -> Driver:
    return inprocess_driver


scenarios(str(FEATURES))
