"""A site with a protected pupil, and every kind of viewer who may request her data.

Nora played Otto and took part in a public tournament before she joined a class. Olga runs the
class, and Ben is a member. All other players are strangers.
"""

import json
import re
from copy import deepcopy
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from games.messages import build_message
from games.models import Match
from games.review.notices import notify_player
from games.store.aliases import match_players_filter
from lobby.accounts import tokens
from lobby.accounts.tokens import SCOPES
from lobby.groups import membership
from lobby.models import Block, Challenge, Entry, Pairing, Player, Rating, Webhook
from lobby.players import blocks
from lobby.seeks import challenges, matchmaking
from lobby.tournaments.series import create_series
from lobby.webhooks import registration
from tests.builders.groups import create_group
from tests.builders.matches import create_finished_match, create_match, deliver_events
from tests.builders.players import create_organiser, create_player
from tests.builders.tournaments import (
    SETUP,
    create_tournament,
    join_players,
    play_round,
    play_tournament,
    run_due_steps,
    start_tournament,
)

STRANGERS = ("anonymous", "guest", "stranger", "opponent")
"""Those who may not see Nora. The opponent may see the match that the two played."""

INSIDERS = ("member", "organiser", "staff")
NAME = "Nora Kirsch"
NOBODY = "Nemo Nilson"  # an unused name of the same length
UNKNOWN = "zzzzzzzzzzzz"  # a match that does not exist
LIVE = "six-in-a-row"
_TOKENS = re.compile(rb'(csrfmiddlewaretoken" value=|data-csrf=)"[^"]*"')


class World:
    """All objects by name, and the requests of the viewers."""

    def __init__(self) -> None:
        self.nora, self.otto, self.ben = (
            create_player(NAME),
            create_player("Otto Past"),
            create_player("Ben Cole"),
        )
        self.olga, self.stan = create_organiser(), create_player("Stan Ger")
        self.pia, self.quin = create_player("Pia Host"), create_player("Quin Four")
        self.people: dict[str, Any] = {
            "anonymous": None,
            "guest": create_player("Sly Fox", is_guest=True),
            "stranger": self.stan,
            "opponent": self.otto,
            "member": self.ben,
            "organiser": self.olga,
            "staff": create_player("rita", "reviewer"),
        }
        self._tokens: dict[str, str] = {}
        self._before()
        group = create_group(self.olga, self.ben, for_minors=True)
        membership.join_group(self.nora, group.code or "")
        self.group = group
        self.club = create_group(create_organiser("Carl Club"), self.stan)
        self._after()
        self._sessions = {viewer: self._log_in(viewer).cookies for viewer in self.people}

    def _before(self) -> None:
        """Play and schedule games with strangers before she is protected."""
        self.past = create_finished_match("tic-tac-toe", self.nora, self.otto)
        self.event = create_tournament(self.pia)
        join_players(self.event, [self.nora, self.otto, self.stan, self.quin])
        start_tournament(self.event)
        play_round(self.event)
        self.series = create_series(self.pia, self.event.pk, "Thursdays", every_days=0)
        self.hers = create_tournament(self.nora, name="Her own")  # which she created in public
        asked = challenges.create_challenge(self.otto.pk, self.nora.pk, SETUP)
        self.challenge = challenges.decline_challenge(self.nora.pk, asked.pk)
        Rating.objects.create(
            player=self.nora, game=LIVE, rating=1800, deviation=60, volatility=0.06, games=30,
            best=1800, streak=1, longest=2, key="k", rated_at=timezone.now(),
            listed_until=timezone.now() + timedelta(days=9),
        )  # fmt: skip
        registration.register_webhook(self.otto.pk, "https://example.com/hook", True, True)
        self.hook = Webhook.objects.get()

    def _after(self) -> None:
        """Play games in the class after she is protected."""
        self.classed = create_finished_match("tic-tac-toe", self.ben, self.nora)
        self.invitation = matchmaking.create_seek(self.nora.pk, SETUP, by_address=True)
        Match.objects.filter(pk__in=(self.past.pk, self.classed.pk)).update(rated=True)
        run_due_steps()
        play_tournament(self.event)
        self.playing = create_match(LIVE, self.nora, self.ben, plies=2)  # nobody else plays
        deliver_events()
        self.event.refresh_from_db()
        self.entry = Entry.objects.get(tournament=self.event, player=self.nora)
        blocks.block_player(self.otto.pk, self.nora.pk)
        notify_player(self.otto.pk, build_message("notice.report-acted", name=NAME), self.past.pk)
        mine = Pairing.objects.filter(tournament=self.event, match__isnull=False)
        hers = [each for each in mine if self.entry.pk in (each.first_id, each.second_id)]
        self.event_matches = [str(each.match_id) for each in hers]
        self.secret_ids = {
            *(self.past.pk, self.classed.pk, self.playing.pk, self.invitation.pk),
            *self.event_matches,
        }

    # -- viewers

    def client(self, viewer: str) -> Client:
        """Return a new client with the viewer's one session."""
        if viewer not in self._sessions:
            return self._log_in(viewer)
        client = Client()
        client.cookies = deepcopy(self._sessions[viewer])
        return client

    def _log_in(self, viewer: str) -> Client:
        client = Client()
        if self.people[viewer] is not None:
            client.force_login(self.people[viewer])
        return client

    def api(self, viewer: str, method: str, path: str, body: Any = None) -> Any:
        headers = {}
        who = self.people[viewer]
        if who is not None and not who.is_guest:
            if viewer not in self._tokens:
                # As if a server of an older release had left a member's token.
                row = Player.objects.filter(pk=who.pk)
                was_protected = row.get().is_protected
                row.update(is_protected=False)
                self._tokens[viewer] = tokens.create_token(who.pk, "a test", SCOPES).text
                row.update(is_protected=was_protected)
            headers = {"Authorization": f"Bearer {self._tokens[viewer]}"}
        kind = "text/plain" if isinstance(body, str) else "application/json"
        data = body if isinstance(body, str) else json.dumps(body or {})
        return Client().generic(method, path, data, content_type=kind, headers=headers)

    # -- data that they must not read

    def leaks(self, viewer: str, text: str) -> list[str]:
        """Return the names and match ids in the text that the viewer must not see."""
        if viewer in INSIDERS:
            return []
        secret = {NAME, NAME.casefold(), NAME.replace(" ", "%20"), NAME.replace(" ", "").casefold()}
        secret |= self.secret_ids
        who = self.people[viewer]
        if who is not None:  # his own games with her
            own = Match.objects.filter(match_players_filter([who.pk]), pk__in=self.secret_ids)
            secret -= set(own.values_list("pk", flat=True))
        return sorted(each for each in secret if each in text)

    def lift(self) -> None:
        """Disable the policy, so that nobody is protected."""
        Player.objects.update(is_protected=False)
        Block.objects.all().delete()
        Challenge.objects.filter(pk=self.challenge.pk).update(answered_at=timezone.now())


def get_whole_text(answer: Any) -> tuple[int, str]:
    """Return the status and the full text of a response."""
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    text = _TOKENS.sub(b"", body).decode(errors="replace")
    heads = [answer.headers.get(each, "") for each in ("Location", "Cache-Control", "Vary")]
    return answer.status_code, " ".join([text, *heads])
