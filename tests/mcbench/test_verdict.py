import pytest

from mcbench.results import Results
from mcbench.verdict import conclude, missing


def results(*gone):
    return Results("quick", None, None, list(gone))


def test_what_fails_is_the_reason():
    assert conclude(results(), True, []) == ("reproduced", "")
    assert conclude(results(), True, ["a", "b"], "reduced") == ("differs", "a; b; reduced")
    assert conclude(results(), False, []) == ("not testable", "no such runs in the profile")


@pytest.mark.parametrize("tested", [True, False])
def test_missing_runs_are_named_whatever_the_verdict(tested):
    _, reason = conclude(results((("dataset=dna", "seed=1"), "failed: no memory.")), tested, [])
    assert reason == "run missing: dataset=dna seed=1 (failed: no memory)"


def test_runs_missing_for_one_reason_are_named_together():
    gone = [((f"seed={seed}",), "unavailable: mnist. Tried: a.") for seed in (0, 0, 1, 2, 3, 4)]
    assert missing(results(*gone, (("solver=rvm",), "skipped: fastrvm"))) == (
        "run missing: seed=0 and 4 more (unavailable: mnist); "
        "run missing: solver=rvm (skipped: fastrvm)"
    )


def test_what_cannot_be_told_is_not_reproduced_and_hides_no_failure():
    assert conclude(results(), True, [], "note", ["open"]) == ("not testable", "open; note")
    assert conclude(results(), True, ["a"], "note", ["open"]) == ("differs", "a; open; note")
