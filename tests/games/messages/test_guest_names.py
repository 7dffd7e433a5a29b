"""Guest names: enough of them, short, polite and distinguishable."""

import random
import re
from collections.abc import Sequence
from itertools import product

from games.messages.guest_names import FRIENDS, LONGEST, MANNERS, SHADES, choose_guest_name
from games.messages.names import check_name, compute_name_key

LISTS = (MANNERS, SHADES, FRIENDS)

# Rude or hurtful wherever it stands, in English, German, French or Spanish.
_NOWHERE = """
anal anus arsch arse bastard biatch bitch bollock boob booty breast bugger butt cabron caca
chatte chier chink clit cock coon couille crap cretin culo cunt damn depp dick dildo douche dumm
dyke enculer erotic fett fick fotze fuck furz geil gestapo gook gouine grope hijo hitler homo
hure hurensohn idiot imbecil inbred incest jerk jizz joder kack kaka kike kotz kkk lesb loser
maric masturb merde mierda moron muschi naked nazi neger negro nigg nique nude nutte orgasm orgy
paki panty pede penis pene penner pervert pija pimmel pimp piss poop porn prick prostit pube
pussy puta pute puto queer racist rape rectum rotz salaud salop satan scheis schlampe
schwanz schwul scrotum semen sexy shit slave slut sperm spast stupid suck suicid teta teufel
tits titte tonto tonta torture trann turd twat ugly urin vagina verga vomit vulva wank weed
whore wichs zizi zorra
"""
NOWHERE = set(_NOWHERE.split())
# Too short to be looked for inside of a word; but not as a word, and not across two.
ACROSS = {
    "ass",
    "cul",
    "cum",
    "fag",
    "fat",
    "gay",
    "hiv",
    "nig",
    "pee",
    "pig",
    "pis",
    "poo",
    "pus",
    "rat",
    "sau",
    "sex",
    "tit",
    "tod",
    "wee",
    "wtf",
}


def names() -> list[tuple[str, ...]]:
    """Every name that a guest can be given, as its words."""
    return [
        words
        for lists in ((MANNERS, FRIENDS), LISTS)
        for words in product(*lists)
        if len(" ".join(words)) <= LONGEST
    ]


def test_there_are_a_million_of_them_and_no_two_are_alike() -> None:
    keys = {word: compute_name_key(word) for each in LISTS for word in each}
    every = names()
    found = [
        "".join([keys[word] for word in words]).replace("rn", "m").replace("vv", "w")
        for words in every
    ]
    different = set(found)
    assert len(different) == len(found) > 1_000_000
    for words in random.Random(7).sample(every, 200):  # the short cut above is the real key
        assert compute_name_key(" ".join(words)) in different


def test_the_words_are_plain_and_each_stands_in_one_list_once() -> None:
    words = [word for each in LISTS for word in each]
    assert len(words) == len(set(words))
    for word in words:
        assert re.fullmatch(r"[A-Z][a-z]{2,7}", word), word


def test_the_longest_is_of_18_characters_and_anybody_may_be_called_so() -> None:
    chance = random.Random(3)
    made = [choose_guest_name(chance, words) for words in (2, 3) for _ in range(2_000)]
    assert max(map(len, made)) == LONGEST == 18
    for name in made:
        assert check_name(name) == name
    assert {len(name.split()) for name in made} == {2, 3}


def test_none_is_rude_not_even_across_its_words() -> None:
    rude = [word for each in LISTS for word in each if has_any(word.lower(), NOWHERE)]
    assert rude == []
    assert not {word.lower() for each in LISTS for word in each} & (NOWHERE | ACROSS)
    assert [each for i, j in ((0, 1), (1, 2), (0, 2)) for each in across(LISTS[i], LISTS[j])] == []
    # Across three words only where the middle one lies wholly within.
    inside = [word for word in SHADES if any(word.lower() in bad for bad in NOWHERE | ACROSS)]
    for words in product(MANNERS, inside, FRIENDS):
        assert not has_any("".join(words).lower(), NOWHERE), words


def has_any(text: str, bad: set[str]) -> bool:
    return any(each in text for each in bad)


def across(firsts: Sequence[str], seconds: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of a first and a second word that a rude word spans."""
    return [
        pair
        for bad in NOWHERE | ACROSS
        for cut in range(1, len(bad))
        for pair in product(
            [word for word in firsts if word.lower().endswith(bad[:cut])],
            [word for word in seconds if word.lower().startswith(bad[cut:])],
        )
    ]


def test_a_rude_word_across_two_words_is_noticed() -> None:
    assert across(["Clear", "Calm"], ["Eel"]) == []
    assert across(["Clear", "Calm"], ["Seal"]) == [("Clear", "Seal")]
