import pytest
from hypothesis import given
from hypothesis import strategies as st

from openral.cli.rates import RateWindow


def test_nothing_heard_is_no_rate():
    assert RateWindow().rate(100.0) == 0.0


def test_a_steady_topic_shows_its_rate():
    window = RateWindow(window_s=2.0)
    for tick in range(100):  # 10 Hz for 10 s
        window.count(tick * 0.1)
    assert window.rate(9.95) == pytest.approx(10.0, abs=0.5)


def test_a_topic_that_fell_silent_falls_to_zero():
    window = RateWindow(window_s=2.0)
    window.count(0.0)
    assert window.rate(2.5) == 0.0


def test_a_young_topic_is_measured_over_its_own_life():
    window = RateWindow(window_s=10.0)
    window.count(0.0)
    window.count(1.0)
    assert window.rate(1.0) == 2.0


def test_a_counter_adds_what_it_counted():
    window = RateWindow(window_s=1.0)
    window.count(0.0, 0)
    window.count(0.5, 100)
    assert window.rate(0.5) == 200.0


def test_a_counter_that_was_not_heard_for_a_while_counts_by_its_part_in_the_window():
    window = RateWindow(window_s=1.0)
    window.count(0.0, 0)
    window.count(4.0, 800)  # 200 Hz all the while
    window.count(4.5, 100)
    assert window.rate(4.5) == 200.0


@given(st.lists(st.floats(0.0, 100.0), min_size=1, max_size=50).map(sorted))
def test_a_rate_is_never_negative(times):
    window = RateWindow()
    for t in times:
        window.count(t)
    assert window.rate(times[-1] + 0.1) >= 0.0
