"""From a chunk on `candidate_action` to its `motor_command`: the kernel beside a bare echo.

    python bench/kernel_topics.py [--samples 600]

The echo takes the same chunks over the same topics, under the same scheduling, and sends a row
back: what the middleware alone costs. The kernel answers at its next tick, up to 5 ms later, and an
echo does not. So three ratios of p50 are printed: of the whole, which holds that wait; of the whole
against an echo that is bound to the same ticks; and without the wait, where the way in is the
echo's own (same message, same subscriber) and the way out is measured from the tick's stamp. The
target, 1.2, is for the last two.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import rclpy
from ament_index_python.packages import get_package_prefix
from openral_msgs.msg import KernelStatus
from std_srvs.srv import Trigger

from openral.bringup import domain
from openral.ros import qos

ROOT = Path(__file__).resolve().parent.parent
RATIO = 1.2
ROUNDS = 3
ECHO, TICKING, KERNEL = "echo", "echo at ticks", "kernel"
Array = npt.NDArray[np.float64]


def program(name: str) -> str:
    """Path of an executable of the kernel's package."""
    folder = Path(get_package_prefix("openral_safety_kernel"), "lib", "openral_safety_kernel")
    return str(folder / name)


def processor() -> str:
    """The processor's name, as the system tells it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def command_of(target: str) -> list[str]:
    """What stands between the topics."""
    names = ["--ros-args", "-r", "__ns:=/openral"]
    if target == KERNEL:
        files = [ROOT / "config/robots/panda.yaml", ROOT / "config/safety_kernel.yaml"]
        return [
            program("safety_kernel"),
            *names,
            *(w for f in files for w in ("--params-file", str(f))),
        ]
    return [program("kernel_echo"), *(["--tick"] if target == TICKING else []), *names]


def arm() -> None:
    """The operator's word, once nothing is unmet."""
    node = rclpy.create_node("operator", namespace="/openral")
    newest: list[KernelStatus] = []
    node.create_subscription(KernelStatus, "kernel_status", newest.append, qos.KERNEL_STATUS)
    client = node.create_client(Trigger, "kernel/arm")
    end = time.monotonic() + 30
    armed = False
    while not armed:
        if time.monotonic() > end:
            raise SystemExit(f"kernel_topics: not armed; {newest[-1:]}")
        rclpy.spin_once(node, timeout_sec=0.1)
        if newest and not newest[-1].unmet and client.service_is_ready():
            future = client.call_async(Trigger.Request())
            rclpy.spin_until_future_complete(node, future, timeout_sec=5)
            answer = future.result()
            armed = answer is not None and answer.success
    node.destroy_node()


def measure(target: str, samples: int) -> Array:
    """(samples, 2): latency, publication to the command's stamp [µs]."""
    between = subprocess.Popen(command_of(target), start_new_session=True)
    arguments = [] if target == KERNEL else ["--echo"]
    driver = subprocess.Popen(
        [program("topic_latency"), str(samples), *arguments, "--ros-args", "-r", "__ns:=/openral"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        if target == KERNEL:
            arm()
        text, _ = driver.communicate(timeout=120 + samples)
    finally:
        for process in (driver, between):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=10)
    rows = [[float(word) for word in line.split()] for line in text.splitlines()]
    if len(rows) != samples:
        raise SystemExit(f"kernel_topics: {target}: expected {samples} samples, got {len(rows)}")
    return np.array(rows)


def main() -> int:
    """Measures and prints; 1 if the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--samples", type=int, default=600, help="of each, in all rounds together")
    samples = parser.parse_args().samples
    # As the kernel's own processes: a tool's shared memory must not make the difference.
    os.environ["FASTDDS_BUILTIN_TRANSPORTS"] = "UDPv4"
    os.environ.pop("ROS_DOMAIN_ID", None)
    domain.isolate(os.environ)
    rclpy.init()
    measured: dict[str, list[Array]] = {ECHO: [], TICKING: [], KERNEL: []}
    # In turn, so that all see the same machine.
    for _ in range(ROUNDS):
        for target, parts in measured.items():
            parts.append(measure(target, max(1, samples // ROUNDS)))
    rclpy.shutdown()
    all_of = {target: np.concatenate(parts) for target, parts in measured.items()}
    print(f"machine: {processor()}, load {os.getloadavg()[0]:.1f}")
    print(f"{'chunk to motor_command':28}{'p50 µs':>10}{'p99 µs':>10}")
    for target, values in all_of.items():
        p50, p99 = np.quantile(values[:, 0], (0.5, 0.99))
        print(f"{target:28}{p50:10.0f}{p99:10.0f}")
    median = {target: float(np.median(values[:, 0])) for target, values in all_of.items()}
    way_in = float(np.median(all_of[ECHO][:, 1]))
    way_out = float(np.median(all_of[KERNEL][:, 0] - all_of[KERNEL][:, 1]))
    print(f"kernel / echo, with the wait for the tick: {median[KERNEL] / median[ECHO]:.2f}")
    ticking = median[KERNEL] / median[TICKING]
    without = (way_in + way_out) / median[ECHO]
    print(f"kernel / echo at ticks: {ticking:.2f}")
    print(f"kernel / echo, without the wait: {without:.2f} ({way_in:.0f} µs in, {way_out:.0f} out)")
    met = max(ticking, without) <= RATIO
    print(f"target {RATIO} for the last two: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
