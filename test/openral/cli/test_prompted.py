import pytest

from openral.cli.prompted import prompted_objects

TABLE = ("milk", "mustard", "soup can", "cereal")


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("put all the groceries into the basket", set(TABLE)),
        ("Put EVERYTHING in the basket!", set(TABLE)),
        ("put the milk into the basket", {"milk"}),
        ("milk and mustard into the basket", {"milk", "mustard"}),
        ("put both the milk and the soup into the basket", {"milk", "soup can"}),
        ("put the soup_can into the basket", {"soup can"}),
        ("put all but the milk into the basket", {"mustard", "soup can", "cereal"}),
        ("everything except the cereal and milk goes in the basket", {"mustard", "soup can"}),
        ("put the groceries away", set(TABLE)),
    ],
)
def test_words_name_the_objects(prompt, wanted):
    assert prompted_objects(prompt, TABLE) == wanted


@pytest.mark.parametrize(
    "prompt",
    [
        "move the milk to the left",
        "put the unicorn into the basket",
        "",
        "buttermilk to the basket",
    ],
)
def test_what_the_referee_cannot_judge_is_none(prompt):
    assert prompted_objects(prompt, TABLE) is None
