"""A node's process: start, spin, end; one line and exit code 2 for a bad configuration."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

from openral.bringup import domain
from openral.errors import ConfigError
from openral.llm.redaction import redact
from openral.realtime import refuse_huge_pages
from openral.ros.rcl_error import in_one_line

if TYPE_CHECKING:
    from rclpy.node import Node

EXIT_CONFIGURATION = 2


def run(factory: Callable[[], Node], name: str, *, threads: int = 1) -> int:
    """Builds a node with `factory`, spins it until SIGINT, SIGTERM or shutdown, and cleans up.

    Args:
        factory: Makes the node; may raise `ConfigError`.
        name: Shown in the error line.
        threads: Executor threads; 1 takes the single-threaded executor.

    Returns:
        The process's exit code: 0 after a clean end, 2 for a bad configuration.
    """
    import rclpy
    from rclpy.executors import (
        ExternalShutdownException,
        MultiThreadedExecutor,
        SingleThreadedExecutor,
    )

    # Each node, not only those in a hurry: what the system does for one takes their processor too.
    refuse_huge_pages()
    # Of a node that a signal interrupts while it is built; no concern of who ended it.
    warnings.filterwarnings("ignore", "Failed to fini", RuntimeWarning)
    # Before rclpy takes the signal, which passes it on.
    signal.signal(signal.SIGINT, _interrupt_once)
    try:
        try:
            # rcl takes any number, and fails at the first node.
            domain.of(os.environ)
            rclpy.init()
        except ConfigError as error:
            return _refused(name, str(error))
        except RuntimeError as error:  # what rclpy raises: a file or an argument that rcl refuses
            return _refused(name, in_one_line(error))
        # First: an executor that a signal interrupts while it is made prints a stack trace later.
        executor = (
            SingleThreadedExecutor() if threads == 1 else MultiThreadedExecutor(num_threads=threads)
        )
        try:
            node = factory()
        except ConfigError as error:
            return _refused(name, str(error))
        # What was loaded stays: a full collection over it would stop every thread for tens of
        # milliseconds, which is as long as the silence that stops the arm.
        gc.collect()
        gc.freeze()
        executor.add_node(node)
        try:
            executor.spin()
        except (KeyboardInterrupt, ExternalShutdownException):
            pass
        finally:
            _ignore_interrupts()  # after SIGTERM, too
            executor.shutdown(timeout_sec=2.0)
            node.destroy_node()
        return 0
    except (KeyboardInterrupt, ExternalShutdownException):
        return 0
    except Exception:
        # A signal while the node is still being built: whatever rclpy makes next raises.
        if rclpy.ok():
            raise
        return 0
    finally:
        _ignore_interrupts()
        try:
            rclpy.try_shutdown()
        except RuntimeError:
            # A signal's own shutdown, in a thread of rclpy's, came between its look and its call.
            if rclpy.ok():
                raise


def _interrupt_once(number: int, frame: FrameType | None) -> NoReturn:
    """Ends the process, and lets it end.

    `ros2 launch` passes on the Ctrl-C that the terminal gave its nodes too: the second one would
    break off what a node still has to write, or kill the interpreter.
    """
    del number, frame
    _ignore_interrupts()
    raise KeyboardInterrupt


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _refused(name: str, why: str) -> int:
    print(f"{name}: {redact(why)}", file=sys.stderr, flush=True)
    return EXIT_CONFIGURATION
