import json

import pytest

from openral.cli.judgement import Judgement, in_basket, parse
from openral.errors import InputError

MILK = {
    "in_basket": True,
    "inside_footprint": True,
    "below_rim": True,
    "height": 0.07,
    "moved": 0.6,
}
CEREAL = {**MILK, "in_basket": False, "inside_footprint": False, "moved": 0.0}


def text(milk):
    return json.dumps({"cleared": False, "objects": {"milk": milk, "cereal": CEREAL}})


def test_every_object_is_judged():
    found = parse(text(MILK))
    assert found == (
        Judgement("cereal", False, True, False, 0.0),
        Judgement("milk", True, True, True, 0.6),
    )
    assert in_basket(found) == {"milk"}


@pytest.mark.parametrize(
    "said",
    [
        "",
        "{}",
        "[]",
        "null",
        text({}),
        text(True),
        text({**MILK, "in_basket": "yes"}),
        text({**MILK, "moved": None}),
    ],
)
def test_anything_else_is_refused(said):
    with pytest.raises(InputError, match="expected the referee's JSON"):
        parse(said)
