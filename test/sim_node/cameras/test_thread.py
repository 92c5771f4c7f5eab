import queue

import pytest

from openral.errors import ConfigError
from sim_node.cameras import thread as module
from sim_node.cameras.thread import CameraThread, Picture, Wanted
from sim_node.state_memory import State
from sim_node.world import World

PATIENCE = 20.0


class Taken:
    def __init__(self, scene, wanted, state=None) -> None:
        self.pictures: queue.Queue[Picture] = queue.Queue()
        self.failures: queue.Queue[Exception] = queue.Queue()
        qpos = World(scene).qpos()
        self.thread = CameraThread(
            scene,
            state=state or (lambda: State(qpos, 1234)),
            wanted=wanted,
            on_picture=self.pictures.put,
            on_failure=self.failures.put,
        )


def test_only_a_camera_that_someone_looks_at_is_rendered(scene):
    asked = []

    def wanted(name):
        asked.append(name)
        return Wanted(colour=name == "wrist", depth=False)

    taken = Taken(scene, wanted)
    taken.thread.start()
    pictures = [taken.pictures.get(timeout=PATIENCE) for _ in range(2)]
    taken.thread.stop()
    assert {picture.camera for picture in pictures} == {"wrist"}
    assert set(asked) == {"front", "top", "wrist"}
    assert pictures[0].colour.shape == (240, 320, 3)
    assert pictures[0].stamp == 1234
    assert pictures[0].depth is None


def test_depth_comes_with_the_colour_of_the_same_state(scene):
    stamps = iter(range(1000))
    qpos = World(scene).qpos()
    taken = Taken(
        scene,
        lambda name: Wanted(colour=name == "top", depth=True),
        state=lambda: State(qpos, next(stamps)),
    )
    taken.thread.start()
    picture = taken.pictures.get(timeout=PATIENCE)
    while picture.camera != "top":
        picture = taken.pictures.get(timeout=PATIENCE)
    taken.thread.stop()
    assert picture.colour.shape == (480, 640, 3)
    assert picture.depth.shape == (480, 640)


def test_a_camera_without_depth_is_not_rendered_for_it(scene):
    taken = Taken(scene, lambda name: Wanted(colour=False, depth=True))
    taken.thread.start()
    pictures = [taken.pictures.get(timeout=PATIENCE) for _ in range(3)]
    taken.thread.stop()
    assert {picture.camera for picture in pictures} == {"top"}
    assert pictures[0].colour is None


def test_no_gl_stops_the_start(scene, monkeypatch):
    def refuse(_):
        raise ConfigError("no off-screen OpenGL")

    monkeypatch.setattr(module, "SceneRenderer", refuse)
    with pytest.raises(ConfigError, match="no off-screen OpenGL"):
        Taken(scene, lambda name: Wanted(True, True)).thread.start()


def test_a_renderer_that_cannot_be_made_ends_the_process(scene, monkeypatch):
    def broken(_):
        raise RuntimeError("no shader")

    monkeypatch.setattr(module, "SceneRenderer", broken)
    taken = Taken(scene, lambda name: Wanted(colour=True, depth=True))
    taken.thread.start()
    assert str(taken.failures.get(timeout=PATIENCE)) == "no shader"
    taken.thread.stop()


def test_an_error_while_rendering_is_reported(scene):
    def wanted(_):
        raise RuntimeError("publisher gone")

    taken = Taken(scene, wanted)
    taken.thread.start()
    assert str(taken.failures.get(timeout=PATIENCE)) == "publisher gone"
    taken.thread.stop()
