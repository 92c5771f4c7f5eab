"""The worker looks at the latest frame of every camera and lets none starve."""

from __future__ import annotations

import threading

from perception_node.worker import LatestWorker


def test_the_latest_frame_of_each_camera_wins_and_both_get_their_turn() -> None:
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()
    seen: list[tuple[str, int]] = []

    def process(camera: str, frame: int) -> None:
        seen.append((camera, frame))
        begun.set()
        assert go_on.wait(10.0)
        if len(seen) == 3:
            done.set()

    worker: LatestWorker[int] = LatestWorker(process, "test")
    worker.start()
    worker.submit("front", 1)
    assert begun.wait(10.0)
    for frame in (2, 3, 4):
        worker.submit("front", frame)
        worker.submit("top", 10 * frame)
    go_on.set()
    assert done.wait(10.0)
    worker.stop()
    assert seen == [("front", 1), ("front", 4), ("top", 40)]
    assert worker.skipped == 4


def test_stopping_before_starting_is_harmless() -> None:
    worker: LatestWorker[int] = LatestWorker(lambda _camera, _frame: None, "test")
    worker.submit("front", 1)
    worker.stop()


def test_a_detector_that_hangs_is_told_by_the_time_that_it_has_made_no_progress() -> None:
    now, begun, go_on, done = [10.0], threading.Event(), threading.Event(), threading.Event()

    def process(_camera: str, frame: int) -> None:
        begun.set()
        assert go_on.wait(10.0)
        if frame == 2:
            done.set()

    worker: LatestWorker[int] = LatestWorker(process, "test", clock=lambda: now[0])
    worker.start()
    now[0] = 50.0
    assert worker.stalled_s() == 0.0, "idle is not stalled"
    worker.submit("front", 1)
    assert begun.wait(10.0)
    now[0] = 53.0
    worker.submit("front", 2)
    now[0] = 56.0
    assert worker.stalled_s() == 6.0, "new images are no progress"
    go_on.set()
    assert done.wait(10.0)
    worker.stop()
    assert worker.stalled_s() == 0.0


def test_a_detector_whose_thread_died_counts_as_stalled() -> None:
    now = [0.0]
    worker: LatestWorker[int] = LatestWorker(lambda _camera, _frame: None, "test", lambda: now[0])
    worker.submit("front", 1)
    now[0] = 7.0
    assert worker.stalled_s() == 7.0
