"""Ids stay with their objects across gaps, flicker and crossings, and are never used twice."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openral.errors import InputError
from perception_node.detection import Box, Detection, intersection_over_union
from perception_node.tracker import DetectionTracker2D, TrackerLimits


def tracker(**limits: float) -> DetectionTracker2D:
    return DetectionTracker2D(TrackerLimits(**limits), ids=itertools.count())  # type: ignore[arg-type]


def seen(label: str, *box: float, score: float = 0.9) -> Detection:
    return Detection(label, score, Box(*box))


def square(label: str, x: float, y: float, side: float = 40.0) -> Detection:
    return seen(label, x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def test_the_id_survives_one_missed_frame_but_not_a_minute() -> None:
    track = tracker()
    first = track.update(0.0, [seen("cup", 10, 10, 50, 50)]).seen[0].det_id
    assert track.update(0.25, []).seen == ()
    assert track.update(0.5, [seen("cup", 14, 12, 54, 52)]).seen[0].det_id == first
    late = track.update(60.5, [seen("cup", 14, 12, 54, 52)])
    assert late.seen[0].det_id != first
    assert [gone.det_id for gone in late.gone] == [first]


def test_a_flickering_label_neither_changes_the_id_nor_the_voted_label() -> None:
    track = tracker()
    labels = ["milk", "milk", "soup can", "milk", "soup can", "milk"]
    updates = [
        track.update(0.25 * i, [seen(label, 10, 10, 50, 90)]) for i, label in enumerate(labels)
    ]
    assert {update.seen[0].det_id for update in updates} == {0}
    assert [update.seen[0].label for update in updates] == ["milk"] * 6


def test_a_lasting_change_of_label_wins_the_vote() -> None:
    track = tracker()
    track.update(0.0, [seen("milk", 10, 10, 50, 90)])
    updates = [track.update(0.25 * i, [seen("mustard", 10, 10, 50, 90)]) for i in range(1, 6)]
    assert updates[-1].seen[0].label == "mustard"
    assert updates[-1].seen[0].det_id == 0


def test_another_object_elsewhere_gets_another_id() -> None:
    track = tracker()
    track.update(0.0, [square("cup", 100, 100)])
    update = track.update(0.25, [square("cup", 100, 100), square("cup", 400, 300)])
    assert [found.det_id for found in update.seen] == [0, 1]


def test_two_frames_make_an_appearance_and_silence_a_departure() -> None:
    track = tracker(max_gap_s=1.0, min_hits=2)
    assert track.update(0.0, [square("cup", 100, 100)]).appeared == ()
    appeared = track.update(0.25, [square("cup", 100, 100)]).appeared
    assert [(found.det_id, found.label) for found in appeared] == [(0, "cup")]
    assert track.update(0.5, [square("cup", 100, 100)]).appeared == ()
    assert track.update(1.5, []).gone == ()  # exactly max_gap_s unseen
    assert [gone.det_id for gone in track.update(1.75, []).gone] == [0]
    assert track.update(2.0, []).gone == ()


def test_a_single_false_detection_is_no_event() -> None:
    track = tracker(max_gap_s=1.0, min_hits=2)
    track.update(0.0, [square("cup", 100, 100)])
    assert track.update(2.0, []).gone == ()


@pytest.mark.parametrize("stamp", [1.0, 0.5, float("nan")])
def test_an_image_that_is_not_newer_is_refused(stamp: float) -> None:
    track = tracker()
    track.update(1.0, [])
    with pytest.raises(InputError):
        track.update(stamp, [])


def test_a_clock_set_back_ends_every_track() -> None:
    track = tracker(max_gap_s=2.0)
    track.update(100.0, [square("cup", 100, 100)])
    track.update(100.25, [square("cup", 100, 100)])
    update = track.update(5.0, [square("cup", 100, 100)])
    assert [gone.det_id for gone in update.gone] == [0]
    assert update.seen[0].det_id == 1


# The fixed clip. Two bottles of the same label pass each other at 4 Hz, 30 px a frame, boxes 40 px
# wide; a third one falls fast, more than its own size a frame; a fourth stands still and is missed
# in two frames. Object k's true place in frame i, and None where the detector misses it:
#
#     0:  ->->->            <-<-<- :1      2: falls      3: stands, missed in frames 4 and 5


def clip() -> list[list[tuple[int, Detection]]]:
    frames = []
    for i in range(12):
        truth = [
            (0, square("bottle", 100 + 30 * i, 200)),
            (1, square("bottle", 415 - 30 * i, 208)),
        ]
        if i < 8:
            truth.append((2, square("bottle", 560, 40 + 50 * i)))
        if i not in (4, 5):
            truth.append((3, square("cup", 60, 400)))
        # The detector's order carries no identity.
        frames.append(sorted(truth, key=lambda item: item[1].box.y_min * 7 % 11 + item[0] * i % 3))
    return frames


def switches(ids: Sequence[Sequence[tuple[int, int]]]) -> int:
    """How often an object's id differs from the one it had when last seen."""
    last: dict[int, int] = {}
    count = 0
    for frame in ids:
        for true_object, det_id in frame:
            count += true_object in last and last[true_object] != det_id
            last[true_object] = det_id
    return count


def overlap_only(frames: list[list[tuple[int, Detection]]]) -> list[list[tuple[int, int]]]:
    """The usual simple tracker: the best overlap with the last frame's boxes takes the id."""
    ids = itertools.count()
    tracks: dict[int, Box] = {}
    result = []
    for frame in frames:
        pairs = sorted(
            (
                (intersection_over_union(box, found.box), det_id, index)
                for det_id, box in tracks.items()
                for index, (_, found) in enumerate(frame)
            ),
            reverse=True,
        )
        taken: dict[int, int] = {}
        for overlap, det_id, index in pairs:
            if overlap > 0.1 and index not in taken and det_id not in taken.values():
                taken[index] = det_id
        tracks = {}
        row = []
        for index, (true_object, found) in enumerate(frame):
            det_id = taken[index] if index in taken else next(ids)
            tracks[det_id] = found.box
            row.append((true_object, det_id))
        result.append(row)
    return result


def test_no_id_switches_on_the_clip_where_overlap_alone_switches() -> None:
    frames = clip()
    track = tracker()
    ids = []
    for i, frame in enumerate(frames):
        update = track.update(0.25 * i, [found for _, found in frame])
        pairs = zip(frame, update.seen, strict=True)
        ids.append([(true_object, found.det_id) for (true_object, _), found in pairs])
    assert switches(overlap_only(frames)) >= 4
    assert switches(ids) == 0
    assert {det_id for frame in ids for _, det_id in frame} == {0, 1, 2, 3}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.floats(0.01, 5.0),
            st.lists(
                st.tuples(st.sampled_from(["cup", "milk"]), st.floats(0, 600), st.floats(0, 400)),
                max_size=5,
            ),
        ),
        max_size=12,
    )
)
def test_ids_are_unique_in_a_frame_and_never_return_after_going(frames) -> None:
    track = tracker(min_hits=1)
    stamp = 0.0
    ended: set[int] = set()
    for gap, objects in frames:
        stamp += gap
        update = track.update(stamp, [square(label, x, y) for label, x, y in objects])
        ids = [found.det_id for found in update.seen]
        assert len(ids) == len(set(ids)) == len(objects)
        ended |= {gone.det_id for gone in update.gone}
        assert not ended & set(ids)
