"""Views pass on when they change, and from time to time."""

from __future__ import annotations

from reasoner_node.events import DetectionsSeen, Seen
from reasoner_node.view_filter import ViewFilter


def look(x: float = 0.0, label: str = "milk", det_id: int = 1, camera: str = "front"):
    seen = Seen(label=label, score=0.9, x_min=x, y_min=0, x_max=x + 10, y_max=10, det_id=det_id)
    return DetectionsSeen(detector="d", camera=camera, detections=(seen,))


def test_an_unchanged_view_passes_once_a_period():
    views = ViewFilter(1.0, moved_px=10.0, max_cameras=3)
    assert [views.passes(look(), t / 4) for t in range(9)] == [
        True, False, False, False, True, False, False, False, True,
    ]  # fmt: skip


def test_a_changed_view_passes_at_once():
    views = ViewFilter(1.0, moved_px=10.0, max_cameras=3)
    views.passes(look(), 0.0)
    assert not views.passes(look(x=5.0), 0.1)
    assert views.passes(look(x=20.0), 0.2)
    assert views.passes(look(x=20.0, det_id=2), 0.3)
    assert views.passes(look(x=20.0, label="cup", det_id=2), 0.4)
    assert views.passes(DetectionsSeen(detector="d", camera="front", detections=()), 0.5)


def test_cameras_are_kept_apart():
    views = ViewFilter(1.0, moved_px=10.0, max_cameras=3)
    assert views.passes(look(), 0.0)
    assert views.passes(look(camera="top"), 0.0)


def test_made_up_cameras_push_the_one_heard_longest_ago_out():
    views = ViewFilter(1.0, moved_px=10.0, max_cameras=3)
    for number in range(1000):
        views.passes(look(camera=f"camera{number}"), 0.0)
    assert sorted(views._last) == ["camera997", "camera998", "camera999"]


def test_how_far_is_moved_is_a_parameter():
    views = ViewFilter(1.0, moved_px=3.0, max_cameras=3)
    views.passes(look(), 0.0)
    assert views.passes(look(x=5.0), 0.1)
