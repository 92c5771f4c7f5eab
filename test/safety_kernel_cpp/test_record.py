"""What a real kernel records is decided again to the last bit; a damaged record is refused."""

from __future__ import annotations

import os
import signal
import subprocess
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from openral_msgs.msg import KernelStatus
from processes import Processes, environment, in_motion, kernel_command, program

pytestmark = pytest.mark.timed

if TYPE_CHECKING:
    from plant import Plant


def _replay(record: Path) -> tuple[int, str]:
    answer = subprocess.run(
        [program("kernel_replay"), str(record)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return answer.returncode, answer.stdout + answer.stderr


def _sealed(line: str) -> str:
    return f"{line} *{zlib.crc32(line.encode()):08x}"


def _body(line: str) -> str:
    return line[: -len(" *00000000")]


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A second of a disarmed kernel without any robot."""
    path = tmp_path_factory.mktemp("record") / "record"
    kernel = subprocess.Popen(
        kernel_command(f"record_path:={path}"),
        env={**os.environ, **environment()},
        stderr=subprocess.DEVNULL,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        kernel.wait(timeout=1)
    kernel.terminate()
    assert kernel.wait(timeout=10) == 0
    lines = path.read_text(encoding="ascii").splitlines()
    assert lines[-1].startswith("end stopped ")
    return lines


def test_recorded_run_with_refusal_stop_and_estop_replays_to_identical_decisions(
    plant: Plant, processes: Processes, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    kernel = processes.kernel(f"record_path:={record}", "estop.cooldown_s:=0.3")
    plant.estop = False
    runner = in_motion(plant, processes, "late")
    # A stop, and on waking a chunk of the runner's of an epoch that is over: refused.
    os.killpg(runner.pid, signal.SIGSTOP)
    plant.until(lambda: plant.state == KernelStatus.HOLDING, 3, "HOLDING")
    os.killpg(runner.pid, signal.SIGCONT)
    plant.until(lambda: plant.state == KernelStatus.ACTIVE, 5, "in motion again")
    plant.estop = True
    plant.until(lambda: plant.state == KernelStatus.LATCHED, 3, "LATCHED")
    plant.run(0.3)
    commands, reports = len(plant.log.commands), len(plant.log.failures)
    kinds = {failure.kind for failure in plant.log.failures}
    assert {"chunk_stale", "estop"} <= kinds
    assert plant.status is not None
    assert plant.status.chunks_refused > 0
    os.killpg(kernel.pid, signal.SIGTERM)
    assert kernel.wait(timeout=10) == 0

    code, text = _replay(record)
    assert code == 0, text
    assert text.startswith("identical: "), text
    _, ticks, _, replayed, _ = text.split()
    # Every message that went out is one of the decisions, and the loop ran all the time.
    assert int(replayed) >= reports
    assert int(ticks) >= commands
    assert "\nlost " not in record.read_text(encoding="ascii")


def test_killed_kernel_leaves_a_record_that_replays(
    plant: Plant, processes: Processes, tmp_path: Path
) -> None:
    record = tmp_path / "record"
    kernel = processes.kernel(f"record_path:={record}")
    in_motion(plant, processes)
    os.killpg(kernel.pid, signal.SIGKILL)
    kernel.wait(timeout=10)
    code, text = _replay(record)
    assert code == 0, text
    assert "the record has no end" in text
    # A second kernel of the same parameters keeps it.
    before = record.read_bytes()
    processes.kernel(f"record_path:={record}")
    second = record.with_name("record.1")
    plant.until(lambda: second.exists() and second.stat().st_size > 100_000, 20, "second record")
    assert record.read_bytes() == before


def test_torn_last_line_is_left_out_and_said(short: list[str], tmp_path: Path) -> None:
    record = tmp_path / "record"
    whole = [*short[:-1]]
    record.write_text("\n".join(whole)[:-3], encoding="ascii")
    code, text = _replay(record)
    assert code == 0, text
    assert "the last line is torn" in text


def test_other_decision_is_the_first_difference(short: list[str], tmp_path: Path) -> None:
    record = tmp_path / "record"
    changed = list(short)
    at = len(changed) - 20
    changed[at] = _sealed(_body(changed[at]).replace("state DISARMED", "state HOLDING"))
    changed[at + 5] = _sealed(_body(changed[at + 5]).replace("state DISARMED", "state ACTIVE"))
    record.write_text("\n".join(changed) + "\n", encoding="ascii")
    code, text = _replay(record)
    first = next(i for i, line in enumerate(short) if line.startswith("tick "))
    assert code == 1, text
    assert f"different: tick {at - first + 1} at " in text
    assert "'state': expected HOLDING, got DISARMED" in text


def _without_a_line(lines: list[str]) -> bytes:
    return "\n".join([*lines[:3], *lines[4:]]).encode()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda lines: b"", "it ends within its header"),
        (lambda lines: "\n".join(lines[:5]).encode(), "it ends within its header"),
        (lambda lines: "\n".join(lines[:-1]).encode()[:2000] + b"\n", "checksum"),
        (lambda lines: "\n".join(lines).replace("DISARMED", "DISARMEB").encode(), "checksum"),
        (lambda lines: b"\xff\x00\n" * 1000, "checksum"),
        (lambda lines: b"x" * 2_000_000, "more than 1 MiB"),
        (_without_a_line, "expected"),
        (lambda lines: "\n".join([*lines[:-1], _sealed("lost 7"), ""]).encode(), "lost 7 ticks"),
        (lambda lines: "\n".join([*lines, lines[-2], ""]).encode(), "nothing after the end"),
    ],
)
def test_damaged_record_is_refused_by_name(
    short: list[str], tmp_path: Path, damage: object, said: str
) -> None:
    assert callable(damage)
    record = tmp_path / "record"
    record.write_bytes(damage(short))
    code, text = _replay(record)
    assert code == 2, text
    assert said in text
    assert text.startswith(f"kernel_replay: {record}: ")


def test_missing_record_is_refused_by_name(tmp_path: Path) -> None:
    code, text = _replay(tmp_path / "none")
    assert code == 2
    assert "No such file" in text


def test_record_ends_at_its_size(plant: Plant, processes: Processes, tmp_path: Path) -> None:
    record = tmp_path / "record"
    processes.kernel(f"record_path:={record}", "record_size_max_mb:=1")
    in_motion(plant, processes)
    end = _sealed("end full").encode() + b"\n"
    plant.until(lambda: record.read_bytes().endswith(end), 30, "full")
    assert 900_000 < record.stat().st_size <= 1_000_000
    code, text = _replay(record)
    assert code == 0, text
    assert "no end" not in text
    plant.run(0.5)
    assert plant.status is not None
    assert plant.status.tick_rate > 190
