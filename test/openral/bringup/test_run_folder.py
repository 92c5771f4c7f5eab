import errno
from datetime import datetime
from pathlib import Path

import pytest

from openral.bringup.run_folder import create

NOON = datetime(2026, 3, 4, 12, 0, 5)


def test_the_folder_is_named_by_the_time_it_begins(tmp_path):
    folder = create(tmp_path / "runs", NOON)
    assert folder.path == tmp_path / "runs" / "20260304-120005"
    assert folder.logs.is_dir()
    assert folder.frames.is_dir()


def test_latest_points_to_the_newest_run(tmp_path):
    create(tmp_path, NOON)
    second = create(tmp_path, NOON.replace(second=6))
    assert (tmp_path / "latest").resolve() == second.path


def test_two_runs_of_one_second_get_two_folders(tmp_path):
    names = [create(tmp_path, NOON).path.name for _ in range(3)]
    assert names == ["20260304-120005", "20260304-120005-2", "20260304-120005-3"]


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"run folder .*/file/.* cannot be made: File exists") as told:
        create(tmp_path / "file", NOON)
    assert told.value.errno == errno.EEXIST


def test_a_full_disk_keeps_its_own_error(tmp_path, monkeypatch):
    def full(self, *_, **__):
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "mkdir", full)
    with pytest.raises(OSError, match="cannot be made: No space left on device") as told:
        create(tmp_path, NOON)
    assert told.value.errno == errno.ENOSPC
