"""Between the runner's core and ROS messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np
from openral_msgs.msg import ActionChunk, KernelStatus
from sensor_msgs.msg import JointState

from openral.errors import InputError
from openral.names import KernelStateName
from openral.ros.names import KERNEL_STATE, OUTCOME
from skill_runner_node.policy import Outcome
from skill_runner_node.run_settings import Joints
from skill_runner_node.timeline import Window
from skill_runner_node.watch import Kernel, KernelState

_STATES: tuple[KernelStateName, ...] = get_args(KernelStateName)


class OtherRobotError(InputError):
    """The kernel moves a robot with other joints."""


def kernel_of(message: KernelStatus, joints: int, received: float) -> Kernel:
    """The kernel's report.

    Raises:
        OtherRobotError: If its command is for another number of joints.
        InputError: If its state is unknown, or its command is not finite for every joint.
    """
    name = KERNEL_STATE.name(message.state)
    if name is None:
        known = ", ".join(f"{KERNEL_STATE.number(name)} ({name})" for name in _STATES)
        raise InputError(f"a state of {known}", str(message.state))
    state = KernelState(name)
    commanded = tuple(float(value) for value in message.commanded)
    if commanded and len(commanded) != joints:
        raise OtherRobotError(
            f"a kernel with the {joints} joints of 'robot_file'",
            f"one with {len(commanded)}",
            "start the kernel and the skill runner with the same robot file",
        )
    usable = len(commanded) == joints and bool(np.isfinite(commanded).all())
    # Before it is armed for the first time the kernel has no command to report.
    if not usable and state in (KernelState.HOLDING, KernelState.ACTIVE):
        raise InputError(f"{joints} finite values of 'commanded'", str(list(commanded)))
    return Kernel(
        received,
        state,
        int(message.epoch),
        str(message.reason),
        str(message.message),
        int(message.chunks_refused),
        int(message.timeline),
        float(message.consumed_row),
        commanded,
        int(message.configuration_hash),
    )


def outcome_number(outcome: Outcome) -> int:
    """The constant of `ExecuteRskill`'s result."""
    return OUTCOME.number(outcome.value)


def joints_of(message: JointState, names: Sequence[str], received: float) -> Joints:
    """Positions and velocities in the order of `names`.

    Raises:
        InputError: If a joint is missing, or a value is not finite.
    """
    index = {name: place for place, name in enumerate(message.name)}
    missing = [name for name in names if name not in index]
    if missing:
        raise InputError(f"joints {', '.join(names)}", f"none of {', '.join(missing)}")
    order = [index[name] for name in names]
    columns = []
    for field in ("position", "velocity"):
        values = np.array(getattr(message, field), dtype=float)
        if len(values) != len(message.name) or not np.isfinite(values).all():
            raise InputError(
                f"{len(message.name)} finite values of '{field}'", f"{len(values)} values"
            )
        columns.append(values[order])
    return Joints(received, columns[0], columns[1])


def chunk(
    window: Window,
    *,
    robot: str,
    names: Sequence[str],
    skill_id: str,
    trace_id: str,
    configuration_hash: int,
    epoch: int,
    sequence: int,
    dt: float,
) -> ActionChunk:
    """The message of a window; the caller adds the stamps."""
    return ActionChunk(
        skill_id=skill_id,
        robot=robot,
        configuration_hash=configuration_hash,
        epoch=epoch,
        sequence=sequence,
        control_mode=ActionChunk.JOINT_POSITION,
        dt=dt,
        joint_names=list(names),
        horizon=len(window.rows),
        rows=window.rows.ravel().tolist(),
        timeline=window.timeline,
        first_row=window.first_row,
        last=window.last,
        trace_id=trace_id,
    )
