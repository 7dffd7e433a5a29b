"""Recovery words: eight words that get an account back whose password is lost, once.

They are chosen of 2,048 (`words.txt`, the English list of BIP-39, MIT licence): 88 bits. They
replace the password, and never a second factor.
"""

import secrets
import unicodedata
from functools import cache
from pathlib import Path

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils import timezone

from lobby.accounts.tokens import revoke_all_tokens
from lobby.models import Player, RecoveryWords

WORDS = 8
_LONGEST = 400  # characters that are looked at


@cache
def word_list() -> tuple[str, ...]:
    return tuple(Path(__file__).with_name("words.txt").read_text(encoding="ascii").split())


def create_words(account: Player) -> str:
    """New recovery words of the account, in place of any earlier ones. They are not stored."""
    words = " ".join(secrets.choice(word_list()) for _ in range(WORDS))
    hashed = make_password(words)
    RecoveryWords.objects.update_or_create(
        player=account, defaults={"hash": hashed, "made_at": timezone.now()}
    )
    return words


def find_owner(name: str, words: str) -> tuple[Player, RecoveryWords] | None:
    """The account of that name, as stored, if those are its words. One password is hashed in any
    case, so the time does not tell whether there is such an account, or whether it has words."""
    found = (
        RecoveryWords.objects.filter(player__username=name, player__is_active=True)
        .select_related("player")
        .first()
    )
    given = " ".join(unicodedata.normalize("NFKC", words[:_LONGEST]).casefold().split())
    if not check_password(given, found.hash if found else "!") or found is None:
        return None
    return found.player, found


def replace_password(account: Player, used: RecoveryWords, password: str) -> bool:
    """Use the words up, and give the account another password, of which this is the hash; its
    tokens end. False if somebody else was faster to use them."""
    with transaction.atomic():
        gone, _ = RecoveryWords.objects.filter(pk=used.pk, hash=used.hash).delete()
        if gone:
            account.password = password
            account.save(update_fields=["password"])
            revoke_all_tokens(account)
    return bool(gone)
