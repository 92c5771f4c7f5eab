"""What is scored is read from the goal's parameters, or refused."""

from __future__ import annotations

import pytest

from openral.errors import InputError
from skill_runner_node.reward.task import Task, task_of


def test_both_forms_are_read() -> None:
    assert task_of('{"object": "milk", "container": "basket"}') == Task("milk", "basket", None)
    expected = Task("milk", "", (0.4, -0.2))
    assert task_of('{"object": "milk", "position": [0.4, -0.2]}') == expected


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"object": 3}', '{"object": "milk"}',
             '{"object": "milk", "position": [1]}', '{"object": "milk", "position": ["a", 1]}',
             '{"object": "milk", "position": [1e999, 0]}',
             '{"object": "milk", "position": [1' + 400 * "0" + ', 0]}'],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        task_of(text)
