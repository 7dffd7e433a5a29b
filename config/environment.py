"""Settings read from environment variables.

The methods of `Environment` raise `ImproperlyConfigured` for invalid values, with one line that
names the variable.
"""

import contextlib
import os
import secrets
from base64 import b64decode
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from config import file_permissions

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off", ""}
# The database connections of a process that are not for pages: one for each of the four threads of
# `games.runtime.db`, and one spare.
_DB_THREADS = 5
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


def count_cores() -> int:
    """Return the number of processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Environment:
    """A reader of variables, by default of `os.environ`, with a method for each kind of setting."""

    def __init__(self, variables: dict[str, str] | None = None) -> None:
        self._env = environ.Env()
        if variables is not None:
            self._env.ENVIRON = variables

    def text(self, name: str, default: str = "") -> str:
        return str(self._env.str(name, default=default)).strip()

    def flag(self, name: str, default: bool) -> bool:
        value = self.text(name, "on" if default else "off").lower()
        if value in _YES:
            return True
        if value in _NO:
            return False
        raise ImproperlyConfigured(f"{name} must be on or off, not {value!r}.")

    def number(self, name: str, default: int, least: int = 0) -> int:
        value = self.text(name, str(default))
        if not (value.isascii() and value.isdigit() and int(value) >= least):
            raise ImproperlyConfigured(
                f"{name} must be a whole number from {least}, not {value!r}."
            )
        return int(value)

    def one_of(self, name: str, choices: tuple[str, ...]) -> str:
        """Return one of the choices, by default the first."""
        value = self.text(name, choices[0]).upper()
        if value not in choices:
            raise ImproperlyConfigured(
                f"{name} must be one of {', '.join(choices)}, not {value!r}."
            )
        return value

    def database(self, data_dir: Path) -> dict[str, Any]:
        """Return the entry for `DATABASES` that `DATABASE_URL` describes, SQLite by default."""
        url = self.text("DATABASE_URL", f"sqlite:///{data_dir / 'site.sqlite3'}")
        scheme = url.split(":", 1)[0]
        if scheme not in {"sqlite", "postgres", "postgresql"}:
            raise ImproperlyConfigured(
                "DATABASE_URL must begin with sqlite:/// or postgres://, "
                f"not with {scheme!r} (example: postgres://user:password@localhost/site)."
            )
        try:
            found: dict[str, Any] = dict(environ.Env.db_url_config(url))
        except (ValueError, ImproperlyConfigured) as error:
            raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}.") from error
        if not found.get("NAME"):
            raise ImproperlyConfigured("DATABASE_URL names no database.")
        if scheme == "sqlite":
            found["ENGINE"] = "config.queued_sqlite"
            # The threads that render pages are few, and a new connection takes a tenth of a page.
            found["CONN_MAX_AGE"] = None
            found["OPTIONS"] = {
                "transaction_mode": "IMMEDIATE",  # two writers queue instead of failing
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous="
                + self.one_of("SQLITE_SYNCHRONOUS", ("FULL", "NORMAL")),
            }
        else:
            # The pool keeps connections open; Django itself would leak them under ASGI.
            found["CONN_MAX_AGE"] = 0
            found["CONN_HEALTH_CHECKS"] = True
            found["OPTIONS"] = {
                # Statements of `games.runtime.postgres` are prepared after five uses. Django's own
                # are not, because the parameters are a part of the text. The URL may override it.
                "prepare_threshold": 5,
                **found.get("OPTIONS", {}),
                "pool": {
                    "min_size": 1,
                    "max_size": self.number("DATABASE_POOL_SIZE", 11, least=_DB_THREADS + 1),
                    # In seconds. After `timeout`, a request fails as unavailable. The short
                    # `reconnect_timeout` makes the pool give up, so that the next request connects
                    # immediately; the pool's own attempts become less and less frequent.
                    "timeout": 3,
                    "reconnect_timeout": 1,
                },
            }
        return found

    def page_threads(self, pool_size: int | None) -> int:
        """Return `PAGE_THREADS`, the number of requests that are answered at the same time.

        Each thread uses at most one connection. The default is the size of the pool minus the
        connections that are not for pages, or 6 without a pool (`pool_size` is None).
        """
        most = 6 if pool_size is None else pool_size - _DB_THREADS
        threads = self.number("PAGE_THREADS", most, least=1)
        if pool_size is not None and threads > most:
            raise ImproperlyConfigured(
                f"DATABASE_POOL_SIZE must be at least {threads + _DB_THREADS}: PAGE_THREADS="
                f"{threads} and {_DB_THREADS} other threads may each hold a connection."
            )
        return threads

    def redis_url(self) -> str:
        url = self.text("REDIS_URL")
        if url and urlsplit(url).scheme not in {"redis", "rediss", "unix"}:
            raise ImproperlyConfigured("REDIS_URL must begin with redis://, rediss:// or unix://.")
        return url

    def mail(self) -> dict[str, Any]:
        """Return Django's settings for the mail server in `EMAIL_URL`, or {} if it is not set."""
        url = self.text("EMAIL_URL")
        if not url:
            return {}
        parts = urlsplit(url)
        if parts.scheme not in {"smtp", "smtps", "smtp+tls", "smtp+ssl"} or not parts.hostname:
            raise ImproperlyConfigured(
                "EMAIL_URL must be like smtp+tls://user:password@mail.example.org:587."
            )
        try:
            found: dict[str, Any] = self._env.email_url("EMAIL_URL")
        except ValueError as error:
            raise ImproperlyConfigured(f"EMAIL_URL cannot be read: {error}.") from error
        return found

    def mail_from(self, sends_mail: bool) -> str:
        """Return `MAIL_FROM`, the sender of the site's e-mails. It is required with `EMAIL_URL`."""
        given = self.text("MAIL_FROM")
        if sends_mail and "@" not in given:
            raise ImproperlyConfigured(
                "MAIL_FROM must be the sender's address, because EMAIL_URL is set."
            )
        return given

    def origins(self, port: int) -> list[str]:
        """Return the site's own origins. The default is this port on the loopback names."""
        given = [part.strip() for part in self.text("ALLOWED_ORIGINS").split(",") if part.strip()]
        for origin in given:
            parts = urlsplit(origin)
            try:
                sound = parts.port is None or parts.port > 0
            except ValueError:
                sound = False
            if (
                not sound
                or parts.scheme not in {"http", "https"}
                or not parts.hostname
                or "*" in origin
                or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise ImproperlyConfigured(
                    f"ALLOWED_ORIGINS has {origin!r}; write full origins "
                    "such as https://play.example.org, comma-separated."
                )
        return given or [f"http://{name}:{port}" for name in LOOPBACK_NAMES]

    def secret_key(self, data_dir: Path, embedded: bool) -> str:
        """Return `SECRET_KEY`. With SQLite (`embedded`), load or create a key if none is set."""
        key = self.text("SECRET_KEY")
        if key:
            if len(key) < 32:
                raise ImproperlyConfigured("SECRET_KEY must have at least 32 characters.")
            return key
        if not embedded:
            raise ImproperlyConfigured("SECRET_KEY is missing: every server needs the same one.")
        return load_or_create_secret(data_dir / "secret-key")

    def signing_seed(self, secret_key: str) -> bytes:
        """Return the 32 bytes of `SIGNING_KEY`.

        By default, they are derived from `SECRET_KEY`, so that they are the same on all servers.
        """
        given = self.text("SIGNING_KEY")
        if not given:
            return blake2b(secret_key.encode(), digest_size=32, person=b"signing key").digest()
        try:
            seed = b64decode(given, validate=True)
        except ValueError:
            seed = b""
        if len(seed) != 32:
            raise ImproperlyConfigured("SIGNING_KEY must be 32 bytes in base64.")
        return seed

    def former_keys(self) -> list[str]:
        """Return `SECRET_KEY_FALLBACKS`: former keys, whose signatures are still valid."""
        given = [key.strip() for key in self.text("SECRET_KEY_FALLBACKS").split(",")]
        keys = [key for key in given if key]
        if any(len(key) < 32 for key in keys):
            raise ImproperlyConfigured(
                "SECRET_KEY_FALLBACKS must be keys of at least 32 characters, comma-separated."
            )
        return keys


def load_or_create_secret(path: Path) -> str:
    """Return the secret in the file. Create the file if needed, readable by its owner only."""
    try:
        file_permissions.create_private_folder(path.parent)
        with (
            contextlib.suppress(FileExistsError),
            os.fdopen(file_permissions.create_private_file(path), "w", encoding="ascii") as file,
        ):
            file.write(secrets.token_urlsafe(50))
    except OSError as error:
        raise ImproperlyConfigured(f"The secret {path} cannot be stored: {error}.") from error
    key = path.read_text(encoding="ascii").strip()
    if len(key) < 32:
        raise ImproperlyConfigured(f"The secret in {path} is too short: remove the file.")
    return key


def parse_host(origin: str) -> str:
    """Return the host of an origin for `ALLOWED_HOSTS`: without the port, and IPv6 in brackets."""
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host
