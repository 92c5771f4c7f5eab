"""Between the numbers in the messages and their names, derived from the messages' constants."""

from __future__ import annotations

from typing import Any, Generic, TypeVar, get_args

from openral_msgs.action import ExecuteRskill
from openral_msgs.msg import FailureTrigger, KernelStatus, MissionState, SkillState, TaskState

from openral.names import (
    KernelStateName,
    MissionStateName,
    OutcomeName,
    SeverityName,
    SkillStateName,
    TaskStateName,
)

Name = TypeVar("Name", bound=str)


class Numbered(Generic[Name]):
    """The constants of one field of a message.

    Args:
        message: Class that has each name, in capitals, as a constant.
        names: Literal of all names.

    Raises:
        AttributeError: The message has no such constant.
    """

    def __init__(self, message: Any, names: Any) -> None:
        self._number: dict[Name, int] = {
            name: int(getattr(message, name.upper())) for name in get_args(names)
        }
        self._name = {number: name for name, number in self._number.items()}

    def number(self, name: Name) -> int:
        """The message's constant."""
        return self._number[name]

    def name(self, number: int) -> Name | None:
        """What a number means; None = it is not one of the message's."""
        return self._name.get(int(number))

    def shown(self, number: int) -> str:
        """The name in capitals for a person; `UNKNOWN(9)` for a number that means nothing."""
        name = self.name(number)
        return f"UNKNOWN({number})" if name is None else name.upper()


KERNEL_STATE: Numbered[KernelStateName] = Numbered(KernelStatus, KernelStateName)
SKILL_STATE: Numbered[SkillStateName] = Numbered(SkillState, SkillStateName)
TASK_STATE: Numbered[TaskStateName] = Numbered(TaskState, TaskStateName)
MISSION_STATE: Numbered[MissionStateName] = Numbered(MissionState, MissionStateName)
SEVERITY: Numbered[SeverityName] = Numbered(FailureTrigger, SeverityName)
OUTCOME: Numbered[OutcomeName] = Numbered(ExecuteRskill.Result, OutcomeName)
