import socket

import pytest

from openral.bringup import domain
from openral.errors import ConfigError


def test_discovery_port_is_the_one_of_the_rtps_standard():
    # RTPS 2.5, 9.6.2.3: PB 7400, DG 250, d1 10.
    assert domain.discovery_port(0) == 7410
    assert domain.discovery_port(42) == 7400 + 250 * 42 + 10


def test_a_domain_is_taken_while_a_participant_listens():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as participant:
        for number in range(101, 19, -1):
            try:
                participant.bind(("", domain.discovery_port(number)))
                break
            except OSError:
                continue
        assert not domain.is_free(number)
    assert domain.is_free(number)


def test_the_first_free_domain_is_chosen():
    assert domain.choose([20, 21, 22], free=lambda number: number >= 21) == 21


def test_no_free_domain_is_an_error_that_says_what_to_do():
    with pytest.raises(ConfigError, match="set ROS_DOMAIN_ID"):
        domain.choose([20, 21], free=lambda number: False)


def test_two_runs_that_start_at_once_do_not_walk_the_domains_in_step():
    chosen = {domain.any_free(free=lambda number: True) for _ in range(50)}
    assert len(chosen) > 1
    assert chosen <= set(range(20, 102))


def test_of_all_domains_the_free_one_is_found():
    # Tests that run side by side share them out (test/conftest.py).
    for one in domain.DOMAINS:
        assert domain.any_free(free=lambda number, one=one: number == one) == one


def test_isolation_keeps_what_the_user_chose():
    environ = {"ROS_DOMAIN_ID": "7", "ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}
    assert domain.isolate(environ) == 7
    assert environ == {"ROS_DOMAIN_ID": "7", "ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}


def test_isolation_chooses_a_domain_and_stays_on_this_machine():
    environ: dict[str, str] = {}
    number = domain.isolate(environ)
    assert environ == {
        "ROS_DOMAIN_ID": str(number),
        "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    }
    assert 20 <= number <= 101


@pytest.mark.parametrize("text", ["-1", "233", "x", "1.5"])
def test_a_domain_that_is_none_is_refused(text):
    with pytest.raises(ConfigError, match=r"valid is \[0, 232\]"):
        domain.isolate({"ROS_DOMAIN_ID": text})
