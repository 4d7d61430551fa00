"""Builds the compiled searches and the catalogues of translations.

Everything else about the package stands in pyproject.toml.

TUTE_CHECKED=1 turns Cython's bounds, overflow and assertion checks on.
"""

import os
import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Extension, setup

CHECKED = os.environ.get("TUTE_CHECKED", "") not in ("", "0")

if sys.platform == "win32":
    compile_args = ["/O2"]
else:
    compile_args = ["-O2", "-Wall", "-Wno-unused-function"]

# The catalogues are compiled beside their sources, as the extensions are.
for catalogue in Path().glob("*/*/locale/*/LC_MESSAGES/*.po"):
    with catalogue.open("rb") as source, catalogue.with_suffix(".mo").open("wb") as compiled:
        write_mo(compiled, read_po(source))

extensions = [
    Extension(
        f"tute.engine.{name}",
        [f"solver/tute/engine/{name}.pyx"],
        include_dirs=["solver/tute/engine"],
        depends=["solver/tute/engine/bits.h", "solver/tute/engine/shared.h"],
        extra_compile_args=compile_args,
        define_macros=[] if CHECKED else [("CYTHON_WITHOUT_ASSERTIONS", "1")],
    )
    for name in ("stoppable", "two_sides", "known_stock", "alone", "safety", "riesgo")
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["solver"],
        force=True,  # a checked build and a plain one come from the same sources
        annotate=os.environ.get("TUTE_ANNOTATE", "") not in ("", "0"),
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "overflowcheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "cdivision": True,
            "embedsignature": True,
        },
    )
)
