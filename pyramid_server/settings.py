"""Django settings. What an operator may change is read from the environment; docs/settings.md says what it is for.

The sections with variables have the headings of docs/settings.md.
"""

import os
from datetime import timedelta
from pathlib import Path

from games.runtime import tracing
from pyramid_server import __version__, env, folders
from pyramid_server.daily_settings import mistakes_in
from pyramid_server.database import lasting
from pyramid_server.logs import to_stderr
from pyramid_server.private_files import keep_private, kept_secret

BASE_DIR, PROJECT_DIR = folders.CODE, folders.PROJECT
ENVIRONMENT = env.Environment(os.environ)
read = ENVIRONMENT.read
MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60  # seconds

# Database, Redis and threads

DATA_DIR = folders.of_data(read("PYRAMID_FOLDER", env.FOLDER))
LOCAL_FILES = DATA_DIR / "var"
_database = read("DATABASE_URL", env.DATABASE, "sqlite:///var/pyramid.sqlite3")
_on_default_database = _database["NAME"] == "var/pyramid.sqlite3"
DATABASES = {"default": lasting(_database, DATA_DIR)}
if _database["ENGINE"] == "django.db.backends.sqlite3":
    keep_private(DATABASES["default"]["NAME"])
REDIS_URL = read("REDIS_URL", env.REDIS)
PYRAMID_HTTP_THREADS = read("PYRAMID_HTTP_THREADS", env.whole_number(1, 1000), "8")

# Access

SECRET_KEY = read("PYRAMID_SECRET_KEY", env.SECRET)
if not SECRET_KEY and _on_default_database:
    SECRET_KEY = kept_secret(LOCAL_FILES / "secret_key")
    if len(SECRET_KEY) < env.SHORTEST_SECRET:
        ENVIRONMENT.refuse("PYRAMID_SECRET_KEY", f"damaged in {LOCAL_FILES / 'secret_key'}", env.SECRET.expected)
elif not ENVIRONMENT.is_given("PYRAMID_SECRET_KEY"):
    expected = f"{env.SECRET.expected}, because DATABASE_URL is not the default one"
    ENVIRONMENT.refuse("PYRAMID_SECRET_KEY", "not given", expected)
DEBUG = read("PYRAMID_DEBUG", env.YES_OR_NO, "no")
LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = LOOPBACK_HOSTS + read("PYRAMID_ALLOWED_HOSTS", env.HOSTS)
CSRF_TRUSTED_ORIGINS = read("PYRAMID_TRUSTED_ORIGINS", env.ORIGINS)
BEHIND_TLS_PROXY = read("PYRAMID_BEHIND_TLS_PROXY", env.YES_OR_NO, "no")
PYRAMID_PROXY_HOPS = read("PYRAMID_PROXY_HOPS", env.whole_number(1, 10), "1")
PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES = read("PYRAMID_WEBHOOKS_TO_PRIVATE_ADDRESSES", env.YES_OR_NO, "no")
_push_services = "fcm.googleapis.com,push.services.mozilla.com,push.apple.com,notify.windows.com"
PYRAMID_PUSH_SERVICES = read("PYRAMID_PUSH_SERVICES", env.HOSTS, _push_services)
_token_hours = read("PYRAMID_TOKEN_HOURS", env.whole_number(1, 87600, "hours"), "720")
if BEHIND_TLS_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * DAY
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = BEHIND_TLS_PROXY
# Prometheus comes from inside, past the proxy.
SECURE_REDIRECT_EXEMPT = [r"^metrics$"]
# Pages of any site may use the API with a token, and read the answers. Credentials, which are cookies, are not allowed.
CORS_URLS_REGEX = r"^/(api/|oauth/(token|revoke|devices)/$|\.well-known/oauth-authorization-server$)"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"]
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type", "idempotency-key", "if-none-match"]
CORS_EXPOSE_HEADERS = [
    "Content-Disposition",
    "Date",
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Request-ID",
]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# HSTS for sub-domains and preloading would affect hosts that are not ours.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CSRF_FAILURE_VIEW = "games.site.pages.form_refused"
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
AUTH_USER_MODEL = "games.Player"
AUTHENTICATION_BACKENDS = ["games.accounts.password_backend.CountedPasswords"]
PASSWORD_HASHERS = ["games.accounts.hashing.QueuedHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in {
        "UserAttributeSimilarityValidator": {"user_attributes": ("username", "display_name")},
        "MinimumLengthValidator": {},
        "CommonPasswordValidator": {},
    }.items()
]

PASSWORD_RESET_TIMEOUT = 2 * HOUR
PYRAMID_SIGN_IN_WITH = read("PYRAMID_SIGN_IN_WITH", env.ISSUERS, "{}")
PYRAMID_PASSWORDS = read("PYRAMID_PASSWORDS", env.YES_OR_NO, "yes")
PYRAMID_PASSKEYS = read("PYRAMID_PASSKEYS", env.PASSKEYS, "yes")

# Mail

_mail = read("PYRAMID_MAIL", env.MAIL)
PYRAMID_SENDS_MAIL = _mail.backend != "dummy"
EMAIL_BACKEND = f"django.core.mail.backends.{_mail.backend}.EmailBackend"
EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail[1:5]
EMAIL_USE_SSL, EMAIL_USE_TLS = _mail[5:]
EMAIL_TIMEOUT = 10
PYRAMID_PUBLIC_URL = read("PYRAMID_PUBLIC_URL", env.ORIGIN, "http://localhost:8000").rstrip("/")
if _mail.backend == "smtp" and not ENVIRONMENT.is_given("PYRAMID_PUBLIC_URL"):
    ENVIRONMENT.refuse("PYRAMID_PUBLIC_URL", "not given", "the address of the site, for the links in mails")
DEFAULT_FROM_EMAIL = read("PYRAMID_MAIL_FROM", env.MAIL_ADDRESS, "pyramid@localhost")
PYRAMID_SECURITY_CONTACT = read("PYRAMID_SECURITY_CONTACT", env.CONTACT)

# Daily deals

PYRAMID_PROGRAMME = read("PYRAMID_PROGRAMME", env.JSON_OBJECT, "{}")
PYRAMID_DAILY_RULE_SETS = read("PYRAMID_DAILY_RULE_SETS", env.NAMES)
PYRAMID_DAILY_POLICIES = read("PYRAMID_DAILY_POLICIES", env.JSON_OBJECT, "{}")
for mistake in mistakes_in(PYRAMID_PROGRAMME, PYRAMID_DAILY_RULE_SETS, PYRAMID_DAILY_POLICIES):
    ENVIRONMENT.refuse(*mistake)
PYRAMID_DAILIES_AHEAD_DAYS = read("PYRAMID_DAILIES_AHEAD_DAYS", env.whole_number(1, 366, "days"), "7")
_relays = "https://api.drand.sh,https://drand.cloudflare.com,https://api2.drand.sh,https://api3.drand.sh"
PYRAMID_BEACON_RELAYS = read("PYRAMID_BEACON_RELAYS", env.RELAYS, _relays)

# The transparency log

PYRAMID_LOG_KEY = read("PYRAMID_LOG_KEY", env.LOG_KEY)
PYRAMID_WITNESSES = read("PYRAMID_WITNESSES", env.WITNESSES)
PYRAMID_LOG_KEY_FILE = LOCAL_FILES / f"{DATABASES['default']['NAME']}.log_key"  # beside a file of SQLite

# Games

PYRAMID_OPEN_PRACTICE_GAMES = read("PYRAMID_OPEN_PRACTICE_GAMES", env.whole_number(1, 10000), "20")
PYRAMID_BOTS_PER_PLAYER = read("PYRAMID_BOTS_PER_PLAYER", env.whole_number(0, 40), "5")
PYRAMID_HOURLY_RACE = read("PYRAMID_HOURLY_RACE", env.YES_OR_NO, "yes")
PYRAMID_CUPS = read("PYRAMID_CUPS", env.CUPS, "12:00,18:00,20:00")
PYRAMID_HEARTBEAT_SECONDS = read("PYRAMID_HEARTBEAT_SECONDS", env.whole_number(0, 300, "seconds"), "5")

# Sockets

PYRAMID_SOCKETS_PER_PLAYER = read("PYRAMID_SOCKETS_PER_PLAYER", env.whole_number(1, 100_000), "20")
PYRAMID_SOCKETS_PER_ADDRESS = read("PYRAMID_SOCKETS_PER_ADDRESS", env.COUNT, "200")
PYRAMID_MESSAGES_PER_SECOND = read("PYRAMID_MESSAGES_PER_SECOND", env.whole_number(1, 10000), "50")

# Rate limits

_sign_ins = read("PYRAMID_SIGN_INS_PER_HOUR", env.COUNT, "20")
# How many of something may come at once, and in how many seconds that many come back (games/runtime/limits.py). Those
# that no operator can change protect players from each other.
PYRAMID_LIMITS = {
    "guests": (read("PYRAMID_GUESTS_PER_HOUR", env.COUNT, "30"), HOUR),
    "guests_a_day": (read("PYRAMID_GUESTS_PER_DAY", env.COUNT, "200"), DAY),
    "practice": (read("PYRAMID_PRACTICE_GAMES_PER_DAY", env.COUNT, "500"), DAY),
    "puzzle_runs": (120, HOUR),
    "renames": (10, HOUR),
    "races": (20, HOUR),
    "cup_entries": (60, HOUR),
    "cup_codes": (60, HOUR),
    "tournaments": (10, DAY),
    "tournament_acts": (200, HOUR),
    "race_joins": (120, HOUR),
    "race_invites": (20, HOUR),
    "race_codes": (60, HOUR),
    "race_invitations": (30, HOUR),
    "race_invitations_to_one": (5, HOUR),
    "race_invitations_to_race": (100, DAY),
    "race_invitations_to_circle": (5, DAY),
    "clubs": (10, DAY),
    "club_joins": (60, HOUR),
    "club_codes": (60, HOUR),
    "club_acts": (200, HOUR),
    "duels": (20, DAY),
    "club_acts_on_one": (20, HOUR),
    "sign_in": (_sign_ins, HOUR),
    "sign_in_address": (5 * _sign_ins, HOUR),
    "sign_in_handle": (10 * _sign_ins, HOUR),
    "mails": (3, HOUR),
    "mails_address": (15, HOUR),
    "exports": (3, DAY),
    "push_subscriptions": (60, HOUR),
    "reports": (20, DAY),
    "app_tokens": (1200, HOUR),
    "app_consents": (60, HOUR),
    "device_codes": (60, HOUR),
    "typed_codes": (20, HOUR),
    "anon": (read("PYRAMID_ANONYMOUS_REQUESTS_PER_MINUTE", env.COUNT, "120"), MINUTE),
    "user": (read("PYRAMID_REQUESTS_PER_MINUTE", env.COUNT, "600"), MINUTE),
    "pages": (read("PYRAMID_PAGES_PER_MINUTE", env.COUNT, "600"), MINUTE),
    "log_files": (read("PYRAMID_LOG_FILES_PER_MINUTE", env.COUNT, "3000"), MINUTE),
    "sockets": (read("PYRAMID_SOCKETS_PER_MINUTE", env.COUNT, "600"), MINUTE),
}

# Personal data

PYRAMID_TRACE_DAYS = read("PYRAMID_TRACE_DAYS", env.whole_number(1, 3650, "days"), "90")
PYRAMID_IDLE_GUEST_DAYS = read("PYRAMID_IDLE_GUEST_DAYS", env.whole_number(1, 36_500, "days"), "30")
PYRAMID_GUEST_PRACTICE_DAYS = read("PYRAMID_GUEST_PRACTICE_DAYS", env.whole_number(1, 36_500, "days"), "90")

# Monitoring

PYRAMID_METRICS_TOKEN = read("PYRAMID_METRICS_TOKEN", env.SECRET)
PYRAMID_TRACES_URL = read("PYRAMID_TRACES_URL", env.URL)
if PYRAMID_TRACES_URL and not tracing.is_installed():
    ENVIRONMENT.refuse("PYRAMID_TRACES_URL", "set", f"the packages of {tracing.REQUIREMENTS} to be installed then")
# prometheus_client reads it by itself, as soon as anything is counted.
_common_counts = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
if not _common_counts:
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
elif not (Path(_common_counts).is_dir() and os.access(_common_counts, os.W_OK)):
    ENVIRONMENT.refuse("PROMETHEUS_MULTIPROC_DIR", repr(_common_counts), "a folder that can be written to")
LOGGING_CONFIG = "pyramid_server.logs.configure"
LOGGING = to_stderr(
    read("PYRAMID_LOG_LEVEL", env.one_of("DEBUG", "INFO", "WARNING", "ERROR"), "INFO"),
    read("PYRAMID_LOG_FORMAT", env.one_of("TEXT", "JSON"), "TEXT"),
)

ENVIRONMENT.raise_mistakes()

# REST and sessions

SESSION_ENGINE = "games.keys.browser_sessions"
SESSION_COOKIE_AGE = _token_hours * HOUR
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(hours=_token_hours),
    "AUTO_REFRESH": True,
    "MIN_REFRESH_INTERVAL": HOUR,
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.keys.rest_authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_RENDERER_CLASSES": ["games.doors.rest.bodies.Renderer"],
    "DEFAULT_PARSER_CLASSES": ["games.doors.rest.bodies.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_CLASSES": ["games.doors.rest.throttling.RequestLimit"],
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "games.doors.rest.errors.exception_handler",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pyramid Server",
    "VERSION": __version__,
    "OAS_VERSION": "3.1.0",
    "POSTPROCESSING_HOOKS": [
        "pyramid_server.schema.introduce",
        "pyramid_server.schema.describe_addresses",
        "pyramid_server.schema.name_scopes",
        "leaderboards.webhooks.wire.describe_webhooks",
    ],
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
    "pyramid_server.apps.ProjectAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "pyramid_server.middleware.identify_requests",
    "django.middleware.security.SecurityMiddleware",
    "pyramid_server.content_security.content_security_policy",
    "corsheaders.middleware.CorsMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "pyramid_server.middleware.readers_language",
    "pyramid_server.middleware.limit_pages",
    "pyramid_server.middleware.keep_private",
    "pyramid_server.middleware.limit_refusals",
    "pyramid_server.middleware.require_readable",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "games.players.devices.device_mark",
    "django.contrib.messages.middleware.MessageMiddleware",
    "games.accounts.password_backend.remember_device",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# Templates and static files lie beside the code of their subject.
SUBJECTS = [folder for app in ("games", "leaderboards") for folder in sorted((BASE_DIR / app).iterdir())]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [folder / "templates" for folder in SUBJECTS if (folder / "templates").is_dir()],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"web": "games.site.tags"},
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
LANGUAGE_COOKIE_AGE = 365 * DAY
FORMAT_MODULE_PATH = ["pyramid_server.formats"]

STATIC_URL = "static/"
# The pages use the JavaScript client as it is.
STATICFILES_DIRS = [
    *(folder / "static" for folder in SUBJECTS if (folder / "static").is_dir()),
    ("games/client", PROJECT_DIR / "clients" / "javascript" / "client"),
]
STATIC_ROOT = LOCAL_FILES / "static"
STORAGES = {"staticfiles": {"BACKEND": "pyramid_server.static_files.HashedFiles"}}
# `serve` collects our own files there. What was not collected is served from its folder, under its plain name.
WHITENOISE_USE_FINDERS = True
