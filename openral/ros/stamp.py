"""Between ROS stamps and seconds."""

from __future__ import annotations

from builtin_interfaces.msg import Time

from openral.units import NANOSECONDS


def nanoseconds(stamp: Time) -> int:
    """A stamp as whole nanoseconds [ns] since the clock's epoch."""
    return int(stamp.sec) * NANOSECONDS + int(stamp.nanosec)


def seconds(stamp: Time) -> float:
    """A stamp as seconds [s] since the clock's epoch; resolves about 0.2 µs for today's dates."""
    return nanoseconds(stamp) / NANOSECONDS


def from_nanoseconds(value: int) -> Time:
    """The stamp of `value` nanoseconds [ns]; floors to the past: `nanosec` is never negative."""
    sec, nanosec = divmod(value, NANOSECONDS)
    return Time(sec=sec, nanosec=nanosec)


def from_seconds(value: float) -> Time:
    """The stamp of `value` seconds [s]."""
    return from_nanoseconds(round(value * NANOSECONDS))
