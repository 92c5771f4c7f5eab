"""The live view and the located objects."""

from __future__ import annotations

from reasoner_node.events import Seen
from reasoner_node.scene import SceneMemory, known_names


def seen(label: str, x: float = 10.0, score: float = 0.9, det_id: int = 1) -> Seen:
    return Seen(label=label, score=score, x_min=x, y_min=0, x_max=x + 10, y_max=10, det_id=det_id)


def test_a_view_replaces_the_one_before_and_tells_its_age():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_view("front", (seen("milk"), seen("cup")), 1.0)
    scene.note_view("front", (seen("milk"),), 2.0)
    (sighting,) = scene.in_view(5.5)
    assert (sighting.seen.label, sighting.age_s) == ("milk", 3.5)
    assert scene.view_ages(5.5) == {"front": 3.5}


def test_located_objects_stay_while_the_view_changes():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_located("front", ("basket",), (seen("basket"),), 1.0)
    scene.note_view("front", (), 2.0)
    assert [s.seen.label for s in scene.located(61.0)] == ["basket"]
    assert scene.located(61.0)[0].age_s == 60.0


def test_the_latest_look_wins():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_located("front", ("milk",), (seen("milk", x=10),), 1.0)
    news = scene.note_located("front", ("milk",), (seen("milk", x=200),), 2.0)
    (sighting,) = scene.located(2.0)
    assert sighting.seen.centre == (205.0, 5.0)
    assert not news


def test_a_look_in_vain_refutes_an_older_sighting_of_that_camera_only():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_located("front", ("milk",), (seen("milk"),), 1.0)
    scene.note_located("top", ("milk",), (seen("milk"),), 1.0)
    scene.note_located("front", ("milk", "cup"), (), 2.0)
    assert [s.camera for s in scene.located(2.0)] == ["top"]


def test_the_best_of_several_with_one_name_is_kept():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_located("f", ("cup",), (seen("cup", 1, 0.4), seen("cup", 2, 0.8)), 1.0)
    assert [s.seen.score for s in scene.located(1.0)] == [0.8]


def test_words_that_found_an_object_are_kept_where_they_were_asked_alone():
    scene = SceneMemory(max_located=12, max_cameras=3)
    assert scene.note_located("front", ("dairy",), (seen("milk"),), 1.0)
    assert scene.located(1.0)[0].query == "dairy"


def test_the_cap_drops_the_oldest():
    scene = SceneMemory(max_located=12, max_cameras=3)
    for number in range(15):
        scene.note_located("front", (f"o{number}",), (seen(f"o{number}"),), float(number))
    labels = [s.seen.label for s in scene.located(99.0)]
    assert len(labels) == 12
    assert labels[0] == "o3"


def test_known_names_leave_out_what_is_too_old():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_view("front", (seen("milk"),), 1.0)
    scene.note_view("top", (seen("cup"), seen("cup")), 9.0)
    assert known_names(scene.in_view(10.0), 3.0) == ("cup",)
    assert known_names(scene.in_view(10.0)) == ("milk", "cup")


def test_made_up_cameras_push_the_one_heard_longest_ago_out_and_are_counted():
    scene = SceneMemory(max_located=12, max_cameras=3)
    scene.note_view("front", (seen("milk"),), 0.0)
    scene.note_view("top", (), 0.1)
    scene.note_view("front", (seen("milk"),), 0.2)
    dropped = [scene.note_view(f"camera{n}", (), 1.0 + n) for n in range(1000)]
    assert dropped[:3] == ["", "top", "front"]
    assert sorted(scene.view_ages(1001.0)) == ["camera997", "camera998", "camera999"]
    assert sum(map(bool, dropped)) == 999
