"""Shows a value to a person, in bounds."""

from __future__ import annotations

import reprlib


class _Shown(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        # Python writes out no number of more than 4300 digits.
        return super().repr_int(x, level) if x.bit_length() <= 128 else "a number beyond 128 bits"


_SHOWN = _Shown()
_SHOWN.maxstring = _SHOWN.maxother = 120


def shown(value: object) -> str:
    """As `repr`, cut short where it is long."""
    return _SHOWN.repr(value)
