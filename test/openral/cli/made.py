"""Observations with plain defaults, so that a test names only what it is about."""

from dataclasses import replace

from openral.cli.observed import Kernel, Mission, Said, Score, Skill, Task

TASK = Task(
    object_ref="milk",
    text="put the milk into the basket",
    state="PENDING",
    attempts=0,
    progress=float("nan"),
    verdict="",
    reason="",
    elapsed_s=0.0,
)
MISSION = Mission(
    heard_at=0.0,
    mission_id="m1",
    goal="tidy up",
    state="ACTIVE",
    tasks=(TASK,),
    current=0,
    model_calls=3,
    brain="rules",
    message="",
)
KERNEL = Kernel(
    state="HOLDING",
    epoch=2,
    reason="",
    message="",
    unmet=(),
    admitted=10,
    refused=1,
    stops=0,
    commands=1000,
    late_ticks=0,
    tick_rate=200.0,
)
SKILL = Skill(
    state="RUNNING",
    skill_id="pick_place",
    task="put the milk into the basket",
    stage="descend",
    progress=0.4,
    chunk_index=100,
    reason="",
)
SCORE = Score(heard_at=1.0, score=0.4, threshold=0.9, floor=0.5, stage="grasped", task="")
SAID = Said(heard_at=11.0, stamp=0.0, kind="info", text="hello", trace_id="")

__all__ = ["KERNEL", "MISSION", "SAID", "SCORE", "SKILL", "TASK", "replace"]
