"""Mutation test of the kernel's core: are its tests able to fail?

    python3 safety_kernel_cpp/proof/mutation.py --count 240

Every mutant is one change of one place in `core/`: a comparison, a logical or arithmetic operator,
a constant, a check that is dropped. It is killed if a test fails, crashes or does not end. Prints
every mutant that survived, with the reason from `survivors.txt` where one is known. Exit status 1
if fewer than `--least` of the mutants are killed.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
SURVIVORS = Path(__file__).resolve().parent / "survivors.txt"
FLAGS = ["-std=c++17", "-O1", "-w"]
RUN_S = 120.0
"""[s] after which a run counts as endless."""
LAW_CASES = "300"
# The allocation test replaces malloc, which the other tests in one program must not have.
LEFT_OUT = {"test_no_allocation.cpp"}

SWAPS = [
    (r"(?<= )<=(?= )", "<"),
    (r"(?<= )>=(?= )", ">"),
    (r"(?<= )<(?= )", "<="),
    (r"(?<= )>(?= )", ">="),
    (r"(?<= )==(?= )", "!="),
    (r"(?<= )!=(?= )", "=="),
    (r"(?<= )&&(?= )", "||"),
    (r"(?<= )\|\|(?= )", "&&"),
    (r"(?<=[\w)\]] )\+(?= [\w(])", "-"),
    (r"(?<=[\w)\]] )-(?= [\w(])", "+"),
    (r"(?<=[\w)\]] )\*(?= [\w(])", "/"),
    (r"(?<=[\w)\]] )/(?= [\w(])", "*"),
    (r"std::min\(", "std::max("),
    (r"std::max\(", "std::min("),
    (r"(?<=[(! ])!(?=[a-z])", ""),
    (r"\btrue\b", "false"),
    (r"\bfalse\b", "true"),
    (r"!finding\.ok\(\)(?=\) (?:return|\{))", "false"),
]
CONSTANT = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.'\"])")
# Texts, declarations and ranges of parameters, of which a change is a change of what is said.
SKIPPED = re.compile(
    r"^\s*(//|#|\}|case |default:|namespace |using |\{\"|template|static_assert)|reason_name|\""
)

# Fields of plain structs in headers, whose first values are replaced before anything reads them.
FIELD = re.compile(r"^ +(?:Nanoseconds|double|bool|std::\w+) \w*[a-z] = [\w.]+;")


@dataclass(frozen=True)
class Mutant:
    """One changed line.

    Attributes:
        file: Name in `core/`.
        line: Counted from 1.
        before: The line as it is.
        after: The line as it is tried.
    """

    file: str
    line: int
    before: str
    after: str

    @property
    def text(self) -> str:
        """`file: before -> after`, by which survivors.txt names it."""
        return f"{self.file}: {self.before.strip()} -> {self.after.strip()}"


def mutants_of(path: Path) -> list[Mutant]:
    """Every mutant of a source file, in its order."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if SKIPPED.search(line) or (path.suffix == ".hpp" and FIELD.search(line)):
            continue
        code = line.split("//")[0]
        changed = []
        for pattern, replacement in SWAPS:
            changed += [
                code[: match.start()] + replacement + code[match.end() :]
                for match in re.finditer(pattern, code)
            ]
        for match in CONSTANT.finditer(code):
            value = str(int(match[1]) + 1)
            changed.append(code[: match.start()] + value + code[match.end() :])
        found += [Mutant(path.name, number, code, after) for after in dict.fromkeys(changed)]
    return found


class Workshop:
    """A copy of core and tests, built object by object, so that a mutant costs what it touches."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for name in ("core", "test"):
            shutil.copytree(PACKAGE / name, folder / name)
        self._gtest = _gtest()
        self._tests = [
            p for p in sorted((folder / "test").glob("test_*.cpp")) if p.name not in LEFT_OUT
        ]
        self._sources = [*sorted((folder / "core").glob("*.cpp")), *self._tests]
        self._needs: dict[Path, set[str]] = {}

    def build(self) -> None:
        """Everything once.

        Raises:
            subprocess.CalledProcessError: If the unchanged code does not build.
        """
        for part in ("gtest-all.cc", "gtest_main.cc"):
            include = ["-I", str(self._gtest), "-I", str(self._gtest / "include")]
            self._compile(self._gtest / "src" / part, self._folder / f"{part}.o", include)
        for source in self._sources:
            self._object(source)
        self._link()

    def killed(self, mutant: Mutant) -> bool | None:
        """True if a test notices; None if the mutant does not compile."""
        path = self._folder / "core" / mutant.file
        original = path.read_text(encoding="utf-8")
        lines = original.splitlines(keepends=True)
        lines[mutant.line - 1] = mutant.after + "\n"
        path.write_text("".join(lines), encoding="utf-8")
        touched = [source for source in self._sources if mutant.file in self._needs[source]]
        try:
            for source in touched:
                self._object(source)
            self._link()
            return not self.passes()
        except subprocess.CalledProcessError:
            return None
        finally:
            path.write_text(original, encoding="utf-8")
            for source in touched:
                self._object(source)

    def passes(self) -> bool:
        """Whether all tests pass: the quick ones first."""
        environment = {**os.environ, "OPENRAL_LAW_CASES": LAW_CASES}
        for part in ("-*Laws*", "*Laws*"):
            command = [str(self._folder / "tests"), f"--gtest_filter={part}", "--gtest_brief=1"]
            try:
                done = subprocess.run(
                    [*command, "--gtest_fail_fast"],
                    capture_output=True,
                    env=environment,
                    timeout=RUN_S,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return False
            if done.returncode != 0:
                return False
        return True

    def _object(self, source: Path) -> None:
        depends = source.with_suffix(".d")
        include = ["-I", str(self._folder / "core"), "-isystem", str(self._gtest / "include")]
        self._compile(source, source.with_suffix(".o"), [*include, "-MMD", "-MF", str(depends)])
        words = depends.read_text(encoding="utf-8").split()
        self._needs[source] = {Path(word).name for word in words if "/core/" in word}

    def _compile(self, source: Path, target: Path, include: list[str]) -> None:
        command = ["c++", *FLAGS, *include, "-c", str(source), "-o", str(target)]
        subprocess.run(command, check=True, capture_output=True)

    def _link(self) -> None:
        objects = [str(source.with_suffix(".o")) for source in self._sources]
        objects += [str(path) for path in sorted(self._folder.glob("*.cc.o"))]
        command = ["c++", *objects, "-pthread", "-o", str(self._folder / "tests")]
        subprocess.run(command, check=True, capture_output=True)


def _gtest() -> Path:
    for prefix in [*os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep), "/usr"]:
        for place in ("src/gtest_vendor", "src/googletest/googletest"):
            if (Path(prefix) / place / "src/gtest-all.cc").is_file():
                return Path(prefix) / place
    raise SystemExit("mutation: no sources of gtest below AMENT_PREFIX_PATH: source tools/env.sh")


def _reasons() -> dict[str, str]:
    """Known survivors: `file: before -> after | why`."""
    reasons = {}
    for line in SURVIVORS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            mutant, _, why = line.rpartition(" | ")
            reasons[mutant] = why
    return reasons


def main() -> int:
    """Makes the mutants, tries them, prints the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=240, help="mutants tried, drawn evenly")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.95, help="share that must be killed")
    parser.add_argument("--only", default="", help="only files whose name begins with this")
    options = parser.parse_args()
    files = [
        p for p in sorted((PACKAGE / "core").glob("*.[ch]pp")) if p.name.startswith(options.only)
    ]
    every = [mutant for path in files for mutant in mutants_of(path)]
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))
    drawn.sort(key=lambda mutant: (mutant.file, mutant.line))
    print(f"mutation: {len(drawn)} of {len(every)} mutants of {len(files)} files", flush=True)
    reasons = _reasons()
    killed = survived = explained = 0
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        workshop = Workshop(Path(folder))
        workshop.build()
        if not workshop.passes():
            print("mutation: the unchanged core does not pass its tests", file=sys.stderr)
            return 1
        for mutant in drawn:
            verdict = workshop.killed(mutant)
            if verdict is None:
                continue
            if verdict:
                killed += 1
                continue
            survived += 1
            why = reasons.get(mutant.text, "")
            explained += bool(why)
            print(
                f"survived: {mutant.text} (line {mutant.line}) {'| ' + why if why else ''}",
                flush=True,
            )
    tried = killed + survived
    counts = f"{killed} killed, {survived} survived, {explained} of them explained"
    print(f"mutation: {tried} tried, {counts}")
    # An explained survivor changes nothing that can be observed: no test can kill it.
    return 0 if killed >= options.least * (tried - explained) else 1


if __name__ == "__main__":
    raise SystemExit(main())
