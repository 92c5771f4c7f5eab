from openral.bringup.supervisord import ProcessStatus
from openral.cli.bring_up import dead_processes


def test_a_process_that_is_gone_for_good_is_told_with_its_last_words(tmp_path):
    log = tmp_path / "a.log"
    log.write_text("start\nsafety_kernel: parameter 'lease_s' = 9: valid is [0.005, 0.1] s\n\n")
    gone = ProcessStatus("safety_kernel", "FATAL", 0, 0, str(log))
    up = ProcessStatus("sim_node", "RUNNING", 5, 0, "/nowhere")
    again = ProcessStatus("b", "BACKOFF", 0, 1, "/nowhere")
    assert dead_processes([gone, up, again]) == [
        "safety_kernel did not stay up: "
        "safety_kernel: parameter 'lease_s' = 9: valid is [0.005, 0.1] s"
    ]


def test_a_process_without_a_word_points_to_its_log(tmp_path):
    (tmp_path / "a.log").write_text("\n")
    gone = ProcessStatus("a", "EXITED", 0, -9, str(tmp_path / "a.log"))
    assert dead_processes([gone]) == [f"a ended with status -9: see {tmp_path / 'a.log'}"]
