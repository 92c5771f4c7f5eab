from pathlib import Path
from xml.etree import ElementTree

import pytest

from openral.ros.transport import use_image_transport, without_shared_memory

PROFILE = Path(__file__).resolve().parents[3] / "config" / "fastdds.xml"
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


def test_without_shared_memory_ends_with_its_block_even_after_an_error():
    environ: dict[str, str] = {}
    inside: dict[str, str] = {}

    def fails() -> None:
        with without_shared_memory(environ):
            inside.update(environ)
            raise KeyError

    with pytest.raises(KeyError):
        fails()
    assert inside == {"FASTDDS_BUILTIN_TRANSPORTS": "UDPv4"}
    assert environ == {}


def test_transports_of_the_user_stay_in_force():
    environ = {"FASTDDS_BUILTIN_TRANSPORTS": "LARGE_DATA"}
    with without_shared_memory(environ):
        assert environ == {"FASTDDS_BUILTIN_TRANSPORTS": "LARGE_DATA"}
    assert environ == {"FASTDDS_BUILTIN_TRANSPORTS": "LARGE_DATA"}
