"""On a ROS machine the missing Python packages are named in one command."""

from __future__ import annotations

import pytest
from bare_ros.failure import SetupError
from bare_ros.ros_machine import check_modules, is_importable


def test_nothing_is_said_where_nothing_is_missing() -> None:
    check_modules(lambda _module: True)


def test_missing_modules_are_named_by_their_packages() -> None:
    with pytest.raises(SetupError) as caught:
        check_modules(lambda module: module not in ("cv2", "yaml"), in_venv=True)
    assert str(caught.value).endswith(
        "lacks Python packages: python3 -m pip install opencv-python-headless pyyaml"
    )


def test_the_panda_is_installed_without_what_it_depends_on() -> None:
    with pytest.raises(SetupError) as caught:
        check_modules(lambda module: module not in ("mink", "dm_robotics.panda"), in_venv=True)
    assert str(caught.value).endswith(
        "python3 -m pip install mink==1.3.0 && "
        "python3 -m pip install --no-deps dm-robotics-panda==0.4.8"
    )


def test_a_python_that_the_system_manages_is_left_alone() -> None:
    with pytest.raises(SetupError) as caught:
        check_modules(lambda module: module != "yaml", in_venv=False)
    assert str(caught.value).endswith(
        "lacks Python packages: "
        "python3 -m venv --system-site-packages ~/openral-python && "
        ". ~/openral-python/bin/activate && python3 -m pip install pyyaml"
    )


def test_a_module_below_a_missing_package_is_missing() -> None:
    assert is_importable("json.decoder")
    assert not is_importable("no_such_package_here.module")
