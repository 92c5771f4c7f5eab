import sys
from pathlib import Path

# Test files of this folder share `made.py`, and importlib mode puts no folder on the path.
sys.path.insert(0, str(Path(__file__).parent))
