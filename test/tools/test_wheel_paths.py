"""Paths of the wheels' build machine become this machine's."""

from __future__ import annotations

from pathlib import Path

import pytest
from bare_ros.failure import SetupError
from bare_ros.wheel_paths import Layout, layout_of, repair

PYTHON = b"/opt/python/cp312-cp312"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    venv = tmp_path / "venv"
    site_packages = venv / "lib" / "python3.12" / "site-packages"
    libs = site_packages / "ros_fastrtps.libs"
    libs.mkdir(parents=True)
    (libs / "libtinyxml2-1592532c.so.6.0.0").touch()
    return Layout(venv, site_packages, tmp_path / "include" / "python3.12", None)


def put(layout: Layout, name: str, text: bytes) -> Path:
    path = layout.venv / "share" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return path


def test_include_and_site_packages_become_this_pythons(layout: Layout) -> None:
    export = put(
        layout,
        "std_msgs/cmake/export.cmake",
        b'"%s/include/python3.12;%s/lib/python3.12/site-packages/numpy/_core/include"'
        % (PYTHON, PYTHON),
    )
    repair(layout)
    expected = f'"{layout.python_include};{layout.site_packages}/numpy/_core/include"'
    assert export.read_text() == expected


def test_any_other_path_of_the_build_python_becomes_the_environment(layout: Layout) -> None:
    index = put(layout, "ament_index/resource_index/parent_prefix_path/rcl", PYTHON)
    repair(layout)
    assert index.read_text() == str(layout.venv)


def test_the_build_tree_becomes_the_environment(layout: Layout) -> None:
    script = put(
        layout,
        "rcl/local_setup.sh",
        b': ${AMENT_CURRENT_PREFIX:="/project/build/temp.linux-x86_64-cpython-312/install"}\n',
    )
    repair(layout)
    assert script.read_text() == f': ${{AMENT_CURRENT_PREFIX:="{layout.venv}"}}\n'


def test_tinyxml2_is_the_copy_in_the_wheel(layout: Layout) -> None:
    targets = put(layout, "fastrtps/cmake/targets.cmake", b'"dl;/usr/lib64/libtinyxml2.so;ssl"')
    repair(layout)
    copy = layout.site_packages / "ros_fastrtps.libs" / "libtinyxml2-1592532c.so.6.0.0"
    assert targets.read_text() == f'"dl;{copy};ssl"'


def test_a_wheel_without_its_tinyxml2_is_an_error_that_counts(layout: Layout) -> None:
    (layout.site_packages / "ros_fastrtps.libs" / "libtinyxml2-1592532c.so.6.0.0").unlink()
    put(layout, "fastrtps/cmake/targets.cmake", b'"/usr/lib64/libtinyxml2.so"')
    with pytest.raises(SetupError, match=r"expected one libtinyxml2 .*, got 0"):
        repair(layout)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b'set(_names "lttng-ust;dl")', b'set(_names "dl")'),
        (b'LIBRARIES "lttng-ust;dl;-rdynamic"', b'LIBRARIES "dl;-rdynamic"'),
        (b'LIBRARIES "dl;lttng-ust"', b'LIBRARIES "dl;"'),
    ],
)
def test_tracetools_asks_for_no_lttng(layout: Layout, before: bytes, after: bytes) -> None:
    export = put(layout, "tracetools/cmake/export.cmake", before)
    repair(layout)
    assert export.read_bytes() == after


def test_lttng_in_another_package_is_left_alone(layout: Layout) -> None:
    other = put(layout, "other/cmake/export.cmake", b'"lttng-ust;dl"')
    repair(layout)
    assert other.read_bytes() == b'"lttng-ust;dl"'


def test_the_number_of_changed_files_is_told_and_a_second_repair_changes_none(
    layout: Layout,
) -> None:
    put(layout, "a/cmake/a.cmake", PYTHON)
    put(layout, "b/cmake/b.cmake", b"find_package(a)")
    put(layout, "tracetools/cmake/c.cmake", b'"lttng-ust;dl"')
    assert repair(layout) == 2
    assert repair(layout) == 0


def test_files_that_are_no_text_are_left_alone(layout: Layout) -> None:
    binary = put(layout, "a/data", b"\0" + PYTHON)
    repair(layout)
    assert binary.read_bytes() == b"\0" + PYTHON


def test_a_build_path_of_unknown_form_is_an_error_that_names_the_file(layout: Layout) -> None:
    put(layout, "a/cmake/a.cmake", b"/project/build/elsewhere/lib")
    with pytest.raises(SetupError, match=r"unknown build path '/project/build/' in .*a\.cmake"):
        repair(layout)


def test_a_backslash_in_this_machines_path_is_no_escape(layout: Layout, tmp_path: Path) -> None:
    odd = Layout(layout.venv, layout.site_packages, tmp_path / r"odd\1", None)
    export = put(odd, "a/cmake/a.cmake", PYTHON + b"/include/python3.12")
    repair(odd)
    assert export.read_text() == str(tmp_path / r"odd\1")


def test_libpython_is_linked_once_and_follows_a_new_python(layout: Layout, tmp_path: Path) -> None:
    for version in ("one", "two"):
        library = tmp_path / version / "libpython3.12.so.1.0"
        library.parent.mkdir()
        library.touch()
        repair(Layout(layout.venv, layout.site_packages, layout.python_include, library))
        assert (layout.venv / "lib" / "libpython3.12.so.1.0").resolve() == library


def test_the_layout_of_this_python_names_its_own_headers(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    assert layout.site_packages.is_relative_to(tmp_path)
    assert layout.site_packages.name == "site-packages"
    assert layout.python_include.name.startswith("python3.")
