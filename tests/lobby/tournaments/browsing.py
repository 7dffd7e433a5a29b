"""How tests look at the pages of tournaments, and do what they offer."""

from typing import Any

from django.test import Client

from lobby.models import Player, Tournament
from tests.lobby.groups.people import seen_by


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def do(client: Client, tournament: Tournament, act: str, **form: Any) -> Any:
    return client.post(f"/tournaments/{tournament.pk}/do/{act}/", form, follow=True)


def page(who: Player | None, tournament: Tournament, query: str = "") -> str:
    answer = seen_by(who).get(f"/tournaments/{tournament.pk}/{query}")
    assert answer.status_code == 200, answer.status_code
    return text(answer)


def form(**more: Any) -> dict[str, Any]:
    """What a browser sends for the form as it is proposed."""
    return {
        "name": "Club evening",
        "kind": "swiss",
        "game": "six-in-a-row",
        "clock": "5+3",
        "when": "30",
        "rounds": "5",
        "minutes": "45",
        "best_of": "1",
        "registration": "open",
        "check_in_minutes": "0",
        "late_minutes": "5",
        "round_minutes": "0",
        "pace": "ready",
        "starts_at_offset": "0",
        "opens_at": "",
        "opens_at_offset": "0",
        **more,
    }
