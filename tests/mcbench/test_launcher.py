"""Choosing a launcher."""

import pytest

from mcbench.cli import main
from mcbench.errors import UserError
from mcbench.grid import expand_experiment, experiment_launcher, load_grids
from mcbench.launcher import Launcher, choose, processors, split_launcher
from mcbench.plan import plan

MEASURE = "measure={_target_: framework_fakes.measure}"


@pytest.fixture
def experiment(tmp_path, monkeypatch):
    """Write the file of the experiment mine/item, and return its name."""

    def write(text):
        file = tmp_path / "conf" / "experiment" / "mine" / "item.yaml"
        file.parent.mkdir(parents=True)
        file.write_text(text)
        monkeypatch.setenv("MCBENCH_CONF", str(tmp_path / "conf"))
        return "mine/item"

    return write


def test_overrides_choose_a_launcher_and_its_settings():
    launcher = choose(["launcher=submitit_slurm", "launcher.n_jobs=8", "launcher.partition=cpu"])
    assert (launcher.name, launcher.n_jobs) == ("submitit_slurm", 8)
    assert launcher.settings["partition"] == "cpu"
    assert choose([]) == Launcher("basic", 1, {})


def test_no_more_workers_than_runs_or_processors():
    assert Launcher("joblib", 8).jobs(3, 1) == 3
    assert Launcher("joblib", 2).jobs(3, 1) == 2
    assert Launcher("joblib", -1).jobs(10**6, 1) == processors()
    assert Launcher("joblib", -1).jobs(10**6, 10**6) == 1


def test_the_launcher_is_no_part_of_a_run(resolve):
    alone = plan(resolve("seed=1"), ["seed=1"])
    several = plan(resolve("seed=1", "launcher=joblib", "retries=2"), ["seed=1", "retries=2"])
    assert several.id == alone.id
    assert several.label == alone.label
    assert "launcher" not in several.config


@pytest.mark.parametrize(
    "text",
    [
        "launcher: joblib\nlauncher.n_jobs: 3\ngrids: {quick: [{seed: [0, 1]}]}",
        "common: {launcher: joblib, launcher.n_jobs: 3}\ngrids: {quick: [{seed: [0, 1]}]}",
    ],
)
def test_a_file_of_an_experiment_chooses_one(experiment, text):
    name = experiment(text)
    overrides = experiment_launcher(name)
    assert choose(overrides) == Launcher("joblib", 3, {})
    assert choose(["launcher.n_jobs=2"], overrides) == Launcher("joblib", 2, {})
    assert choose(["launcher=basic"], overrides) == Launcher()  # the user's wins, as it stands
    jobs = expand_experiment(name, "quick")
    assert [job.overrides for job in jobs] == [("seed=0",), ("seed=1",)]


def test_a_grid_chooses_none(experiment):
    name = experiment("grids: {quick: [{seed: 0, launcher: joblib}]}")
    with pytest.raises(UserError, match="at the top of the file"):
        load_grids(name, "quick")


def test_hydras_own_overrides_are_pointed_to_ours():
    assert split_launcher(["seed=0", "launcher=joblib", "launcher.n_jobs=2"]) == (
        ["launcher=joblib", "launcher.n_jobs=2"],
        ["seed=0"],
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["launcher=jobli"], "did you mean joblib?"),
        (["launcher=joblib", "launcher.n_job=2"], "did you mean n_jobs?"),
        (["launcher=joblib", "launcher.n_jobs=0"], "give a whole number, 1 or more, or -1"),
        (["launcher=submitit_slurm", "launcher.n_jobs=-1"], "give a whole number, 1 or more."),
        (["launcher.n_jobs=2"], "launcher=joblib launcher.n_jobs=2"),
        (["launcher=basic,joblib"], "a sweep has one"),
        (["launcher.name=ray"], "Hydra has no launcher 'ray' here"),
        (["hydra/launcher=joblib"], "is written launcher=joblib here"),
        (["hydra.launcher.n_jobs=2"], "is written launcher.n_jobs=2 here"),
        (["hydra.verbose=true"], "launcher=NAME"),
        (["retries=-1"], "retries is -1: give a whole number, 0 or more"),
        (["--rerun", "faild"], "did you mean failed?"),
        (["--rerun", "*solver=other*"], "names none of these runs"),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(store, capsys, arguments, said):
    assert main(["run", "-m", "dataset=iris", "solver=fake", *arguments]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert not store.runs.exists()


def test_a_setting_that_hydras_launcher_does_not_know_is_one_sentence(store, capsys):
    wrong = ["launcher=submitit_local", "+launcher.speed=9"]
    assert main(["run", "-m", "dataset=none", MEASURE, *wrong]) == 2
    err = capsys.readouterr().err
    assert "The launcher submitit_local failed: NameError: Unknown argument 'speed'" in err
    assert len(err.splitlines()) == 1
    assert list(store.runs.glob(".shares/*")) == []


def test_the_configuration_that_is_shown_has_the_launcher(store, capsys):
    assert main(["run", "--cfg", "job", "launcher=joblib", "launcher.n_jobs=3"]) == 0
    assert "launcher:\n  name: joblib\n  n_jobs: 3\n" in capsys.readouterr().out


@pytest.fixture
def launched(monkeypatch):
    """What `mcbench reproduce` chose, instead of reproducing."""
    chosen = []

    class Enough(Exception):  # noqa: N818
        pass

    def launch_with(launcher, store, **options):
        chosen.append(launcher)
        raise Enough

    def reproduce(*arguments):
        with pytest.raises(Enough):
            main(["reproduce", *arguments])
        return chosen[-1]

    monkeypatch.setattr("mcbench.launch.launch_with", launch_with)
    return reproduce


def test_reproduce_takes_jobs_or_a_launcher(store, launched, capsys):
    assert launched() == Launcher()
    assert launched("--jobs", "2") == Launcher("joblib", 2, {})
    assert launched("launcher=joblib", "launcher.n_jobs=3") == Launcher("joblib", 3, {})
    assert main(["reproduce", "--jobs", "0"]) == 2
    assert "launcher.n_jobs is 0" in capsys.readouterr().err


def test_reproduce_takes_the_launcher_on_which_the_files_agree(
    store, launched, monkeypatch, capsys
):
    asked = {}
    monkeypatch.setattr(
        "mcbench.grid.experiment_launcher", lambda name: asked.get(name, ["launcher=joblib"])
    )
    assert launched("hsu_lin_2002/table1", "hsu_lin_2002/table2").name == "joblib"
    assert launched("hsu_lin_2002/table1", "launcher=submitit_local").name == "submitit_local"
    asked["hsu_lin_2002/table2"] = []
    assert launched("hsu_lin_2002/table1", "hsu_lin_2002/table2").name == "basic"
    assert "one after the other: --jobs N chooses" in capsys.readouterr().out
