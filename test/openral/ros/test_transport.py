from pathlib import Path
from xml.etree import ElementTree

from openral.ros.transport import use_image_transport

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
