"""Settings of the table that a manifest's skill or reward looks at."""

from __future__ import annotations

from functools import partial

from pydantic import model_validator

from openral.ros.parameters import ParameterModel, number
from skill_runner_node.policies.scripted_pick_place.height_map import TABLE, Table

_m = partial(number, unit="m")


class TableSettings(ParameterModel):
    """Where the table is, in the robot's base frame; the same for the skill and for its reward."""

    table_x_min: float = _m(TABLE.x_min, -3.0, 3.0, "near edge of the table that is looked at")
    table_x_max: float = _m(TABLE.x_max, -3.0, 3.0, "its far edge")
    table_y_min: float = _m(TABLE.y_min, -3.0, 3.0, "its right edge")
    table_y_max: float = _m(TABLE.y_max, -3.0, 3.0, "its left edge")
    tallest: float = _m(TABLE.tallest, 0.02, 2.0, "height above which it is the robot")

    @property
    def table(self) -> Table:
        """What of the table is looked at."""
        return Table(
            self.table_x_min, self.table_x_max, self.table_y_min, self.table_y_max, self.tallest
        )

    @model_validator(mode="after")
    def _some_table(self) -> TableSettings:
        wide = self.table_x_max - self.table_x_min, self.table_y_max - self.table_y_min
        if min(wide) < 0.1:
            raise ValueError(
                "table_x_min and table_y_min must lie 0.1 m below table_x_max and table_y_max, got"
                f" {wide[0]:g} and {wide[1]:g} m between them"
            )
        return self
