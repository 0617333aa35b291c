from pathlib import Path

from hydra import compose, initialize_config_dir

from mcbench.config import conf_dir, resolve
from mcbench.launch import launcher_overrides, with_choices
from mcbench.plan import plan

HERE = Path(__file__).parent


def test_joblib_runs_overlap_and_give_the_same_runs(store, command, tmp_path):
    times = tmp_path / "times"
    times.mkdir()
    sweep = ["run", "-m", "dataset=iris", "solver=fake", "solver.seconds=2", "seed=0,1"]
    parallel = [*sweep, f"solver.log={times}", "hydra/launcher=joblib", "hydra.launcher.n_jobs=2"]
    done = command(*parallel)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 runs: 2 done" in done.stdout
    spans = [tuple(map(float, path.read_text().split())) for path in times.iterdir()]
    (start, end), (other_start, other_end) = spans
    assert max(start, other_start) < min(end, other_end), "the runs did not overlap"
    # The identity does not depend on who executed the run.
    again = command(*sweep, f"solver.log={times}")
    assert "2 runs: 2 cached" in again.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results", "times"]


def test_failures_in_parallel_runs_are_counted(store, command):
    done = command(
        "run", "-m", "dataset=iris", "solver=fake", "solver.fail=raise,null", "seed=0",
        "hydra/launcher=joblib", "hydra.launcher.n_jobs=2",
    )  # fmt: skip
    assert done.returncode == 1
    assert "RuntimeError: asked to fail" in done.stdout
    assert "2 runs: 1 failed, 1 done" in done.stdout


def test_hydra_composes_the_same_configuration_in_a_worker(conf):
    overrides = ["dataset=iris", "solver=pattern", "solver.tol=0.1", "seed=3"]
    planned = plan(resolve(overrides), overrides)
    with initialize_config_dir(config_dir=str(conf_dir()), version_base="1.3"):
        composed = compose(
            "config",
            [*launcher_overrides(planned), f"hydra.searchpath=['file://{HERE / 'conf'}']"],
            return_hydra_config=True,
        )
    labels = composed.hydra.runtime.choices
    del composed.hydra
    again = plan(with_choices(composed, labels))
    assert again.id == planned.id
    assert again.config["choices"] == planned.config["choices"]


def test_a_wrong_launcher_is_named(store, command):
    done = command("run", "-m", "dataset=iris", "solver=fake", "seed=0,1", "hydra/launcher=jobli")
    assert done.returncode == 2
    assert "did you mean joblib" in done.stderr
    assert "Traceback" not in done.stderr
