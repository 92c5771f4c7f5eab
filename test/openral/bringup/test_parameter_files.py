"""No node starts with a file that gives one of its parameters twice."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from openral.bringup import installed, run_folder, supervisord
from openral.bringup.parameter_files import check
from openral.bringup.processes import NAMESPACE, Choices, sim_processes
from openral.errors import ConfigError

CONFIG = Path(__file__).parents[3] / "config"
KERNEL = "/openral/kernel"
LIMIT = "          velocity_max: 0.82\n"


@pytest.mark.parametrize("path", sorted({*CONFIG.glob("*_node.yaml"), *CONFIG.glob("robots/*")}))
def test_the_shipped_files_give_each_parameter_once(path: Path) -> None:
    for process in sim_processes(Choices()):
        check(path, f"{NAMESPACE}/{process.name}")


def refusal(folder: Path, text: str) -> str:
    path = folder / "it.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        check(path, KERNEL)
    return str(caught.value).removeprefix(str(path))


def test_a_parameter_that_is_given_twice_is_refused_with_its_line(tmp_path: Path) -> None:
    text = "/**:\n  ros__parameters:\n    a: {b: 1}\n    c: 2\n    a: {b: 3}\n"
    assert refusal(tmp_path, text) == ", line 5: key 'a' is given twice: line 3 gives it already"


def test_a_parameter_that_is_given_by_parts_and_by_its_whole_name_is_refused(
    tmp_path: Path,
) -> None:
    text = "/**:\n  ros__parameters:\n    a: {b: {c: 1}}\n    a.b.c: 2\n"
    said = ", line 4: parameter 'a.b.c' of '/**' is given twice: line 3 gives it already"
    assert refusal(tmp_path, text) == said
    nested = text.replace("/**:\n", "/openral:\n other:\n")
    assert "line 5: parameter 'a.b.c' of '/openral/other' is given tw" in refusal(tmp_path, nested)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("/**", "/openral/kernel"),
        ("/openral/kernel", "/**"),
        ("/openral/kernel", "openral/kernel"),
        ("/openral/kernel", "/openral:\n  kernel"),
        ("/*/kernel", "/**/kernel"),
        ("/openral/*", "/*/*"),
        ("/openral/**", "/**/*"),
    ],
)
def test_a_parameter_that_is_given_under_two_names_of_a_node_is_refused(
    tmp_path: Path, first: str, second: str
) -> None:
    text = "".join(
        f"{section}: {{ros__parameters: {{a: {{b: {value}}}}}}}\n"
        for section, value in ((first, 1), (second, 2))
    )
    said = refusal(tmp_path, text)
    line = 2 + second.count("\n")
    assert said.startswith(f", line {line}: parameter 'a.b' of '")
    assert said.endswith(" is given twice: line 1 gives it already")


def test_two_names_of_another_node_are_one(tmp_path: Path) -> None:
    text = "other: {ros__parameters: {a: 1}}\n/other: {ros__parameters: {a: 1}}\n"
    assert "line 2: parameter 'a' of '/other' is given twice" in refusal(tmp_path, text)


def test_each_node_may_give_a_parameter_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    others = ("kernel", "/openral/kernel_2", "/openral/k", "/*", "/*/*/*", "/**/openral")
    # In ROS 2 Jazzy `**` does not stand for nothing.
    sections = (KERNEL, *others, "/openral/kernel/**", "/**/openral/kernel")
    path.write_text("".join(f"{one}: {{ros__parameters: {{a: 1}}}}\n" for one in sections))
    check(path, KERNEL)


def test_names_are_compared_as_they_are_written(tmp_path: Path) -> None:
    text = "/**:\n  ros__parameters:\n    '1': a\n    1: b\n"
    assert "line 4: parameter '1' of '/**' is given twice" in refusal(tmp_path, text)


@pytest.mark.parametrize("section", ["/openral/kerne.", "/openral//kernel", "/**/(a+)+", "/", "*a"])
def test_a_section_that_names_no_node_is_refused(tmp_path: Path, section: str) -> None:
    text = f'"{section}":\n  ros__parameters: {{a: 1}}\n'
    assert refusal(tmp_path, text) == f", line 2: '{section}' is no name of a node"


def test_an_alias_is_refused_as_ros_refuses_it(tmp_path: Path) -> None:
    for inner in ("&x {b: *x}", "{b: &x 1, c: *x}", "{b: &x {d: 1}, c: {<<: *x}}"):
        text = f"/**:\n  ros__parameters: {inner}\n"
        assert refusal(tmp_path, text) == ", line 2: alias *x: none may stand here"


@pytest.mark.parametrize("text", ["", "- a\n", "a\n"])
def test_a_file_that_holds_no_mapping_is_refused(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, text) == ": expected a mapping of fields, got none"


def test_nothing_is_started_with_a_limit_that_is_given_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panda = (CONFIG / "robots/panda.yaml").read_text(encoding="utf-8")
    twice = panda.replace(LIMIT, LIMIT + LIMIT.replace("0.82", "9.0"), 1)
    assert twice != panda
    (tmp_path / "panda.yaml").write_text(twice, encoding="utf-8")

    def config_file(relative: str) -> Path:
        return tmp_path / "panda.yaml" if relative == "robots/panda.yaml" else CONFIG / relative

    monkeypatch.setattr(installed, "config_file", config_file)
    monkeypatch.setattr(installed, "executable", lambda package, name: Path("/bin", name))
    folder = run_folder.create(tmp_path / "runs", datetime.now())
    kernel = [one for one in sim_processes(Choices()) if one.name == "safety_kernel"]
    with pytest.raises(ConfigError, match=r"panda\.yaml, line \d+: key 'velocity_max' is given"):
        supervisord.start(kernel, folder, {})
    assert not (folder.supervisor / "supervisord.conf").exists()
