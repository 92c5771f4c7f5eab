"""Settings of the pick-and-place policy, as its manifest may give them."""

from __future__ import annotations

from openral.ros.parameters import ParameterModel, count


class PickPlaceSettings(ParameterModel):
    """Field `settings` of a manifest with ``policy: scripted_pick_place``."""

    looks_max: int = count(3, 1, 20, "looks for one grip before the object counts as not found")
    grasps_max: int = count(2, 1, 10, "grips before the goal counts as failed")
