"""Lets tests import what lies beside them, whichever way pytest imports."""

import sys
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_ROOT = _HERE.parents[1]  # where `bench` lies
sys.path[:0] = [str(path) for path in (_HERE, _ROOT) if str(path) not in sys.path]
