"""The API's documentation for people, rendered on the server from the schema."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from games.messages import build_message
from games.messages import render as render_message
from games.rules import DEFAULT_GAME, GAMES
from lobby.accounts.tokens import SCOPES, get_sentence_code
from lobby.api.schema import described

_ORDER = (
    "Account",
    "Players",
    "Challenges",
    "Board",
    "Bot",
    "Games",
    "Tournaments",
    "TV",
    "Tokens",
)

EXAMPLE = (
    (
        _(
            "Start a game against the computer as the first player. The response "
            "contains the game's id."
        ),
        f"-d variant={next(iter(GAMES))} -d color=white -d level=1",
        "/api/challenge/ai",
        '{"id": "GAME", "status": "started", …}',
    ),
    (
        _("List the legal actions."),
        "",
        "/api/board/game/GAME/legal",
        '{"ply": 0, "turn": "xplayer", "color": "white", "actions": ["mark 1 1", "mark 1 2", …]}',
    ),
    (
        _("Play one of these actions. The ply makes it safe to send the request again."),
        "-X POST",
        "/api/board/game/GAME/move/mark%201%201?ply=0",
        '{"ok": true}',
    ),
    (
        _("Stream the game: one line per change until the game is over."),
        "-N",
        "/api/board/game/stream/GAME",
        '{"type": "gameFull", "id": "GAME", "state": {"moves": "mark 1 1, …", …}, …}',
    ),
    (
        _("Resign."),
        "-X POST",
        "/api/board/game/GAME/resign",
        '{"ok": true}',
    ),
)
"""An example session. Each request has a purpose, curl's options, an address and a response."""


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show the documentation of the operations, schemas and scopes, with an example session."""
    found = described()
    tags: dict[str, list[dict[str, Any]]] = {tag: [] for tag in _ORDER}
    for address, operations in found["paths"].items():
        for method, operation in operations.items():
            tags[operation["tags"][0]].append(_told(address, method, operation))
    site = request.build_absolute_uri("/").rstrip("/")
    context = {
        "tags": [(tag, operations) for tag, operations in tags.items() if operations],
        "shapes": [_shape(name, of) for name, of in found["components"]["schemas"].items()],
        "scopes": [
            (scope, render_message(build_message(get_sentence_code(scope)))) for scope in SCOPES
        ],
        "about": found["info"]["description"],
        "site": site,
        "example": [
            (text, _command(site, options, path), answer) for text, options, path, answer in EXAMPLE
        ],
        "actions": [(slug, game.start.legal()[0]) for slug, game in GAMES.items()],
    }
    return render(request, "lobby/api_docs.html", context)


def _command(site: str, options: str, path: str) -> str:
    parts = ['curl -H "Authorization: Bearer $TOKEN"', options, f'"{site}{path}"']
    return " ".join(part for part in parts if part)


@require_safe
def differences(request: HttpRequest) -> HttpResponse:
    """Show the differences from lichess's API."""
    return render(request, "lobby/api_differences.html", {"default": DEFAULT_GAME})


def _told(address: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    answers = operation["responses"].get("200", {}).get("content", {})
    return {
        "id": operation["operationId"],
        "method": method.upper(),
        "address": address,
        "summary": operation["summary"],
        "description": operation["description"],
        "scopes": operation.get("x-scopes"),
        "parameters": [
            {
                "name": each["name"],
                "where": each["in"],
                "required": each["required"],
                "kind": _kind(each["schema"]),
            }
            for each in operation["parameters"]
        ],
        "takes": [
            (kind, *_named(content["schema"]))
            for kind, content in operation.get("requestBody", {}).get("content", {}).items()
        ],
        "gives": [(kind, *_named(content["schema"])) for kind, content in answers.items()],
    }


def _shape(name: str, shape: dict[str, Any]) -> dict[str, Any]:
    required = set(shape.get("required", ()))
    return {
        "name": name,
        "description": shape.get("description", ""),
        "fields": [
            {"name": key, "required": key in required, "kind": _kind(of), "names": _named(of)[1]}
            for key, of in shape.get("properties", {}).items()
        ],
    }


def _named(shape: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the name of a type, and the names of the API's schemas that it refers to."""
    return _kind(shape), _refs(shape)


def _kind(shape: dict[str, Any]) -> str:
    if "$ref" in shape:
        return str(shape["$ref"]).rsplit("/", 1)[-1]
    if "const" in shape:
        return f"“{shape['const']}”"
    if "enum" in shape:
        return " | ".join(f"“{each}”" for each in shape["enum"])
    return _plain_kind(shape)


def _plain_kind(shape: dict[str, Any]) -> str:
    if "anyOf" in shape:
        return " | ".join(dict.fromkeys(_kind(each) for each in shape["anyOf"]))
    if shape.get("type") == "array":
        return f"list of {_kind(shape['items'])}" if shape.get("items") else "list"
    if shape.get("type") == "object":
        inner = shape.get("additionalProperties")
        return f"object of {_kind(inner)}" if isinstance(inner, dict) else "object"
    return str(shape.get("type", "anything"))


def _refs(shape: Any) -> list[str]:
    if isinstance(shape, dict):
        own = [shape["$ref"].rsplit("/", 1)[-1]] if "$ref" in shape else []
        return own + [name for each in shape.values() for name in _refs(each)]
    if isinstance(shape, list):
        return [name for each in shape for name in _refs(each)]
    return []
