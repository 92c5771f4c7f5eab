import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from openral.ros.transport import (
    use_image_transport,
    use_udp_alone,
    with_environment,
    without_shared_memory,
)

PROFILE = Path(__file__).resolve().parents[3] / "config" / "fastdds.xml"
LOCALHOST = PROFILE.with_name("fastdds_localhost.xml")
NAMESPACE = "{http://www.eprosima.com}"


def test_the_profile_is_named_to_every_version_of_fast_dds():
    environ: dict[str, str] = {}
    assert use_image_transport(PROFILE, environ)
    assert environ == {
        "FASTDDS_DEFAULT_PROFILES_FILE": str(PROFILE),
        "FASTRTPS_DEFAULT_PROFILES_FILE": str(PROFILE),
    }


def test_a_profile_of_the_user_stays_in_force():
    environ = {"FASTRTPS_DEFAULT_PROFILES_FILE": "/mine.xml"}
    assert not use_image_transport(PROFILE, environ)
    assert environ == {"FASTRTPS_DEFAULT_PROFILES_FILE": "/mine.xml"}


def test_the_shared_memory_holds_several_images():
    # 640 x 480 x 3 bytes
    root = ElementTree.parse(PROFILE).getroot()  # noqa: S314 - the project's own file
    size = root.find(f".//{NAMESPACE}segment_size")
    assert size is not None
    assert int(size.text or 0) >= 8 * 921600


FAST = "rmw_fastrtps_cpp"
LOCALHOST_PROFILE = {
    "ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT",
    "FASTDDS_DEFAULT_PROFILES_FILE": str(LOCALHOST),
    "FASTRTPS_DEFAULT_PROFILES_FILE": str(LOCALHOST),
}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}),
        (
            {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET", "ROS_STATIC_PEERS": "10.0.0.2"},
            {
                "ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET",
                "ROS_STATIC_PEERS": "10.0.0.2",
                "FASTDDS_BUILTIN_TRANSPORTS": "UDPv4",
            },
        ),
        ({"ROS_AUTOMATIC_DISCOVERY_RANGE": "localhost"}, LOCALHOST_PROFILE),
        ({"ROS_LOCALHOST_ONLY": "1"}, {"ROS_LOCALHOST_ONLY": "0", **LOCALHOST_PROFILE}),
    ],
)
def test_udp_alone_is_arranged_for_every_range(before, after):
    environ = dict(before)
    assert use_udp_alone(FAST, LOCALHOST, environ)
    assert environ == after


@pytest.mark.parametrize(
    "chosen",
    [
        {"FASTDDS_BUILTIN_TRANSPORTS": "LARGE_DATA"},
        {"FASTRTPS_DEFAULT_PROFILES_FILE": "/mine.xml"},
        {"FASTDDS_DEFAULT_PROFILES_FILE": "/mine.xml"},
        {"ROS_STATIC_PEERS": "10.0.0.2"},
    ],
)
def test_udp_alone_leaves_what_the_user_chose(chosen):
    environ = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", **chosen}
    before = dict(environ)
    assert not use_udp_alone(FAST, LOCALHOST, environ)
    assert environ == before


def test_without_shared_memory_ends_with_its_block_even_after_an_error():
    environ = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "HOME": "/home"}
    before = dict(environ)
    inside: dict[str, str] = {}

    def fails() -> None:
        with without_shared_memory(FAST, LOCALHOST, environ):
            inside.update(environ)
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert inside == {"HOME": "/home", **LOCALHOST_PROFILE}
    assert environ == before


def test_another_environment_ends_with_its_block():
    environ = {"A": "1", "B": "2"}
    with with_environment({"B": "3", "C": "4"}, environ):
        assert environ == {"B": "3", "C": "4"}
    assert environ == {"A": "1", "B": "2"}


def test_udp_alone_opens_no_other_middleware_to_the_network():
    environ = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
    assert not use_udp_alone("rmw_cyclonedds_cpp", LOCALHOST, environ)
    assert environ == {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}


@pytest.mark.parametrize("discovery", [None, "LOCALHOST", "SUBNET"])
def test_a_process_with_udp_alone_has_no_shared_memory(discovery):
    program = (
        "import sys, rclpy\n"
        "from pathlib import Path\n"
        "from openral.ros.transport import use_udp_alone\n"
        "rmw = rclpy.utilities.get_rmw_implementation_identifier()\n"
        "assert use_udp_alone(rmw, Path(sys.argv[1]))\n"
        "rclpy.init()\n"
        "node = rclpy.create_node('still')\n"
        "print([t.read_text().strip() for t in Path('/proc/self/task').glob('*/comm')])\n"
    )
    environ = {k: v for k, v in os.environ.items() if not k.startswith("FAST")}
    environ.pop("ROS_AUTOMATIC_DISCOVERY_RANGE", None)
    if discovery is not None:
        environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = discovery
    told = subprocess.run(
        [sys.executable, "-c", program, str(LOCALHOST)],
        env={**environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "dds.udp" in told
    assert "dds.shm" not in told
