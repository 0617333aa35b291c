"""What users get wrong, over all commands: one sentence with the way out, before any work."""

import pytest
from reading_store import put

from mcbench.cli import main

IRIS = ("dataset=iris", "solver=block")
REPRODUCE = ("reproduce", "crammer_singer_2001/fig5", "--profile", "smoke")
LONG = "x" * 5000

RUN = [
    ((), "dataset=", "There is no dataset ''; allowed: "),
    ((), "solver", "write key=value, for example solver.C=4"),
    ((), "", "write key=value"),
    ((), "=4", "There is no setting ''"),
    (IRIS, "solver.C==4", "write = once"),
    (IRIS, "solver.C = 4", "leave out the blanks around ="),
    (IRIS, "solver.C={1", "a bracket is not closed or was taken by the shell: quote the whole"),
    (IRIS, "solver.C=[1,2", "a bracket is not closed"),
    (IRIS, "solver.C=glob(*", "a bracket is not closed"),
    (IRIS, "solver.C='1", "a quotation mark is not closed"),
    (IRIS, "dataset=ïris", "quote a value with special signs once more: 'dataset=\"...\"'"),
    (IRIS, "dataset=a\x00b", "dataset=a\\x00b' is not an override"),
    (IRIS, "solver.C=" + "9" * 5000, "the value is too long"),
    (IRIS, f"dataset={LONG}", "There is no dataset 'xxxx"),
    (IRIS, "solver.C=1,2", "asks for several runs: add -m"),
    (IRIS, "solver.C=-1", "C=-1 is not a finite number greater than 0, or inf"),
    (IRIS, "solver.C=-inf", "is not a finite number greater than 0, or inf"),
    (IRIS, "solver.C=nan", "C=nan is not a finite number greater than 0, or inf"),
    (IRIS, "solver.C=abc", "C='abc' is not a finite number"),
    (IRIS, "solver.C=[1]", "C=[1] is not a finite number"),
    (IRIS, "solver.tol=0", "tol=0 is not a finite number greater than 0"),
    (IRIS, "solver.max_iter=1.5", "max_iter=1.5 is not an integer"),
    (IRIS, "solver.solver=blok", "did you mean 'block'?"),
    (IRIS, "solver.Cc=1", "did you mean C"),
    (IRIS, "kernel=rfb", "There is no kernel 'rfb'; did you mean rbf?"),
    (IRIS, "kernel.gama=1", "did you mean gamma?"),
    (IRIS, "kernel.gamma=scal", "did you mean 'scale'?"),
    (IRIS, "kernel.gamma=-1", "gamma=-1 is not a finite number greater than 0"),
    (IRIS, "+kernle=rbf", "did you mean kernel?"),
    (IRIS, "seed=-1", "give a whole number, 0 or more"),
    (IRIS, "seed=1.5", "give a whole number, 0 or more"),
    (IRIS, "dataset.split=5-fold", "did you mean 10-fold?"),
    (IRIS, "dataset.train_size=0", "train_size must be an integer of at least 1, not 0"),
    (IRIS, "dataset.validation=2", "between 0 and 1"),
    (IRIS, "dataset.fold=99", "has the folds 0 to 9, not 99"),
    (IRIS, "dataset.scaling=rang", "did you mean range?"),
    (IRIS, "protocol.threads=0", "protocol.threads is 0: give a whole number, 1 or more"),
    (IRIS, "protocol.trace.factor=0.5", "give a number above 1"),
    (IRIS, "protocol.limits.time_s=-1", "give a positive number"),
    (IRIS, "on_error=halt", "on_error has no value 'halt'; allowed: continue, stop"),
    (IRIS, "measure=3", "give {_target_: module.function, ...} or null"),
    (IRIS, "results_dir=", "results_dir is empty"),
    ((), "+experiment=", "+experiment names nothing: write +experiment=PAPER/ITEM"),
    (("dataset=none",), "solver=block", "needs something to measure"),
    (("dataset=iris",), "solver=my_svm.MySVC", "write solver._target_=my_svm.MySVC"),
    (("dataset=iris",), "solver=block,", "there is a comma too many at its end"),
    (IRIS, "--results=elsewhere", "has no --results: write results_dir=FOLDER"),
]

SWEEPS = [
    ((*IRIS, "seed=range(0,0)"), "'seed=range(0,0)' has no values"),
    ((*IRIS, "seed=choice()"), "'seed=choice()' is not an override"),
    ((*IRIS, "solver.C=interval(0,1)"), "is a continuous range: list its values instead"),
    (("dataset=iris", "solver=glob(zzz*)"), "'solver=glob(zzz*)' matches nothing; allowed: "),
    (("dataset=iris", "solver=block,kkkt"), "did you mean kkt?"),
    (("+experiment=hsu_lin_2002/tabel2",), "did you mean hsu_lin_2002/table2"),
]

OTHERS = [
    ([*REPRODUCE, "solver.C=abc"], "C='abc' is not a finite number"),
    ([*REPRODUCE, "foo=1"], "There is no setting 'foo'"),
    ([*REPRODUCE, "--only", "iris"], "--only 'iris' is no condition"),
    (["reproduce", "crammer_singer_2001/fig99"], "has no item 'fig99'; did you mean fig"),
    (["reproduce", ""], "There are no experiments for ''"),
    (["reproduce", "--profile", "big"], "--profile has no value 'big'"),
    (["table", "--rows", "nothing", "--columns", "solver"], "Runs have no column 'nothing'"),
    (["table", "--columns", "solvr"], "did you mean solver"),
    (["table", "--columns", "solver,error"], "leave out error; --value names the metric"),
    (["table", "--rows", "solver.D"], "did you mean solver.C"),
    (["table", "--rows", ""], "--rows names nothing"),
    (["table", "--rows", "dataset", "--columns", "dataset"], "'dataset' is asked for twice"),
    (["table", "--rows", "dataset", "--columns", "solver"], "1 cell would mix runs that differ"),
    (["table", "--value", "err", "--columns", "solver"], "did you mean error?"),
    (["table", "--value", "error"], "add one, such as --columns solver"),
    (["table", "--value", "error,gap", "--columns", "solver"], "--value names one metric"),
    (["table", "--metrics", "gap", "--columns", "error"], "give one of them"),
    (["table", "--aggregate", "average"], "--aggregate has no value 'average'; allowed: "),
    (["table", "--over", "nothing"], "Runs have no column 'nothing'"),
    (["table", ""], "'' is no condition: write column=value"),
    (["table", "dataset="], "no run has dataset=; there are: iris"),
    (["table", "seed=\x00"], "no run has seed=\\x00; there are: 0"),
    (["table", "--results", ""], "--results is empty: give a value, or leave it out"),
    (["table", "--results", "afile"], "--results names afile, which is a file: name a folder"),
    (["plot"], "required: {convergence,scaling,pareto,regions}; see mcbench plot --help"),
    (["plot", "convergence", "--y", "gp"], "did you mean gap?"),
    (["plot", "scaling", "--x", "solver.D"], "did you mean solver.C"),
    (["plot", "scaling", "--y", "secs"], "did you mean seconds?"),
    (["plot", "pareto", "--x", "error"], "--x error is no cost; allowed: "),
    (["plot", "pareto", "--y", "seconds"], "--y seconds is nothing to be had for a cost"),
    (["plot", "regions", "--x", "gap"], "write --attributes 1,2"),
    (["plot", "regions", "--attributes", "1"], "--attributes '1' is not two numbers"),
    (["plot", "regions", "--attributes", "9,9", "solver=kkt"], "two attributes of 4, not of 9,9"),
    (["plot", "convergence", "--attributes", "1,2"], "leave it out"),
    (["plot", "convergence", "--output", "."], "'.' is a folder: name a file, such as fig.svg"),
    (["plot", "convergence", "--output", "x.gif"], "There is no format 'gif'; allowed: pdf"),
    (["plot", "convergence", "--output", "x.svg", "--format", "png"], "leave --format out"),
    (["plot", "convergence", "--output", ""], "--output is empty"),
    (["plot", "pareto", "--output", "afile/x.svg"], "cannot be written"),
    (["plot", "pareto", "--output", "/proc/nowhere/x.svg"], "cannot be written"),
    (
        ["plot", "convergence"],
        "has a trace: a run is traced when its protocol has",
    ),
    (["show"], "required: RUN; see mcbench show --help"),
    (["show", ""], "'' is no identity of a run: give its first letters, or last"),
    (["show", "a\x07"], "'a\\x07' is no identity of a run"),
    (["show", "../x"], "'../x' is no identity of a run"),
    (["show", "f" * 3000], "No run in "),
    (["show", "0"], "3 runs start with '0': give more of "),
    (["show", "last", "x"], "mcbench show does not take 'x': see mcbench show --help"),
    (["show", "last", "--jsn"], "did you mean --json?"),
    (["diff", "last"], "required: RUN; see mcbench diff --help"),
    (["diff", "last", "zz"], "'zz' is no identity of a run"),
    (["data"], "required: {list,fetch,verify}; see mcbench data --help"),
    (["data", "list", "irs"], "Did you mean 'iris'?"),
    (["data", "verify", ""], "unknown data set ''"),
    (["report", "--output", "afile"], "Nothing was reproduced in "),
    (["report", "--open", "maybe"], "--open has no value 'maybe'; allowed: no, yes"),
    (["report", "--results", "nowhere"], "mcbench reproduce does"),
    (["report", "x"], "mcbench report does not take 'x'"),
    (["bench", "nothing"], "The benchmark has no section 'nothing'; allowed: "),
    (["bench", "linear", "--peers", "nobody"], "There is no peer 'nobody'; allowed: "),
    (["bench", "linear", "--data", "nodata"], "The benchmark has no data 'nodata'; allowed: "),
    (["bench", "linear", "--repetitions", "0"], "whole numbers, 1 or more"),
    (["bench", "linear", "--limit", "-1"], "a positive number of seconds"),
    (["bench", "linear", "--set", "C"], "write key=value"),
    (["status", "x"], "'x' is no condition: write column=value"),
    (["status", "--json"], "mcbench status has no option '--json'; allowed: "),
    (["status", "--results", "afile"], "--results names afile, which is a file"),
    (["completion", "csh"], "did you mean zsh? Allowed: bash, fish, zsh"),
    (["completion"], "required: {bash,zsh,fish}; see mcbench completion --help"),
    ([""], "There is no command ''; allowed: "),
    (["--nothing"], "mcbench has no option '--nothing'; allowed: --help"),
    (["ünïcode"], "There is no command 'ünïcode'"),
    ([LONG], "There is no command 'xxxx"),
]

FOLDERS = [
    ({"MCBENCH_CONF": "/nowhere"}, ["run", *IRIS], "MCBENCH_CONF names /nowhere, which is no"),
    ({"MCBENCH_CONF": "afile"}, ["run", *IRIS], "MCBENCH_CONF names afile, which is no folder"),
    ({"MCBENCH_RESULTS": "afile"}, ["run", *IRIS], "MCBENCH_RESULTS names afile, which is a file"),
    ({"MCBENCH_RESULTS": "afile"}, ["status"], "MCBENCH_RESULTS names afile, which is a file"),
    ({"MCBENCH_RESULTS": "afile"}, ["table"], "MCBENCH_RESULTS names afile, which is a file"),
    ({"MCBENCH_RESULTS": "/proc/x"}, ["run", *IRIS], "cannot be written"),
    ({"MCBENCH_RESULTS": "nowhere"}, ["show", "last"], "There are no finished runs in "),
    ({"MCBENCH_RESULTS": "nowhere"}, ["plot", "pareto"], "There are no such finished runs in "),
]


@pytest.fixture
def wrong(store, capsys, tmp_path):
    """Call the command line, and return its one sentence."""
    put(store, 1, C=1.0)
    put(store, 2, C=4.0)
    put(store, 3, dataset="iris", solver="kkt", seed=0, error=0.2)
    (tmp_path / "afile").write_text("x")

    def call(*arguments):
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = stop.code
        out, err = capsys.readouterr()
        assert status == 2, (out, err)
        assert err.startswith("mcbench: "), err
        assert len(err.splitlines()) == 1, err
        assert len(err) < 2500, err
        assert err.replace("\n", "").isprintable(), err
        assert "done" not in out, out
        assert len(list(store.runs.glob("[0-9a-f]*"))) == 3  # nothing was executed
        return err

    return call


@pytest.mark.parametrize(("others", "given", "said"), RUN, ids=lambda value: str(value)[:30])
def test_run(others, given, said, wrong):
    assert said in wrong("run", *others, given)


@pytest.mark.parametrize(("given", "said"), SWEEPS)
def test_sweep(given, said, wrong):
    assert said in wrong("run", "-m", *given)


@pytest.mark.parametrize(("arguments", "said"), OTHERS, ids=lambda value: str(value)[:40])
def test_other_commands(arguments, said, wrong):
    assert said in wrong(*arguments)


@pytest.mark.parametrize(("environment", "arguments", "said"), FOLDERS)
def test_folders_of_the_environment(environment, arguments, said, wrong, monkeypatch):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert said in wrong(*arguments)
