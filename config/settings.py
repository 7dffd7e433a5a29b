"""The site's settings. What differs from place to place comes from the environment (README)."""

from pathlib import Path

from csp.constants import NONE, SELF

from config import logs
from config.environment import Environment, cores, host_of

env = Environment()
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.text("DATA_DIR", str(BASE_DIR / ".data")))

SITE_NAME = env.text("SITE_NAME", "Parlour")
DEBUG = env.flag("DEBUG", default=False)
PORT = env.number("PORT", 8000, least=1)

# -- where the site is, and who may speak to it
ALLOWED_ORIGINS = env.origins(PORT)
ALLOWED_HOSTS = sorted({host_of(origin) for origin in ALLOWED_ORIGINS})
CSRF_TRUSTED_ORIGINS = ALLOWED_ORIGINS
IS_HTTPS = all(origin.startswith("https://") for origin in ALLOWED_ORIGINS)

# -- where things are kept
DATABASES = {"default": env.database(DATA_DIR)}
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite")
_POOL = DATABASES["default"]["OPTIONS"].get("pool", {})
PAGE_THREADS = env.page_threads(_POOL.get("max_size"))  # how many pages are made at once
QUEUED_PAGES_PER_ADDRESS = env.number(
    "QUEUED_PAGES_PER_ADDRESS", 200, least=10
)  # requests of one address
SQLITE_SYNCHRONOUS = env.one_of("SQLITE_SYNCHRONOUS", ("FULL", "NORMAL"))
DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"} if IS_SQLITE else {}
SECRET_KEY = env.secret_key(DATA_DIR, embedded=IS_SQLITE)
SECRET_KEY_FALLBACKS = env.former_keys()
SIGNING_SEED = env.signing_seed(SECRET_KEY)  # 32 bytes: of the key that signs records
REDIS_URL = env.redis_url()
CHANNEL_LAYERS = {
    "default": {
        # The pub/sub layer: the core layer silently drops messages beyond its capacity.
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # Seconds. An answer that takes longer never comes (the network is cut), and hints wait in
        # line behind it. The layer's receiver has a time limit of its own, so idle sockets live on.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": 3}]},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# -- the parts
INSTALLED_APPS = [
    "config",
    "daphne",
    "config.staff_admin.StaffAdmin",
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
    "games.rules",
]
MIDDLEWARE = [
    "config.health.Probes",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Against BREACH its answers have a random length, and each page masks its token anew.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.headers.Headers",
    "lobby.api.gate.Gate",
    "config.input.Storable",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.headers.Renewal",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "lobby.accounts.named_first.NamedFirst",
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
                "config.context.site",
            ],
        },
    },
]

# -- people
AUTH_USER_MODEL = "lobby.Player"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "MinimumLengthValidator",
        "CommonPasswordValidator",  # 20,000 of the most frequent ones in breaches
        "NumericPasswordValidator",
        "UserAttributeSimilarityValidator",
    )
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
PASSWORD_HASHERS = ["lobby.accounts.hashing.Argon2", "lobby.accounts.hashing.Hasher"]
CONCURRENT_PASSWORD_HASHES = env.number(
    "CONCURRENT_PASSWORD_HASHES", 2, least=1
)  # of passwords; 46 MiB each
# A session lasts so long after its last use (seconds); a guest's name as long.
SESSION_ENGINE = "games.store.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * env.number("SESSION_DAYS", 30, least=1)
# So long after logging in it ends however much it is used. A guest's does not: nobody could log in.
SESSION_MAX_SECONDS = 60 * 60 * 24 * env.number("SESSION_MAX_DAYS", 180, least=1)
STAFF_SESSION_SECONDS = 60 * 60 * env.number("STAFF_SESSION_HOURS", 8, least=1)
# allauth's part: see lobby/accounts/
ACCOUNT_ADAPTER = "lobby.accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "login": "lobby.accounts.forms.LoginForm",
    "signup": "lobby.accounts.forms.SignupForm",
    "reauthenticate": "lobby.accounts.forms.ReauthenticateForm",
    "change_password": "lobby.accounts.forms.ChangePasswordForm",  # nosec B105  # a class
    "set_password": "lobby.accounts.forms.SetPasswordForm",  # nosec B105  # a class
    "reset_password": "lobby.accounts.forms.ResetPasswordForm",  # nosec B105  # a class
    "reset_password_from_key": "lobby.accounts.forms.ResetPasswordKeyForm",  # nosec B105  # a class
    "request_login_code": "lobby.accounts.forms.RequestLoginCodeForm",
    "confirm_login_code": "lobby.accounts.forms.ConfirmLoginCodeForm",
    "add_email": "lobby.accounts.forms.AddressForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_CHANGE_EMAIL = True  # an account has one address
ACCOUNT_PREVENT_ENUMERATION = "strict"  # an address may be given again; only its owner can confirm
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if IS_HTTPS else "http"
# Limits are counted by `lobby.accounts.limits`, in Redis where there is one, and without it if it
# is away; allauth's own would need a cache, and fail with it.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
MFA_ADAPTER = "lobby.accounts.factors.FactorAdapter"
MFA_FORMS = {
    "authenticate": "lobby.accounts.factors.CodeForm",
    "reauthenticate": "lobby.accounts.factors.CodeAgainForm",
    "activate_totp": "lobby.accounts.factors.AppForm",
    "add_webauthn": "lobby.accounts.factors.PasskeyForm",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an address that is not confirmed counts for nothing here
MFA_TOTP_TOLERANCE = 1  # periods of 30 s before and after
MFA_RECOVERY_CODE_DIGITS = 12
MFA_RECOVERY_CODES_SHOW_ONCE = True
PASSWORD_RESET_TIMEOUT = 60 * 60  # seconds that the link of a mail is good for

# -- mail, which a site without EMAIL_URL does not send
_MAIL = env.mail()
SENDS_MAIL = bool(_MAIL)
EMAIL_BACKEND = (
    "lobby.accounts.mail.Queued" if SENDS_MAIL else "django.core.mail.backends.dummy.EmailBackend"
)
EMAIL_HOST, EMAIL_PORT = _MAIL.get("EMAIL_HOST", ""), _MAIL.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _MAIL.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _MAIL.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = bool(_MAIL.get("EMAIL_USE_TLS")), bool(_MAIL.get("EMAIL_USE_SSL"))
EMAIL_TIMEOUT = 10  # seconds for the mail server to answer
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.mail_from(SENDS_MAIL)

# -- words and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
USE_I18N = True  # all words on pages are marked for translation; so far there is one language
USE_TZ = True
FORMAT_MODULE_PATH = ["config.formats"]

# -- static files
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static.HashedStaticFiles"
    },
}
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_USE_FINDERS = DEBUG

# -- safety
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],  # sockets of the same origin as well
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
# With this prefix no other host of the domain, and no page over plain http, can set them.
# `static/js/shared/guest.js` knows it.
SESSION_COOKIE_NAME = "__Host-sessionid" if IS_HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if IS_HTTPS else "csrftoken"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = IS_HTTPS
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if IS_HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_HTTPS
# Browsers keep a list of such sites for years, so nobody should get into it by accident.
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD", default=False)
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # it would warn that this is off
# On only behind a proxy that overwrites X-Forwarded-For and X-Forwarded-Proto (README: Production).
BEHIND_PROXY = env.flag("BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# -- limits (README: Settings)
RATE_LIMITS = env.flag("RATE_LIMITS", default=True)
MAX_FRAME_BYTES = env.number("MAX_FRAME_BYTES", 8192, least=1024)  # the largest a socket takes
MAX_QUEUED_FRAMES = env.number(
    "MAX_QUEUED_FRAMES", 500, least=10
)  # of one socket, not yet looked at
MAX_REFUSED_FRAMES = env.number(
    "MAX_REFUSED_FRAMES", 100, least=1
)  # for speed; then the socket is closed
MAX_SEND_BUFFER_BYTES = env.number(
    "MAX_SEND_BUFFER_BYTES", 256 * 1024, least=8192
)  # for a slow reader
FRAMES_PER_SECOND = env.number("FRAMES_PER_SECOND", 20, least=1)
FRAMES_BURST = env.number("FRAMES_BURST", 60, least=1)
# Pings, pongs and fragments of one socket. A browser sends a pong every PING_INTERVAL_SECONDS.
CONTROL_FRAMES_PER_SECOND = env.number("CONTROL_FRAMES_PER_SECOND", 2, least=1)
# Frames of all sockets of one address at one server. A hundred pupils who play as fast as they can
# send a third of that, with the pings of their pages. Further frames are read later.
ADDRESS_FRAMES_PER_SECOND = env.number("ADDRESS_FRAMES_PER_SECOND", 500, least=1)
ADDRESS_FRAMES_BURST = env.number("ADDRESS_FRAMES_BURST", 1000, least=1)
# Requests that cost a transaction, at one server. What is done in a match counts 1, what is
# refused there 5, a message to the lobby 4.
ACTIONS_PER_SECOND = env.number("ACTIONS_PER_SECOND", 10, least=1)  # of one player
ACTIONS_BURST = env.number("ACTIONS_BURST", 40, least=5)
ADDRESS_ACTIONS_PER_SECOND = env.number("ADDRESS_ACTIONS_PER_SECOND", 100, least=1)
ADDRESS_ACTIONS_BURST = env.number("ADDRESS_ACTIONS_BURST", 300, least=5)
SOCKET_OPENINGS_PER_SECOND = env.number(
    "SOCKET_OPENINGS_PER_SECOND", 20, least=1
)  # sockets of one address
SOCKET_OPENINGS_BURST = env.number(
    "SOCKET_OPENINGS_BURST", 600, least=1
)  # all of a school, after a restart
GUESTS_PER_MINUTE = env.number("GUESTS_PER_MINUTE", 30, least=1)
# New guests in an hour, where somebody who is suspended played so few days ago.
RESTRICTED_GUESTS_PER_HOUR = env.number("RESTRICTED_GUESTS_PER_HOUR", 3, least=1)
RESTRICTED_NETWORK_DAYS = env.number("RESTRICTED_NETWORK_DAYS", 7, least=1)
PICTURES_PER_MINUTE = env.number("PICTURES_PER_MINUTE", 60, least=1)  # of positions, for previews
RECORDS_PER_MINUTE = env.number("RECORDS_PER_MINUTE", 300, least=1)  # and positions as pictures
# Files of the log. Each tile has 256 entries, so a mirror reads 150,000 a minute.
LOG_FILES_PER_MINUTE = env.number("LOG_FILES_PER_MINUTE", 600, least=1)
API_REQUESTS_PER_MINUTE = env.number(
    "API_REQUESTS_PER_MINUTE", 600, least=1
)  # requests with one token, or by nobody
TOKENS_PER_ACCOUNT = env.number("TOKENS_PER_ACCOUNT", 50, least=1)  # of one account
WEBHOOKS_PER_ACCOUNT = env.number("WEBHOOKS_PER_ACCOUNT", 5, least=1)  # of one account
# Whether webhooks may go by plain http and to addresses of this machine and its network.
WEBHOOKS_TO_PRIVATE_NETWORKS = env.flag("WEBHOOKS_TO_PRIVATE_NETWORKS", default=DEBUG)
MAX_API_BODY_BYTES = env.number(
    "MAX_API_BODY_BYTES", 16 * 1024, least=1024
)  # of a request of the API
SEEKS_PER_MINUTE = env.number("SEEKS_PER_MINUTE", 30, least=1)  # of one player
SEEKS_PER_MINUTE_PER_ADDRESS = env.number(
    "SEEKS_PER_MINUTE_PER_ADDRESS", 120, least=1
)  # in a minute
REMATCHES_PER_MINUTE_PER_ADDRESS = env.number(
    "REMATCHES_PER_MINUTE_PER_ADDRESS", 240, least=1
)  # asked for in a minute
MATCHES_PER_MINUTE = env.number("MATCHES_PER_MINUTE", 15, least=1)  # begun by one player
MATCHES_PER_DAY = env.number("MATCHES_PER_DAY", 500, least=1)
SHARED_SCREEN_MATCHES_PER_PLAYER = env.number(
    "SHARED_SCREEN_MATCHES_PER_PLAYER", 10, least=1
)  # live ones of two at one screen
OPEN_SEEKS_PER_PLAYER = env.number(
    "OPEN_SEEKS_PER_PLAYER", 3, least=1
)  # searches of one player at the same time
ACCOUNTS_PER_CLASS = env.number("ACCOUNTS_PER_CLASS", 40, least=1)  # made at once for a group
CLASSES_PER_HOUR = env.number("CLASSES_PER_HOUR", 10, least=1)  # by one organiser
MEMBERS_PER_GROUP = env.number("MEMBERS_PER_GROUP", 200, least=2)  # of one group
GROUPS_PER_PLAYER = env.number("GROUPS_PER_PLAYER", 20, least=1)  # in which one player is
UNFINISHED_TOURNAMENTS_PER_ORGANISER = env.number(
    "UNFINISHED_TOURNAMENTS_PER_ORGANISER", 10, least=1
)  # of one organiser, not over
GROUP_TOURNAMENT_DELAY_MINUTES = env.number(
    "GROUP_TOURNAMENT_DELAY_MINUTES", 2, least=0
)  # minutes until a group's begins
OPEN_CHALLENGES_PER_PLAYER = env.number(
    "OPEN_CHALLENGES_PER_PLAYER", 10, least=1
)  # of one player, not yet answered
CHALLENGES_PER_MINUTE = env.number("CHALLENGES_PER_MINUTE", 10, least=1)  # made by one player
TIMED_CHALLENGE_MINUTES = env.number(
    "TIMED_CHALLENGE_MINUTES", 10, least=1
)  # one to a timed game is open
UNTIMED_CHALLENGE_HOURS = env.number(
    "UNTIMED_CHALLENGE_HOURS", 24, least=1
)  # and one to an untimed game
DOWNLOADS_PER_HOUR = env.number("DOWNLOADS_PER_HOUR", 6, least=1)  # of all of a player's games
OPEN_INVITATIONS_PER_PLAYER = env.number(
    "OPEN_INVITATIONS_PER_PLAYER", 10, least=1
)  # of one player, by address
LOGIN_WINDOW_MINUTES = env.number(
    "LOGIN_WINDOW_MINUTES", 10, least=1
)  # in which attempts are counted
SIGNUPS_PER_HOUR = env.number("SIGNUPS_PER_HOUR", 60, least=1)  # from one address; a class at once
MAILS_PER_HOUR_PER_RECIPIENT = env.number(
    "MAILS_PER_HOUR_PER_RECIPIENT", 5, least=1
)  # asked for, to one mail address
MAILS_PER_HOUR_PER_ADDRESS = env.number(
    "MAILS_PER_HOUR_PER_ADDRESS", 30, least=1
)  # in an hour, from one household
LOGIN_ATTEMPTS_PER_ADDRESS = env.number(
    "LOGIN_ATTEMPTS_PER_ADDRESS", 20, least=1
)  # passwords tried
LOGIN_ATTEMPTS_PER_ACCOUNT = env.number("LOGIN_ATTEMPTS_PER_ACCOUNT", 10, least=1)
SOCKETS_PER_PLAYER = env.number("SOCKETS_PER_PLAYER", 30, least=1)  # open at one server
# TCP connections, with those of websockets: see config/server/connections.py
CONNECTIONS = env.number("CONNECTIONS", 10_000, least=10)  # open at one server
CONNECTIONS_PER_ADDRESS = env.number("CONNECTIONS_PER_ADDRESS", 600, least=2)  # of them
REQUEST_HEADER_SECONDS = env.number(
    "REQUEST_HEADER_SECONDS", 10, least=1
)  # to send a request's first part
REQUEST_BODY_SECONDS = env.number("REQUEST_BODY_SECONDS", 20, least=1)  # to send the rest of it
IDLE_CONNECTION_SECONDS = env.number(
    "IDLE_CONNECTION_SECONDS", 75, least=1
)  # to take an answer and ask again
MAX_BODY_BYTES = env.number(
    "MAX_BODY_BYTES", 64 * 1024, least=1024
)  # of a request; the forms are short
DATA_UPLOAD_MAX_MEMORY_SIZE = 3 * MAX_BODY_BYTES  # percent-encoded: see config/server/channel.py
SOCKETS_PER_ADDRESS = env.number("SOCKETS_PER_ADDRESS", 500, least=1)  # open at one server
REPORTS_PER_DAY = env.number("REPORTS_PER_DAY", 5, least=1)

# -- how long things in a match may take
FIRST_MOVE_SECONDS = env.number(
    "FIRST_MOVE_SECONDS", 60, least=1
)  # until somebody acts in a timed match
ABANDONED_SECONDS = env.number("ABANDONED_SECONDS", 60, least=1)  # gone from a timed match
ABANDONED_DAYS = env.number("ABANDONED_DAYS", 7)  # gone from an untimed match
STALLED_DAYS = env.number("STALLED_DAYS", 3, least=1)  # without an action in an untimed match
LAG_ALLOWANCE_MS = env.number("LAG_ALLOWANCE_MS", 300)  # of the network, given back per action
# How much delay a player may get back in one match, and what each of their actions adds to that. A
# slow connection is made good for a while, and whoever fakes one gains these few seconds only.
LAG_BUDGET_MS = env.number("LAG_BUDGET_MS", 2000)
LAG_REFILL_MS = env.number("LAG_REFILL_MS", 60)
SIGN_SEARCH_HOURS = env.number(
    "SIGN_SEARCH_HOURS", 48, least=1
)  # how far back signs are caught up on
CASE_LOCK_MINUTES = env.number(
    "CASE_LOCK_MINUTES", 60, least=1
)  # a reviewer has a report to themselves
CONNECTION_LOG_DAYS = env.number(
    "CONNECTION_LOG_DAYS", 90, least=1
)  # the log of connections is kept so
# Whether games between two who play from one address count for ratings.
RATED_ON_SAME_NETWORK = env.flag("RATED_ON_SAME_NETWORK", False)
DELIVERED_EVENT_DAYS = env.number(
    "DELIVERED_EVENT_DAYS", 30, least=1
)  # events that were handed on are kept so long
RENAME_INTERVAL_DAYS = env.number(
    "RENAME_INTERVAL_DAYS", 30
)  # between two names that an account chooses
FORMER_NAME_DAYS = env.number("FORMER_NAME_DAYS", 90)  # a former name leads to the new one
ALIAS_NAME_DAYS = env.number("ALIAS_NAME_DAYS", 30)  # the name of a guest who was an account
ACCOUNT_CLOSING_DAYS = env.number(
    "ACCOUNT_CLOSING_DAYS", 7
)  # until an account that is to be closed is
GUEST_DAYS = env.number("GUEST_DAYS", 30, least=1)  # a guest who never played is kept so long

# -- the computer
# How many worker processes `serve`, and each `manage.py bots`, has. At least two, so that a long
# search for one match does not hold up another. Many of them on one core disturb other processes,
# in spite of their low priority: without preemption the kernel is slow to change to another one.
BOT_PROCESSES = env.number("BOT_PROCESSES", max(2, min(4, cores() - 1)))
BOT_PAUSE_MS = env.number("BOT_PAUSE_MS", 350)  # people cannot follow an action that comes sooner
BOT_MATCHES_PER_PLAYER = env.number(
    "BOT_MATCHES_PER_PLAYER", 10, least=1
)  # live ones of one player with the computer
BOT_MATCHES_PER_ADDRESS = env.number("BOT_MATCHES_PER_ADDRESS", 200, least=1)  # of one address
QUEUED_ANALYSES_PER_PLAYER = env.number(
    "QUEUED_ANALYSES_PER_PLAYER", 3, least=1
)  # matches that one player waits for
QUEUED_ANALYSES_PER_ADDRESS = env.number(
    "QUEUED_ANALYSES_PER_ADDRESS", 60, least=1
)  # and one address
EVALUATIONS_PER_MINUTE = env.number(
    "EVALUATIONS_PER_MINUTE", 20, least=1
)  # at positions, of one address
MAX_QUEUED_EVALUATIONS = env.number("MAX_QUEUED_EVALUATIONS", 100, least=1)  # of all
ANALYSIS_MS_PER_MOVE = env.number(
    "ANALYSIS_MS_PER_MOVE", 250, least=10
)  # for each move of a match that is analysed

# -- the rhythm of the sockets, in seconds
DB_POLL_SECONDS = env.number(
    "DB_POLL_SECONDS", 2, least=1
)  # how often a server looks for missed changes
PRESENCE_TIMEOUT_SECONDS = env.number(
    "PRESENCE_TIMEOUT_SECONDS", 10, least=1
)  # silence after which a person is not here
PING_INTERVAL_SECONDS = env.number(
    "PING_INTERVAL_SECONDS", 10, least=1
)  # a socket that does not answer for so long is closed
LOBBY_INTERVAL_SECONDS = 1  # the shortest time between two lobby frames
LOBBY_MATCHES = 12  # live matches drawn in the lobby
LOBBY_SEEKS = 50  # seeks listed in the lobby

LOGGING = logs.configure(env.one_of("LOG_FORMAT", ("CONSOLE", "JSON")))
METRICS_TOKEN = env.text("METRICS_TOKEN")  # without one there is no /metrics
