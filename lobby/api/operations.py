"""Declaring the API's operations, parsing bodies, and handling errors.

A view returns a response, or a value that msgspec encodes as it does WebSocket messages.
django-ninja handles routing, parameters and their part of the OpenAPI description;
`lobby.api.schema` adds the rest.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

import msgspec
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.http.request import RawPostDataException, UnreadablePostError
from msgspec import Struct
from ninja import NinjaAPI
from ninja.errors import ValidationError

from games.messages.refusal import Refused
from games.runtime.addresses import get_request_network
from games.runtime.db import Unavailable
from games.runtime.decoders import get_decoder
from games.runtime.limiter import is_within_limit
from lobby.accounts.tokens import Scope
from lobby.api.caller import look_up_token, must_be_allowed
from lobby.api.responses import json, refused

View = Callable[..., Any]

LINES = "application/x-ndjson"
TEXT = "text/plain"
ANY_TOKEN: tuple[Scope, ...] = ()
PLAYS: tuple[Scope, ...] = ("games:play", "bot")


class Ok(Struct, frozen=True):
    """The operation succeeded."""

    ok: bool = True


class Call(Struct, frozen=True):
    """The description of an operation, except for its address and parameters."""

    name: str
    gives: Any  # the type of the response, or of each of its lines; `str` for plain text
    in_lines: bool
    takes: Any  # the type of the body; None if there is no body
    # One of these scopes is needed. (): any token is accepted. None: no token is needed.
    needs: tuple[Scope, ...] | None
    is_form: bool = False  # whether the body must be form-encoded, and cannot be JSON
    faults: Any = None  # the type of a 400 or 401 response, besides `responses.Failure`


CALLS: dict[str, Call] = {}
"""The documented operations by name."""

api = NinjaAPI(
    title="Parlour",
    version="1",
    openapi_url=None,  # `lobby.api.schema` serves the description, with msgspec's types
    docs_url=None,
    urls_namespace="api",
)


def call(
    method: str,
    path: str,
    *,
    tag: str,
    gives: Any = Ok,
    in_lines: bool = False,
    takes: Any = None,
    needs: tuple[Scope, ...] | None = None,
    is_form: bool = False,
    faults: Any = None,
    shown: bool = True,
) -> Callable[[View], View]:
    """Declare a view as an operation.

    The view returns a value of type `gives`, or a response. Its docstring is published as the
    operation's description, unless `shown` is false. `needs` lists scopes, one of which the token
    must have. With (), any token is accepted. With None, no token is needed.
    """

    def admit(request: HttpRequest) -> bool:
        """Count the request, and check its token. Raise `Refused` if the request is not allowed.

        This is done before the parameters are checked, so that clients without access learn nothing
        from errors in them.
        """
        who = get_request_network(request)
        try:
            caller = look_up_token(request)
            if caller is not None:
                who = caller.key
        finally:  # clients without a valid token share the limit of their network
            if not is_within_limit(settings.API_REQUESTS_PER_MINUTE, "api", who):
                raise Refused("too-often", seconds=60)
        if needs is not None:
            caller = must_be_allowed(caller, needs)
        request.caller = caller  # type: ignore[attr-defined]  # for `caller.find_caller`
        return True

    def declare(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponseBase:
            given = view(request, *args, **more)
            return given if isinstance(given, HttpResponseBase) else json(given)

        name = view.__name__.replace("_", "-")
        said = " ".join((view.__doc__ or "").split())
        if shown:
            assert name not in CALLS, name
            CALLS[name] = Call(name, gives, in_lines, takes, needs, is_form, faults)
        api.default_router.add_api_operation(
            path,
            [method],
            answer,
            auth=admit,
            operation_id=name,
            summary=said.split(". ")[0].split(": ")[0].rstrip("."),
            description=said,
            tags=[tag],
            include_in_schema=shown,
        )
        return view

    return declare


def read(request: HttpRequest, shape: type[Any]) -> Any:
    """Parse a JSON or form-encoded body as a value of type `shape`. Raise `Refused` if invalid."""
    reader = get_decoder(shape)
    try:
        if request.content_type == "application/json":
            found = reader.decode(request.body or b"{}")
        else:
            fields = {name: value for name, value in request.POST.items() if value != ""}
            found = msgspec.convert(fields, shape, strict=False)
    except msgspec.ValidationError as error:
        raise Refused("malformed", where=_field_of(error)) from error
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Refused("malformed") from error
    except (RawPostDataException, UnreadablePostError) as error:
        raise Refused("malformed") from error
    for field in msgspec.structs.fields(found):
        value = getattr(found, field.name)
        if isinstance(value, str) and "\0" in value:  # databases cannot store NUL
            raise Refused("malformed", where=field.encode_name)
    return found


def _field_of(error: msgspec.ValidationError) -> str:
    """Return the name of the invalid field, or "" for the whole body."""
    _, _, place = str(error).partition(" - at `$.")
    return place.removesuffix("`")


def list_of(request: HttpRequest, most: int) -> list[str]:
    """Parse a comma-separated body, and drop empty items and duplicates.

    Raise `Refused` for more than `most` items, and for a body that `text_of` refuses.
    """
    parts = dict.fromkeys(each.strip() for each in text_of(request).split(","))
    found = [each for each in parts if each]
    if len(found) > most:
        raise Refused("malformed")
    return found


def text_of(request: HttpRequest) -> str:
    """Return the body as text. Raise `Refused` if it is not valid UTF-8 or contains NUL."""
    try:
        found = request.body.decode()
    except UnicodeDecodeError:
        raise Refused("malformed") from None
    if "\0" in found:
        raise Refused("malformed")
    return found


@api.exception_handler(Refused)
def _refused(request: HttpRequest, refusal: Any) -> HttpResponse:
    return refused(refusal)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    where = sorted({str(each["loc"][-1]) for each in error.errors if each.get("loc")})
    return refused(Refused("malformed", where=" ".join(where)))


@api.exception_handler(Http404)
def _missing(request: HttpRequest, error: Any) -> HttpResponse:
    return refused(Refused("not-found"))


@api.exception_handler(Unavailable)
def _unavailable(request: HttpRequest, error: Any) -> HttpResponse:
    return refused(Refused("unavailable"))
