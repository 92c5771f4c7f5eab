"""The node's parameters: the core's numbers, and what the shell needs."""

from __future__ import annotations

from pydantic import Field, model_validator

from reasoner_node.settings import SECONDS, Settings
from reasoner_node.tools import ServedTool


class Parameters(Settings):
    """All parameters of `reasoner_node`; defaults in `config/reasoner_node.yaml`."""

    model: str = Field(
        "",
        description="who decides: 'rules', or a model of config/models.yaml; there is no default",
        json_schema_extra={"env": "OPENRAL_REASONER_MODEL"},
    )
    endpoint: str = Field(
        "",
        description="where it is served: a name of config/models.yaml or a URL; empty = its own",
        json_schema_extra={"env": "OPENRAL_REASONER_ENDPOINT"},
    )
    dialect: str = Field(
        "",
        description="what a URL speaks: anthropic or openai; empty = the model's own",
        json_schema_extra={"env": "OPENRAL_REASONER_DIALECT"},
    )
    max_tokens: int = Field(
        16384, ge=64, le=200000, description="longest reply of a model",
        json_schema_extra={"env": "OPENRAL_REASONER_MAX_TOKENS", "unit": "tokens"},
    )  # fmt: skip
    model_timeout_s: float = Field(
        60.0, gt=0.0, le=600.0, description="time for one call of a model with its retries",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    model_attempts: int = Field(
        3, ge=1, le=10, description="requests of one call of a model, the first among them"
    )
    model_retry_wait_s: float = Field(
        0.5, ge=0.0, le=30.0,
        description="wait before the first request again, then doubled each time",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    image_max_edge_px: int = Field(
        1024, ge=64, le=8192,
        description="longest edge of an image that a model is sent; providers scale larger ones",
        json_schema_extra={"unit": "px"},
    )  # fmt: skip
    robot_name: str = Field(
        "panda", min_length=1, description="robot whose skills are on the palette"
    )
    rskills_folder: str = Field(
        "rskills", min_length=1, description="folder of the rSkill manifests, below config/"
    )
    models_file: str = Field(
        "models.yaml", min_length=1, description="the language models, below config/"
    )
    cameras_file: str = Field(
        "cameras.yaml", min_length=1, description="calibration of the cameras, below config/"
    )
    services: tuple[ServedTool, ...] = Field(
        ("query_task_progress",),
        description="tools beyond the basic ones that this deployment has a server for",
    )
    trace_path: str = Field("", description="file of the trace, JSON lines; empty = none")
    trace_backlog: int = Field(
        20000, ge=100, le=1000000, description="records of the trace that may wait for the disk"
    )
    kernel_timeout_s: float = Field(
        2.5, ge=0.1, le=60.0, description="silence of kernel_status that counts as dead",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    robot_timeout_s: float = Field(
        2.0, ge=0.05, le=60.0, description="silence of joint_states that counts as dead",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    perception_timeout_s: float = Field(
        5.0, ge=0.5, le=60.0, description="silence of the detector that counts as dead",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    skill_state_timeout_s: float = Field(
        2.0, ge=0.5, le=60.0,
        description="silence of skill_state during a goal that counts as a dead skill runner",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    server_timeout_s: float = Field(
        3.0, ge=0.2, le=60.0, description="absence of the action server that counts as dead",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    startup_grace_s: float = Field(
        15.0, ge=0.0, le=300.0, description="time after the start in which others may be silent",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    watch_period_s: float = Field(
        0.2, ge=0.02, le=0.5, description="time between two looks at who is alive",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    own_stall_s: float = Field(
        0.6, ge=0.05, le=10.0,
        description="time between two such looks from which on this process stood still itself, "
        "and nobody is judged",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    stamp_ahead_max_s: float = Field(
        0.02, ge=0.0, le=1.0,
        description="time that an image's stamp may lie ahead of this clock before it is refused",
        json_schema_extra=SECONDS,
    )  # fmt: skip
    max_detections: int = Field(
        200, ge=1, le=10000, description="detections taken of one message; the rest is counted"
    )
    view_moved_px: float = Field(
        10.0, ge=0.0, le=1000.0,
        description="distance from which on an object counts as moved in its image",
        json_schema_extra={"unit": "px"},
    )  # fmt: skip
    view_period_s: float = Field(
        1.0, ge=0.05, le=10.0,
        description="longest time between two views of a camera that are passed on unchanged",
        json_schema_extra=SECONDS,
    )  # fmt: skip

    @model_validator(mode="after")
    def _watched(self) -> Parameters:
        if self.own_stall_s <= self.watch_period_s:
            # Every look would then count as one after a standstill, and nobody would be judged.
            raise ValueError(
                f"own_stall_s {self.own_stall_s} must be longer than watch_period_s "
                f"{self.watch_period_s}"
            )
        return self
