import pytest

from openral.cli.judgement import Judgement, in_basket, parse
from openral.errors import InputError

TEXT = """{"objects": {"milk": {"in_basket": true, "reason": "inside"},
 "cereal": {"in_basket": false, "reason": "12 cm beside"}}, "more": 1}"""


def test_every_object_is_judged():
    assert parse(TEXT) == (
        Judgement("cereal", False, "12 cm beside"),
        Judgement("milk", True, "inside"),
    )
    assert in_basket(parse(TEXT)) == {"milk"}


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", '{"objects": {"milk": {}}}', '{"objects": {"milk": true}}',
     '{"objects": {"milk": {"in_basket": "yes", "reason": ""}}}'],
)  # fmt: skip
def test_anything_else_is_refused(text):
    with pytest.raises(InputError, match="expected the referee's JSON"):
        parse(text)
