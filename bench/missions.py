"""Clears N seeded tables through the whole system, each by one `openral demo`, and counts.

    python3 bench/missions.py [--seeds 20] [--first 0] [--out runs/bench/missions.jsonl]

One JSON line a seed; a run that was cut short goes on where it stopped. Exit status 0 only if at
least 19 of 20 tables are cleared and no mission claimed a success that the referee denies.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from openral.cli.exit_code import ExitCode

PROMPT = "put all the groceries into the basket"
CLEARED_SHARE = 0.95
PROCESS_TIMEOUT_S = 600.0


def result_line(seed: int, exit_code: int, summary: dict[str, Any]) -> dict[str, Any]:
    """What is kept of one run."""
    judgements = summary.get("judgements", [])
    kernel = summary.get("kernel") or {}
    return {
        "seed": seed,
        "exit_code": exit_code,
        "ending": summary.get("ending", "none"),
        "cleared": bool(judgements) and all(one["in_basket"] for one in judgements),
        "in_basket": [one["label"] for one in judgements if one["in_basket"]],
        "objects": [one["label"] for one in judgements],
        "mission_s": round(summary.get("mission_s", 0.0), 1),
        "model_calls": (summary.get("mission") or {}).get("model_calls", 0),
        "attempts": [task["attempts"] for task in (summary.get("mission") or {}).get("tasks", [])],
        "refusals": kernel.get("refused", 0),
        "stops": kernel.get("stops", 0),
        "words": summary.get("words", ""),
    }


def is_false_done(result: dict[str, Any]) -> bool:
    """True if the mission said done and the table was not cleared, or could not be judged."""
    return bool(result["ending"] == "done" and not result["cleared"])


def closing_line(results: Sequence[dict[str, Any]]) -> str:
    """The measurement in one line."""
    cleared = sum(bool(one["cleared"]) for one in results)
    false_done = sum(is_false_done(one) for one in results)
    return f"tables cleared {cleared}/{len(results)}, false done {false_done}/{len(results)}"


def passes(results: Sequence[dict[str, Any]]) -> bool:
    """True if enough tables were cleared and no claim was false."""
    cleared = sum(bool(one["cleared"]) for one in results)
    return cleared >= CLEARED_SHARE * len(results) and not any(map(is_false_done, results))


def read_results(lines: Iterable[str]) -> dict[int, dict[str, Any]]:
    """Results by seed; a last line that was cut is measured again."""
    found = {}
    for line in lines:
        if line.endswith("\n"):
            one = json.loads(line)
            found[int(one["seed"])] = one
    return found


def run_seed(seed: int, runs: Path, environ: dict[str, str]) -> dict[str, Any]:
    """One mission through all the real processes."""
    runs.mkdir(parents=True, exist_ok=True)
    summary_file = runs / "latest" / "summary.json"
    (runs / "latest").unlink(missing_ok=True)
    command = [sys.executable, "-m", "openral.cli.main", "demo", "--plain", "--no-media"]
    command += ["--prompt", PROMPT, "--seed", str(seed), "--model", "rules", "--runs", str(runs)]
    with (runs / f"seed-{seed}.log").open("w", encoding="utf-8") as log:
        try:
            code = subprocess.run(
                command, check=False, env=environ, stdout=log, stderr=log, timeout=PROCESS_TIMEOUT_S
            ).returncode
        except subprocess.TimeoutExpired:
            code = ExitCode.DEADLINE
    try:
        summary = json.loads(summary_file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        summary = {}
    return result_line(seed, code, summary)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures the seeds that are not measured yet, then sums up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=20, help="how many (20)")
    parser.add_argument("--first", type=int, default=0, help="first seed (0)")
    parser.add_argument("--out", type=Path, default=Path("runs/bench/missions.jsonl"))
    chosen = parser.parse_args(arguments)

    seeds = range(chosen.first, chosen.first + chosen.seeds)
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    before: dict[int, dict[str, Any]] = {}
    if chosen.out.exists():
        with chosen.out.open(encoding="utf-8") as file:
            before = read_results(file)
    results = {seed: before[seed] for seed in seeds if seed in before}
    environ = {name: value for name, value in os.environ.items() if name != "ROS_DOMAIN_ID"}
    for seed in seeds:
        if seed not in results:
            results[seed] = run_seed(seed, chosen.out.parent / "missions", environ)
            with chosen.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[seed]) + "\n")
        print(json.dumps(results[seed]), flush=True)
    ordered = [results[seed] for seed in seeds]
    print(closing_line(ordered), flush=True)
    return 0 if passes(ordered) else 1


if __name__ == "__main__":
    sys.exit(main())
