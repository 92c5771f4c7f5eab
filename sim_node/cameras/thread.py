"""The one thread that owns the GL context: renders the cameras that someone looks at."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from openral.camera_model import CameraConfig
from openral.errors import ConfigError
from sim_node.renderer import SceneRenderer
from sim_node.scene import Scene
from sim_node.state_memory import State


@dataclass(frozen=True)
class Wanted:
    """Which images of a camera someone subscribes to now."""

    colour: bool
    depth: bool


@dataclass(frozen=True, eq=False)
class Picture:
    """One render of a camera: colour (h, w, 3) uint8 and depth (h, w) uint16 [mm] of one state."""

    camera: str
    stamp: int
    colour: npt.NDArray[np.uint8] | None
    depth: npt.NDArray[np.uint16] | None
    duration: float


class CameraThread:
    """Renders each camera at its rate while it is wanted.

    `state` gives the newest configuration, `wanted` what is subscribed, `on_picture` takes the
    result in this thread, `on_failure` is called once if the thread ends by an error.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        state: Callable[[], State],
        wanted: Callable[[str], Wanted],
        on_picture: Callable[[Picture], None],
        on_failure: Callable[[Exception], None],
    ) -> None:
        self._scene = scene
        self._state = state
        self._wanted = wanted
        self._on_picture = on_picture
        self._on_failure = on_failure
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._refused: ConfigError | None = None
        self._thread = threading.Thread(target=self._run, name="cameras", daemon=True)

    def start(self) -> None:
        """Begin, once the GL context stands.

        Raises:
            ConfigError: no GL library can draw without a display.
        """
        self._thread.start()
        self._ready.wait()
        if self._refused is not None:
            raise self._refused

    def stop(self) -> None:
        """End the thread and wait for it."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            renderer = SceneRenderer(self._scene)
        except ConfigError as error:
            self._refused = error
            return
        except Exception as error:  # as below: a robot without eyes must not look like a whole one
            self._on_failure(error)
            return
        finally:
            self._ready.set()
        try:
            self._render_until_stopped(renderer)
        except Exception as error:  # the process must end: a frozen picture looks like a still one
            self._on_failure(error)
        finally:
            renderer.close()

    def _render_until_stopped(self, renderer: SceneRenderer) -> None:
        cameras = self._scene.cameras
        # Staggered, so that no two cameras ask for the processor at once.
        start = time.monotonic()
        due = {
            name: start + place / (len(cameras) * camera.rate_hz)
            for place, (name, camera) in enumerate(cameras.items())
        }
        while due and not self._stop.is_set():
            name = min(due, key=lambda n: due[n])
            if self._stop.wait(max(0.0, due[name] - time.monotonic())):
                return
            self._render(renderer, name, cameras[name])
            period = 1.0 / cameras[name].rate_hz
            # A machine that cannot keep the rate skips pictures instead of queueing them.
            due[name] = max(due[name] + period, time.monotonic())

    def _render(self, renderer: SceneRenderer, name: str, camera: CameraConfig) -> None:
        wanted = self._wanted(name)
        depth_wanted = wanted.depth and camera.depth
        if not (wanted.colour or depth_wanted):
            return
        state = self._state()
        begin = time.monotonic()
        renderer.pose(state.qpos)
        colour = renderer.colour(name) if wanted.colour else None
        depth = renderer.depth_mm(name) if depth_wanted else None
        self._on_picture(Picture(name, state.stamp, colour, depth, time.monotonic() - begin))
