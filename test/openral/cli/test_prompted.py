import pytest
from hypothesis import given
from hypothesis import strategies as st

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
        ("please put away all the groceries", set(TABLE)),
        ("put the milk and everything else into the basket", set(TABLE)),
        ("everything else and the milk go into the basket", set(TABLE)),
        ("put every object into the basket, please", set(TABLE)),
        ("clear the table into the basket", set(TABLE)),
        ("tidy up the table: put everything in the basket", set(TABLE)),
        ("take everything off the table and put it into the basket", set(TABLE)),
        ("put the groceries on the table into the bin", set(TABLE)),
        ("put everything that is on the table inside of the basket", set(TABLE)),
        ("put the milk from the table into the basket", {"milk"}),
        ("put the milk into the basket on the table", {"milk"}),
        ("Could you move the red milk carton to the basket, please?", {"milk"}),
        ("grab the milk, then drop it into the basket", {"milk"}),
        ("lift the can of soup into the shopping basket", {"soup can"}),
        ("put the milk away into the basket", {"milk"}),
        ("put the milk into the basket and then the mustard", {"milk", "mustard"}),
        ("first put the milk into the basket, then put the soup_can into the basket",
         {"milk", "soup can"}),
        ("put everything in the basket, not the milk", {"mustard", "soup can", "cereal"}),
        ("put everything but not the milk in the basket", {"mustard", "soup can", "cereal"}),
        ("put everything besides the milk in the basket", {"mustard", "soup can", "cereal"}),
        ("put everything excluding the milk in the basket", {"mustard", "soup can", "cereal"}),
        ("put everything aside from the milk in the basket", {"mustard", "soup can", "cereal"}),
        ("put everything save for the milk in the basket", {"mustard", "soup can", "cereal"}),
        ("put everything apart from the milk in the basket", {"mustard", "soup can", "cereal"}),
        ("put everything into the basket without the milk", {"mustard", "soup can", "cereal"}),
        ("take all the objects, except for the milk and the cereal, and put them into the basket",
         {"mustard", "soup can"}),
        ("put everything in the basket, minus the milk", {"mustard", "soup can", "cereal"}),
        ("robot, put the milk into the basket", {"milk"}),
        ("put the milk into the basket, robot!", {"milk"}),
        ("I need you to put the milk & the cereal into the basket", {"milk", "cereal"}),
        ("I'd like you to quickly put some milk into the basket", {"milk"}),
        ("let's put the milk back in the basket, thx", {"milk"}),
        ("put the milk in the basket, next put the cereal in the basket", {"milk", "cereal"}),
        ("put everything you see into the basket", set(TABLE)),
        ("put all visible objects into the basket one at a time", set(TABLE)),
        ("put everything that's on the table into the basket right now", set(TABLE)),
        ("clear the table by putting everything into the basket", set(TABLE)),
        ("pick everything up and put it all in the basket", set(TABLE)),
        ("pick the milk up and put it in the basket", {"milk"}),
        ("pick and place the milk into the basket", {"milk"}),
        ("take both the milk and the cereal and put both of them in the basket",
         {"milk", "cereal"}),
        ("put the tall milk and the empty brown carton of cereal into the basket",
         {"milk", "cereal"}),
    ],
)  # fmt: skip
def test_words_name_the_objects(prompt, wanted):
    assert prompted_objects(prompt, TABLE) == wanted


@pytest.mark.parametrize(
    "prompt",
    [
        "move the milk to the left",
        "put the unicorn into the basket",
        "",
        "buttermilk to the basket",
        "put the can from the table into the basket",
        "put the milk and the can into the basket",
        "put the milk chocolate into the basket",
        "put the milk cereal into the basket",
        "put the milk mustard into the basket",
        "put the groceries cereal into the basket",
        "put the red groceries into the basket",
        "put all the milk into the basket",
        "put both into the basket",
        "put both objects into the basket",
        "put it into the basket",
        "put the milk",
        "everything",
        "everything but the milk",
        "throw the milk away",
        "take the milk away",
        "put the milk away from the cereal",
        "put the milk into the basket and the cereal on the table",
        "put the milk on the table and the cereal into the basket",
        "move the milk in the basket to the table",
        "put the milk in the basket onto the table",
        "take the milk in the basket",
        "pick up the milk in the basket",
        "take the milk out of the basket",
        "take the milk from the basket",
        "put the milk into the basket and the cereal into the box",
        "put the milk into the bin and the rest into the basket",
        "put the milk between the basket and the cereal",
        "put the milk anywhere but in the basket",
        "put everything but in the basket",
        "do not put the milk into the basket",
        "don't put the milk into the basket",
        "put everything in the basket and leave the milk",
        "put everything except the milk into the basket and then the cereal",
        "put everything but the milk, not the cereal, into the basket",
        "put the cereal into the basket but first put the milk into the basket",
        "put everything except some into the basket",
        "put an object into the basket",
        "put the object into the basket",
        "put one of the groceries into the basket",
        "put some of the groceries into the basket",
        "put any of the objects into the basket",
        "put half of the groceries into the basket",
        "put two objects into the basket",
        "put only the milk into the basket",
        "put the milk or the cereal into the basket",
        "put the milk instead of the cereal into the basket",
        "put the milk into the basket if it is full",
        "put the milk into the basket when the cereal is in the basket",
        "put no milk into the basket",
        "put the milk/cereal into the basket",
        "put the milk-cereal into the basket",
        "put the milk's lid into the basket",
        "into the basket",
        "put some groceries into the basket",
        "put both of them into the basket",
        "put them all into the basket",
        "take the milk and put both of them into the basket",
        "put the robot and the milk into the basket",
        "put the milk up in the basket",
        "put the milk in the back of the basket",
        "put the milk next, to the basket",
        "empty the basket",
        "put the milk into the laundry basket",
        "put the milk into a different basket",
        "put the milk in the basket, avoid cereal",
        "lift milk and drop cereal into the basket and stop",
        "pick and place it into the basket",
    ],
)  # fmt: skip
def test_what_the_referee_cannot_judge_is_none(prompt):
    assert prompted_objects(prompt, TABLE) is None


@pytest.mark.parametrize(
    "relation",
    ["next to", "close to", "near", "adjacent to", "beside", "behind", "under", "above", "over",
     "around", "away from", "out of", "outside", "in front of", "to the left of",
     "on the left side of", "to the right of", "at the back of", "on the edge of", "on top of",
     "in the corner of", "at the bottom of", "on", "onto", "at", "from", "toward", "in between"],
)  # fmt: skip
def test_a_place_beside_the_basket_is_none(relation):
    assert prompted_objects(f"put the milk {relation} the basket", TABLE) is None
    assert prompted_objects(f"put the milk, {relation} the basket", TABLE) is None
    assert prompted_objects(f"move everything {relation} the basket", TABLE) is None
    assert prompted_objects(f"take the milk and put it {relation} the basket", TABLE) is None


def test_a_first_word_of_two_labels_names_none():
    cans = ("soup can", "soup bowl")
    assert prompted_objects("put the soup into the basket", cans) is None
    assert prompted_objects("put the soup bowl into the basket", cans) == {"soup bowl"}


@given(
    st.lists(
        st.sampled_from(
            ["put", "take", "the milk", "soup", "everything", "into the basket", "in the basket",
             "except", "not", "away", "and", ",", "it", "on the table", "all", "both"]
        ),
        max_size=12,
    )
)  # fmt: skip
def test_what_is_judged_names_objects_of_the_table(words):
    wanted = prompted_objects(" ".join(words), TABLE)
    assert wanted is None or wanted <= set(TABLE)


def test_an_unknown_word_anywhere_is_none():
    words = ["put", "the", "milk", "into", "the", "basket"]
    for at in range(len(words) + 1):
        prompt = " ".join([*words[:at], "gladdened", *words[at:]])
        assert prompted_objects(prompt, TABLE) is None
