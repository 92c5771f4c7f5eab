"""Stamps keep every nanosecond."""

from __future__ import annotations

from builtin_interfaces.msg import Time
from hypothesis import given
from hypothesis import strategies as st

from openral.ros.stamp import from_nanoseconds, from_seconds, nanoseconds, seconds


def test_a_stamp_reads_as_seconds() -> None:
    assert seconds(Time(sec=2, nanosec=500_000_000)) == 2.5
    assert from_seconds(2.5) == Time(sec=2, nanosec=500_000_000)


def test_a_negative_time_keeps_its_nanoseconds_positive() -> None:
    assert from_nanoseconds(-1) == Time(sec=-1, nanosec=999_999_999)


@given(st.integers(min_value=-(2**31) * 10**9, max_value=(2**31) * 10**9 - 1))
def test_nanoseconds_survive_the_round_trip(value: int) -> None:
    assert nanoseconds(from_nanoseconds(value)) == value
