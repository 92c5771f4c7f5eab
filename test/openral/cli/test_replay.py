"""`openral replay` runs the installed replay and tells what it said."""

import sys
from pathlib import Path

import pytest

from openral.cli import main
from openral.cli import replay as cli_replay
from openral.cli.exit_code import ExitCode
from openral.cli.replay import ReplayError, replay
from openral.errors import ConfigError, InputError


@pytest.fixture
def installed_replay(tmp_path, monkeypatch):
    """Puts a script in the place of the installed replay."""

    def install(body):
        prefix = tmp_path / "prefix"
        marker = prefix / "share/ament_index/resource_index/packages/openral"
        script = prefix / "lib/openral/replay"
        for path in (marker, script):
            path.parent.mkdir(parents=True, exist_ok=True)
        marker.write_text("")
        script.write_text(f"#!{sys.executable}\nimport sys\n{body}\n")
        script.chmod(0o755)
        monkeypatch.setenv("AMENT_PREFIX_PATH", str(prefix))

    return install


def test_agreement_is_told_and_ends_well(installed_replay):
    installed_replay("print(sys.argv[1:])")
    said = []
    assert replay(Path("runs/latest"), said.append) is ExitCode.OK
    assert said == ["['--', 'runs/latest']"]


def test_another_decision_is_told_in_every_line(installed_replay):
    installed_replay("print('record 7 is decided otherwise\\nrecorded: a'); sys.exit(3)")
    said = []
    assert replay(Path("r"), said.append) is ExitCode.NOT_DONE
    assert said == ["record 7 is decided otherwise", "recorded: a"]


def test_a_run_without_a_trace_is_named(installed_replay):
    installed_replay("print('r/trace.jsonl: no file', file=sys.stderr); sys.exit(2)")
    with pytest.raises(InputError, match=r"a run with a whole trace, got r/trace\.jsonl: no file"):
        replay(Path("r"), print)


CRASHES = [
    ("print('record 7'); raise ValueError('odd')", "ended with status 1: ValueError: odd"),
    ("import os; os.kill(os.getpid(), 11)", "ended with status -11: it said nothing"),
]


@pytest.mark.parametrize(("body", "told"), CRASHES)
def test_a_replay_that_crashes_has_decided_nothing(installed_replay, body, told):
    installed_replay(body)
    with pytest.raises(ReplayError, match=told):
        replay(Path("r"), print)


@pytest.mark.parametrize(("body", "told"), CRASHES)
def test_a_crash_has_an_exit_status_of_its_own(installed_replay, capsys, body, told):
    installed_replay(body)
    assert main._run(main.parser().parse_args(["replay", "r"])) == ExitCode.CRASHED == 10
    assert capsys.readouterr().err == f"openral: the replay of r {told}\n"


def test_a_replay_that_hangs_is_ended(installed_replay, monkeypatch):
    monkeypatch.setattr(cli_replay, "TIMEOUT_S", 0.3)
    installed_replay("import time; time.sleep(60)")
    with pytest.raises(ReplayError, match="did not end within"):
        replay(Path("r"), print)


def test_where_nothing_is_built_the_build_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="build the workspace"):
        replay(Path("r"), print)


def test_the_installed_replay_takes_what_it_is_given(tmp_path, capsys):
    from reasoner_node.replay import main as replay_main

    assert replay_main(["--", str(tmp_path)]) == 2
    assert "trace.jsonl" in capsys.readouterr().err
