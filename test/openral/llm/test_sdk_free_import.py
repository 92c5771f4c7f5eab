"""Nothing needs a provider's SDK until a client is made."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

SCRIPT = """
import importlib, pkgutil, sys
from pathlib import Path

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("anthropic", "openai", "httpx2"):
            raise ModuleNotFoundError(f"blocked: {name}", name=name)

sys.meta_path.insert(0, Block())
CLIENTS = {f"openral.llm.{name}" for name in
           ("anthropic_client", "openai_client", "sdk_client", "bounded_call")}
names = []
for top in sys.argv[1:]:
    package = importlib.import_module(top)
    names += [top, *(m.name for m in pkgutil.walk_packages(package.__path__, top + "."))]
for name in names:
    if name not in CLIENTS and not name.endswith("__main__"):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            # What only a ROS machine has, or a build; a blocked SDK is never among them.
            top = str(error.name).split(".")[0]
            if top not in ("launch", "launch_ros", "openral_msgs", "rclpy"):
                raise
assert not {"anthropic", "openai"} & set(sys.modules)

from openral.llm.client import LlmConfigError
from openral.llm.factory import make_client
from openral.llm.registry import Selection, load_registry, resolve
registry = load_registry(Path("config/models.yaml"))
environ = {"OPENAI_API_KEY": "sk-0123456789", "ANTHROPIC_API_KEY": "sk-0123456789"}
for model in ("gpt-5.5", "claude-opus-5"):
    try:
        make_client(resolve(Selection(model), registry, environ))
    except LlmConfigError as error:
        assert "needs the Python package" in str(error), error
    else:
        raise AssertionError("made a client without its SDK")
print("imported", len(names))
"""


def test_the_library_and_every_node_import_without_an_sdk() -> None:
    nodes = sorted(path.parent.name for path in ROOT.glob("*_node/__init__.py"))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "openral", *nodes],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("imported")
