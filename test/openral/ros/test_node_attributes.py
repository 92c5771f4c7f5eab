"""What rclpy's node keeps for itself is left alone: `ros2 param list` would end the process."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
import rclpy.node

ROOT = Path(__file__).parents[3]
SOURCES = [path for path in ROOT.glob("*_node/**/*.py") if "(Node)" in path.read_text()]


def _assigned(code: ast.AST) -> set[str]:
    """Names of `self` that the code gives a value."""
    return {
        target.attr
        for node in ast.walk(code)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    }


def _own() -> set[str]:
    # Those with two underscores are rclpy's whatever a node's are called.
    names = _assigned(ast.parse(inspect.getsource(rclpy.node)))
    return {name for name in names if not name.startswith("__")}


def test_rclpy_keeps_parameters_in_the_node() -> None:
    assert "_parameters" in _own()
    assert len(SOURCES) >= 5


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_node_hides_nothing_of_rclpy(path: Path) -> None:
    nodes = [
        code
        for code in ast.walk(ast.parse(path.read_text()))
        if isinstance(code, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "Node" for base in code.bases)
    ]
    assert nodes
    for node in nodes:
        assert not _assigned(node) & _own()
