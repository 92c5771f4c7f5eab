"""The node's parameters: the core's numbers, and what the shell needs."""

from __future__ import annotations

from pydantic import Field, model_validator

from openral.ros.parameters import count, number, seconds
from reasoner_node.settings import Settings
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
    max_tokens: int = count(
        16384,
        64,
        200000,
        "longest reply of a model",
        unit="tokens",
        env="OPENRAL_REASONER_MAX_TOKENS",
    )
    model_timeout_s: float = seconds(
        60.0, 0.0, 600.0, "time for one call of a model with its retries", low_open=True
    )
    model_attempts: int = count(3, 1, 10, "requests of one call of a model, the first among them")
    model_retry_wait_s: float = seconds(
        0.5, 0.0, 30.0, "wait before the first request again, then doubled each time"
    )
    image_max_edge_px: int = count(
        1024,
        64,
        8192,
        "longest edge of an image that a model is sent; providers scale larger ones",
        unit="px",
    )
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
    trace_backlog: int = count(
        20000, 100, 1000000, "records of the trace that may wait for the disk"
    )
    trace_size_max_mb: float = number(
        1000.0,
        1.0,
        1e6,
        "largest size of the trace; there it ends, and says so",
        unit="MB",
    )
    kernel_timeout_s: float = seconds(
        2.5, 0.1, 60.0, "silence of kernel_status that counts as dead"
    )
    robot_timeout_s: float = seconds(2.0, 0.05, 60.0, "silence of joint_states that counts as dead")
    perception_timeout_s: float = seconds(
        5.0, 0.5, 60.0, "silence of the detector that counts as dead"
    )
    skill_state_timeout_s: float = seconds(
        2.0, 0.5, 60.0, "silence of skill_state during a goal that counts as a dead skill runner"
    )
    server_timeout_s: float = seconds(
        3.0, 0.2, 60.0, "absence of the action server that counts as dead"
    )
    startup_grace_s: float = seconds(
        15.0, 0.0, 300.0, "time after the start in which others may be silent"
    )
    watch_period_s: float = seconds(0.2, 0.02, 0.5, "time between two looks at who is alive")
    own_stall_s: float = seconds(
        0.6,
        0.05,
        10.0,
        "time between two such looks from which on this process stood still itself, and "
        "nobody is judged",
    )
    stamp_ahead_max_s: float = seconds(
        0.02,
        0.0,
        1.0,
        "time that an image's stamp may lie ahead of this clock before it is refused",
    )
    max_detections: int = count(
        200, 1, 10000, "detections taken of one message; the rest is counted"
    )
    view_moved_px: float = number(
        10.0,
        0.0,
        1000.0,
        "distance from which on an object counts as moved in its image",
        unit="px",
    )
    view_period_s: float = seconds(
        1.0, 0.05, 10.0, "longest time between two views of a camera that are passed on unchanged"
    )

    @model_validator(mode="after")
    def _watched(self) -> Parameters:
        if self.own_stall_s <= self.watch_period_s:
            # Every look would then count as one after a standstill, and nobody would be judged.
            raise ValueError(
                f"own_stall_s {self.own_stall_s} must be longer than watch_period_s "
                f"{self.watch_period_s}"
            )
        return self
