import pytest

from mcbench.words import WIDEST, count, shorten


def test_count():
    assert [count(n, "run") for n in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("solver.C=4", "solver.C=4"),
        ("measure=null", "measure=null"),
        ("measure={_target_:a.b.f,k:2,l:[1,2]}", "measure=f(k=2, l=[1,2])"),
        ("measure={_target_: a.b.f, k: 2}", "measure=f(k=2)"),
        ("measure={k:2,_target_:a.b.f}", "measure=f(k=2)"),
        ("measure={_target_:a.b.f}", "measure=f()"),
        ('measure={_target_:a.b.f,w:"x, y"}', 'measure=f(w="x, y")'),
    ],
)
def test_a_measurement_is_said_as_a_call(override, said):
    assert shorten(override) == said


def test_nothing_is_long():
    many = ",".join(f"key_{n}:{n}" for n in range(50))
    short = shorten(f"measure={{_target_:package.module.function,{many}}}")
    assert short.startswith("measure=function(key_0=0, ")
    assert short.endswith(", ...)")
    assert len(short) <= WIDEST
    assert len(shorten("solver.x=[" + "1," * 200 + "1]")) <= WIDEST
