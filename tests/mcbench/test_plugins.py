"""Solvers, data sets, kernels, metrics and figures of another package, without a change here."""

import sys

import numpy as np
import pytest

from mcbench.cli import main
from mcbench.conf_files import groups
from mcbench.config import resolve
from mcbench.grid import expand_sweep
from mcbench.judge import Judge, full_solution
from mcbench.plan import plan
from mcbench.plugins import broken, owner_of
from mcbench.store import Store

PACKAGE = """
import numpy as np
from matplotlib.figure import Figure
from mcbench.metrics import Metric

class NearestMean:
    def __init__(self, shift=0.0):
        self.shift = shift

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(-1).argmin(axis=1)]

def blobs(n=60, apart=4.0):
    y = np.arange(n) % 3
    X = np.random.default_rng(0).normal(size=(n, 2)) + apart * y[:, None]
    return X, np.array(["ant", "bee", "cow"])[y]

def laplacian(A, B, gamma=1.0):
    return np.exp(-gamma * np.abs(A[:, None] - B).sum(-1))

def wrong(run, predictions):
    return (predictions["y"] != predictions["predicted"]).sum()

def fails(run, predictions):
    raise ValueError("not today")

def half(run, predictions):
    return run["error.test"] / 2

HALF = Metric("half", "half of the error", "%", "half", compute=half)

def dots(results):
    figure = Figure()
    figure.subplots().plot(results.frame["error.test"], "o")
    return figure
"""
POINTS = """
[mcbench.solvers]
zoo_mean = zoo_package:NearestMean
zoo_lacking = zoo_lacking:Solver
zoo_broken = zoo_broken:Solver
zoo_absent = zoo_package:Nothing
cache = zoo_package:NearestMean
[mcbench.datasets]
zoo_blobs = zoo_package:blobs
[mcbench.kernels]
zoo_laplacian = zoo_package:laplacian
[mcbench.metrics]
zoo_wrong = zoo_package:wrong
zoo_half = zoo_package:HALF
zoo_fails = zoo_package:fails
zoo_broken = zoo_broken:metric
[mcbench.figures]
zoo_dots = zoo_package:dots
zoo_no_figure = zoo_package:laplacian
"""


@pytest.fixture
def package(tmp_path, monkeypatch, store):
    """Install a package, some of whose parts cannot be imported."""
    folder = tmp_path / "site"
    info = folder / "zoo_package-2.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: zoo-package\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text(POINTS)
    (folder / "zoo_package.py").write_text(PACKAGE)
    (folder / "zoo_lacking.py").write_text("import a_package_that_nobody_has\n")
    (folder / "zoo_broken.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    for name in [name for name in sys.modules if name.startswith("zoo_")]:
        del sys.modules[name]


def test_names_are_found_where_the_projects_own_are(package):
    assert {"zoo_mean", "cache"} <= set(groups()["solver"])
    assert {"zoo_blobs", "iris"} <= set(groups()["dataset"])
    assert {"zoo_laplacian", "rbf"} <= set(groups()["kernel"])
    overrides = [job.overrides[0] for job in expand_sweep(["solver=glob(zoo_*)", "dataset=iris"])]
    assert overrides == [
        f"solver=zoo_{name}" for name in ("absent", "broken", "lacking", "mean")
    ]  # fmt: skip
    assert owner_of("zoo_package.anything").version == "2.5"


def test_a_sweep_of_plug_ins_reaches_the_table_and_the_plots(package, store, capsys):
    sweep = ["solver=zoo_mean,pattern", "dataset=zoo_blobs,iris"]
    assert main(["run", "-m", *sweep, "kernel=zoo_laplacian", "kernel.gamma=0.5"]) == 0
    capsys.readouterr()
    assert main(["table", "--metrics", "error,zoo_wrong,zoo_half,zoo_fails"]) == 0
    out, err = capsys.readouterr()
    for text in ("zoo_mean", "zoo_blobs", "zoo wrong", "half of the error [%]"):
        assert text in out
    assert "zoo_fails failed for 4 of 4 runs: ValueError: not today" in err
    assert main(["plot", "convergence", "dataset=iris", "--format", "svg"]) == 0
    assert main(["plot", "scaling", "--y", "zoo_half", "dataset=iris", "--format", "svg"]) == 0
    assert main(["plot", "zoo_dots", "--format", "svg"]) == 0
    drawn = [line for line in capsys.readouterr().out.splitlines() if line.endswith(".svg")]
    assert len(drawn) == 3
    assert (store.root / "figures" / "zoo_dots.svg").stat().st_size > 1000
    assert main(["plot", "zoo_no_figure"]) == 2
    assert "zoo_no_figure failed: TypeError" in capsys.readouterr().err


def test_data_list_names_them(package, capsys):
    assert main(["data", "list"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("Also the data set zoo_blobs (zoo_package.blobs) of the package zoo-")


def test_the_identity_has_the_versions_and_the_content(package):
    asked = ["solver=zoo_mean", "dataset=zoo_blobs", "kernel=zoo_laplacian"]
    found = plan(resolve(asked))
    assert found.solver_version == "2.5"
    assert found.config["kernel"]["version"] == "2.5"
    assert found.config["kernel"]["gamma"] == 1.0
    assert found.content_hash != plan(resolve([*asked, "dataset.n=90"])).content_hash
    other = plan(resolve([*asked, "kernel.gamma=1"]))  # the default, written out
    assert other.id == found.id
    assert plan(resolve([*asked, "kernel.gamma=2"])).id != found.id


def test_the_judge_computes_a_kernel_of_others_in_float64(package, store):
    from mcbench.dataset import load_data
    from mcbench.estimator import build

    asked = ["solver=block", "solver.tol=1e-6", "dataset=zoo_blobs", "kernel=zoo_laplacian"]
    config = plan(resolve(asked)).config
    data = load_data(config)
    model = build(config).fit(data.X_train, data.y_train)
    problem = model.problem()
    found = Judge(data, config["kernel"], problem).certificate(full_solution(model, data.n_train))
    assert found["gap"] < 1e-5
    assert found["dual"] == pytest.approx(model.dual_objective_, rel=1e-9)
    K = np.exp(-np.abs(data.X_train[:, None] - data.X_train).sum(-1))
    a = full_solution(model, data.n_train).dual_coef
    _, y = np.unique(data.y_train, return_inverse=True)
    dual = a[np.arange(len(y)), y].sum() - 0.5 * np.sum(a * (K @ a))
    assert found["dual"] == pytest.approx(dual, rel=1e-12)


def test_what_cannot_be_imported_is_skipped_with_the_reason(package, capsys):
    sweep = ["run", "-m", "solver=glob(zoo_*)", "dataset=iris", "solver.shift=1"]
    assert main(sweep) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("skipped")]
    assert len(lines) == 3
    assert "has no 'Nothing'" in lines[0]
    assert "ZeroDivisionError: division by zero" in lines[1]
    assert "needs the package a_package_that_nobody_has" in lines[2]
    assert main([*sweep, "--strict"]) == 1


def test_a_broken_plug_in_breaks_no_other_command(package, capsys):
    assert main(["status"]) == 0
    err = capsys.readouterr().err.splitlines()
    assert len(err) == len(broken()) == 5
    assert "the solver cache (zoo_package.NearestMean)" in err[-1]
    assert err[-1].endswith("is not used: mcbench or a folder of MCBENCH_CONF has that name.")
    assert resolve(["solver=cache"])["solver"]["_target_"] == "mcbench.CrammerSingerSVC"
    assert all(line.startswith("mcbench: ") for line in err)
    assert sum("cannot be used" in line for line in err) == 3
    assert main(["run", "dataset=iris", "solver=fake"]) == 0
    assert main(["table"]) == 0
    assert main(["table", "--metrics", "zoo_broken"]) == 2
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert main(["table", "--metrics", "zoo_wring"]) == 2
    assert "did you mean zoo_wrong" in capsys.readouterr().err


def test_a_paper_that_cannot_be_imported_is_skipped(package, capsys):
    from mcbench import discovery

    (package / "zoo_package-2.5.dist-info" / "entry_points.txt").write_text(
        "[mcbench.experiments]\nzoo_paper = zoo_broken\n"
    )
    sys.path_importer_cache.clear()
    from mcbench.plugins import _declared

    caches = (_declared, discovery.packages, discovery.conf_dirs, discovery.load_paper)
    for cached in caches:
        cached.cache_clear()
    try:
        assert "zoo_paper" not in {paper.key for paper, _ in discovery.select([])}
        assert "skipped: the paper zoo_paper (zoo_broken)" in capsys.readouterr().err
        assert main(["reproduce", "zoo_paper"]) == 2
        assert "ZeroDivisionError" in capsys.readouterr().err
    finally:
        for cached in caches:
            cached.cache_clear()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dataset=zoo_blobs", "dataset.m=3"], "unexpected keyword argument 'm'"),
        (["dataset=zoo_blobs", "dataset.n=0"], "zoo_blobs holds no examples"),
        (["dataset=zoo_blobs", "dataset.n=no"], "blobs raised TypeError"),
        (["dataset=zoo_blobs", "dataset.split=halves"], "unknown split 'halves'"),
        (["kernel=zoo_laplacian", "kernel.gama=3"], "no setting 'gama'; did you mean gamma?"),
        (["dataset._target_=zoo_package.laplacian"], "missing a required argument: 'A'"),
        (["dataset._target_=zoo_package.nothing"], "zoo_package has no 'nothing'"),
        (["kernel._target_=zoo_package.blobs"], "has no setting"),
        (["kernel._target_=zoo_package.HALF"], "no function of two blocks"),
        (["solver._target_=zoo_nowhere.Solver"], "there is no module zoo_nowhere"),
        (["solver=zoo_mean", "solver.shft=1"], "did you mean shift?"),
    ],
)
def test_what_is_wrong_is_one_sentence(arguments, said, package, capsys):
    solver = [] if any(item.startswith("solver") for item in arguments) else ["solver=pattern"]
    if arguments[0].startswith("kernel._target_=zoo_package.blobs"):
        arguments = [*arguments, "kernel.c=1"]
    assert main(["run", *solver, *arguments]) == 2, capsys.readouterr()
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


LOCAL = """
from zoo_helper import SHIFT
class MySVC:
    def fit(self, X, y):
        self.common_ = y[0] + SHIFT
        return self
    def predict(self, X):
        return X[:, 0] * 0 + self.common_
def load():
    import numpy as np
    X = np.arange(60.0).reshape(20, 3)
    return X[:15], [0, 1, 2] * 5, X[15:], [0, 1, 2, 0, 1]
def function(A, B):
    return A @ B.T + 1
function.version = "9"
"""


@pytest.fixture
def local(store, tmp_path, monkeypatch):
    (tmp_path / "zoo_local.py").write_text(LOCAL)
    (tmp_path / "zoo_helper.py").write_text("SHIFT = 0\n")
    (tmp_path / "zoo_beside.py").write_text("x = 1\n")
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("zoo_")]:
        del sys.modules[name]


def again():
    for name in [name for name in sys.modules if name.startswith("zoo_")]:
        del sys.modules[name]


def test_files_of_the_working_directory(local, capsys):
    targets = {"solver": "MySVC", "dataset": "load"}
    asked = [f"{group}._target_=zoo_local.{name}" for group, name in targets.items()]
    assert main(["run", *asked]) == 0
    assert (
        main(["run", "solver=pattern", "dataset=iris", "kernel._target_=zoo_local.function"]) == 0
    )
    runs = Store().frame().set_index("solver")
    assert runs.loc["zoo_local.MySVC", "dataset"] == "zoo_local.load"
    assert runs.loc["zoo_local.MySVC", "data.n_test"] == 5
    assert runs.loc["pattern", "kernel"] == "zoo_local.function"
    assert runs.loc["pattern", "config.kernel.version"] == "9"
    assert runs.loc["pattern", "objective.gap"] < 0.5
    assert main(["table", "solver=zoo_local.MySVC", "--metrics", "zoo_local.function,error"]) == 0
    assert capsys.readouterr().err.startswith("mcbench: zoo_local.function failed for 1 of 1 runs")


def test_a_changed_file_or_neighbour_is_a_new_run(local):
    def version():
        again()
        return plan(resolve(["solver._target_=zoo_local.MySVC", "dataset=iris"])).solver_version

    first = version()
    assert first.startswith("source ")
    assert version() == first
    (local / "zoo_beside.py").write_text("x = 2\n")  # not imported
    assert version() == first
    (local / "zoo_helper.py").write_text("import zoo_beside\nSHIFT = 0\n\n")
    second = version()
    assert second != first
    (local / "zoo_local.py").write_text(f"{LOCAL}\n__version__ = '3'\n")
    assert version() == "3"


def test_files_beside_a_folder_of_mcbench_conf(local, monkeypatch, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "conf" / "solver").mkdir(parents=True)
    (elsewhere / "zoo_there.py").write_text(
        LOCAL.replace("from zoo_helper import SHIFT", "SHIFT=0")
    )
    (elsewhere / "conf" / "solver" / "zoo_named.yaml").write_text("_target_: zoo_there.MySVC\n")
    monkeypatch.setenv("MCBENCH_CONF", str(elsewhere / "conf"))
    assert plan(resolve(["solver=zoo_named", "dataset=iris"])).label.count("solver=zoo_named")
