"""Build the Cython core; everything else is declared in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

DIRECTIVES = {"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True}
FLAGS = ["-O3", "-g0", "-fopenmp-simd", "-Wno-unused-function", "-Wno-psabi"]
HEADERS = sorted(path.as_posix() for path in Path("solvers/core").glob("*.h"))
JOBS = os.cpu_count() or 1

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"solvers.core.{path.stem}",
                [path.as_posix()],
                depends=HEADERS,
                extra_compile_args=FLAGS,
            )
            for path in sorted(Path("solvers/core").glob("*.pyx"))
        ],
        compiler_directives=DIRECTIVES,
        nthreads=JOBS,
    ),
    options={"build_ext": {"parallel": JOBS}},
)
