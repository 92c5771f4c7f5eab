"""A node's process from outside: its exit status, and what it says last."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from openral.bringup import domain
from openral.ros.run import EXIT_CONFIGURATION

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import os, signal, sys
from rclpy.node import Node
from openral.errors import ConfigError
from openral.ros.run import run

class Tested(Node):
    def __init__(self):
        super().__init__("tested")
        self.create_timer(0.01, self.tick)
        self.told = False

    def tick(self):
        if not self.told:
            self.told = True
            print(type(self.executor).__name__, flush=True)
        self.work()

    def work(self): pass

    def destroy_node(self):
        print("destroyed", flush=True)
        super().destroy_node()

factory = Tested
threads = 1
{body}
sys.exit(run(factory, "tested", threads=threads))
"""
PATIENCE_S = 60.0


@pytest.fixture
def environ():
    found = {key: value for key, value in os.environ.items() if key != "ROS_DOMAIN_ID"}
    domain.isolate(found)
    paths = f"{ROOT}:{os.environ.get('PYTHONPATH', '')}"
    return {**found, "PYTHONPATH": paths, "RCUTILS_COLORIZED_OUTPUT": "0"}


def started(environ, body="", *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.replace("{body}", body), *arguments],
        env=environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    """Exit status, output and complaint."""
    try:
        out, complaint = process.communicate(timeout=PATIENCE_S)
    finally:
        process.kill()
    return process.returncode, out, complaint


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("body", "executor"),
    [("", "SingleThreadedExecutor"), ("threads = 2", "MultiThreadedExecutor")],
)
def test_a_signal_ends_it_cleanly(environ, number, body, executor):
    process = started(environ, body)
    assert process.stdout.readline() == f"{executor}\n"
    process.send_signal(number)
    assert ended(process) == (0, "destroyed\n", "")


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_signal_while_the_node_is_built_is_no_error(environ, number):
    body = f"""
def factory():
    os.kill(os.getpid(), signal.{number})
    # As rclpy says it, now and then, of what it had made already.
    import warnings
    warnings.warn("Failed to fini rosout publisher: rcl node is invalid", RuntimeWarning)
    return Tested()
"""
    code, _, complaint = ended(started(environ, body))
    assert (code, complaint) == (0, "")


def test_a_second_interrupt_while_the_interpreter_ends_is_no_error(environ):
    body = "import atexit; atexit.register(os.kill, os.getpid(), signal.SIGINT)"
    process = started(environ, body)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert ended(process) == (0, "destroyed\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_the_node_is_destroyed_breaks_nothing_off(environ, number):
    body = """
class Writing(Tested):
    def destroy_node(self):
        os.kill(os.getpid(), signal.SIGINT)
        super().destroy_node()

factory = Writing
"""
    process = started(environ, body)
    process.stdout.readline()
    process.send_signal(number)
    assert ended(process) == (0, "destroyed\n", "")


def test_a_shutdown_that_the_signal_overtakes_is_no_error(environ):
    body = """
import rclpy

def overtaken():
    context = rclpy.get_default_context()
    context.shutdown()
    context.shutdown()

def factory():
    rclpy.try_shutdown = overtaken
    raise KeyboardInterrupt
"""
    assert ended(started(environ, body)) == (0, "", "")


REFUSES = """
def factory():
    raise ConfigError("parameter 'model' = 'Sup3r-secret-key-of-mine': valid is a name")
"""


def test_a_bad_configuration_is_one_line_without_any_key(environ):
    environ["OPENAI_API_KEY"] = "Sup3r-secret-key-of-mine"
    code, out, complaint = ended(started(environ, REFUSES))
    assert (code, out) == (EXIT_CONFIGURATION, "")
    assert complaint == "tested: parameter 'model' = '[redacted]': valid is a name\n"


def refused(environ, *arguments):
    """The last line of a process that does not start."""
    code, out, complaint = ended(started(environ, "", *arguments))
    assert (code, out) == (EXIT_CONFIGURATION, ""), complaint
    assert "Traceback" not in complaint
    return complaint.splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: [\n", "Sequences can only be values and not keys in params. Error at line 1"),
        (
            "/**:\n  ros__parameters:\n    objects: [milk, 3]\n",
            "Sequence should be of same type. Value type 'integer' do not belong at line_num 3",
        ),
        (None, "Error opening YAML file"),
    ],
)
def test_a_parameter_file_that_cannot_be_read_is_named(environ, tmp_path, text, why):
    file = tmp_path / "file.yaml"
    if text is not None:
        file.write_text(text)
    line = refused(environ, "--ros-args", "--params-file", str(file))
    assert line.startswith("tested: ROS does not start: ")
    assert line.endswith(f"'--params-file {file}'. Error: {why}")


def test_an_argument_that_ros_does_not_know_is_named(environ):
    line = refused(environ, "--ros-args", "--no-such")
    assert line == "tested: ROS does not start: UnknownROSArgsError: ['--no-such']"


@pytest.mark.parametrize("number", ["900", "abc", "-1"])
def test_a_domain_that_is_none_is_named(environ, number):
    environ["ROS_DOMAIN_ID"] = number
    assert refused(environ) == f"tested: ROS_DOMAIN_ID = '{number}': valid is [0, 232]"


def test_a_fault_in_a_callback_is_seen_and_the_node_ends_in_order(environ):
    body = """
def work(self): raise ValueError("expected one, got two")
Tested.work = work
"""
    code, out, complaint = ended(started(environ, body))
    assert code == 1
    assert out == "SingleThreadedExecutor\ndestroyed\n"
    assert complaint.splitlines()[-1] == "ValueError: expected one, got two"
