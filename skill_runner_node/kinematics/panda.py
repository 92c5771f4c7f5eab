"""The kinematic model of the Franka Panda with its hand, from the MJCF of `dm-robotics-panda`.

Frames: world is `panda_link0`. The tool frame lies between the fingertips, 0.1034 m along z of
`panda_hand`: z points out of the hand, y along the fingers' travel.
"""

from __future__ import annotations

from functools import lru_cache

import mujoco
import numpy as np
import numpy.typing as npt

from openral.panda_model import model_folder

Array = npt.NDArray[np.float64]
TOOL_FRAME = "tool"
TOOL_OFFSET = 0.1034
"""[m] from the hand's origin to between the fingertips' pads (the model's site TCP)."""
FINGERTIP_BELOW_TOOL = 0.009
"""[m] that the fingers reach beyond the tool frame: 0.0584 + 0.054 - 0.1034 in the model."""
HAND_BOTTOM_ABOVE_TOOL = 0.0375
"""[m] from the tool frame up to the underside of the hand, 0.0659 m from its origin."""
HAND_HALF_LENGTH = 0.103
"""[m] half extent of the hand along the fingers' travel (Franka hand, 206 mm)."""
HAND_HALF_DEPTH = 0.033
"""[m] half extent of the hand across the fingers' travel."""
FINGER_HALF_DEPTH = 0.012
FINGER_THICKNESS = 0.03
"""[m] of one finger along its travel, outwards from its pad."""
FINGER_OPEN = 0.0395
"""[m] travel of one finger when open; the gap is twice that.

The finger could travel 0.5 mm further, but a motion that ends on a limit leaves no room to brake.
"""


def _bare(name: str) -> mujoco.MjSpec:
    """The spec without meshes: kinematics needs none, and loading them takes seconds."""
    spec = mujoco.MjSpec.from_file(str(model_folder() / name))
    for group in (spec.geoms, spec.meshes, spec.materials, spec.textures, spec.sensors):
        for element in list(group):
            spec.delete(element)
    return spec


@lru_cache(maxsize=1)
def model() -> mujoco.MjModel:
    """Seven arm joints, the hand with a fixed gripper, site `tool`; nq = nv = 7."""
    arm = _bare("panda.xml")
    flange = next(site for site in arm.sites if site.name == "wrist_site")
    # The hand is mounted turned by -45 degrees about the flange's z axis.
    flange.quat = [np.cos(np.pi / 8), 0.0, 0.0, -np.sin(np.pi / 8)]
    hand = flange.parent.add_body(name="panda_hand", quat=flange.quat)
    hand.add_site(name=TOOL_FRAME, pos=[0.0, 0.0, TOOL_OFFSET])
    return arm.compile()


class Forward:
    """Forward kinematics with its own scratch memory; one per thread."""

    def __init__(self) -> None:
        self._model = model()
        self._data = mujoco.MjData(self._model)
        self._site = self._model.site(TOOL_FRAME).id

    def tool(self, q: Array) -> tuple[Array, Array]:
        """Tool position (3,) [m] and rotation (3, 3) in the world frame for seven angles [rad]."""
        self._data.qpos[:] = q[:7]
        mujoco.mj_kinematics(self._model, self._data)
        return (
            self._data.site_xpos[self._site].copy(),
            self._data.site_xmat[self._site].reshape(3, 3).copy(),
        )

    def positions(self, path: Array) -> Array:
        """Tool positions (n, 3) [m] along a joint path (n, >= 7) [rad]."""
        return np.array([self.tool(q)[0] for q in path]).reshape(-1, 3)


def tool_down(yaw: float) -> Array:
    """Rotation (3, 3) of a tool that points down and closes along `yaw` [rad] from world x."""
    closing = np.array([np.cos(yaw), np.sin(yaw), 0.0])
    down = np.array([0.0, 0.0, -1.0])
    return np.column_stack([np.cross(closing, down), closing, down])
