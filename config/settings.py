"""The site's settings. Values that differ between hosts come from the environment (`README.md`)."""

import os
from pathlib import Path

from csp.constants import NONE, SELF

from config import limits, logs
from config.environment import Environment, count_cores, parse_host
from config.limits import *  # noqa: F403  # exported, because code reads `settings.NAME`

env = Environment()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / ".data")))

SITE_NAME = env.text("SITE_NAME", "Parlour")
DEBUG = env.flag("DEBUG", default=False)
PORT = env.number("PORT", 8000, least=1)

# -- the site's addresses
ALLOWED_ORIGINS = env.origins(PORT)
ALLOWED_HOSTS = sorted({parse_host(origin) for origin in ALLOWED_ORIGINS})
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS
IS_HTTPS = all(origin.startswith("https://") for origin in ALLOWED_ORIGINS)

# -- storage
# Compiled code is cached beside the sources, or in DATA_DIR if these are read-only.
if not os.access(BASE_DIR / "games", os.W_OK):
    os.environ.setdefault("NUMBA_CACHE_DIR", str(DATA_DIR / "compiled"))
DATABASES = {"default": env.database(DATA_DIR)}
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite")
_POOL = DATABASES["default"]["OPTIONS"].get("pool", {})
# The number of requests that one server handles at the same time.
PAGE_THREADS = env.page_threads(_POOL.get("max_size"))
SQLITE_SYNCHRONOUS = env.one_of("SQLITE_SYNCHRONOUS", ("FULL", "NORMAL"))
DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"} if IS_SQLITE else {}
SECRET_KEY = env.secret_key(DATA_DIR, embedded=IS_SQLITE)
SECRET_KEY_FALLBACKS = env.former_keys()
SIGNING_SEED = env.signing_seed(SECRET_KEY)  # the seed of the key that signs records, 32 bytes
REDIS_URL = env.redis_url()
CHANNEL_LAYERS = {
    "default": {
        # The pub/sub layer, because the core layer silently drops messages beyond its capacity.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # In seconds. A longer wait means that the network is down, and that hints would queue up.
        # The layer's receiver has its own timeout, so idle sockets stay open.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": 3}]},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- applications and middleware
INSTALLED_APPS = [
    "config.apps.SiteConfig",
    "config.apps.DaphneConfig",
    "config.apps.StaffAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "lobby",
    "games",
]
MIDDLEWARE = [
    "config.middleware.health.HealthMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # This is safe from BREACH: responses get a random length, and each page masks its CSRF token.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.middleware.language.LanguageMiddleware",
    "config.middleware.headers.ResponseHeadersMiddleware",
    "lobby.api.middleware.Gate",
    "config.middleware.text_validation.TextValidationMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "lobby.accounts.sessions.SessionRenewalMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "lobby.accounts.names.ChooseNameMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "config.context_processors.site",
            ],
        },
    },
]

# -- accounts
AUTH_USER_MODEL = "lobby.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "MinimumLengthValidator",
        "CommonPasswordValidator",  # the 20,000 most frequent passwords in breaches
        "NumericPasswordValidator",
        "UserAttributeSimilarityValidator",
    )
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = ["lobby.accounts.hashing.Argon2Hasher", "lobby.accounts.hashing.PBKDF2Hasher"]
SESSION_ENGINE = "games.store.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * env.number("SESSION_DAYS", 30, least=1)  # after the last use
# django-allauth: see lobby/accounts/
ACCOUNT_ADAPTER = "lobby.accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "login": "lobby.accounts.forms.LoginForm",
    "signup": "lobby.accounts.forms.SignupForm",
    "reauthenticate": "lobby.accounts.forms.ReauthenticateForm",
    "change_password": "lobby.accounts.forms.ChangePasswordForm",  # nosec B105  # a class, not a password
    "set_password": "lobby.accounts.forms.SetPasswordForm",  # nosec B105  # a class, not a password
    "reset_password": "lobby.accounts.forms.ResetPasswordForm",  # nosec B105  # a class, not a password
    "reset_password_from_key": "lobby.accounts.forms.ResetPasswordKeyForm",  # nosec B105  # a class, not a password
    "request_login_code": "lobby.accounts.forms.RequestLoginCodeForm",
    "confirm_login_code": "lobby.accounts.forms.ConfirmLoginCodeForm",
    "add_email": "lobby.accounts.forms.AddressForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = True  # an account has one address
# The same address can be entered for several accounts, but only its owner can confirm it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_HTTPS else "http"
# `lobby.accounts.limits` counts attempts instead: in Redis if there is one, and in memory if Redis
# is unavailable. allauth's own limits need a cache, and fail with it.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
MFA_ADAPTER = "lobby.accounts.forms.FactorAdapter"
MFA_FORMS = {
    "authenticate": "lobby.accounts.forms.CodeForm",
    "reauthenticate": "lobby.accounts.forms.CodeAgainForm",
    "activate_totp": "lobby.accounts.forms.AppForm",
    "add_webauthn": "lobby.accounts.forms.PasskeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # confirmation of the address is irrelevant to two-step login
# Also accept codes of this many 30-second periods before and after the current one.
MFA_TOTP_TOLERANCE = 1
MFA_RECOVERY_CODE_DIGITS = 12
MFA_RECOVERY_CODES_SHOW_ONCE = True
PASSWORD_RESET_TIMEOUT = 60 * 60  # seconds for which the link in the e-mail is valid

# -- e-mail; without EMAIL_URL, the site sends no e-mail
_MAIL = env.mail()
SENDS_MAIL = bool(_MAIL)
EMAIL_BACKEND = (
    "lobby.accounts.mail.QueuedEmailBackend"
    if SENDS_MAIL
    else "django.core.mail.backends.dummy.EmailBackend"
)
EMAIL_HOST, EMAIL_PORT = _MAIL.get("EMAIL_HOST", ""), _MAIL.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _MAIL.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = bool(_MAIL.get("EMAIL_USE_TLS")), bool(_MAIL.get("EMAIL_USE_SSL"))
EMAIL_TIMEOUT = 10  # seconds for the mail server to respond
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.mail_from(SENDS_MAIL)

# -- language and time
LANGUAGE_CODE = "en"
# Each language in its own name. All but English have a catalog in config/locale.
LANGUAGES = [
    ("ar", "العربية"),
    ("cs", "Čeština"),
    ("de", "Deutsch"),
    ("en", "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("ja", "日本語"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("pt-br", "Português (Brasil)"),
    ("ru", "Русский"),
    ("zh-hans", "简体中文"),
]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
TIME_ZONE = "UTC"
USE_I18N = True
FORMAT_MODULE_PATH = ["config.formats"]

# -- static files
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Pages name files only with their digests, so the other copies need not be compressed and served.
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_files.HashedStaticFiles"
    },
}

# -- security
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],  # includes websockets of the same origin
        "manifest-src": [SELF],
        "media-src": [SELF],
        "worker-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "config.errors.csrf_failure"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
# With this prefix, neither another host of the domain nor a page over plain HTTP can set the
# cookies. `static/js/shared/requests.js` knows both names of the CSRF cookie.
SESSION_COOKIE_NAME = "__Host-sessionid" if IS_HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if IS_HTTPS else "csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
# Browsers keep a site in their preload list for years, so this is off by default.
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # this check warns if SECURE_HSTS_PRELOAD is off
# Only turn this on behind a proxy that overwrites X-Forwarded-For and X-Forwarded-Proto.
BEHIND_PROXY = env.flag("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# -- limits that a host may change; the others are in config/limits.py
RATE_LIMITS = env.flag("RATE_LIMITS", default=True)
CONNECTIONS = env.number("CONNECTIONS", 10_000, least=10)  # TCP connections open on one server
# TCP connections from one address that are open on one server.
CONNECTIONS_PER_ADDRESS = env.number("CONNECTIONS_PER_ADDRESS", 600, least=2)
# Websockets from one address that are open on one server.
SOCKETS_PER_ADDRESS = env.number("SOCKETS_PER_ADDRESS", 500, least=1)
GUESTS_PER_MINUTE = env.number("GUESTS_PER_MINUTE", 30, least=1)  # from one address
SIGNUPS_PER_HOUR = env.number("SIGNUPS_PER_HOUR", 60, least=1)  # from one address
MEMBERS_PER_GROUP = env.number("MEMBERS_PER_GROUP", 200, least=2)
# If on, rated matches between two players on one client network change their ratings.
RATED_ON_SAME_NETWORK = env.flag("RATED_ON_SAME_NETWORK", default=False)
# If on, webhooks may use plain http and private addresses, including the server's own.
WEBHOOKS_TO_PRIVATE_NETWORKS = env.flag("WEBHOOKS_TO_PRIVATE_NETWORKS", default=DEBUG)
# A byte that is URL-encoded can take three characters.
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * limits.MAX_BODY_BYTES

# -- how long personal data is kept
# How long a guest without matches is kept (`config.retention`), counted from the guest's creation.
GUEST_DAYS = env.number("GUEST_DAYS", 30, least=1)
# For the log of players' connections, and the client networks of players who send commands in rated
# matches or use the computer.
CONNECTION_LOG_DAYS = env.number("CONNECTION_LOG_DAYS", 90, least=1)

# -- the computer
# The number of processes that search moves, in `serve` and in each `manage.py bots`. By default
# there are at least two, so that a long search for one match does not delay another. More processes
# on one core would disturb the servers despite their low priority, because without preemption the
# kernel is slow to switch processes.
BOT_PROCESSES = env.number("BOT_PROCESSES", max(2, min(4, count_cores() - 1)))

# -- operation
LOGGING = logs.configure_logging(env.one_of("LOG_FORMAT", ("CONSOLE", "JSON")))
METRICS_TOKEN = env.text("METRICS_TOKEN")  # "" disables `/metrics`
