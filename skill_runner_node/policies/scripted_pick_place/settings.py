"""Settings of the pick-and-place policy, as its manifest may give them."""

from __future__ import annotations

from functools import partial

from pydantic import model_validator

from openral.ros.parameters import count, number
from skill_runner_node.kinematics.route import CLEARANCE, HIGHEST
from skill_runner_node.policies.scripted_pick_place.placement import SPARE, Spare
from skill_runner_node.policies.scripted_pick_place.table_settings import TableSettings

_m = partial(number, unit="m")


class PickPlaceSettings(TableSettings):
    """Field `settings` of a manifest with ``policy: scripted_pick_place``.

    Openings are of one finger.
    """

    looks_max: int = count(3, 1, 20, "looks for one grip before the object counts as not found")
    grasps_max: int = count(2, 1, 10, "grips before the goal counts as failed")

    assumed_top: float = _m(0.2, 0.0, 2.0, "height of everything before the first look")
    clearance: float = _m(CLEARANCE, 0.005, 0.5, "distance kept below whatever hangs lowest")
    highest: float = _m(HIGHEST, 0.1, 2.0, "height of the tool beyond which it is not moved")

    held_opening: float = _m(0.004, 0.0, 0.2, "opening below which nothing is between the fingers")
    held_apart: float = _m(
        0.004, 0.0, 0.2, "distance of a finger from its command at which something is between them"
    )

    spare_x_min: float = _m(SPARE.x_min, -3.0, 3.0, "begin of where what is in the way is put down")
    spare_x_max: float = _m(SPARE.x_max, -3.0, 3.0, "its end; itself outside")
    spare_y_min: float = _m(SPARE.y_min, -3.0, 3.0, "its begin to the right")
    spare_y_max: float = _m(SPARE.y_max, -3.0, 3.0, "its end to the left; itself outside")
    spare_x: float = _m(SPARE.x, -3.0, 3.0, "the best place there")
    spare_y: float = _m(SPARE.y, -3.0, 3.0, "the best place there")

    @property
    def spare(self) -> Spare:
        """Where something is put down that is in the way."""
        return Spare(
            self.spare_x_min,
            self.spare_x_max,
            self.spare_y_min,
            self.spare_y_max,
            self.spare_x,
            self.spare_y,
        )

    @model_validator(mode="after")
    def _some_place(self) -> PickPlaceSettings:
        if self.spare_x_min >= self.spare_x_max or self.spare_y_min >= self.spare_y_max:
            raise ValueError("spare_x_min < spare_x_max and spare_y_min < spare_y_max must hold")
        return self
