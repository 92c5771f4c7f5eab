"""When the attempt that is scored begins and ends, by the runner's word and by its silence."""

from __future__ import annotations

import pytest

from skill_runner_node.reward.attempt import AttemptWatch, News

TICK = 0.1


def running() -> AttemptWatch:
    """An attempt t1 since 10.0 s; silence ends it after 2.0 s."""
    watch = AttemptWatch(2.0)
    assert watch.heard(10.0, "t1", running=True) is News.BEGUN
    return watch


def silent_at(watch: AttemptWatch, begin: float, end: float) -> float | None:
    """The first tick from `begin` to `end` [s] that finds the attempt ended."""
    for number in range(round((end - begin) / TICK) + 1):
        if watch.fell_silent(begin + number * TICK):
            return round(begin + number * TICK, 3)
    return None


def test_an_attempt_begins_once_and_ends_once() -> None:
    watch = running()
    assert watch.heard(10.5, "t1", running=True) is News.NONE
    assert watch.runs
    assert watch.heard(11.0, "t1", running=False) is News.ENDED
    assert watch.ended_at == 11.0
    assert not watch.runs
    assert watch.heard(11.1, "t1", running=False) is News.NONE
    assert watch.ended_at == 11.0


@pytest.mark.parametrize("trace_id", ["", "t0", "t2"])
def test_a_runner_that_runs_nothing_ends_the_attempt_whatever_it_names(trace_id: str) -> None:
    watch = running()
    assert watch.heard(11.0, trace_id, running=False) is News.ENDED
    assert watch.ended_at == 11.0


def test_a_runner_that_runs_nothing_is_no_news_where_nothing_is_scored() -> None:
    watch = AttemptWatch(2.0)
    assert watch.heard(10.0, "", running=False) is News.NONE
    assert not watch.fell_silent(100.0)
    assert not watch.fell_silent(100.1)
    assert watch.ended_at is None


def test_another_attempt_takes_the_place_of_the_last_one() -> None:
    watch = running()
    assert watch.heard(11.0, "t2", running=True) is News.BEGUN
    assert watch.heard(12.0, "t2", running=False) is News.ENDED
    assert watch.heard(12.1, "t3", running=True) is News.BEGUN
    assert watch.ended_at is None


def test_silence_ends_an_attempt_once() -> None:
    watch = running()
    watch.heard(10.5, "t1", running=True)
    # 2.0 s after 10.5 s have to be over, and a second look agrees.
    assert silent_at(watch, 10.55, 20.0) == 12.65
    assert watch.ended_at == pytest.approx(12.65)
    assert silent_at(watch, 12.75, 20.0) is None


def test_a_runner_that_speaks_in_time_keeps_its_attempt() -> None:
    watch = running()
    for number in range(1, 20):
        assert silent_at(watch, 10.05 + 1.9 * (number - 1), 10.0 + 1.9 * number) is None
        assert watch.heard(10.0 + 1.9 * number, "t1", running=True) is News.NONE
    assert watch.runs


def test_after_a_pause_of_this_process_the_words_that_wait_are_read_first() -> None:
    watch = running()
    assert not watch.fell_silent(10.1)
    assert not watch.fell_silent(17.0)
    watch.heard(17.0, "t1", running=True)
    assert not watch.fell_silent(17.1)
    assert not watch.fell_silent(18.9)
    assert watch.runs


def test_a_runner_that_was_only_slow_is_scored_again() -> None:
    watch = running()
    assert silent_at(watch, 12.05, 13.0) == 12.15
    assert watch.heard(12.5, "t1", running=True) is News.BEGUN
    assert watch.runs
    assert watch.heard(13.0, "t1", running=True) is News.NONE
    assert watch.heard(13.5, "t1", running=False) is News.ENDED


def test_a_second_goal_by_the_name_of_the_last_one_is_another_attempt() -> None:
    watch = running()
    assert watch.heard(11.0, "t1", running=False) is News.ENDED
    assert watch.heard(11.5, "t1", running=True) is News.BEGUN
    assert watch.ended_at is None
    assert watch.heard(12.0, "t1", running=True) is News.NONE
    assert watch.heard(12.5, "t1", running=False) is News.ENDED
