"""The API's OpenAPI 3.1 description at `/api/openapi.json`."""

from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from msgspec import Struct
from ninja.openapi import get_schema

from games.match.setup import RATED_GAMES
from games.rules import GAMES
from lobby.accounts.tokens import SCOPES
from lobby.api.operations import CALLS, LINES, TEXT, Call, api
from lobby.api.responses import STATUS_OF, Failure
from lobby.api.schemas.games import EACH_GAME, EACH_RATED_GAME

_FORM = "{name}Form"
_TEXT = r"^[^\u0000]*$"
_REF = "#/components/schemas/{name}"
_SUFFIX = "Schema"
"""The suffix of classes whose name without it belongs to a model or to another class.

The published schemas have the names without the suffix.
"""

_ABOUT = (
    "What programs can do on this site, shaped as lichess' API where the thing is the same. "
    "Changes add to it; what is to go is marked as deprecated first. Moments are milliseconds "
    "since 1970. Every error has the body of the schema Failure."
)
_MEANS = {
    400: "The request cannot be read, or the rules do not allow it.",
    401: "There is no token, or it is not valid.",
    403: "The token, or the account, may not do that.",
    404: "There is no such thing.",
    409: "It is too late for that, or too early.",
    413: "The body is too large.",
    429: "Too often: wait for as many seconds as Retry-After says.",
    503: "The site cannot just now: try again.",
}

_TAGGED = ("export-game", "tournament", "tournament-results")
"""Operations whose response has an ETag once the game or tournament is over.

The response for a game has none if the game is not public.
"""


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI description as JSON."""
    body = encoded()
    tag = f'"{sha256(body).hexdigest()[:16]}"'
    if tag in request.headers.get("If-None-Match", ""):
        answer = HttpResponse(status=304)
    else:
        answer = HttpResponse(body, content_type="application/json")
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = "public, max-age=300"
    return answer


def encoded() -> bytes:
    return _describe(tuple(GAMES))[0]


def described() -> dict[str, Any]:
    """Return the complete OpenAPI description."""
    return _describe(tuple(GAMES))[1]


@lru_cache(maxsize=1)
def _describe(games: tuple[str, ...]) -> tuple[bytes, dict[str, Any]]:
    """Return the description of a site with these games: as JSON, and as a dictionary."""
    rated = [slug for slug in games if slug in RATED_GAMES]
    text = msgspec.json.encode(_build_description())
    for word, slugs in ((EACH_GAME, games), (EACH_RATED_GAME, rated)):
        names = b",".join(map(msgspec.json.encode, slugs))
        text = text.replace(msgspec.json.encode(word), names)
    return text, msgspec.json.decode(text)


def _build_description() -> dict[str, Any]:
    types = [Failure]
    for each in CALLS.values():
        types += each.gives, each.takes, each.faults
    wanted = [kind for kind in types if kind is not None]
    shapes, components = _get_components(wanted)
    shape_of = dict(zip(map(id, wanted), shapes, strict=True))
    for each in CALLS.values():
        if isinstance(each.takes, type) and issubclass(each.takes, Struct):
            name = _get_schema_name(each.takes)
            _say_what_is_refused(components[name])
            components[_FORM.format(name=name)] = _as_form(components[name])
    found: dict[str, Any] = dict(get_schema(api, "api/"))
    found["info"]["description"] = _ABOUT
    for operations in found["paths"].values():
        for operation in operations.values():
            _complete(operation, CALLS[operation["operationId"]], shape_of)
    found["components"] = {
        "schemas": {**components},
        "securitySchemes": {
            "token": {
                "type": "http",
                "scheme": "bearer",
                "description": f"A token that begins with prl_. Scopes: {', '.join(SCOPES)}.",
            }
        },
    }
    return found


def _get_schema_name(kind: type) -> str:
    return kind.__name__.removesuffix(_SUFFIX)


def _get_components(kinds: list[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Return the schema of each type, and a dictionary of the schemas to which these refer."""
    found = msgspec.json.schema_components(kinds, ref_template=_REF)
    text = msgspec.json.encode(found).replace(f'{_SUFFIX}"'.encode(), b'"')
    return msgspec.json.decode(text, type=tuple[tuple[dict[str, Any], ...], dict[str, Any]])


def _say_what_is_refused(shape: dict[str, Any]) -> None:
    """Exclude NUL from the texts in a body (see `lobby.api.operations.read`)."""
    for field in shape["properties"].values():
        for kind in field.get("anyOf", [field]):
            if kind.get("type") == "string" and "enum" not in kind:
                kind.setdefault("pattern", _TEXT)


def _as_form(shape: dict[str, Any]) -> dict[str, Any]:
    """Convert a schema to form fields. An optional field is left out instead of being null."""
    fields = {}
    for name, field in shape["properties"].items():
        kinds = [kind for kind in field.get("anyOf", [field]) if kind.get("type") != "null"]
        if kinds:
            rest = {key: value for key, value in field.items() if key not in {"anyOf", "default"}}
            fields[name] = {**rest, **kinds[0]}
    title = _FORM.format(name=shape["title"])
    return {
        **shape,
        "title": title,
        "properties": fields,
        # Unknown fields are ignored, but their names must not contain NUL.
        "propertyNames": {"pattern": _TEXT},
        "additionalProperties": {"type": "string", "pattern": _TEXT},
    }


def _complete_parameter(parameter: dict[str, Any]) -> None:
    """Complete the schema of a parameter. An optional parameter is left out, and never null."""
    shape = parameter["schema"]
    kinds = [kind for kind in shape.pop("anyOf", ()) if kind != {"type": "null"}]
    if kinds:
        (kind,) = kinds
        shape.update(kind)
    shape.pop("title", None)
    if "description" in shape:
        parameter["description"] = shape.pop("description")


def _complete(operation: dict[str, Any], known: Call, shape_of: dict[int, Any]) -> None:
    """Complete the parameters, the body, the responses and the scopes of an operation."""
    for parameter in operation["parameters"]:
        _complete_parameter(parameter)
    kind = LINES if known.in_lines else TEXT if known.gives is str else "application/json"
    responses: dict[str, Any] = {
        "200": {"description": "OK", "content": {kind: {"schema": shape_of[id(known.gives)]}}}
    }
    if known.name == "revoke-token":
        responses = {"204": {"description": "It is revoked."}}
    if known.name in _TAGGED:
        responses["304"] = {"description": "It has not changed."}
    for status, meaning in _MEANS.items():
        codes = sorted(code for code, of in STATUS_OF.items() if of == status)
        shape: Any = {"$ref": _REF.format(name="Failure")}
        if known.faults is not None and status in {400, 401}:
            shape = {"anyOf": [shape_of[id(known.faults)], shape]}
        responses[str(status)] = {
            "description": f"{meaning} Codes: {', '.join(codes) or 'malformed and others'}.",
            "content": {"application/json": {"schema": shape}},
        }
        if status in {429, 503}:
            seconds = {"description": "seconds", "schema": {"type": "integer"}}
            responses[str(status)]["headers"] = {"Retry-After": seconds}
    operation["responses"] = responses
    if known.takes is str:
        text = {"type": "string", "maxLength": 16384, "pattern": _TEXT}
        content: dict[str, Any] = {"text/plain": {"schema": text}}
    elif known.takes is not None:
        shape = shape_of[id(known.takes)]
        kinds = ("application/json", "application/x-www-form-urlencoded")
        form = {"$ref": _REF.format(name=_FORM.format(name=_get_schema_name(known.takes)))}
        shapes = dict(zip(kinds, (shape, form), strict=True))
        content = {kind: {"schema": shapes[kind]} for kind in kinds[known.is_form :]}
    if known.takes is not None:
        is_required = known.takes is not str and any(
            field.required for field in msgspec.structs.fields(known.takes)
        )
        operation["requestBody"] = {"content": content, "required": is_required}
    if known.needs is not None:
        operation["security"] = [{"token": []}]
        operation["x-scopes"] = list(known.needs)
        scopes = " or ".join(f"`{scope}`" for scope in known.needs) or "any"
        operation["description"] += f" Needs a token: {scopes}."
