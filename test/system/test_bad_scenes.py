"""A system that cannot reach the goal: an honest word, a defined state, nothing moved."""

import pytest
from system import moved

from openral.cli.mission_end import Ending

pytestmark = [pytest.mark.real_time, pytest.mark.timeout(180)]

HONEST = (Ending.INCOMPLETE, Ending.REFUSED, Ending.STOPPED)


def check_honest(system, end):
    assert end.ending in HONEST, system
    assert system.observed.mission.state != "ACTIVE"
    assert len(system.final_words()) == 1, system
    record = system.record()
    assert all(moved(record, label) < 0.01 for label in record.header.objects)


def test_without_a_basket_nothing_is_put_into_it(start_system):
    system = start_system(sim_node={"basket": False, "objects": ["milk", "cereal"]})
    end = system.ask("put the milk into the basket", deadline_s=90)
    check_honest(system, end)
    assert "basket" in end.words.lower()


def test_a_dead_camera_is_told_and_never_guessed_around(start_system):
    # Slower than any patience: after its first image the camera is dead.
    system = start_system(sim_node={"camera_rates": '{"front": 0.001}'})
    system.until(
        lambda: any(one.layer == "sensor" for one in system.observed.failures),
        20,
        "perception reports the dead camera",
    )
    end = system.ask("put the milk into the basket", deadline_s=90)
    check_honest(system, end)
