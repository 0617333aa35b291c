from pathlib import Path

import pytest

from mcbench.cli import COMMANDS, main
from mcbench.errors import UserError


@pytest.fixture
def mcbench(store, capsys):
    """Run the command line in this process; return status, output and error."""

    def call(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


FAKE = ("dataset=iris", "solver=fake")


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_shows_two_examples_in_eighty_columns(name, mcbench, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = mcbench(*([name] if name else []), "--help")
    assert status == 0
    assert max(map(len, out.splitlines())) <= 80
    examples = out.partition("examples:")[2].strip().splitlines()
    assert sum(line.strip().startswith("mcbench") for line in examples) >= 2


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_is_readable_in_a_narrow_terminal(name, mcbench, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    status, out, _ = mcbench(*([name] if name else []), "--help")
    assert status == 0
    assert "examples:" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rn"], "did you mean run"),
        (["run", "--mulirun"], "no option '--mulirun'"),
        (["run", "dataset=dnaa"], "did you mean dna"),
        (["run", "solver.C"], "key=value"),
        (["run", *FAKE, "seed=0,1"], "add -m"),
        (["run", "+experiment=fake_paper/curve"], "add -m"),
        (["run", "-m", "+experiment=fake_paper/crve"], "did you mean fake_paper/curve"),
        (["run", *FAKE, "--rerun", "maybe"], "--rerun has no value 'maybe'; allowed: all, failed"),
        (
            ["run", "--profile", "tiny"],
            "--profile has no value 'tiny'; allowed: paper, quick, smoke",
        ),
        (["run", *FAKE, "results_dir=/proc/nowhere"], "results_dir=FOLDER"),
        (["run", "solver._target_=os.nothing"], "os has no 'nothing'"),
        (["reproduce", "nobody_1900"], "no experiments for 'nobody_1900'"),
        (["table", "--metrics", "eror"], "did you mean error"),
        (["table", "--format", "html"], "--format has no value 'html'"),
        (["table", "iris"], "column=value"),
        (["plot", "convergense"], "did you mean convergence?"),
        (["plot", "convergence", "--x", "second"], "did you mean seconds"),
        (["plot", "convergence", "--format", "gif"], "llowed: pdf, png, svg"),
        (["plot", "scaling", "--x", "seconds"], "is no size and no setting with numbers"),
        (["plot", "convergence", "dataset=wine"], "no such finished runs"),
        (["status", "datset=iris"], "did you mean dataset"),
        (["data", "verfy"], "did you mean verify?"),
        (["plot"], "required: {convergence,scaling,pareto,regions}"),
        (["run", "--results", "/tmp/x"], "has no --results: write results_dir=FOLDER."),
        (["table", "--rerun=all"], "--format, --help, --metrics, --over, --results, --rows,"),
        (["table", "dataset=irs"], "no run has dataset=irs; did you mean iris? there are: iris."),
        (["plot", "scaling", "solver=fak"], "no run has solver=fak; did you mean fake?"),
        (["run", "solver.gamma=4"], "write kernel.gamma=4."),
        (["run", "-m", "solver.degree=2,3"], "write kernel.degree=2."),
        (["run", "solver.kernel=poly"], "write kernel=poly."),
        (["run", "dataset=file"], "dataset.path is not set: give the file, dataset.path=FILE.csv."),
        (
            ["run", "dataset=file", "dataset.path=/nope.csv", "dataset.label=x"],
            "there is no file /nope.csv.",
        ),
    ],
)
def test_what_a_user_can_get_wrong_is_one_sentence(arguments, said, mcbench):
    mcbench("run", *FAKE)
    status, out, err = mcbench(*arguments)
    assert status == 2, (out, err)
    assert said in err
    assert err.startswith("mcbench: ")
    assert len(err.splitlines()) == 1


def test_no_command_shows_the_help(mcbench):
    status, out, _ = mcbench()
    assert status == 2
    assert "examples:" in out


def test_version(mcbench):
    assert mcbench("--version")[1].startswith("mcbench 0.")


def test_options_may_stand_between_overrides(mcbench):
    status, out, err = mcbench(
        "run", "dataset=iris", "-m", "solver=fake", "--rerun", "all", "seed=0,1"
    )
    assert status == 0, err
    assert "2 runs: 2 done" in out


def test_a_run_prints_how_it_ended_and_leaves_results_only(mcbench, tmp_path):
    status, out, _ = mcbench("run", *FAKE)
    assert status == 0
    assert "[1/1] done" in out
    assert [path.name for path in tmp_path.iterdir()] == ["results"]
    assert "cached" in mcbench("run", *FAKE)[1]


def test_a_failed_run_is_exit_status_1(mcbench):
    status, out, _ = mcbench("run", *FAKE, "solver.fail=raise")
    assert status == 1
    assert "RuntimeError: asked to fail" in out
    status, out, _ = mcbench("status")
    assert status == 0
    assert "1 failed" in out
    assert "RuntimeError: asked to fail" in out
    assert "--rerun failed" in out


def test_cfg_prints_the_configuration_and_runs_nothing(mcbench, tmp_path):
    status, out, _ = mcbench("run", *FAKE, "seed=3", "--cfg", "job")
    assert status == 0
    assert "seed: 3" in out
    assert "_target_: framework_fakes.Fake" in out
    assert not list(tmp_path.iterdir())


def test_an_experiment_runs_as_a_sweep(mcbench):
    status, out, _ = mcbench("run", "-m", "+experiment=fake_paper/curve", "--profile", "smoke")
    assert status == 0
    assert "3 runs: 3 done" in out


def test_results_may_go_elsewhere(mcbench, tmp_path):
    assert mcbench("run", *FAKE, f"results_dir={tmp_path / 'other'}")[0] == 0
    assert "no runs yet" in mcbench("status")[1]
    assert "1 done" in mcbench("status", "--results", str(tmp_path / "other"))[1]


def test_table_and_plots_of_real_fits(mcbench, store):
    real = ["dataset=iris,wine", "solver=pattern", "solver.C=1,4", "seed=0,1"]
    assert mcbench("run", "-m", *real)[0] == 0
    status, out, _ = mcbench("table")
    assert status == 0
    assert "solver.C" in out.splitlines()[0]
    assert len(out.splitlines()) == 6
    assert " ± " in out
    assert mcbench("table", "dataset=iris", "--format", "csv", "--metrics", "error")[1].startswith(
        "dataset,solver,solver.C,error.mean,error.sd,error.n,n"
    )
    status, out, err = mcbench("plot", "convergence", "dataset=iris", "--x", "iterations")
    assert status == 0, err
    assert out.splitlines() == [
        str(store.root / "figures" / f"convergence_gap_iterations.{form}")
        for form in ("svg", "png")
    ]
    assert mcbench("plot", "scaling", "--y", "rows", "--format", "pdf")[0] == 0
    assert (store.root / "figures" / "scaling_rows.pdf").stat().st_size > 1000


@pytest.mark.parametrize("name", ["x.csv", "x.svm", "x.npz", "x.parquet", "x.csv.gz", "x.svm.xz"])
@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"a,b\n1\n", b"PK\x03\x04 no"])
def test_a_damaged_file_of_the_users_is_one_sentence(name, content, mcbench, tmp_path):
    (tmp_path / name).write_bytes(content)
    label = [] if "svm" in name else ["dataset.label=a"]
    status, _, err = mcbench("run", "dataset=file", f"dataset.path={tmp_path / name}", *label)
    assert status == 2, err
    assert err.startswith("mcbench: The data cannot be loaded as asked for: ")
    assert len(err.splitlines()) == 1


def test_a_run_says_where_results_are(mcbench, store):
    assert mcbench("run", *FAKE)[1].splitlines()[-1] == f"Results are in {store.root}."
    out = mcbench("run", "-m", *FAKE, "seed=0,1")[1].splitlines()
    assert out[-1] == f"Results are in {store.root}."
    assert out[-2].startswith("2 runs: 1 cached, 1 done; ")
    assert out[-2].endswith(" s in all")


def test_the_fold_of_a_run_is_said(mcbench, store):
    folded = ("dataset.split=10-fold", "seed=13")
    out = mcbench("run", *FAKE, *folded)[1]
    assert "fold 3 of 10" in out
    (row,) = store.frame().to_dict("records")
    assert (row["data.fold"], row["data.folds"]) == (3, 10)


def test_what_exists_is_said_for_a_value_that_no_run_has(mcbench):
    mcbench("run", *FAKE)
    status, _, err = mcbench("table", "dataset=iris,irs")
    assert status == 0
    assert "no run has dataset=irs; did you mean iris?" in err
    assert "no run has seed=7" in mcbench("status", "seed=7")[1]


def test_one_run_is_no_plural(mcbench):
    mcbench("run", "-m", *FAKE, "solver.fail=null,raise")
    assert "1 run that failed is not shown" in mcbench("table")[2]
    assert "1 run: 1 cached" in mcbench("run", "-m", *FAKE)[1]


def test_an_empty_table_says_so(mcbench):
    status, _, err = mcbench("table")
    assert status == 1
    assert "No finished runs" in err


def test_a_corrupt_record_is_said_in_a_line(mcbench, store):
    mcbench("run", *FAKE)
    (folder,) = store.runs.glob("[0-9a-f]*")
    (folder / "record.json").write_text("{")
    with pytest.warns(UserWarning, match=f"Corrupt run set aside .*{folder.name}"):
        status, out, _ = mcbench("status")
    assert status == 0
    assert "no runs yet" in out


def test_data_commands_are_wired(mcbench):
    status, out, _ = mcbench("data", "list")
    assert status == 0
    assert "letter" in out
    assert mcbench("data", "verify", "iris")[0] == 0


def table_of(out):
    """The rows of the table in an output, its header left out."""
    lines = [line for line in out.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return cells[0] if cells else [], cells[2:]


def test_a_sweep_ends_with_one_table_of_its_runs(mcbench):
    mcbench("run", "dataset=wine", "solver=fake")  # another run, not of this sweep
    sweep = ["run", "-m", "dataset=iris", "solver=fake,pattern", "seed=0,1"]
    assert not table_of(mcbench("run", "dataset=iris", "solver=fake")[1])[1]
    _, out, _ = mcbench(*sweep)
    header, rows = table_of(out)
    assert header[2:8] == [
        "test error [%]", "primal objective", "dual objective", "relative gap",
        "support vectors", "fit [s]",
    ]  # fmt: skip
    assert [row[:2] for row in rows] == [["iris", "fake"], ["iris", "pattern"]]
    assert rows[0][3:7] == ["-"] * 4
    assert all("±" in cell for cell in rows[1][3:7])
    assert [row[-1] for row in rows] == ["2", "2"]
    assert table_of(mcbench(*sweep)[1])[1] == rows  # cached ones too


def test_a_validation_error_is_called_so(mcbench):
    sweep = ["run", "-m", *FAKE, "dataset.validation=0.3", "seed=0,1"]
    for _ in range(2):  # as it is executed, and as it is found
        _, out, _ = mcbench(*sweep)
        assert "validation error" in out.splitlines()[0]
        header, rows = table_of(out)
        assert header[2:4] == ["dataset.validation", "validation error [%]"]
        assert [row[2] for row in rows] == ["0.3"]
        assert "test error" not in out
    assert "validation error [%]" in mcbench("table")[1]


def test_a_failed_run_is_not_in_the_table(mcbench):
    out = mcbench("run", "-m", *FAKE, "solver.fail=raise,null")[1]
    assert len(table_of(out)[1]) == 1
    assert not table_of(mcbench("run", "-m", *FAKE, "solver.fail=raise")[1])[1]


def test_measurements_have_no_table(mcbench):
    out = mcbench("run", "-m", *FAKE, "measure={_target_:framework_fakes.measure}", "seed=1,2")[1]
    assert "2 runs: 2 done" in out
    assert not table_of(out)[1]


def test_a_long_table_is_said_to_be_elsewhere(mcbench, monkeypatch):
    monkeypatch.setattr("mcbench.commands.run.MOST_ROWS", 2)
    sizes = "dataset.train_size=30,60,90"
    out = mcbench("run", "-m", *FAKE, sizes, "dataset.draw=seeded")[1]
    assert "A table of these runs has 3 rows: mcbench table shows it." in out
    assert not table_of(out)[1]
    seeds = mcbench("run", "-m", *FAKE, "seed=range(4)")[1]
    assert len(table_of(seeds)[1]) == 1


def test_the_table_of_a_sweep_becomes_blocks_in_a_narrow_terminal(mcbench, monkeypatch):
    monkeypatch.setattr("mcbench.commands.table.terminal_width", lambda: 40)
    out = mcbench("run", "-m", *FAKE, "seed=0,1")[1]
    assert not table_of(out)[1]
    assert "iris fake\n  test error [%]" in out


def test_glob_runs_every_solver_that_there_is(mcbench, store):
    status, out, err = mcbench("run", "-m", "solver=glob(*)", "dataset=iris")
    assert status == 0, out + err
    conf = Path(__file__).parents[2] / "conf" / "solver"
    wanted = {path.stem for path in conf.glob("*.yaml")}
    assert {"lvq21", "nearest_neighbour", "rvm"} < wanted
    lines = [line for line in out.splitlines() if line.startswith("skipped")]
    skipped = {line.split("solver=")[1].split()[0].rstrip(":") for line in lines}
    assert skipped <= {"rvm", "optional", "kernlab", "liblinear"}
    assert wanted <= set(store.frame()["solver"]) | skipped


@pytest.mark.parametrize("how", ["interrupt", "hidden_interrupt"])
def test_an_interrupt_is_one_sentence_and_no_run(how, mcbench, store):
    status, _, err = mcbench("run", *FAKE, f"solver.fail={how}")
    assert status == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("mcbench: Interrupted")
    assert store.frame().empty


def test_an_interrupt_within_what_becomes_a_users_error_is_none(mcbench, monkeypatch):
    def struck(_):
        raise UserError("The data cannot be loaded.") from KeyboardInterrupt()

    monkeypatch.setattr("mcbench.cli.parse", struck)
    assert mcbench("run", *FAKE)[0] == 130
