import pytest
from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from omegaconf import OmegaConf

from mcbench.conf_files import conf_dir, groups
from mcbench.config import compose, resolve
from mcbench.errors import UserError


def test_the_default_configuration_composes():
    config = compose()
    assert config.seed == 0
    assert config.measure is None
    assert config.choices == {
        "dataset": "letter_5000",
        "kernel": "rbf",
        "solver": "cache",
        "protocol": "default",
    }
    assert "hydra" not in config


@pytest.mark.parametrize(
    "overrides",
    [
        ["dataset=dna", "kernel=poly", "protocol=untraced"],
        ["solver.C=4", "seed=3", "kernel.gamma=0.5", "protocol.trace.every=10"],
        ["+solver.extra=[1,2]", "++kernel.gamma=auto", "~kernel.degree", "solver.C=inf"],
        ["measure={_target_:a.b,k:[1,2],word:'x y'}", "protocol.trace=null"],
        ["protocol.limits={time_s:3}", "dataset.split='1/2'"],
        ["results_dir=${oc.env:HOME}/x", "dataset.fold=${seed}", "seed=2"],
    ],
)
def test_the_fast_way_gives_what_hydra_gives(overrides):
    with initialize_config_dir(config_dir=str(conf_dir()), version_base="1.3"):
        expected = OmegaConf.to_container(hydra_compose("config", overrides), resolve=True)
    found = resolve(overrides)
    del found["choices"]
    assert found == expected


def test_composing_leaves_no_mark_on_the_next():
    resolve(["protocol.trace.factor=2", "solver.C=77"])
    assert resolve()["solver"]["C"] != 77


def test_every_file_of_these_groups_composes():
    for group, names in groups().items():
        for name in names:
            if group in ("kernel", "protocol", "solver"):
                assert resolve([f"{group}={name}"])["choices"][group] == name


def test_files_from_mcbench_conf_are_found(conf):
    assert resolve(["solver=fake"])["solver"]["_target_"] == "framework_fakes.Fake"


def test_a_missing_folder_in_mcbench_conf_is_named(monkeypatch):
    monkeypatch.setenv("MCBENCH_CONF", "/no/such/folder")
    with pytest.raises(UserError, match="/no/such/folder"):
        resolve()


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("dataset=dnaa", "did you mean dna"),
        ("solver=cach", "did you mean cache"),
        ("kernel=gauss", "Allowed: linear, poly, rbf|allowed: linear, poly, rbf"),
        ("datset=dna", "did you mean dataset"),
        ("solver.treshold=fixed", "did you mean threshold"),
        ("kernel.gama=1", "did you mean gamma"),
        ("protocol.trace.evry=1", "did you mean every"),
        ("protocol.limits.memory=1", "did you mean memory_mb"),
        ("seed.x=1", "seed has no setting 'x'"),
        ("on_error=stp", "did you mean stop"),
        ("seed=0,1", "add -m"),
        ("seed", "key=value"),
        ("solver.C=[1", "is not an override"),
        ("~nothing", "no setting 'nothing'"),
        ("dataset.fold=${nowhere}", "does not resolve"),
        ("+seed.x=1", "seed holds no settings"),
    ],
)
def test_a_wrong_override_is_one_sentence_with_the_way_out(override, said):
    with pytest.raises(UserError, match=said) as caught:
        resolve([override])
    assert "\n" not in str(caught.value)


def test_parameters_that_no_file_lists_are_known_from_the_estimator(conf):
    found = resolve(["solver=pattern", "solver.tol=0.1"])
    assert found["solver"]["tol"] == 0.1


def test_of_two_choices_of_a_group_the_last_counts():
    assert resolve(["dataset=iris", "dataset=digits"])["choices"]["dataset"] == "digits"
    assert resolve(["dataset=digits", "dataset=iris"])["choices"]["dataset"] == "iris"


def test_a_file_in_a_folder_that_is_not_looked_into_is_named(tmp_path, monkeypatch):
    (tmp_path / "conf" / "dataset").mkdir(parents=True)
    (tmp_path / "conf" / "dataset" / "mine.yaml").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"conf/dataset/mine\.yaml is found with MCBENCH_CONF=conf"):
        resolve(["dataset=mine"])
