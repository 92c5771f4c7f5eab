"""Fingers tell when something came between them and when it went."""

from __future__ import annotations

from skill_runner_node.reward.grip import Grip

TOOL = (0.5, -0.2, 0.1)


def after(*fingers: float, speed: float = 0.0, grip: Grip | None = None) -> Grip:
    state = grip or Grip()
    for count, finger in enumerate(fingers):
        state = state.update(float(count), finger, speed, TOOL)
    return state


def test_open_fingers_hold_nothing() -> None:
    assert not after(0.04, 0.04).holding


def test_fingers_on_the_move_hold_nothing_yet() -> None:
    assert not after(0.04, 0.03, 0.02, speed=-0.09).holding


def test_fingers_that_stop_half_way_hold_something() -> None:
    assert not after(0.04, 0.03).holding
    grip = after(0.04, 0.03, 0.03)
    assert grip.holding
    assert grip.opening == 0.03
    assert grip.taken_z == 0.1


def test_fingers_that_close_wholly_hold_nothing() -> None:
    assert not after(0.04, 0.0).holding


def test_opening_further_lets_go_and_says_when_and_where() -> None:
    grip = after(0.04, 0.03, 0.03, 0.04)
    assert not grip.holding
    assert grip.lost_at == 3.0
    assert grip.lost_xy == (0.5, -0.2)


def test_what_slips_out_is_lost() -> None:
    assert after(0.04, 0.03, 0.03, 0.003).lost_at == 3.0


def test_fingers_ajar_after_letting_go_hold_nothing_until_they_have_opened_and_closed() -> None:
    grip = after(0.04, 0.02, 0.02, 0.032, 0.032, 0.032)
    assert grip.lost_at == 3.0
    assert not grip.holding
    assert after(0.04, 0.025, 0.025, grip=grip).holding


def test_the_grip_is_where_the_fingers_end_not_where_they_slow_down() -> None:
    grip = after(0.04, 0.037, 0.037, 0.033)
    assert grip.holding
    # Let go at 0.0395, the widest that the hand is opened.
    assert not after(0.0395, grip=grip).holding


def test_fingers_found_ajar_are_not_taken_to_hold_something() -> None:
    assert not after(0.02, 0.02, 0.02).holding
