import json

from made import SAID, replace

from openral.bringup.run_folder import RunFolder
from openral.cli.observed import Observed
from openral.cli.recorder import Recorder


def test_every_line_is_written_once(tmp_path):
    recorder = Recorder(RunFolder(tmp_path))
    heard = Observed()
    recorder.update(heard)
    heard.says.append(replace(SAID, text="eins"))
    recorder.update(heard)
    heard.says += [replace(SAID, text="zwei", kind="done"), replace(SAID, text="drei\n½")]
    recorder.update(heard)
    recorder.update(heard)
    rows = [json.loads(line) for line in (tmp_path / "say.jsonl").read_text().splitlines()]
    assert [row["text"] for row in rows] == ["eins", "zwei", "drei\n½"]
    assert rows[1]["kind"] == "done"


def test_frames_are_thinned_by_their_stamps(tmp_path):
    folder = RunFolder(tmp_path)
    folder.frames.mkdir()
    recorder = Recorder(folder)
    for tick in range(9):  # 4 Hz for 2 s; the front camera keeps 2 Hz
        recorder.on_frame("front", 100.0 + tick * 0.25, bytes([tick]))
    kept = [path.read_bytes() for path in recorder.frames["front"]]
    assert kept == [bytes([tick]) for tick in (0, 2, 4, 6, 8)]


def test_a_camera_that_is_not_kept_leaves_no_file(tmp_path):
    folder = RunFolder(tmp_path)
    folder.frames.mkdir()
    recorder = Recorder(folder)
    recorder.on_frame("../../wrist", 1.0, b"x")
    assert recorder.frames == {}
    assert list(folder.frames.iterdir()) == []


def test_what_a_full_disk_loses_is_told_and_ends_nothing(tmp_path):
    folder = RunFolder(tmp_path)
    folder.say.symlink_to("/dev/full")
    folder.frames.mkdir()
    (folder.frames / "front_00000.jpg").symlink_to("/dev/full")
    recorder = Recorder(folder)
    recorder.update(Observed(says=[SAID, SAID]))
    recorder.on_frame("front", 100.0, b"jpeg")
    recorder.on_frame("front", 101.0, b"jpeg")
    assert recorder.lost == (
        "say.jsonl: No space left on device",
        "frames/: No space left on device",
    )
    assert recorder.frames["front"] == []
