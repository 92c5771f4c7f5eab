"""The thread that keeps the physics at real time and hands out what it measures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from sim_node.fine_steps import FineSteps
from sim_node.lease import InForce, Lease, MotorCommand, Refusal
from sim_node.pacing import Pacer
from sim_node.scene import Pose
from sim_node.servo import Vector
from sim_node.world import JointState, World


@dataclass(frozen=True, eq=False)
class Measurement:
    """What held at one time of the steady clock [s]."""

    t_mono: float
    joints: JointState
    qpos: Vector
    objects: dict[str, Pose]
    in_force: InForce | None


@dataclass(frozen=True)
class PhysicsHealth:
    """How the physics kept up since the last question; counts are since the start.

    Attributes:
        worst_lag: largest distance behind real time [s].
        dropped: simulated time given up after stalls [s], since the start.
        busy: share of the time spent in steps.
        refusals: motor commands not obeyed, by reason.
    """

    worst_lag: float
    dropped: float
    busy: float
    obeyed: int
    lapses: int
    refusals: dict[Refusal, int]


class PhysicsThread:
    """Steps a world under a lease and calls `on_measurement` at a fixed rate, in its thread.

    `on_fine_step` takes the steps between those that tell when the arm came to rest (`FineSteps`),
    `on_failure` is called once if the thread ends by an error.
    """

    def __init__(
        self,
        world: World,
        lease: Lease,
        *,
        catch_up: float,
        measurement_rate: float,
        on_measurement: Callable[[Measurement], None],
        on_fine_step: Callable[[Measurement], None],
        on_failure: Callable[[Exception], None],
    ) -> None:
        self._world = world
        self._lease = lease
        self._lock = threading.Lock()
        self._max_burst = max(1, round(catch_up / world.timestep))
        self._every = max(1, round(1.0 / (measurement_rate * world.timestep)))
        self._fine_steps = FineSteps()
        self._on_measurement = on_measurement
        self._on_fine_step = on_fine_step
        self._on_failure = on_failure
        self._pacer = Pacer(world.timestep, self._max_burst, time.monotonic())
        self._busy = 0.0
        self._asked = time.monotonic()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="physics", daemon=True)

    def start(self) -> None:
        """Begin; simulated time starts now."""
        self._pacer = Pacer(self._world.timestep, self._max_burst, time.monotonic())
        self._thread.start()

    def stop(self) -> None:
        """End the thread and wait for it."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def receive(self, command: MotorCommand, ros_now: float) -> Refusal | None:
        """Hand in a motor command, from any thread."""
        with self._lock:
            return self._lease.receive(command, ros_now, time.monotonic())

    def health(self) -> PhysicsHealth:
        """What to report; starts a new period."""
        now = time.monotonic()
        busy = self._busy / max(now - self._asked, 1e-9)
        self._busy, self._asked = 0.0, now
        with self._lock:
            return PhysicsHealth(
                worst_lag=self._pacer.take_worst(),
                dropped=self._pacer.dropped,
                busy=busy,
                obeyed=self._lease.obeyed,
                lapses=self._lease.lapses,
                refusals=dict(self._lease.refusals),
            )

    def _run(self) -> None:
        try:
            steps = 0
            while not self._stop.is_set():
                begin = time.monotonic()
                for _ in range(self._pacer.due(begin)):
                    with self._lock:
                        in_force = self._lease.current(time.monotonic())
                    self._world.step(None if in_force is None else in_force.joints)
                    steps += 1
                    fine = self._fine_steps.take(
                        obeyed=in_force is not None, speed=self._world.top_speed()
                    )
                    if steps % self._every == 0:
                        self._on_measurement(self._measure(in_force))
                    elif fine:
                        self._on_fine_step(self._measure(in_force))
                end = time.monotonic()
                self._busy += end - begin
                time.sleep(self._pacer.wait(end))
        except Exception as error:  # the process must end: a silent robot looks like one at rest
            self._on_failure(error)

    def _measure(self, in_force: InForce | None) -> Measurement:
        return Measurement(
            t_mono=time.monotonic(),
            joints=self._world.state(),
            qpos=self._world.qpos(),
            objects=self._world.object_poses(),
            in_force=in_force,
        )
