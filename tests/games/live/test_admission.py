"""Visitors who are looked up in one query do not depend on each other."""

import asyncio
import re
from collections import Counter

from tests.bench.drills.strangers import bad_beside_honest, target
from tests.builders.sites import Person, Site


def test_of_many_who_are_admitted_together_a_broken_one_fails_alone(
    site: Site, alice_online: Person
) -> None:
    made = site.manage(
        "shell", "-c",
        "from games.store.sessions import SessionStore; from django.conf import settings;"
        "s = SessionStore(); s['_auth_user_id'] = 'no number';"
        "s['_auth_user_backend'] = settings.AUTHENTICATION_BACKENDS[0]; s.save();"
        "print('key', s.session_key)",
    )  # fmt: skip
    key = re.findall(r"key (\w+)", made.stdout)[0]
    told: Counter[str] = asyncio.run(
        bad_beside_honest(
            target(site), alice_online.cookie_header(), target(site), f"sessionid={key}", 3
        )
    )
    assert told == {"honest: admitted": 180, "bad: unavailable": 24}
