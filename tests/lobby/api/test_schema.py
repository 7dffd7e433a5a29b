"""The API follows its own description for any input: no fault, no undocumented response."""

import itertools
import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from lobby.api.docs import EXAMPLE
from lobby.api.operations import CALLS
from lobby.api.schema import described
from lobby.api.urls import OPERATIONS
from tests.builders.api import HUMAN_SCOPES, Lines, create_client, create_token, send_request
from tests.builders.sites import Site

IS_ALONE = True  # alice has no games or events from other modules

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
# These stream, or end the token; tests/lobby/api/test_streams.py covers them.
GO_ON = {
    "stream-events",
    "stream-board-game",
    "stream-bot-game",
    "stream-game",
    "seek",
    "feed",
    "stream-games",
    "stream-games-of-users",
}
ELSEWHERE = GO_ON | {"channel-feed", "revoke-token"}
SHOWN = [name for name in CALLS if name not in ELSEWHERE]

assert OPERATIONS


@pytest.fixture(scope="module")
def there(site: Site) -> Iterator[dict[str, Any]]:
    """A person, a bot, and their game. Their tokens have all scopes."""
    person = create_token(site, "alice", *HUMAN_SCOPES, "bot")
    bot = create_token(site, "tinker", *HUMAN_SCOPES, "bot")
    assert send_request(site, "POST", "/api/bot/account/upgrade", bot)[0] == 200
    made = create_client(site, person).challenges.create(
        "tinker", rated=False, variant="six-in-a-row"
    )
    create_client(site, bot).challenges.accept(made["id"])
    (game,) = create_client(site, person).games.get_ongoing()
    event = create_client(site, person).tournaments.create_arena(5, 3, 30)
    yield {
        "alice": person,
        "tinker": bot,
        "game_id": game["gameId"],
        "challenge_id": made["id"],
        "tournament_id": event["id"],
    }


@pytest.mark.parametrize("name", SHOWN)
def test_an_operation_keeps_to_its_description(
    site: Site, there: dict[str, Any], name: str
) -> None:
    schema = schemathesis.openapi.from_dict(described())
    schema.config.update(base_url=site.url)
    (operation,) = (
        found.ok()
        for found in schema.get_all_operations()
        if found.ok().definition.raw["operationId"] == name
    )
    turns, seen = itertools.count(), list[int]()
    known = {
        "name": ["alice", "tinker"], "one": ["alice"], "other": ["tinker"],
        "perf": ["six-in-a-row"], "channel": ["best", "six-in-a-row"], "count": ["10"],
        "game_id": [there["game_id"]], "challenge_id": [there["challenge_id"]], "answer": ["yes"],
        "tournament_id": [there["tournament_id"]], "move": ["place%208%208", "noop"],
    }  # fmt: skip

    @settings(
        max_examples=8, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy())
    def tried(case: Any) -> None:
        turn = next(turns)
        for part in list(case.path_parameters or {}):
            if turn % 4 and part in known:
                case.path_parameters[part] = known[part][turn % len(known[part])]
        who = ("alice", "tinker")[turn % 2]
        answer = case.call_and_validate(
            base_url=site.url, checks=CHECKS, headers={"Authorization": f"Bearer {there[who]}"}
        )
        seen.append(answer.status_code)

    tried()
    assert seen


# Rules that depend on several fields, and OAuth errors with status 400, are not described.
REFUSE_BY_SEVERAL = {"make-tournament", "exchange-code"}


@pytest.mark.parametrize("name", [name for name in SHOWN if name not in REFUSE_BY_SEVERAL])
def test_what_fits_the_description_is_never_malformed(
    site: Site, there: dict[str, Any], name: str
) -> None:
    schema = schemathesis.openapi.from_dict(described())
    (operation,) = (
        found.ok()
        for found in schema.get_all_operations()
        if found.ok().definition.raw["operationId"] == name
    )

    @settings(
        max_examples=15, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(generation_mode=schemathesis.GenerationMode.POSITIVE))
    def tried(case: Any) -> None:
        headers = {"Authorization": f"Bearer {there['alice']}"}
        answer = case.call(base_url=site.url, headers=headers)
        if answer.status_code == 400:
            assert answer.json()["error"]["code"] != "malformed", answer.text

    tried()


def test_the_description_names_no_module() -> None:
    assert [name for name in described()["components"]["schemas"] if not name.isidentifier()] == []


def test_the_description_is_whole() -> None:
    found = described()
    assert found["openapi"] == "3.1.0"
    text = json.dumps(found)
    names = set(found["components"]["schemas"])
    for name in names:
        assert f'"#/components/schemas/{name}"' in text or name in text
    for operations in found["paths"].values():
        for operation in operations.values():
            assert operation["summary"], operation
            assert operation["operationId"] in CALLS
            assert {"400", "401", "404", "429"} <= set(operation["responses"])


def test_the_example_of_the_documentation_works(site: Site) -> None:
    text = create_token(site, "erika")
    _, page, _ = send_request(site, "GET", "/api/docs/")
    game_id = ""
    for _, options, address, answer in EXAMPLE:
        assert address in page
        data = "&".join(re.findall(r"-d (\S+)", options)).encode() or None
        method = "POST" if data or "-X POST" in options else "GET"
        path = address.replace("GAME", game_id)
        if "stream" in address:
            with Lines(site, path, text) as lines:
                found = lines.next("gameFull")
        else:
            status, found, _ = send_request(site, method, path, text, data)
            assert status == 200, found
        game_id = game_id or found["id"]
        keys = re.findall(r'"(\w+)":', re.sub(r'"state": \{.*?\}, ', "", answer))
        assert set(keys) <= set(found), address


def test_what_is_over_and_the_description_have_tags(site: Site) -> None:
    status, _, headers = send_request(site, "GET", "/api/openapi.json")
    assert status == 200
    again = urllib.request.Request(f"{site.url}/api/openapi.json")
    again.add_header("If-None-Match", headers["ETag"])
    with pytest.raises(urllib.error.HTTPError, match="304"):
        urllib.request.urlopen(again, timeout=10)
