"""How much processor time the safety kernel's core takes, beside a naive checker in the same run.

    python bench/kernel.py

Prints the machine, the times per chunk and per tick, their ratios and the targets that they meet
or miss. A tick with every input queue full is a flood: whatever the rate outside, a tick takes no
more.
"""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

from ament_index_python.packages import get_package_prefix

ROOT = Path(__file__).resolve().parent.parent
ADMIT_P99_US = 50.0
"""Target for a chunk of 16 rows with every check."""
TICK_P99_US = 10.0
"""Target for a tick of a motion."""


def measure() -> dict[str, float]:
    """Every measurement by name [µs]."""
    program = Path(get_package_prefix("openral_safety_kernel"), "lib", "openral_safety_kernel")
    command = [str(program / "kernel_bench"), "--ros-args"]
    for name in ("robots/panda.yaml", "safety_kernel.yaml"):
        command += ["--params-file", str(ROOT / "config" / name)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    words = (line.split() for line in answer.stdout.splitlines())
    return {name: float(value) for name, value, _unit in words}


def processor() -> str:
    """The processor's name, as the system tells it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def main() -> int:
    """Measures and prints; 1 if a target is missed."""
    times = measure()
    print(f"machine: {processor()}, {platform.system()} {platform.release()}")
    print(f"{'':24}{'p50 µs':>10}{'p99 µs':>10}")
    for name in sorted({key.rpartition("_")[0] for key in times}):
        print(f"{name:24}{times[name + '_p50']:10.2f}{times[name + '_p99']:10.2f}")
    for rows in (16, 100, 1000):
        ratio = times[f"naive_{rows}_p50"] / times[f"admit_{rows}_p50"]
        print(f"{rows} rows: {ratio:.1f} times as fast as the naive checker")
    per_row = times["admit_1000_p50"] / 1000, times["admit_100_p50"] / 100
    print(f"per row: {per_row[1]:.3f} µs of 100, {per_row[0]:.3f} µs of 1000")
    flood = times["flooded_tick_with_chunk_p99"] / times["tick_with_chunk_p99"]
    print(f"flood: tick with a chunk p99 times {flood:.2f}")
    met = True
    for name, value, target in (
        ("admit 16 rows p99", times["admit_16_p99"], ADMIT_P99_US),
        ("tick p99", times["tick_p99"], TICK_P99_US),
    ):
        met = met and value <= target
        print(
            f"{name}: {value:.1f} µs, target {target:.0f}: {'met' if value <= target else 'MISSED'}"
        )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
