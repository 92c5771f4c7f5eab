from openral.ros.rcl_error import in_one_line


def test_what_is_told_is_one_line_without_places_in_rcl():
    said = (
        "failed to initialize rcl: Couldn't parse params file: '--params-file /a, b.yaml'. Error:"
        " Error at line 1\n, at /project/src/parse.c:841, at /project/src/rcl/arguments.c:415"
    )
    assert in_one_line(RuntimeError(said)) == (
        "ROS does not start: RuntimeError: failed to initialize rcl: Couldn't parse params file:"
        " '--params-file /a, b.yaml'. Error: Error at line 1"
    )
