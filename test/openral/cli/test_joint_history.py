import json

import pytest

from openral.cli.joint_history import read_joint_history
from openral.errors import InputError

HEADER = json.dumps({"joints": ["a", "b"], "seed": 1}) + "\n"


def row(t, q=(0.0, 1.0), qd=(2.0, 3.0)):
    return json.dumps({"t_mono": t, "q": q, "qd": qd}) + "\n"


def test_every_nth_line_is_read():
    history = read_joint_history([HEADER, *(row(float(t)) for t in range(10))], every=4)
    assert history.names == ("a", "b")
    assert history.t.tolist() == [0.0, 4.0, 8.0]
    assert history.position.shape == (3, 2)
    assert history.velocity[0].tolist() == [2.0, 3.0]


def test_a_last_line_that_was_cut_is_left_out():
    assert read_joint_history([HEADER, row(0.0), '{"t_mono": 1'], every=1).t.tolist() == [0.0]


def test_a_record_of_only_its_header_is_empty():
    assert read_joint_history([HEADER]).position.shape == (0, 2)


@pytest.mark.parametrize(
    "lines",
    [[], ["x\n"], ["{}\n"], [HEADER, "x\n"], [HEADER, row(0.0, q=(1.0,))], [HEADER, row("soon")]],
)
def test_anything_else_is_refused(lines):
    with pytest.raises(InputError):
        read_joint_history(lines)
