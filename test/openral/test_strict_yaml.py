"""YAML is loaded, or refused with its line where no configuration may hold it."""

from __future__ import annotations

import pytest
import yaml

from openral.errors import ConfigError
from openral.strict_yaml import compose, construct


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        construct(text, "it")
    assert str(caught.value).startswith("it")
    return str(caught.value).removeprefix("it")


@pytest.mark.parametrize(
    ("text", "line", "key", "first"),
    [
        ("lamps: {}\nlamps: {}\n", 2, "lamps", 1),
        ("a:\n  b:\n    x: 1\n    y: 2\n    x: 3\n", 5, "x", 3),
        ("lamps:\n  - {power_w: 1, colour: warm, power_w: 2}\n", 2, "power_w", 2),
        ('lamps: {}\n"lamps": {}\n', 2, "lamps", 1),
        ("a: &a {b: 1}\nc:\n  <<: *a\n  <<: *a\n", 4, "<<", 3),
    ],
)
def test_a_key_that_is_given_twice_is_refused_with_both_lines(
    text: str, line: int, key: str, first: int
) -> None:
    said = f", line {line}: key '{key}' is given twice: line {first} gives it already"
    assert refusal(text) == said


def test_keys_that_are_equal_in_python_are_one_key() -> None:
    assert "key True is given twice" in refusal("1: a\ntrue: b\n")


def test_the_same_key_in_two_mappings_is_given_once() -> None:
    assert construct("a: {x: 1}\nb: {x: 2}\n", "it") == {"a": {"x": 1}, "b": {"x": 2}}


def test_a_key_may_override_a_merged_one() -> None:
    assert construct("a: &a {x: 1}\nb: {<<: *a, x: 2}\n", "it")["b"] == {"x": 2}
    chained = "a: &A {k: 1}\nx: {b: &B {<<: *A, k: 2}}\nc: {<<: *B, j: 1}\n"
    for key in ("k", "key"):
        expected = {key: 2, "j": 1}
        assert construct(chained.replace("k:", f"{key}:"), "it")["c"] == expected


def test_the_first_of_several_merged_mappings_wins() -> None:
    text = "a: &a {x: 1}\nb: &b {x: 2, y: 2}\nc: {<<: [*a, *b], z: 3}\n"
    assert construct(text, "it")["c"] == {"x": 1, "y": 2, "z": 3}


def test_only_mappings_are_merged() -> None:
    for what in ("1", "[{x: 1}, 1]", "[[]]"):
        said = ", line 2: expected YAML, got while constructing a mapping: expected a mapping to me"
        assert refusal(f"a:\n  <<: {what}").startswith(said)


@pytest.mark.parametrize(
    ("tag", "text"),
    [
        ("bool", "foo"),
        ("int", '""'),
        ("int", "0x"),
        ("int", "9" * 4301),  # Python reads no number of more than 4300 digits
        ("float", '""'),
        ("float", ":".join(["59"] * 200)),
        ("timestamp", "foo"),
        ("timestamp", "2001-01-01T00:00:00+99:99"),
    ],
)
def test_a_text_that_is_not_of_its_tags_kind_is_refused_with_its_line(tag: str, text: str) -> None:
    for content in (f"a: 1\nb: !!{tag} {text}", f"a: 1\n? !!{tag} {text}\n: 1"):
        said = refusal(content)
        assert said.startswith(", line 2: expected YAML, got '")
        assert said.endswith(f"', which cannot be read as {tag}")


def test_a_whole_number_of_more_than_64_bits_is_refused_with_its_line() -> None:
    said = ", line 2: a whole number of more than 64 bits"
    for number in (2**63, -(2**63) - 1, "0x" + "f" * 9000):
        assert refusal(f"\na: {number}") == said
    assert construct(f"a: {2**63 - 1}\nb: {-(2**63)}", "it") == {"a": 2**63 - 1, "b": -(2**63)}


def test_an_alias_inside_of_what_it_names_is_refused_with_its_line() -> None:
    for text in ("a: &x\n  b: *x", "a: &x\n  <<: *x", "a: &x\n  - [*x]"):
        assert refusal(text) == ", line 2: alias *x stands inside of what it names"


@pytest.mark.parametrize(
    "each", ["[*a{0}, *a{0}]", "{{b: *a{0}, c: *a{0}}}", "{{<<: [*a{0}, *a{0}]}}"]
)
def test_nested_aliases_are_refused_before_they_are_written_out(each: str) -> None:
    text = "a0: &a0 {k: 1}\n"
    text += "".join(f"a{n + 1}: &a{n + 1} {each.format(n)}\n" for n in range(30))
    assert refusal(text).endswith("aliases, written out, make more than 65536 values")


def test_an_alias_stands_for_what_it_names() -> None:
    assert construct("a: &a [1, 2]\nb: [*a, *a]", "it")["b"] == [[1, 2], [1, 2]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x: \0", ": expected YAML, got unacceptable character"),
        ("\nx: [", ", line 2: expected YAML, got while parsing a flow"),
        ("x: !!python/object:os.system a", ", line 1: expected YAML, got could not determine a"),
        (
            "\nx: 2024-99-99",
            ", line 2: expected YAML, got '2024-99-99', which cannot be read as time",
        ),
        ("? [a]\n: b", ", line 1: expected YAML, got while constructing a mapping: found unhash"),
        (
            "? !!seq a\n: b",
            ", line 1: expected YAML, got expected a sequence node, but found scalar",
        ),
        ("a: 1\n---\nb: 2\n", ", line 2: expected YAML, got expected a single document"),
        # No character has these numbers, and the second is no number of C's either.
        (r'x: "\U00110000"', ": expected YAML, got chr() arg not in range"),
        (r'x: "\Uffffffff"', ": expected YAML, got Python int too large"),
        ("x: " + "[" * 5000, ": expected YAML, got maximum recursion depth exceeded"),
    ],
)
def test_what_is_no_yaml_is_refused(text: str, said: str) -> None:
    assert refusal(text).startswith(said)


def test_nodes_say_where_they_stand() -> None:
    node = compose("a: 1\nb: {c: 2}\n", "it")
    assert isinstance(node, yaml.MappingNode)
    assert [(key.value, key.start_mark.line) for key, _ in node.value] == [("a", 0), ("b", 1)]


def test_nodes_have_no_alias() -> None:
    with pytest.raises(ConfigError, match=r"it, line 2: alias \*x: none may stand here"):
        compose("a: &x 1\nb: *x\n", "it")
