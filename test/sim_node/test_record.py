import json
import os
import resource
from contextlib import contextmanager

import pytest

from openral.errors import ConfigError, InputError
from sim_node.record import FULL, CommandInForce, Recorder, RecordHeader, Sample
from sim_node.referee import read_record

ROOM = 1_000_000
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
    recorder = Recorder(path, HEADER, retry_s=1.0, size_max=ROOM)
    recorder.write(SAMPLE)
    # not closed: a kill would leave this
    header, line = (json.loads(text) for text in path.read_text().splitlines())
    recorder.close()
    assert header == {"seed": 4, "joints": ["a"], "objects": ["milk"], "basket": None, "lost": 0}
    assert line["cmd"] == {"sequence": 9, "epoch": 2}
    assert line["objects"]["milk"] == [0.4, 0.0, 0.06, 1.0, 0.0, 0.0, 0.0]


def test_a_new_run_starts_a_new_file(tmp_path):
    path = tmp_path / "record.jsonl"
    path.write_text("from an earlier run\n")
    Recorder(path, HEADER, retry_s=1.0, size_max=ROOM).close()
    assert len(path.read_text().splitlines()) == 1


def test_a_path_that_cannot_be_written_is_refused_by_name(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"record_path .*cannot be written"):
        Recorder(tmp_path / "file" / "record.jsonl", HEADER, retry_s=1.0, size_max=ROOM)


@contextmanager
def full_after(size: int):
    """No file of this process may grow beyond `size` bytes, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def at(t_mono: float) -> Sample:
    return SAMPLE.model_copy(update={"t_mono": t_mono})


def filled(tmp_path, room: int):
    """A record of one sample, then no room for more than `room` bytes for three."""
    path = tmp_path / "record.jsonl"
    recorder = Recorder(path, HEADER, retry_s=1.0, size_max=ROOM)
    recorder.write(at(10.0))
    with full_after(path.stat().st_size + room):
        for time in (10.01, 10.02, 11.5):
            recorder.write(at(time))
    return path, recorder


@pytest.mark.parametrize("room", [0, 20])
def test_a_full_disk_raises_nothing_and_leaves_whole_lines_only(tmp_path, room):
    path, recorder = filled(tmp_path, room)
    assert (recorder.lost, recorder.problem) == (3, "File too large")
    assert path.read_bytes().endswith(b"}\n")
    assert len(path.read_text().splitlines()) == 2
    recorder.close()


def test_a_gap_shows_though_the_disk_stays_full_and_the_run_is_killed(tmp_path):
    path, _ = filled(tmp_path, 0)
    with pytest.raises(InputError, match=r"a record without a gap, got .*lacks 3 samples"):
        read_record(path)


def test_writing_goes_on_once_there_is_room_and_the_gap_stays_marked(tmp_path):
    path, recorder = filled(tmp_path, 20)
    recorder.write(at(12.4))  # tried last at 11.5, so not before 12.5
    assert recorder.lost == 4
    recorder.write(at(12.5))
    recorder.write(at(12.51))
    assert (recorder.lost, recorder.problem) == (4, "")
    recorder.close()
    header, *samples = (json.loads(line) for line in path.read_text().splitlines())
    assert header["lost"] == 4
    assert [sample["t_mono"] for sample in samples] == [10.0, 12.5, 12.51]


def test_a_disk_that_takes_no_mark_takes_no_sample_either(tmp_path, monkeypatch):
    path, recorder = filled(tmp_path, 0)
    write = os.pwrite
    broken = True

    def pwrite(file, data, offset):
        if broken:
            raise OSError(5, "Input/output error")
        return write(file, data, offset)

    monkeypatch.setattr(os, "pwrite", pwrite)
    recorder.write(at(20.0))
    recorder.write(at(20.5))
    assert recorder.lost == 5
    broken = False
    recorder.write(at(21.0))
    recorder.close()
    assert json.loads(path.read_text().splitlines()[0])["lost"] == 5


def test_a_full_disk_at_the_start_is_refused_by_name(tmp_path):
    path = tmp_path / "record.jsonl"
    with full_after(10), pytest.raises(ConfigError, match=r"record_path .*cannot be written"):
        Recorder(path, HEADER, retry_s=1.0, size_max=ROOM)


def test_a_record_ends_at_its_largest_size_and_counts_what_it_lacks(tmp_path):
    path = tmp_path / "record.jsonl"
    recorder = Recorder(path, HEADER, retry_s=1.0, size_max=ROOM)
    recorder.write(at(10.5))
    size = path.stat().st_size
    recorder.close()
    line = len(path.read_bytes().splitlines()[1]) + 1
    # A second sample of the same length does not fit, one that is a character shorter does.
    recorder = Recorder(path, HEADER, retry_s=1.0, size_max=size + line - 1)
    for time in (10.5, 11.5, 9.5, 99.5):
        recorder.write(at(time))
    assert (recorder.lost, recorder.problem) == (3, FULL)
    assert path.stat().st_size == size
    with pytest.raises(InputError, match=r"a record without a gap, got .*lacks 1 samples"):
        read_record(path)  # as a kill would leave it
    recorder.close()
    assert json.loads(path.read_text().splitlines()[0])["lost"] == 3
