"""What the tests of the report share."""

import shutil

import pytest
from reported import make

from mcbench.store import Store


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A results folder that nobody changes."""
    return make(tmp_path_factory.mktemp("made") / "results").root


@pytest.fixture
def results(made, tmp_path):
    """A store with results to be reported."""
    shutil.copytree(made, tmp_path / "results")
    return Store(tmp_path / "results")


@pytest.fixture(scope="session")
def site(made, tmp_path_factory):
    """The folder of a report."""
    from mcbench.report import build

    return build(Store(made), tmp_path_factory.mktemp("site") / "report").parent
