"""The fixture `driver`, once for each way to reach a server."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemo.conformance.stdio import StdioDriver
from mnemo.conformance.steps import TAGS
from tests.drivers import InProcessDriver

SERVE = [sys.executable, "-m", "mnemo", "serve"]


def pytest_configure(config: pytest.Config) -> None:
    """Let the tags of scenarios be marks."""
    for tag in TAGS:
        config.addinivalue_line("markers", tag)


def pytest_bdd_after_scenario(request: pytest.FixtureRequest) -> None:
    """End the server in process while its stderr is still redirected; pytest puts its own back afterwards."""
    driver = request.getfixturevalue("driver")
    if isinstance(driver, InProcessDriver):
        driver.stop()


class NextServers:
    """Keeps one server process starting while a scenario uses the one before it: a start takes a second."""

    def __init__(self) -> None:
        self._next: StdioDriver | None = None

    def take(self) -> StdioDriver:
        """Return a driver whose server is starting or ready, and begin to start the one after it."""
        driver = self._next or StdioDriver(SERVE, early=True)
        self._next = StdioDriver(SERVE, early=True)
        return driver

    def close(self) -> None:
        """End the server that nobody has taken."""
        if self._next:
            self._next.close().join()


@pytest.fixture(scope="session")
def next_servers() -> Iterator[NextServers]:
    servers = NextServers()
    yield servers
    servers.close()


@pytest.fixture
def inprocess_driver(tmp_path: Path) -> Iterator[InProcessDriver]:
    driver = InProcessDriver(tmp_path)
    yield driver
    driver.close()


@pytest.fixture
def stdio_driver(next_servers: NextServers) -> Iterator[StdioDriver]:
    driver = next_servers.take()
    yield driver
    driver.close().join()
