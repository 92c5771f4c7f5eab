"""Builds the core with all its mutants, and its tests, as one program."""

from __future__ import annotations

import concurrent.futures
import os
import re
import shutil
import subprocess
from pathlib import Path

from schemata import Mutant, rewrite

PROOF = Path(__file__).resolve().parent
FLAGS = ["-std=c++17", "-w", "-fpermissive", "-Wno-narrowing", "-D_GLIBCXX_ASSERTIONS"]
# The allocation test replaces malloc, which the other tests in one program must not have.
LEFT_OUT = {"test_no_allocation.cpp"}
ATTEMPTS = 12
HEADER = "every_test.hpp"


class Workshop:
    """A copy of core and tests, in which the core holds every mutant behind a switch."""

    def __init__(self, package: Path, folder: Path, jobs: int) -> None:
        """Copies `package`'s core and tests into `folder`."""
        self._package, self._folder, self._jobs = package, folder, jobs
        self._bad: dict[str, set[int]] = {}
        self.mutants: list[Mutant] = []
        self.files = 0
        for name in ("core", "test"):
            shutil.rmtree(folder / name, ignore_errors=True)
            shutil.copytree(package / name, folder / name)
        shutil.copy(PROOF / "mutants.hpp", folder / "core")
        shutil.copy(PROOF / "reach.cpp", folder / "core" / "reach.cc")
        self._gtest = _gtest()
        tests = [p for p in sorted((folder / "test").glob("test_*.cpp")) if self._of_core(p)]
        self._tests = [folder / "test/bench.cpp", *(folder / "test").glob("duo*.cpp"), *tests]
        self._core = sorted((folder / "core").glob("*.cpp"))

    @property
    def left_out(self) -> int:
        """Lines whose change did not compile: constant expressions."""
        return sum(len(lines) for lines in self._bad.values())

    def build(self) -> Path:
        """The program.

        Raises:
            RuntimeError: If the code does not build even with the mutants in question left out.
        """
        for _ in range(ATTEMPTS):
            self._plant()
            bad = self._failures(self._core)
            if not bad:
                break
            # What a header breaks shows in every file that includes it.
            headers = {place for place in bad if place[0].endswith(".hpp")}
            for file, line in headers or bad:
                self._bad.setdefault(file, set()).add(line)
        # What every test includes, compiled once.
        (self._folder / "core" / HEADER).write_text(
            '#include <gtest/gtest.h>\n#include "mutants.hpp"\n', encoding="utf-8"
        )
        header = ["-x", "c++-header", str(self._folder / "core" / HEADER)]
        subprocess.run(["c++", *FLAGS, "-O0", *self._include(), *header], check=True)
        parts = [self._gtest / "src/gtest-all.cc", self._folder / "core/reach.cc"]
        bad = self._failures([*self._tests, *parts])
        if bad:
            raise RuntimeError(f"mutation: does not compile: {sorted(bad)}")
        program = self._folder / "tests"
        objects = [str(self._object(s)) for s in [*self._core, *self._tests, *parts]]
        subprocess.run(
            ["c++", *objects, "-lrapidcheck", "-pthread", "-o", str(program)], check=True
        )
        return program

    def _of_core(self, test: Path) -> bool:
        """Whether a test is one of the core alone: of nothing beside core/ and test/."""
        if test.name in LEFT_OUT:
            return False
        included = re.findall(r'#include "([^"]+)"', test.read_text(encoding="utf-8"))
        folders = (self._folder / "core", self._folder / "test")
        return all(any((folder / name).is_file() for folder in folders) for name in included)

    def _plant(self) -> None:
        self.mutants, self.files = [], 0
        for path in sorted((self._package / "core").glob("*.[ch]pp")):
            left_out = frozenset(self._bad.get(path.name, ()))
            text, mutants = rewrite(
                path.name, path.read_text(encoding="utf-8"), len(self.mutants) + 1, left_out
            )
            self.mutants += mutants
            self.files += 1
            (self._folder / "core" / path.name).write_text(text, encoding="utf-8")

    def _include(self) -> list[str]:
        core, gtest = str(self._folder / "core"), str(self._gtest)
        return ["-I", core, "-isystem", f"{gtest}/include", "-I", gtest]

    def _object(self, source: Path) -> Path:
        return self._folder / (source.name + ".o")

    def _failures(self, sources: list[Path]) -> set[tuple[str, int]]:
        """Lines of the core that the compiler refuses.

        Raises:
            RuntimeError: If it refuses something else.
        """

        def compile_one(source: Path) -> subprocess.CompletedProcess[str]:
            # What is tested should run fast, the tests around it should build fast.
            ours = source in self._core
            command = ["c++", *FLAGS, *(["-O1"] if ours else ["-O0"])]
            command += ["-include", "mutants.hpp" if ours else HEADER]
            command += [*self._include(), "-c", str(source)]
            command += ["-o", str(self._object(source))]
            return subprocess.run(command, capture_output=True, text=True, check=False)

        bad: set[tuple[str, int]] = set()
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as pool:
            for done in pool.map(compile_one, sources):
                if done.returncode == 0:
                    continue
                found = re.findall(r"core/(\w+\.[ch]pp):(\d+):\d+: error", done.stderr)
                if not found:
                    raise RuntimeError(f"mutation: does not compile:\n{done.stderr[:4000]}")
                bad |= {(file, int(line)) for file, line in found}
        return bad


def _gtest() -> Path:
    for prefix in [*os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep), "/usr"]:
        for place in ("src/gtest_vendor", "src/googletest/googletest"):
            if (Path(prefix) / place / "src/gtest-all.cc").is_file():
                return Path(prefix) / place
    raise SystemExit("mutation: no sources of gtest below AMENT_PREFIX_PATH: source tools/env.sh")
