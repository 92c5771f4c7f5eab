import threading

import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from openral.ros.spinning import SpinningThread

NAME = "the thread under test"


class Executor(SingleThreadedExecutor):
    """Notes which threads there are when it is shut down."""

    def shutdown(self, timeout_sec=None):
        self.beside = [thread.name for thread in threading.enumerate()]
        return super().shutdown(timeout_sec)


@pytest.fixture
def node():
    context = Context()
    rclpy.init(context=context, args=[])
    node = Node("spun", context=context, use_global_arguments=False)
    yield node
    node.destroy_node()
    rclpy.try_shutdown(context=context)


def test_callbacks_run_on_the_thread(node):
    ran = threading.Event()
    names = []

    def callback():
        names.append(threading.current_thread().name)
        ran.set()

    node.create_timer(0.001, callback)
    thread = SpinningThread(SingleThreadedExecutor(context=node.context), node, NAME)
    assert ran.wait(20.0)
    thread.close()
    assert set(names) == {NAME}


def test_the_thread_has_ended_before_its_executor_is_shut_down(node):
    executor = Executor(context=node.context)
    thread = SpinningThread(executor, node, NAME)
    # It waits for nothing: no timer, no message would ever bring it back.
    thread.close()
    assert NAME not in executor.beside


def test_it_closes_after_the_context_has_ended(node):
    executor = Executor(context=node.context)
    thread = SpinningThread(executor, node, NAME)
    rclpy.shutdown(context=node.context)
    thread.close()
    assert NAME not in executor.beside


@pytest.fixture
def owner():
    context = Context()
    rclpy.init(context=context, args=[])
    node = Node("owner", context=context, use_global_arguments=False)
    yield node
    node.destroy_node()
    rclpy.try_shutdown(context=context)


@pytest.mark.parametrize("owned", [False, True])
def test_an_error_in_a_callback_ends_the_process_and_is_not_swallowed(
    node, owner, monkeypatch, owned
):
    raised = threading.Event()
    errors = []

    def hook(arguments):
        errors.append(arguments.exc_value)
        raised.set()

    monkeypatch.setattr(threading, "excepthook", hook)

    def callback():
        raise ValueError("expected one, got two")

    node.create_timer(0.001, callback)
    thread = SpinningThread(
        SingleThreadedExecutor(context=node.context), node, NAME, owner=owner if owned else None
    )
    assert raised.wait(20.0)
    thread.close()
    assert [str(error) for error in errors] == ["expected one, got two"]
    # The executor that the process waits in ends with its context.
    assert not node.context.ok()
    assert owner.context.ok() is not owned
