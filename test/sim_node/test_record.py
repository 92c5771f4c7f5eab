import json

import pytest

from openral.errors import ConfigError
from sim_node.record import CommandInForce, Recorder, RecordHeader, Sample

HEADER = RecordHeader(seed=4, joints=("a",), objects=("milk",), basket=None)
SAMPLE = Sample(
    t_mono=1.5,
    t_ros=2.5,
    q=(0.1,),
    qd=(0.2,),
    cmd=CommandInForce(sequence=9, epoch=2),
    lease="ok",
    objects={"milk": (0.4, 0.0, 0.06, 1.0, 0.0, 0.0, 0.0)},
    basket=None,
)


def test_every_line_is_one_json_object_and_on_disk_at_once(tmp_path):
    path = tmp_path / "runs" / "record.jsonl"
    recorder = Recorder(path, HEADER)
    recorder.write(SAMPLE)
    # not closed: a kill would leave this
    header, line = (json.loads(text) for text in path.read_text().splitlines())
    recorder.close()
    assert header == {"seed": 4, "joints": ["a"], "objects": ["milk"], "basket": None}
    assert line["cmd"] == {"sequence": 9, "epoch": 2}
    assert line["objects"]["milk"] == [0.4, 0.0, 0.06, 1.0, 0.0, 0.0, 0.0]


def test_a_new_run_starts_a_new_file(tmp_path):
    path = tmp_path / "record.jsonl"
    path.write_text("from an earlier run\n")
    Recorder(path, HEADER).close()
    assert len(path.read_text().splitlines()) == 1


def test_a_path_that_cannot_be_written_is_refused_by_name(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"record_path .*cannot be written"):
        Recorder(tmp_path / "file" / "record.jsonl", HEADER)
