"""Settings of the pick-and-place policy, as its manifest may give them."""

from __future__ import annotations

from pydantic import Field

from openral.ros.parameters import ParameterModel


class PickPlaceSettings(ParameterModel):
    """Field `settings` of a manifest with ``policy: scripted_pick_place``."""

    looks_max: int = Field(
        3, ge=1, le=20, description="looks for one grip before the object counts as not found"
    )
    grasps_max: int = Field(2, ge=1, le=10, description="grips before the goal counts as failed")
