import av
import pytest
from PIL import Image

from openral.cli.clip import write_clip
from openral.errors import InputError


def test_a_clip_holds_every_frame_at_its_size(tmp_path):
    frames = []
    for number in range(5):
        path = tmp_path / f"{number}.jpg"
        Image.new("RGB", (65, 48), (50 * number, 0, 0)).save(path)
        frames.append(path)
    write_clip(frames, tmp_path / "clip.mp4")
    with av.open(str(tmp_path / "clip.mp4")) as clip:
        decoded = list(clip.decode(video=0))
    assert len(decoded) == 5
    assert (decoded[0].width, decoded[0].height) == (64, 48)  # even sides, for yuv420p


def test_no_frame_is_a_typed_error(tmp_path):
    with pytest.raises(InputError, match="expected at least one frame, got none"):
        write_clip([], tmp_path / "clip.mp4")


def test_a_broken_frame_is_named(tmp_path):
    (tmp_path / "0.jpg").write_bytes(b"no image")
    with pytest.raises(InputError, match=r"0\.jpg"):
        write_clip([tmp_path / "0.jpg"], tmp_path / "clip.mp4")
