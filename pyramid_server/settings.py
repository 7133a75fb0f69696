"""Django settings. What an operator may change comes from the environment; docs/settings.md lists it."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from pyramid_server import __version__
from pyramid_server.daily_settings import mistakes_in
from pyramid_server.database import lasting
from pyramid_server.env import (
    DATABASE,
    HOSTS,
    JSON_OBJECT,
    MAIL,
    MAIL_ADDRESS,
    NAMES,
    ORIGINS,
    REDIS,
    SECRET,
    URL,
    YES_OR_NO,
    Environment,
    one_of,
    seconds,
    whole_number,
)
from pyramid_server.logs import to_stderr
from pyramid_server.private_files import keep_private
from pyramid_server.secret_key import kept_secret
from pyramid_server.traces import REQUIREMENTS, is_installed

BASE_DIR = Path(__file__).resolve().parent.parent
LOCAL_FILES = BASE_DIR / "var"
ENVIRONMENT = Environment(os.environ)
read = ENVIRONMENT.read

# Where things are kept

_database = read(
    "DATABASE_URL",
    DATABASE,
    "sqlite:///var/pyramid.sqlite3",
    "The database. A relative SQLite path starts at the project's folder.",
)
_on_default_database = _database["NAME"] == "var/pyramid.sqlite3"
DATABASES = {"default": lasting(_database, BASE_DIR)}
LOCAL_FILES.mkdir(exist_ok=True)
if _database["ENGINE"] == "django.db.backends.sqlite3":
    keep_private(DATABASES["default"]["NAME"])
PYRAMID_HTTP_THREADS = read(
    "PYRAMID_HTTP_THREADS",
    whole_number(1, 1000),
    "8",
    "The number of requests that a process answers at once; each of its threads keeps a database connection.",
)
REDIS_URL = read(
    "REDIS_URL",
    REDIS,
    "",
    "Redis, required if more than one process serves players. Without it, messages and counters stay in memory.",
)

# Who may reach it, and how safely

SECRET_KEY = read(
    "PYRAMID_SECRET_KEY",
    SECRET,
    "",
    "Signs sessions and tickets, permutes suits. With the default database it is generated in `var/secret_key`.",
)
if not SECRET_KEY and _on_default_database:
    SECRET_KEY = kept_secret(LOCAL_FILES / "secret_key")
elif not SECRET_KEY:
    ENVIRONMENT.refuse(
        "PYRAMID_SECRET_KEY", "not given", f"{SECRET.expected}, because DATABASE_URL is not the default one"
    )
DEBUG = read(
    "PYRAMID_DEBUG",
    YES_OR_NO,
    "no",
    "Show error pages with source code and settings. Never use it where others can reach the server.",
)
LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = LOOPBACK_HOSTS + read(
    "PYRAMID_ALLOWED_HOSTS",
    HOSTS,
    "",
    "Host names of the server, in addition to `localhost`.",
)
CSRF_TRUSTED_ORIGINS = read(
    "PYRAMID_TRUSTED_ORIGINS",
    ORIGINS,
    "",
    "Other web sites whose pages may use a player's session, for forms and sockets.",
)
BEHIND_TLS_PROXY = read(
    "PYRAMID_BEHIND_TLS_PROXY",
    YES_OR_NO,
    "no",
    "A proxy terminates TLS and sets `X-Forwarded-Proto` and `X-Forwarded-For`: HTTPS only, secure cookies, HSTS.",
)
PYRAMID_PROXY_HOPS = read(
    "PYRAMID_PROXY_HOPS",
    whole_number(1, 10),
    "1",
    "With a proxy: how many of ours a request passes; each appends the sender to `X-Forwarded-For`.",
)
if BEHIND_TLS_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = BEHIND_TLS_PROXY
# Prometheus comes from inside, past the proxy.
SECURE_REDIRECT_EXEMPT = [r"^metrics$"]
# Pages of any site may use the API with a token, and read the answers. Credentials, which are cookies, are not allowed.
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"]
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type", "if-none-match"]
CORS_EXPOSE_HEADERS = ["Content-Disposition", "Date", "ETag", "Link", "Location", "Retry-After", "X-Request-ID"]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# HSTS for sub-domains and preloading would affect hosts that are not ours.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
AUTH_USER_MODEL = "games.Player"
AUTHENTICATION_BACKENDS = ["games.kit.passwords.CountedPasswords"]
PASSWORD_HASHERS = ["games.kit.hashing.QueuedHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {"user_attributes": ("username", "display_name")},
        "MinimumLengthValidator": {},
        "CommonPasswordValidator": {},
    }.items()
]

PASSWORD_RESET_TIMEOUT = 2 * 60 * 60
_mail = read(
    "PYRAMID_MAIL",
    MAIL,
    "",
    "The mail server, for forgotten passwords; its password needs TLS. `console` prints mails. Empty: none.",
)
PYRAMID_SENDS_MAIL = _mail.backend != "dummy"
EMAIL_BACKEND = f"django.core.mail.backends.{_mail.backend}.EmailBackend"
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail[1:5]
EMAIL_USE_SSL, EMAIL_USE_TLS = _mail[5:]
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = read(
    "PYRAMID_MAIL_FROM", MAIL_ADDRESS, "pyramid@localhost", "The address from which mails are sent."
)

# What players get

PYRAMID_PROGRAMME = read(
    "PYRAMID_PROGRAMME",
    JSON_OBJECT,
    "{}",
    'The programme of daily deals, `{"slots": [...]}`, see docs/daily-deals.md; empty: the default programme.',
)
PYRAMID_DAILY_RULE_SETS = read(
    "PYRAMID_DAILY_RULE_SETS",
    NAMES,
    "",
    "Instead of a programme: slugs of rule sets that have a deal of any grade every day.",
)
PYRAMID_DAILY_POLICIES = read(
    "PYRAMID_DAILY_POLICIES",
    JSON_OBJECT,
    "{}",
    'The policies of these rule sets, for days not committed to yet: `{"standard": {"attempts": 3}}`.',
)
for mistake in mistakes_in(PYRAMID_PROGRAMME, PYRAMID_DAILY_RULE_SETS, PYRAMID_DAILY_POLICIES):
    ENVIRONMENT.refuse(*mistake)
PYRAMID_DAILIES_AHEAD_DAYS = read(
    "PYRAMID_DAILIES_AHEAD_DAYS", whole_number(1, 366, "days"), "7", "How far in advance to commit to daily deals."
)
PYRAMID_TICKET_SECONDS = read(
    "PYRAMID_TICKET_SECONDS", seconds(5, 600), "60", "The validity of a ticket for opening sockets."
)
# The web server drops longer frames; frames between the two limits get an error message.
LARGEST_FRAME_BYTES = 64 * 1024
PYRAMID_MAX_FRAME_BYTES = read(
    "PYRAMID_MAX_FRAME_BYTES",
    whole_number(256, LARGEST_FRAME_BYTES, "bytes"),
    "4096",
    "The longest message that a client may send.",
)
PYRAMID_IDLE_SECONDS = read(
    "PYRAMID_IDLE_SECONDS", seconds(10, 86400), "900", "A socket that receives nothing for this time is closed."
)
PYRAMID_UNREAD_SECONDS = read(
    "PYRAMID_UNREAD_SECONDS",
    seconds(1, 3600),
    "20",
    "A client that does not read a message for this time is disconnected.",
)
PYRAMID_SOCKETS_PER_PLAYER = read(
    "PYRAMID_SOCKETS_PER_PLAYER",
    whole_number(1, 100_000),
    "20",
    "The number of sockets that a player may open in each process.",
)
PYRAMID_SOCKETS_PER_ADDRESS = read(
    "PYRAMID_SOCKETS_PER_ADDRESS",
    whole_number(1, 1_000_000),
    "200",
    "The number of sockets that an address may open in each process.",
)
PYRAMID_MESSAGES_PER_SECOND = read(
    "PYRAMID_MESSAGES_PER_SECOND",
    whole_number(1, 10000),
    "50",
    "The permanent rate of messages read from a socket, with bursts of five seconds' worth; others are read later.",
)
PYRAMID_FLOOD_SECONDS = read(
    "PYRAMID_FLOOD_SECONDS",
    seconds(1, 3600),
    "60",
    "A client that keeps sending faster, without waiting for answers, is disconnected after this time.",
)
PYRAMID_HEARTBEAT_SECONDS = read(
    "PYRAMID_HEARTBEAT_SECONDS",
    seconds(0, 300),
    "5",
    "How often a server records that it is up, so that games are not charged for downtime; 0: never.",
)
PYRAMID_OPEN_PRACTICE_GAMES = read(
    "PYRAMID_OPEN_PRACTICE_GAMES",
    whole_number(1, 10000),
    "20",
    "The number of unfinished practice games that a player may have.",
)
PYRAMID_BOTS_PER_PLAYER = read(
    "PYRAMID_BOTS_PER_PLAYER", whole_number(0, 40), "5", "The number of bots that a player may own."
)
PYRAMID_HOURLY_RACE = read(
    "PYRAMID_HOURLY_RACE",
    YES_OR_NO,
    "yes",
    "Whether the server holds a public race every full hour.",
)
PYRAMID_RACE_ROOM_MINUTES = read(
    "PYRAMID_RACE_ROOM_MINUTES",
    whole_number(1, 1440, "minutes"),
    "60",
    "How long the room of a race stays open before it is started.",
)
_races_per_hour = read(
    "PYRAMID_RACES_PER_HOUR",
    whole_number(1, 1_000_000),
    "20",
    "The number of races that a player may open per hour, rematches included; six times that may be joined.",
)
PYRAMID_SEAL_MINUTES = read(
    "PYRAMID_SEAL_MINUTES",
    whole_number(0, 525_600, "minutes"),
    "10",
    "How long after the end of a game its moves are packed into one value of its row, a fortieth of the space.",
)
PYRAMID_TRACE_DAYS = read(
    "PYRAMID_TRACE_DAYS",
    whole_number(1, 3650, "days"),
    "90",
    "How long after their last use to keep the keyed hashes of addresses and devices that link accounts for reviewers.",
)
PYRAMID_APPEAL_DAYS = read(
    "PYRAMID_APPEAL_DAYS", whole_number(1, 365, "days"), "14", "How long a player can appeal against a decision."
)
_games_per_day = read(
    "PYRAMID_PRACTICE_GAMES_PER_DAY",
    whole_number(1, 1_000_000),
    "500",
    "The number of practice games per day that a player may start; the programme limits ranked attempts.",
)
PYRAMID_IDLE_GUEST_DAYS = read(
    "PYRAMID_IDLE_GUEST_DAYS",
    whole_number(1, 36_500, "days"),
    "30",
    "Guests who never finished a game are removed after this time without a visit.",
)
PYRAMID_GUEST_PRACTICE_DAYS = read(
    "PYRAMID_GUEST_PRACTICE_DAYS",
    whole_number(1, 36_500, "days"),
    "90",
    "Practice games of guests are deleted after this time.",
)
PYRAMID_NOTIFICATION_DAYS = read(
    "PYRAMID_NOTIFICATION_DAYS", whole_number(1, 3650, "days"), "180", "How long notifications to players are kept."
)
PYRAMID_EXPORT_DAYS = read(
    "PYRAMID_EXPORT_DAYS",
    whole_number(1, 365, "days"),
    "7",
    "How long the copy of all their data that a player asked for can be downloaded.",
)
_token_hours = read(
    "PYRAMID_TOKEN_HOURS",
    whole_number(1, 87600, "hours"),
    "720",
    "An API token or a browser session ends when not used for this time. A guest who loses it loses the account.",
)
_guests_per_hour = read(
    "PYRAMID_GUESTS_PER_HOUR",
    whole_number(1, 1_000_000),
    "30",
    "The number of new guest accounts per hour from one address.",
)
_guests_per_day = read(
    "PYRAMID_GUESTS_PER_DAY",
    whole_number(1, 1_000_000),
    "200",
    "The number of new guest accounts per day from one address.",
)
_sign_ins_per_hour = read(
    "PYRAMID_SIGN_INS_PER_HOUR",
    whole_number(1, 1_000_000),
    "20",
    "Password attempts per hour for a handle from one address; 5 times that for all handles, 10 times from everywhere.",
)
_mails_per_hour = read(
    "PYRAMID_MAILS_PER_HOUR",
    whole_number(1, 1_000_000),
    "3",
    "Mails per hour to one mail address; five times as many requested from one network address.",
)
PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES = read(
    "PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES",
    YES_OR_NO,
    "no",
    "Whether webhooks may lead to addresses of private networks, such as the operator's own.",
)
_reports_per_day = read(
    "PYRAMID_REPORTS_PER_DAY",
    whole_number(1, 1_000_000),
    "20",
    "The number of scores per day that a player may report.",
)
_anonymous_per_minute = read(
    "PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE",
    whole_number(1, 1_000_000),
    "120",
    "The number of API requests per minute from one address without authentication.",
)
_requests_per_minute = read(
    "PYRAMID_REQUESTS_PER_MINUTE",
    whole_number(1, 1_000_000),
    "600",
    "The number of API requests per minute of one player.",
)
_pages_per_minute = read(
    "PYRAMID_PAGES_PER_MINUTE",
    whole_number(1, 1_000_000),
    "600",
    "The number of pages per minute for one address, the admin's included.",
)
_sockets_per_minute = read(
    "PYRAMID_SOCKETS_PER_MINUTE",
    whole_number(1, 1_000_000),
    "600",
    "The number of sockets that an address may open per minute, in each process.",
)
# How many of something may come at once, and in how many seconds that many come back (games/kit/limits.py).
PYRAMID_LIMITS = {
    "guests": (_guests_per_hour, 60 * 60),
    "guests_a_day": (_guests_per_day, 24 * 60 * 60),
    "practice": (_games_per_day, 24 * 60 * 60),
    "races": (_races_per_hour, 60 * 60),
    "race_joins": (6 * _races_per_hour, 60 * 60),
    "race_invites": (20, 60 * 60),
    "race_invitations": (30, 60 * 60),
    "race_invitations_to_one": (5, 60 * 60),
    "race_invitations_to_race": (100, 24 * 60 * 60),
    "sign_in": (_sign_ins_per_hour, 60 * 60),
    "sign_in_address": (5 * _sign_ins_per_hour, 60 * 60),
    "sign_in_handle": (10 * _sign_ins_per_hour, 60 * 60),
    "mails": (_mails_per_hour, 60 * 60),
    "mails_address": (5 * _mails_per_hour, 60 * 60),
    "exports": (3, 24 * 60 * 60),
    "reports": (_reports_per_day, 24 * 60 * 60),
    "anon": (_anonymous_per_minute, 60),
    "user": (_requests_per_minute, 60),
    "pages": (_pages_per_minute, 60),
    "sockets": (_sockets_per_minute, 60),
}
SESSION_ENGINE = "games.kit.browser_sessions"
SESSION_COOKIE_AGE = _token_hours * 60 * 60
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(hours=_token_hours),
    "AUTO_REFRESH": True,
    "MIN_REFRESH_INTERVAL": 60 * 60,
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.kit.rest.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["games.kit.rest.rendering.Renderer"],
    "DEFAULT_PARSER_CLASSES": ["games.kit.rest.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["games.kit.rest.throttling.RequestLimit"],
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "games.kit.rest.errors.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pyramid Server",
    "VERSION": __version__,
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": ["pyramid_server.schema.introduce"],  # enumerations stay where they are used
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# The parts of the site, in their order

INSTALLED_APPS = [
    "pyramid_server",
    "games",
    "leaderboards",
    "channels",
    "corsheaders",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "pyramid_server.admin_config.ProjectAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "pyramid_server.request_log.identify_requests",
    "django.middleware.security.SecurityMiddleware",
    "pyramid_server.content_security.content_security_policy",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pyramid_server.languages.readers_language",
    "pyramid_server.page_limit.limit_pages",
    "pyramid_server.readable.require_readable",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.kit.devices.device_mark",
    "django.contrib.messages.middleware.MessageMiddleware",
    "games.kit.passwords.remember_device",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# The pages belong to games.web, not to the whole app.
WEB = BASE_DIR / "games" / "web"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [WEB / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"web": "games.web.tags"},
        },
    }
]
ROOT_URLCONF = "pyramid_server.urls"
ASGI_APPLICATION = "pyramid_server.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_NAME = "pyramid_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
FORMAT_MODULE_PATH = ["pyramid_server.formats"]

STATIC_URL = "static/"
# The pages use the JavaScript client as it is.
STATICFILES_DIRS = [WEB / "static", ("games/client", BASE_DIR / "clients" / "javascript" / "client")]
STATIC_ROOT = LOCAL_FILES / "static"
STORAGES = {"staticfiles": {"BACKEND": "pyramid_server.static_files.HashedFiles"}}
# Without `collectstatic` files are served from the source folders; the container serves compressed copies.
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = not any(STATIC_ROOT.iterdir())

PYRAMID_METRICS_TOKEN = read(
    "PYRAMID_METRICS_TOKEN",
    SECRET,
    "",
    "The bearer token for `/metrics`, in the format of Prometheus. If unset, there are no metrics.",
)

PYRAMID_TRACES_URL = read(
    "PYRAMID_TRACES_URL",
    URL,
    "",
    "Where to send traces (OTLP over HTTP), with the packages of `requirements-tracing.txt`. If unset, there are none.",
)
if PYRAMID_TRACES_URL and not is_installed():
    ENVIRONMENT.refuse("PYRAMID_TRACES_URL", "set", f"the packages of {REQUIREMENTS} to be installed then")

LOGGING = to_stderr(
    read(
        "PYRAMID_LOG_LEVEL",
        one_of("DEBUG", "INFO", "WARNING", "ERROR"),
        "INFO",
        "The lowest level of log lines to write.",
    ),
    read(
        "PYRAMID_LOG_FORMAT",
        one_of("TEXT", "JSON"),
        "TEXT",
        "A line of text for each event, or a JSON object with the identifiers of its request, player and game.",
    ),
)

ENVIRONMENT.raise_mistakes()
