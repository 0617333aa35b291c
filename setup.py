"""Build the Cython core; everything else is declared in pyproject.toml."""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}

setup(
    ext_modules=cythonize(
        [
            Extension(f"solvers.core.{path.stem}", [path.as_posix()], extra_compile_args=["-O3"])
            for path in sorted(Path("solvers/core").glob("*.pyx"))
        ],
        compiler_directives=DIRECTIVES,
    )
)
