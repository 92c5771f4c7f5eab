import json
import math

import pytest

from openral.errors import InputError
from sim_node.record import BasketGeometry, Recorder, RecordHeader, Sample
from sim_node.referee import (
    Record,
    below_rim,
    inside_footprint,
    judge,
    main,
    read_record,
    rest_time,
)

GEOMETRY = BasketGeometry(inner=0.30, rim=0.18)
BASKET = (0.42, 0.36, 0.0, 1.0, 0.0, 0.0, 0.0)


def at(x: float, y: float, z: float):
    return (x, y, z, 1.0, 0.0, 0.0, 0.0)


def header(**changes) -> RecordHeader:
    fields = {"seed": 1, "joints": ("a", "b"), "objects": ("milk", "cereal"), "basket": GEOMETRY}
    return RecordHeader(**{**fields, **changes})


def sample(t: float, milk, cereal, qd=(0.0, 0.0), basket=BASKET) -> Sample:
    return Sample(
        t_mono=t,
        t_ros=1e9 + t,
        q=(0.0, 0.0),
        qd=qd,
        cmd=None,
        lease="lapsed",
        objects={"milk": milk, "cereal": cereal},
        basket=basket,
    )


ON_TABLE = at(0.5, -0.1, 0.065)
IN_BASKET = at(0.42, 0.36, 0.07)


def run(milk, cereal, **changes) -> Record:
    start, end = sample(0.0, ON_TABLE, at(0.5, -0.3, 0.085)), sample(60.0, milk, cereal)
    return Record(header(**changes), (start, end))


def test_a_table_is_cleared_when_every_object_is_in_the_basket():
    verdict = judge(run(IN_BASKET, at(0.50, 0.40, 0.10)))
    assert verdict.cleared
    assert verdict.duration == 60.0
    # From (0.5, -0.1, 0.065): 0.08 and 0.46 m apart, 5 mm higher.
    assert verdict.objects["milk"].moved == pytest.approx(math.hypot(0.08, 0.46, 0.005))


def test_an_object_that_leans_over_the_rim_is_not_in_the_basket():
    # Its centre is inside the footprint, 1 cm above the rim: a loose check would pass it.
    verdict = judge(run(IN_BASKET, at(0.42, 0.36, 0.19)))
    cereal = verdict.objects["cereal"]
    assert (cereal.inside_footprint, cereal.below_rim, cereal.in_basket) == (True, False, False)
    assert not verdict.cleared


def test_an_object_beside_the_basket_is_not_in_it():
    # The inner wall is 15 cm from the centre.
    verdict = judge(run(IN_BASKET, at(0.42, 0.36 - 0.151, 0.05)))
    assert not verdict.objects["cereal"].in_basket


def test_only_what_was_asked_for_has_to_be_in_the_basket():
    record = run(IN_BASKET, at(0.5, -0.3, 0.085))
    assert judge(record, ["milk"]).cleared
    assert not judge(record, ["cereal"]).cleared
    assert not judge(record).cleared
    assert judge(record).objects["cereal"].moved == 0.0


def test_without_a_basket_nothing_is_cleared():
    end = sample(1.0, IN_BASKET, IN_BASKET, basket=None)
    verdict = judge(Record(header(basket=None), (end,)))
    assert not verdict.cleared
    assert not verdict.objects["milk"].in_basket


def test_without_objects_nothing_is_cleared():
    empty = sample(1.0, IN_BASKET, IN_BASKET).model_copy(update={"objects": {}})
    assert not judge(Record(header(objects=()), (empty,))).cleared


def test_an_unknown_expected_label_is_refused_with_the_valid_ones():
    with pytest.raises(InputError, match=r"milk, cereal.*'beer'"):
        judge(run(IN_BASKET, IN_BASKET), ["beer"])


def test_a_record_without_samples_is_refused():
    with pytest.raises(InputError, match="at least one sample"):
        judge(Record(header(), ()))


def test_the_footprint_turns_with_the_basket():
    half = math.pi / 8  # a yaw of 45 degrees
    turned = (0.42, 0.36, 0.0, math.cos(half), 0.0, 0.0, math.sin(half))
    # The corner of the turned basket reaches 21.2 cm along x; the upright wall stands at 15 cm.
    assert inside_footprint(at(0.42 + 0.20, 0.36, 0.0), turned, GEOMETRY)
    assert not inside_footprint(at(0.42 + 0.20, 0.36, 0.0), BASKET, GEOMETRY)
    assert not inside_footprint(at(0.42 + 0.12, 0.36 + 0.12, 0.0), turned, GEOMETRY)


def test_the_rim_itself_is_not_below_the_rim():
    assert below_rim(at(0.42, 0.36, 0.1799), BASKET, GEOMETRY)
    assert not below_rim(at(0.42, 0.36, 0.18), BASKET, GEOMETRY)


def moving(*speeds: float) -> Record:
    """One sample each 10 ms from t = 0, with these speeds of joint b."""
    samples = tuple(
        sample(i * 0.01, ON_TABLE, ON_TABLE, qd=(0.0, speed)) for i, speed in enumerate(speeds)
    )
    return Record(header(), samples)


def test_rest_begins_where_every_joint_stays_slow():
    assert rest_time(moving(0.5, 0.3, 0.01, 0.0, 0.0), 0.0) == pytest.approx(0.02)


def test_a_moment_of_rest_in_a_motion_does_not_count():
    assert rest_time(moving(0.5, 0.0, -0.5, 0.3, 0.019), 0.0) == pytest.approx(0.04)


def test_rest_is_looked_for_from_the_time_given():
    assert rest_time(moving(0.0, 0.0, 0.0, 0.0), 0.015) == pytest.approx(0.02)


def test_rest_is_as_exact_as_the_steps_that_were_recorded():
    # 10 ms apart under command, 2 ms apart from the lapse on.
    times = (0.0, 0.01, 0.012, 0.014, 0.016, 0.02)
    speeds = (1.0, 1.0, 0.6, 0.1, 0.01, 0.0)
    samples = tuple(
        sample(t, ON_TABLE, ON_TABLE, qd=(0.0, speed))
        for t, speed in zip(times, speeds, strict=True)
    )
    assert rest_time(Record(header(), samples), 0.003) == 0.016


def test_an_arm_that_never_rests_has_no_rest_time():
    assert rest_time(moving(0.0, 0.5, 0.5), 0.0) is None
    assert rest_time(moving(0.0), 5.0) is None


def write(path, record: Record) -> None:
    recorder = Recorder(path, record.header, retry_s=1.0, size_max=1_000_000)
    for one in record.samples:
        recorder.write(one)
    recorder.close()


def test_a_record_is_read_back_as_it_was_written(tmp_path):
    path = tmp_path / "run" / "record.jsonl"
    record = run(IN_BASKET, ON_TABLE)
    write(path, record)
    assert read_record(path) == record


def test_a_last_line_that_a_kill_cut_off_is_left_out(tmp_path):
    path = tmp_path / "record.jsonl"
    write(path, run(IN_BASKET, ON_TABLE))
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert len(read_record(path).samples) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("{}\n", "line 1: seed"),
        (header().model_dump_json() + "\nnonsense\n", "line 2"),
        (header().model_dump_json() + '\n{"t_mono": NaN}\n', "line 2"),
    ],
)
def test_a_file_that_is_no_record_is_refused_with_its_line(tmp_path, text, message):
    path = tmp_path / "record.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_record(path)


def test_the_command_line_says_cleared_by_its_exit_code(tmp_path, capsys):
    path = tmp_path / "record.jsonl"
    write(path, run(IN_BASKET, at(0.42, 0.36, 0.19)))
    assert main([str(path), "--expect", "milk"]) == 0
    assert main([str(path)]) == 1
    assert "its centre is above the rim" in capsys.readouterr().out


def test_the_command_line_prints_the_verdict_as_json(tmp_path, capsys):
    path = tmp_path / "record.jsonl"
    write(path, run(IN_BASKET, ON_TABLE))
    main([str(path), "--json"])
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["cleared"] is False
    assert verdict["objects"]["milk"]["in_basket"] is True


def test_the_command_line_refuses_a_missing_record_in_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
