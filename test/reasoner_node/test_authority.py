"""The reasoner has no authority over motion: walked over every tool, effect, import and client."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import reasoner_node
from openral.ros.parameters import ParameterError, validate
from reasoner_node.brain import BrainReply
from reasoner_node.dispatch import _HANDLERS
from reasoner_node.effects import EFFECT
from reasoner_node.parameters import Parameters
from reasoner_node.tools import TOOLS

ROOT = Path(reasoner_node.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
FORBIDDEN_MESSAGES = {"ActionChunk", "MotorCommand", "EStop", "Twist", "TwistStamped", "Pose2D"}
FORBIDDEN_TOPICS = {"candidate_action", "motor_command", "cmd_vel", "estop", "kernel/arm",
                    "kernel/reset", "way_point_with_heading"}  # fmt: skip
ALLOWED_IMPORTS = {
    "openral", "reasoner_node", "pydantic", "rclpy", "openral_msgs", "std_srvs", "sensor_msgs",
    "lifecycle_msgs", "action_msgs", "diagnostic_msgs", "PIL",
}  # fmt: skip
EXPECTED_EFFECTS = {
    "say", "publish_mission", "start_skill", "cancel_skill", "locate", "ask_image", "ask_scene",
    "query_progress", "change_lifecycle", "reload_pipeline", "report_failure",
}  # fmt: skip


def trees():
    return [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in FILES]


def calls(name):
    return [
        (path, node)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (getattr(node.func, "attr", "") == name or getattr(node.func, "id", "") == name)
    ]


def test_no_file_names_a_message_that_moves_something():
    names = {
        (path.name, getattr(node, "id", None) or getattr(node, "attr", None) or node.name)
        for path, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, (ast.Name, ast.Attribute, ast.alias))
    }
    assert not {pair for pair in names if pair[1] in FORBIDDEN_MESSAGES}


def test_nothing_is_imported_beyond_the_shared_library_and_ros():
    import sys

    outside = set()
    for path, tree in trees():
        for node in ast.walk(tree):
            modules = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            for module in modules:
                top = module.split(".")[0]
                if top not in ALLOWED_IMPORTS and top not in sys.stdlib_module_names:
                    outside.add((path.name, module))
    assert not outside


def test_the_core_knows_no_ros_no_clock_and_no_thread():
    shell = {"node.py", "ros_effects.py", "ros_inputs.py", "ros_subscriptions.py", "workers.py",
             "trace_writer.py", "service_clients.py"}  # fmt: skip
    found = set()
    for path, tree in trees():
        if path.name in shell:
            continue
        for node in ast.walk(tree):
            module = getattr(node, "module", None) or ""
            names = [alias.name for alias in getattr(node, "names", [])]
            if isinstance(node, ast.ImportFrom):
                names = [module]
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found |= {
                    (path.name, name)
                    for name in names
                    if name.split(".")[0] in ("rclpy", "time", "threading", "random", "datetime")
                }
    assert not found


def test_only_words_the_mission_and_stall_reports_are_published():
    from reasoner_node import ros_effects

    assert ros_effects.PUBLISHED == ("say", "mission", "failure/critic")
    assert ros_effects.ACTIONS == ("execute_rskill",)
    publishers = calls("create_publisher")
    assert len(publishers) == len(ros_effects.PUBLISHED)
    for path, node in publishers:
        assert path.name == "ros_effects.py"
        assert ast.unparse(node.args[1]).startswith("PUBLISHED[")
    actions = calls("ActionClient")
    assert [ast.unparse(node.args[2]) for _, node in actions] == ["ACTIONS[0]"]


def test_every_service_client_has_a_name_that_is_known_to_be_harmless():
    (only,) = calls("create_client")
    assert only[0].name == "service_clients.py"
    names = [ast.unparse(node.args[1]) for _, node in calls("call")]
    assert sorted(names) == sorted(
        ["name", "'query_scene'", "'query_task_progress'", "f'{effect.node}/change_state'",
         "f'camera/{effect.camera}/reload_pipeline'", "f'{ACTIONS[0]}/_action/cancel_goal'"]
    )  # fmt: skip
    sources = "\n".join(p.read_text(encoding="utf-8") for p in FILES if p.name.startswith("ros_"))
    for topic in FORBIDDEN_TOPICS:
        assert f'"{topic}"' not in sources


def test_the_effects_are_exactly_the_known_ones():
    kinds = {
        option["properties"]["effect"]["const"]
        for option in EFFECT.json_schema()["$defs"].values()
        if "effect" in option["properties"]
    }
    assert kinds - {"task"} == EXPECTED_EFFECTS


ARGUMENTS = {
    "execute_rskill": {"rskill_id": "pick_place", "prompt": "x",
                       "params_json": '{"object": "milk", "container": "basket"}'},
    "lifecycle_transition": {"node": "safety_kernel", "transition": "deactivate"},
    "reload_gst_pipeline": {"camera": "front"},
    "emit_prompt": {"text": "x"},
    "recall_object": {"object_ref": "milk"},
    "resolve_place": {"place": "kitchen"},
    "locate_in_view": {"query": "milk", "detector": "../kernel/arm"},
    "query_scene": {"question": "?"},
    "query_task_progress": {},
    "memory_write": {"operation": "add", "text": "x"},
    "memory_search": {"query": "x"},
    "decompose_mission": {"subtasks": [{"object_ref": "milk", "text": "put the milk away"}]},
    "wait": {},
}  # fmt: skip


def test_every_tool_is_walked():
    assert set(ARGUMENTS) == set(TOOLS)
    assert len(TOOLS) == 13


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_no_tool_leads_to_more_than_the_known_effects(world_class, scripted_brain, tool):
    replies = [BrainReply(tool=tool, arguments=ARGUMENTS[tool])] * 2
    world = world_class(brain=scripted_brain(replies), services=frozenset(TOOLS)).ready()
    world.prompt("put the milk into the basket").run(1.0)
    effects = {effect.effect for _, effect in world.effects}
    assert effects <= EXPECTED_EFFECTS
    # The kernel is on no allow-list; a task has to exist before a skill can run.
    assert not effects & {"change_lifecycle", "start_skill"}


def test_tools_without_a_handler_are_refused_and_not_ignored(world_class, scripted_brain):
    handled = {str(model.model_fields["tool"].default) for model in _HANDLERS}
    for tool in sorted(set(TOOLS) - handled):
        brain = scripted_brain([BrainReply(tool=tool, arguments=ARGUMENTS[tool])])
        world = world_class(brain=brain, services=frozenset(TOOLS)).ready()
        world.prompt("put the milk into the basket").run(0.5)
        assert "nothing is installed here" in world.brain.seen[1].correction


@pytest.mark.parametrize("node", ["safety_kernel", "Safety_Kernel", "sim_node", "my_kernel_2"])
def test_the_lifecycle_allow_list_never_holds_the_kernel_or_the_robot(node):
    with pytest.raises(ParameterError, match="never the kernel"):
        validate(Parameters, {"lifecycle_allow": ["perception_node", node]})


def test_an_allowed_node_can_be_restarted(world_class, scripted_brain):
    reply = BrainReply(
        tool="lifecycle_transition",
        arguments={"node": "perception_node", "transition": "activate"},
    )
    brain = scripted_brain([reply])
    world = world_class(brain=brain, services=frozenset({"lifecycle_transition"})).ready()
    world.prompt("put the milk into the basket").run(0.5)
    (change,) = [e for _, e in world.effects if e.effect == "change_lifecycle"]
    assert (change.node, change.transition) == ("perception_node", "activate")
