import subprocess
import sys

from mcbench.machine import cpu_model, machine, provenance, thread_pools


def test_provenance_names_what_matters():
    found = provenance()
    assert found["python"].count(".") == 2
    assert {"numpy", "scipy", "scikit-learn"} <= set(found["packages"])
    assert found["machine"]["cores"] >= 1
    assert cpu_model()
    assert set(found["git"]) <= {"commit", "dirty"}


def test_the_command_can_be_typed_again_and_tells_no_folder(monkeypatch):
    words = ["/home/someone/bin/mcbench", "run", "dataset.split='10-fold'"]
    monkeypatch.setattr(sys, "argv", words)
    assert provenance()["command"] == """mcbench run 'dataset.split='"'"'10-fold'"'"''"""


def test_two_calls_are_the_same_machine():
    assert machine()["id"] == machine()["id"]
    assert len(machine()["id"]) == 8


def test_thread_pools_are_those_of_the_libraries_loaded():
    import numpy as np

    np.ones((2, 2)) @ np.ones((2, 2))
    assert any(pool["user_api"] == "blas" for pool in thread_pools())


def test_importing_mcbench_is_instant():
    code = (
        "import sys, mcbench; print([m for m in ('numpy', 'hydra', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_public_names_are_there():
    import mcbench

    for name in mcbench.__all__:
        assert getattr(mcbench, name) is not None
        assert name in dir(mcbench)
