"""Mutation test of the kernel's core: are its tests able to fail?

    python3 safety_kernel_cpp/proof/mutation.py

Every mutant is one change of one place in `core/`: a comparison, a logical or arithmetic operator,
a constant, a check or a statement that is dropped. All of them are compiled at once, each behind a
switch (schemata.py), with the core's own tests. A mutant is killed if a test that reaches it fails,
crashes or does not end. Prints every mutant that survived, with the reason from `equivalent.txt`
where it changes nothing that a test could see. Exit status 1 if fewer than `--least` of the others
are killed.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from schemata import Mutant
from workshop import Workshop

PACKAGE = Path(__file__).resolve().parent.parent
EQUIVALENT = Path(__file__).resolve().parent / "equivalent.txt"
LAW_CASES = "100"
SLACK_S = 5
"""[s] of processor time beyond ten times what the tests take, after which they count as endless."""
QUICK_MS = 20
"""[ms] up to which a test is tried in the first of two runs."""
MEMORY = 8 << 30
"""[bytes] of address space: a mutant that asks for memory without end is killed by it."""


@dataclass(frozen=True)
class Test:
    """One test of the unchanged core.

    Attributes:
        name: As gtest's filter takes it.
        duration_ms: That it took.
        reached: Numbers of the mutants on its way.
    """

    name: str
    duration_ms: int
    reached: frozenset[int]


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant: killed, timeout, survived, unreached by any test, or none at all.

    None are `+` of texts, which look like those of numbers.
    """

    mutant: Mutant
    outcome: str
    tests: int


class Trial:
    """Runs the tests with one mutant switched on."""

    def __init__(self, program: Path) -> None:
        self._program = program
        reached = program.with_suffix(".reached")
        self._run("*", {"REACHED": str(reached)}, 1200, check=True)
        self._tests = []
        for line in reached.read_text(encoding="utf-8").splitlines():
            name, duration, *numbers = line.split()
            self._tests.append(Test(name, int(duration), frozenset(map(int, numbers))))
        self._none = self._tests.pop().reached

    @property
    def tests(self) -> list[Test]:
        """Every test, as the unchanged core passed it."""
        return self._tests

    def verdict(self, mutant: Mutant) -> Verdict:
        """The quick tests first: nearly every mutant falls to one of them."""
        if mutant.number in self._none:
            return Verdict(mutant, "none", 0)
        reaching = [test for test in self._tests if mutant.number in test.reached]
        if not reaching:
            return Verdict(mutant, "unreached", 0)
        reaching.sort(key=lambda test: test.duration_ms)
        quick = [test for test in reaching if test.duration_ms <= QUICK_MS]
        slow = [test for test in reaching if test.duration_ms > QUICK_MS]
        for group in [quick, *([test] for test in slow)]:
            if not group:
                continue
            limit = SLACK_S + sum(test.duration_ms for test in group) // 100
            names = ":".join(test.name for test in group)
            status = self._run(names, {"MUTANT": str(mutant.number)}, limit)
            if status != 0:
                outcome = "timeout" if status == -signal.SIGXCPU else "killed"
                return Verdict(mutant, outcome, len(reaching))
        return Verdict(mutant, "survived", len(reaching))

    def _run(
        self, names: str, environment: dict[str, str], limit_s: int, *, check: bool = False
    ) -> int:
        done = subprocess.run(
            [
                *("prlimit", f"--as={MEMORY}", f"--cpu={limit_s}:{limit_s + 1}", "--core=0"),
                *(self._program, "--gtest_brief=1", "--gtest_fail_fast"),
            ],
            env={
                **os.environ,
                "OPENRAL_LAW_CASES": LAW_CASES,
                "GTEST_FILTER": names,
                **environment,
            },
            stdout=None if check else subprocess.DEVNULL,
            stderr=None if check else subprocess.DEVNULL,
            check=check,
        )
        return done.returncode


def _reasons() -> dict[str, str]:
    """Known equivalent mutants: `file: before -> after | why`."""
    reasons = {}
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            mutant, _, why = line.rpartition(" | ")
            reasons[mutant] = why
    return reasons


def _drawn(every: list[Mutant], options: argparse.Namespace) -> list[Mutant]:
    named = [mutant for mutant in every if re.match(options.only, mutant.file)]
    if options.count <= 0 or options.count >= len(named):
        return named
    drawn = random.Random(options.seed).sample(named, options.count)
    return sorted(drawn, key=lambda mutant: mutant.number)


def _say(verdict: Verdict, reasons: dict[str, str]) -> None:
    mutant = verdict.mutant
    why = reasons.get(mutant.text, "")
    place = f"core/{mutant.file}:{mutant.line}: {mutant.kind}"
    change = f"{mutant.before.strip()} -> {mutant.after.strip() or '(dropped)'}"
    print(f"{verdict.outcome}: {place}: {change}{' | ' if why else ''}{why}", flush=True)


def main() -> int:
    """Makes the mutants, tries them, prints the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=0, help="mutants drawn evenly; 0 = all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=0.95, help="share that must be killed")
    parser.add_argument("--only", default="", help="only files whose name matches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--folder", type=Path, help="build here, and keep what was built")
    options = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        workshop = Workshop(PACKAGE, options.folder or Path(folder), options.jobs)
        program = workshop.build()
        drawn = _drawn(workshop.mutants, options)
        print(
            f"mutation: {len(drawn)} of {len(workshop.mutants)} mutants of {workshop.files} files, "
            f"{workshop.left_out} left out in constant expressions; "
            f"built in {time.monotonic() - begun:.0f} s",
            flush=True,
        )
        try:
            trial = Trial(program)
        except subprocess.CalledProcessError:
            print("mutation: the unchanged core does not pass its tests", file=sys.stderr)
            return 1
        reasons = _reasons()
        counts: collections.Counter[str] = collections.Counter()
        kinds: collections.Counter[tuple[str, bool]] = collections.Counter()
        equivalent = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for verdict in pool.map(trial.verdict, drawn):
                dead = verdict.outcome in ("killed", "timeout")
                counts[verdict.outcome] += 1
                if verdict.outcome == "none":
                    continue
                kinds[verdict.mutant.kind, dead] += 1
                if not dead:
                    equivalent += verdict.mutant.text in reasons
                    _say(verdict, reasons)
    killed = counts["killed"] + counts["timeout"]
    tried = len(drawn) - counts["none"]
    for kind in sorted({kind for kind, _ in kinds}):
        print(f"mutation: {kind}: {kinds[kind, True]} killed, {kinds[kind, False]} survived")
    print(
        f"mutation: {tried} tried with {len(trial.tests)} tests: {killed} killed "
        f"({counts['timeout']} of them by not ending), {tried - killed} survived, "
        f"{equivalent} of them equivalent: {100 * killed / max(1, tried):.1f} % killed, "
        f"{100 * killed / max(1, tried - equivalent):.1f} % of those that change something; "
        f"{time.monotonic() - begun:.0f} s"
    )
    return 0 if killed >= options.least * (tried - equivalent) else 1


if __name__ == "__main__":
    raise SystemExit(main())
