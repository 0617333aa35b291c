import json
import shutil

import pytest

from mcbench import discovery
from mcbench.errors import UserError
from mcbench.record import Record, load_record
from mcbench.reproduce import Reproduced, report, reproduce


@pytest.fixture
def paper(store, monkeypatch):
    """The fake paper as the only one."""
    discovery.load_paper.cache_clear()
    monkeypatch.setattr(discovery, "packages", lambda: {"fake_paper": "fake_paper"})
    monkeypatch.setattr(discovery, "conf_dirs", lambda: ())
    yield discovery.load_paper("fake_paper")
    discovery.load_paper.cache_clear()


def again(store, **options):
    said = []
    done = reproduce([], options.pop("profile", "smoke"), store, say=said.append, **options)
    report(done, said.append)
    return done, "\n".join(said)


def test_runs_figures_tables_and_claims_come_out(paper, store):
    done, said = again(store)
    assert done.exit_code == 0
    assert sorted(str(path.relative_to(store.root)) for path in done.files) == [
        "claims.csv",
        "claims.json",
        "claims.md",
        "figures/fake_paper/curve.pdf",
        "figures/fake_paper/curve.png",
        "figures/fake_paper/curve.svg",
        "reproduced.json",
        "tables/fake_paper/curve.csv",
        "tables/fake_paper/curve.md",
        "tables/fake_paper/curve.tex",
    ]
    # Four asked for, one of them twice.
    assert "3 runs: 3 done" in said
    assert "1 claim: 1 reproduced, 0 differs, 0 not testable." in said
    (claim,) = json.loads((store.root / "claims.json").read_text())
    assert claim["paper"] == "fake_paper"
    assert claim["profile"] == "smoke"
    assert len(claim["runs"]) == 2
    environment = json.loads((store.root / "environment.json").read_text())
    assert environment["machine"]["cpu"]
    assert "1.235" in (store.root / "tables/fake_paper/curve.md").read_text()


def test_the_second_time_runs_no_solver_and_draws_the_same_bytes(paper, store, monkeypatch):
    again(store)
    svg = (store.root / "figures/fake_paper/curve.svg").read_bytes()
    pdf = (store.root / "figures/fake_paper/curve.pdf").read_bytes()
    monkeypatch.setattr("framework_fakes.Fake.fit", lambda *a: pytest.fail("a solver ran"))
    done, said = again(store)
    assert "3 runs: 3 cached" in said
    assert done.exit_code == 0
    assert (store.root / "figures/fake_paper/curve.svg").read_bytes() == svg
    assert (store.root / "figures/fake_paper/curve.pdf").read_bytes() == pdf


def test_a_claim_that_crashes_is_an_error_and_the_rest_still_comes_out(
    paper, store, monkeypatch, capsys
):
    def crash(results):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("fake_paper.curve.claims", crash)
    done, said = again(store)
    assert done.exit_code == 1
    assert "claims of fake_paper/curve crashed: ZeroDivisionError: division by zero" in said
    assert (store.root / "figures/fake_paper/curve.svg").is_file()
    assert "Traceback" in capsys.readouterr().err


def test_a_claim_that_crashes_stays_as_one_that_nothing_is_known_of(paper, store, monkeypatch):
    again(store)

    def crash(results):
        raise KeyError("seconds")

    monkeypatch.setattr("fake_paper.curve.claims", crash)
    again(store)
    (claim,) = json.loads((store.root / "claims.json").read_text())
    assert (claim["verdict"], claim["reason"]) == ("not testable", "the claim crashed")
    assert claim["runs"] == []


def test_a_folder_that_cannot_be_written_is_one_sentence_after_the_verdicts(
    paper, store, monkeypatch
):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    again(store)
    monkeypatch.setattr("mcbench.reproduce.write_rows", full)
    done, said = again(store)
    assert done.exit_code == 1
    assert "fp-sizes: reproduced" in said
    assert "cannot be written (No space left on device): make room" in said
    assert json.loads((store.root / "claims.json").read_text())[0]["verdict"] == "reproduced"


def test_a_run_that_lacks_one_of_its_tables_is_missing_and_is_done_again(paper, store):
    done, _ = again(store)
    run = done.claims[0]["runs"][0]
    (store.runs / run / "predictions.parquet").unlink()
    with pytest.warns(UserWarning, match="predictions.parquet is missing"):
        done, _ = again(store, execute=False)
    assert done.claims[0]["reason"].startswith("run missing: ")
    done, said = again(store)
    assert "2 cached, 1 done" in said
    assert done.claims[0]["verdict"] == "reproduced"


def test_a_run_of_another_process_is_waited_for(paper, store, monkeypatch):
    again(store)
    (folder, *_) = store.runs.glob("[0-9a-f]*")
    theirs = store.path(folder.name).rename(store.root / "elsewhere")
    record = load_record(theirs)
    held = store.claim(Record(record.id, "running", record.config))

    def sleep(seconds):  # the other process ends it meanwhile
        shutil.move(theirs, folder)
        held.abandon()

    monkeypatch.setattr("mcbench.sweep.time.sleep", sleep)
    _, said = again(store)
    assert "3 runs: 3 cached" in said


def test_a_figure_that_crashes_is_an_error_and_the_claims_still_come_out(paper, store, monkeypatch):
    monkeypatch.setattr("fake_paper.curve.figures", lambda results: {"curve": "no figure"})
    done, _ = again(store)
    assert done.exit_code == 1
    assert len(done.claims) == 1


def test_a_failed_run_is_reported_and_missing_for_its_item(paper, store, monkeypatch, capsys):
    def fit(self, X, y):
        if len(y) == 60:
            raise RuntimeError("not today")
        return self._keep(y)

    monkeypatch.setattr("framework_fakes.Fake.fit", fit)
    done, said = again(store)
    assert done.exit_code == 1
    assert "not today" in capsys.readouterr().out
    (claim,) = done.claims
    assert claim["verdict"] == "not testable"
    assert claim["reason"].startswith("run missing: ")
    assert "failed: RuntimeError: not today" in claim["reason"]
    assert "fp-sizes: not testable" in said


def test_a_deleted_run_leaves_its_claims_undecided_until_it_is_there_again(paper, store):
    again(store)
    done, said = again(store, execute=False)
    assert done.claims[0]["verdict"] == "reproduced"
    shutil.rmtree(store.runs / done.claims[0]["runs"][0])
    done, said = again(store, execute=False)
    (claim,) = done.claims
    assert claim["verdict"] == "not testable"
    assert claim["reason"].startswith("run missing: kernel=rbf solver=fake ")
    assert claim["reason"].endswith("not in the store")
    assert "2 cached, 1 missing" in said
    assert done.exit_code == 0
    done, said = again(store)
    assert done.claims[0]["verdict"] == "reproduced"


def test_only_some_of_the_runs(paper, store):
    done, _ = again(store, only=["dataset.train_size=6?", "dataset=dna,wine", "part=no*"])
    assert len(done.outcomes) == 1
    (claim,) = done.claims
    assert claim["verdict"] == "not testable"
    assert "runs as changed by: --only dataset.train_size=6? --only dataset=dna" in claim["reason"]
    (entry,) = json.loads((store.root / "reproduced.json").read_text())
    assert "--only part=no* --profile smoke" in entry["command"]


def test_where_results_go_and_how_runs_are_executed_changes_no_run(paper, store):
    how = [f"results_dir={store.root}", "+results_dir=x", "on_error=stop", "retries=1"]
    done, _ = again(store, user=[*how, "seed=3"])
    assert not any("results_dir" in str(store.get(run)["overrides"]) for run in store.frame()["id"])
    assert done.claims[0]["reason"].endswith("runs as changed by: seed=3")
    (entry,) = json.loads((store.root / "reproduced.json").read_text())
    assert entry["command"] == "mcbench reproduce fake_paper/curve seed=3 --profile smoke"
    done, _ = again(store, user=[*how, "seed=4"], execute=False)
    assert "results_dir" not in (store.root / "claims.json").read_text()
    assert "results_dir" not in (store.root / "reproduced.json").read_text()


@pytest.mark.parametrize(
    ("only", "said"),
    [("dataset=wine", "No run of these items meets dataset=wine"), ("wine", "write key=value")],
)
def test_only_runs_that_there_are(paper, store, only, said):
    with pytest.raises(UserError, match=said):
        again(store, only=[only])


def test_data_that_are_not_here_are_listed_and_no_failure(paper, store, monkeypatch):
    from mcbench.data import DataUnavailable

    def load(name, **kwargs):
        raise DataUnavailable(f"{name}: put it there")

    monkeypatch.setattr("mcbench.data.load", load)
    done, said = again(store, profile="paper")
    assert done.exit_code == 0
    assert "1 run is not here because the data are not" in said
    assert "isolet: put it there" in said
    assert "unavailable: isolet" in done.claims[0]["reason"]


def test_the_user_may_override(paper, store):
    done, _ = again(store, user=["seed=5"])
    assert len(done.outcomes) == 2


def test_wrong_names_are_refused_before_anything_runs(paper, store):
    for names, said in ((["fake_papr"], "did you mean fake_paper"), (["fake_paper/crve"], "curve")):
        with pytest.raises(UserError, match=said):
            reproduce(names, "smoke", store)


def test_a_package_that_lacks_something_is_named(paper, monkeypatch):
    discovery.load_paper.cache_clear()
    monkeypatch.delattr("fake_paper.TITLE")
    with pytest.raises(UserError, match="does not define TITLE"):
        discovery.load_paper("fake_paper")


def test_select_takes_papers_and_items(paper):
    assert discovery.select([]) == discovery.select(["fake_paper"])
    assert discovery.select(["fake_paper", "fake_paper/curve"]) == [(paper, "curve")]


def test_an_experiment_package_may_bring_its_own_configuration(tmp_path, monkeypatch):
    package = tmp_path / "brought"
    (package / "conf" / "solver").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(discovery, "packages", lambda: {"brought": "brought", "no": "not.there"})
    discovery.conf_dirs.cache_clear()
    assert discovery.conf_dirs() == (package / "conf",)
    discovery.conf_dirs.cache_clear()


def test_claims_are_said_within_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    row = {"id": "c", "verdict": "differs", "statement": "words " * 40, "paper_value": "1"}
    said = []
    report(Reproduced(claims=[{**row, "ours": "qp-mc-sv " * 30, "reason": ""}]), said.append)
    lines = "\n".join(said).splitlines()
    assert max(map(len, lines)) <= 60
    assert not any("why:" in line for line in lines)
    assert all("qp-mc-sv" in line for line in lines if "qp-" in line)


def test_an_attempt_without_any_run_takes_nothing_away(paper, store):
    again(store)
    before = (store.root / "reproduced.json").read_text()
    _, said = again(store, profile="quick", execute=False)
    assert "1 claim: 0 reproduced, 0 differs, 1 not testable." in said
    assert "what another profile found stays: fake_paper/curve (smoke)." in said
    (claim,) = json.loads((store.root / "claims.json").read_text())
    assert (claim["verdict"], claim["profile"]) == ("reproduced", "smoke")
    assert (store.root / "reproduced.json").read_text() == before
    again(store, profile="quick")
    (claim,) = json.loads((store.root / "claims.json").read_text())
    assert claim["profile"] == "quick"


def test_figures_tell_whose_they_are(paper, store):
    again(store)
    svg = (store.root / "figures/fake_paper/curve.svg").read_text()
    assert "Fake paper, Figure 1: a curve; profile smoke; runs " in svg
