import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_node.pacing import Pacer


def test_steps_come_due_one_per_timestep():
    pacer = Pacer(0.002, 25, start=10.0)
    assert [pacer.due(10.0 + t) for t in (0.0, 0.001, 0.002, 0.003, 0.006)] == [0, 0, 1, 0, 2]


def test_it_waits_for_the_next_step():
    pacer = Pacer(0.002, 25, start=0.0)
    pacer.due(0.002)
    assert pacer.wait(0.003) == pytest.approx(0.001)
    assert pacer.wait(0.009) == 0.0


def test_a_short_stall_is_caught_up_and_reported():
    pacer = Pacer(0.002, 25, start=0.0)
    assert pacer.due(0.020) == 10
    # The first of the ten steps was due 18 ms ago.
    assert pacer.take_worst() == pytest.approx(0.018)
    assert pacer.take_worst() == 0.0
    assert pacer.dropped == 0.0


def test_a_long_stall_is_dropped_beyond_the_burst_and_counted():
    pacer = Pacer(0.002, 25, start=0.0)
    assert pacer.due(1.0) == 25
    # 500 steps were due, 25 were taken.
    assert pacer.dropped == pytest.approx(0.95)
    assert pacer.due(1.0) == 0
    assert pacer.due(1.002) == 1


@given(st.lists(st.floats(0.0, 0.2), min_size=1, max_size=60))
def test_steps_and_dropped_time_together_keep_up_with_the_clock(gaps):
    pacer, now, steps = Pacer(0.002, 25, start=0.0), 0.0, 0
    for gap in gaps:
        now += gap
        due = pacer.due(now)
        assert 0 <= due <= 25
        steps += due
    assert steps * 0.002 + pacer.dropped == pytest.approx(now, abs=0.0021)
