"""No node starts with a file that gives one of its parameters twice."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from openral.bringup import installed, run_folder, supervisord
from openral.bringup.parameter_files import check
from openral.bringup.processes import Choices, sim_processes
from openral.errors import ConfigError

CONFIG = Path(__file__).parents[3] / "config"
LIMIT = "          velocity_max: 0.82\n"


@pytest.mark.parametrize("path", sorted({*CONFIG.glob("*_node.yaml"), *CONFIG.glob("robots/*")}))
def test_the_shipped_files_give_each_parameter_once(path: Path) -> None:
    check(path)


def refusal(folder: Path, text: str) -> str:
    path = folder / "it.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        check(path)
    return str(caught.value).removeprefix(str(path))


def test_a_parameter_that_is_given_twice_is_refused_with_its_line(tmp_path: Path) -> None:
    text = "/**:\n  ros__parameters:\n    a: {b: 1}\n    c: 2\n    a: {b: 3}\n"
    assert refusal(tmp_path, text) == ", line 5: key 'a' is given twice: line 3 gives it already"


def test_a_parameter_that_is_given_by_parts_and_by_its_whole_name_is_refused(
    tmp_path: Path,
) -> None:
    text = "/**:\n  ros__parameters:\n    a: {b: {c: 1}}\n    a.b.c: 2\n"
    assert refusal(tmp_path, text) == ": parameter 'a.b.c' is given twice under '/**'"
    nested = text.replace("/**:\n", "/openral:\n kernel:\n")
    assert refusal(tmp_path, nested).endswith("'a.b.c' is given twice under '/openral/kernel'")


def test_each_node_may_give_a_parameter_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    path.write_text("/**: {ros__parameters: {a: 1}}\nkernel: {ros__parameters: {a: 2, b: 1}}\n")
    check(path)


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
