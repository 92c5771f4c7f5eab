"""Factors between units. No ROS: cores import them too."""

from __future__ import annotations

NANOSECONDS = 1_000_000_000
"""[ns] in a second."""

MEGABYTE = 1_000_000
"""Bytes."""
