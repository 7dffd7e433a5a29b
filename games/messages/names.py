"""Rules for players' names, and keys that names share if they look alike.

All letters of a name must belong to one script, or to scripts that are usually mixed (`_TOGETHER`).
Few letters then look alike, so `_ALIKE` needs only a small part of Unicode's list of nine thousand
(UTS 39).
"""

import re
import unicodedata

# ruff: noqa: RUF001  # this module is about letters that look like others
from collections.abc import Iterator
from itertools import groupby

from django.utils.translation import get_language_bidi

from games.messages.refusal import Refused

SHORTEST, LONGEST = 3, 20  # characters; older names may be shorter or longer
SHORTEST_IN_CLASS = 2  # allows first names such as "Bo"
LONGEST_KEY = 100


def check_name(text: str, of_staff: bool = False, in_class: bool = False) -> str:
    """Return the name in its stored form. Raise `Refused` if players cannot have the name.

    The stored form is composed (NFKC), with single spaces. Names that suggest the staff are allowed
    if `of_staff` is true, and names of two characters if `in_class` is true. This function does not
    check whether the name is taken: see `compute_name_key`.
    """
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", text)).strip(" ")
    least = SHORTEST_IN_CLASS if in_class else SHORTEST
    code = _fault(name, of_staff, least)
    if code:
        raise Refused(f"name-{code}", least=least, most=LONGEST)
    return name


def compute_name_key(name: str) -> str:
    """Return a key that two names share if one can be mistaken for the other.

    The key ignores case, the marks of Latin, Greek and Cyrillic letters, spaces and punctuation,
    and differences between letters that look alike. It has at most `LONGEST_KEY` characters, and is
    "" for a text without letters and numbers. The function accepts any text.
    """
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_ALIKE)
    bare = "".join(c for c in unicodedata.normalize("NFKD", folded) if not _is_accent(c))
    alike = unicodedata.normalize("NFC", bare.translate(_ALIKE))
    letters = "".join(c for c in alike if unicodedata.category(c)[0] in "LMN")
    return letters.replace("rn", "m").replace("vv", "w")[:LONGEST_KEY]


def compute_coarse_key(key: str) -> str:
    """Return a name's key with its digits read as the letters that they resemble.

    This key is too coarse to tell players apart, because "Anna5" and "Annas" may be two honest
    names. It finds names that imitate those of staff, of group leaders or of the site. Two names
    that differ only in numbers ("Pupil 12", "Pupil 15") never share a key.
    """
    return key.translate(_DIGITS)


def isolate_name(name: str) -> str:
    """Return the name for use in a plain-text sentence in the active language.

    If the name or the sentence is written from right to left, the name is isolated. It would
    otherwise change the order of the words beside it. In HTML, `bdi` does the same.
    """
    directions = {"R", "AL", "L", "EN"} if get_language_bidi() else {"R", "AL"}
    is_needed = any(unicodedata.bidirectional(c) in directions for c in name)
    return f"\u2068{name}\u2069" if is_needed else name


# -- refused names

_PUNCTUATION = frozenset(" -'._\N{RIGHT SINGLE QUOTATION MARK}")
_MOST_MARKS = 3  # marks on one letter; Thai and Tibetan use as many

# Scripts, identified by the first word of their characters' names. Scripts with letters of exactly
# the shape of Latin ones (Cherokee, Lisu, Tifinagh, Coptic, Canadian syllabics) are not allowed,
# nor are historic scripts. UAX 31 excludes both as well.
_CHINESE = {"CJK", "IDEOGRAPHIC"}
_JAPANESE = {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}
_ALONE = {
    *("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC"),
    *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA"),
    *("MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "THAANA"),
    *("SYRIAC", "NKO", "MONGOLIAN", "YI", "JAVANESE", "BALINESE", "SUNDANESE"),
}
# The mixtures of scripts that UTS 39 allows at its level "highly restrictive".
_TOGETHER = (
    {"LATIN", *_CHINESE, *_JAPANESE},
    {"LATIN", *_CHINESE, "BOPOMOFO"},
    {"LATIN", *_CHINESE, "HANGUL"},
)
_SCRIPTS = _ALONE.union(*_TOGETHER)
# The everyday letters of these scripts, as ranges of code points. Other letters (phonetic signs,
# small capitals) look like them, so they are not allowed.
_EVERYDAY = {
    "LATIN": (range(0x250), range(0x1E00, 0x1F00)),
    "GREEK": (range(0x370, 0x400), range(0x1F00, 0x2000)),
    "CYRILLIC": (range(0x400, 0x530),),
}


def _fault(name: str, of_staff: bool, least: int) -> str:
    kinds = {unicodedata.category(c) for c in name}
    letters = [c for c in name if unicodedata.category(c)[0] == "L"]
    scripts = {_script(c) for c in name if unicodedata.category(c)[0] in "LM"} - {"COMBINING"}
    faults = {
        "invisible": bool(kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} or _has_blank(name)),
        "reserved": _is_reserved(name, of_staff),
        "too-short": len(name) < least,
        "too-long": len(name) > LONGEST,
        "character": not all(map(_is_usual, name)) or not scripts <= _SCRIPTS,
        "no-letter": not letters,
        "marks": _most_marks(name) > _MOST_MARKS or _is_mark(name[:1] or " "),
        "mixed": not _go_together(scripts),
    }
    return next((code for code, found in faults.items() if found), "")


def _script(letter: str) -> str:
    return unicodedata.name(letter, "UNKNOWN").split(" ")[0]


def _is_usual(character: str) -> bool:
    category = unicodedata.category(character)
    if character in _PUNCTUATION or category == "Nd":
        return character.isascii() or character in _PUNCTUATION
    if category[0] not in "LM" or category == "Me":
        return False
    script = _script(character)
    everyday = _EVERYDAY.get(script)
    if everyday is None:
        return True
    return any(ord(character) in some for some in everyday) and category != "Lo"


def _has_blank(name: str) -> bool:
    """Return whether the name has invisible letters, such as the fillers of Hangul."""
    return any(c in "\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f\u2800" for c in name)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _is_accent(character: str) -> bool:
    return "\u0300" <= character <= "\u036f"


def _most_marks(name: str) -> int:
    return max((len(list(run)) for is_mark, run in groupby(name, _is_mark) if is_mark), default=0)


def _go_together(scripts: set[str]) -> bool:
    return len(scripts) <= 1 or any(scripts <= some for some in _TOGETHER)


# -- letters that look alike

# Letters that look alike, by the letter that represents them. If a letter's upper and lower case
# resemble different letters, the upper case decides, so that case does not matter.
_LOOKS = {
    "a": "аα",
    "b": "вьβƅ",
    "c": "сϲ",
    "d": "ԁđɗ",
    "e": "еҽєε",
    "f": "ϝքƒẝ",
    "g": "ԍցǥɠƍ",
    "h": "нһηհħ",
    "j": "јϳյ",
    "k": "кκƙ",
    "l": "i1|ιіӏɩɨıłוןا\N{ARABIC LETTER ALEF MAKSURA}",
    "m": "мμϻ",
    "n": "νոռ",
    "o": "0оοσօøɵჿഠဝዐଠס\N{ARABIC LETTER HEH}",
    "p": "рρþƥ",
    "q": "ԛգզ",
    "r": "гʀ",
    "s": "ѕտƽ",
    "t": "тτŧƭ",
    "u": "иսሀ",
    "v": "ѵ",
    "w": "ѡԝա",
    "x": "хχ",
    "y": "уүυγყƴỿ",
    "z": "ζƶ",
    "2": "ƨ",
    "3": "зӡʒȝ",
    "6": "б",
    "8": "ȣ",
}
_ALIKE = {ord(other): letter for letter, others in _LOOKS.items() for other in others}
_ALIKE |= {ord("æ"): "ae", ord("œ"): "oe"}

DIGITS = {"2": "z", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b"}
"""Digits that `compute_coarse_key` reads as letters, besides 0 and 1 (see `_LOOKS`)."""
_DIGITS = str.maketrans(DIGITS)


def _coarse_key(name: str) -> str:
    """Return the coarse key of a name, keeping numbers: "Player 5" is not "Players"."""
    keys = ((word, compute_name_key(word)) for word in name.split())
    return "".join(key if word.isdigit() else compute_coarse_key(key) for word, key in keys)


# These lists cover all spellings, because the keys are compared.
OF_STAFF = (
    *(
        "admin",
        "admins",
        "administrator",
        "administrators",
        "moderator",
        "moderators",
        "mod",
        "mods",
    ),
    *("staff", "official", "system", "support", "helpdesk", "security", "referee", "reviewer"),
    *("webmaster", "postmaster", "hostmaster", "sysadmin", "sysop", "operator", "owner", "root"),
    *("superuser", "organiser", "organizer"),
)
"""Whole words that only the names of staff may contain."""

NOBODYS = (
    *(
        "hidden player",
        "closed account",
        "deleted player",
        "deleted account",
        "deleted user",
        "deleted",
        "removed",
        "banned",
    ),
    *("account", "accounts", "player", "players", "player one", "player two", "xplayer", "oplayer"),
    *("guest", "guests", "anonymous", "anybody", "somebody", "nobody", "everybody", "everyone"),
    *("unknown", "none", "null", "undefined", "nan", "true", "false", "test user", "username"),
    *("you", "yourself", "myself", "opponent", "your opponent", "watcher", "spectator", "winner"),
    *("draw", "the site", "site", "parlour", "bot", "the bot", "robot", "engine", "stockfish"),
    *("notice", "notices", "warning", "error", "login", "logout", "signup", "settings", "profile"),
    *("json", "games", "ratings", "tournaments", "rules", "healthz", "readyz", "metrics", "static"),
)
"""Whole names that could be mistaken for something other than a player."""

RUDE = (
    *("anal", "anus", "arse", "arsehole", "ass", "asshole", "bastard", "bitch", "blowjob", "boner"),
    *("bullshit", "clit", "cock", "cocksucker", "coon", "cum", "cunt", "dick", "dickhead", "dildo"),
    *("dyke", "fag", "faggot", "fuck", "fucked", "fucker", "fucking", "fuckyou", "gook", "handjob"),
    *("heil", "hitler", "horny", "jizz", "kike", "kkk", "milf", "motherfucker", "nazi", "nigga"),
    *("nigger", "nude", "nudes", "orgasm", "paedo", "paki", "pedo", "pedophile", "penis", "piss"),
    *(
        "porn",
        "porno",
        "prick",
        "pussy",
        "rape",
        "raped",
        "rapist",
        "retard",
        "semen",
        "sex",
        "shit",
    ),
    *("shithead", "slut", "spastic", "spic", "tits", "tosser", "tranny", "twat", "vagina", "wank"),
    *(
        "wanker",
        "wetback",
        "whore",
        "arschloch",
        "fotze",
        "hure",
        "hurensohn",
        "scheisse",
        "scheiße",
    ),
    *("schlampe", "wichser", "connard", "connasse", "encule", "merde", "pute", "salope", "cabron"),
    *("coño", "joder", "mierda", "puta", "puto", "cazzo", "stronzo", "troia", "blyat", "блядь"),
    *("пизда", "сука", "хуй"),
)
"""Whole words that no name may contain. Moderators handle variants of them."""

# No name that a player chooses may contain one of these words, even as a part of another word.
_COMPUTER = tuple(map(_coarse_key, ("computer", "compyter", "компьютер")))
_OF_STAFF = frozenset(map(_coarse_key, OF_STAFF))
_NOBODYS = frozenset(map(_coarse_key, NOBODYS))
_RUDE = frozenset(map(compute_name_key, RUDE))


def _is_reserved(name: str, of_staff: bool) -> bool:
    key = _coarse_key(name)
    if any(computer in key for computer in _COMPUTER) or key in _NOBODYS:
        return True
    words = set(_words(name))
    # Compare the finer key, because in the coarse key, numbers such as "455" read as rude words.
    if not _RUDE.isdisjoint(words):
        return True
    return not of_staff and not _OF_STAFF.isdisjoint(map(compute_coarse_key, words))


def _words(name: str) -> Iterator[str]:
    """Yield the keys of the whole name and of its words."""
    yield compute_name_key(name)
    for word in re.split(r"[^\w]|_", name):
        yield compute_name_key(word)
