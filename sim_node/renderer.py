"""Pictures of the scene. Everything here belongs to one thread: a GL context does.

Usage::

    renderer = SceneRenderer(scene)
    rgb = renderer.colour("front", qpos)     # (480, 640, 3) uint8
    depth = renderer.depth_mm("front")       # (480, 640) uint16 [mm], of the same state
"""

from __future__ import annotations

import os

import mujoco
import numpy as np
import numpy.typing as npt

from openral.errors import ConfigError
from sim_node.scene import Scene

_MAX_DEPTH_MM = 65535


class SceneRenderer:
    """Renders cameras of one scene from joint positions.

    Raises:
        ConfigError: no GL library can draw without a display.
    """

    def __init__(self, scene: Scene) -> None:
        self._model = scene.model
        self._data = mujoco.MjData(scene.model)
        self._cameras = scene.cameras
        self._renderers: dict[tuple[int, int], mujoco.Renderer] = {}
        for camera in scene.cameras.values():
            size = (camera.height, camera.width)
            if size not in self._renderers:
                self._renderers[size] = self._open(size)

    def _open(self, size: tuple[int, int]) -> mujoco.Renderer:
        try:
            return mujoco.Renderer(self._model, *size)
        except (
            ImportError,
            AttributeError,
            RuntimeError,
            OSError,
            TypeError,
            mujoco.FatalError,
        ) as error:
            # The first line: GL errors go on for pages.
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ConfigError(
                f"no off-screen OpenGL (MUJOCO_GL={os.environ.get('MUJOCO_GL')}: {why}); on Debian "
                "or Ubuntu: apt install libegl1 libegl-mesa0 libgl1-mesa-dri libopengl0"
            ) from error

    def pose(self, qpos: npt.NDArray[np.float64]) -> None:
        """Set the configuration of the scene, shape (nq,), for the images that follow."""
        self._data.qpos[:] = qpos
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)
        mujoco.mj_camlight(self._model, self._data)

    def colour(
        self, camera: str, qpos: npt.NDArray[np.float64] | None = None
    ) -> npt.NDArray[np.uint8]:
        """Render, after setting `qpos` if given: shape (height, width, 3), RGB."""
        if qpos is not None:
            self.pose(qpos)
        renderer = self._renderer(camera)
        renderer.disable_depth_rendering()
        self._update(renderer, camera)
        pixels: npt.NDArray[np.uint8] = renderer.render()
        return pixels

    def depth_mm(self, camera: str) -> npt.NDArray[np.uint16]:
        """Distance along the optical axis [mm], shape (height, width), of the last configuration.

        0 stands for nothing in range, as REP-118 has it for 16UC1.
        """
        renderer = self._renderer(camera)
        renderer.enable_depth_rendering()
        self._update(renderer, camera)
        millimetres = np.rint(renderer.render() * 1000.0)
        renderer.disable_depth_rendering()
        return np.where(millimetres <= _MAX_DEPTH_MM, millimetres, 0).astype(np.uint16)

    def close(self) -> None:
        """Free the GL contexts; in the thread that made them."""
        for renderer in self._renderers.values():
            renderer.close()
        self._renderers.clear()

    def _renderer(self, camera: str) -> mujoco.Renderer:
        config = self._cameras[camera]
        return self._renderers[(config.height, config.width)]

    def _update(self, renderer: mujoco.Renderer, camera: str) -> None:
        renderer.update_scene(self._data, camera=camera)
        # Shadows and reflections double the cost of software rendering.
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            renderer.scene.flags[flag] = 0
