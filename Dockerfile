FROM python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285

ENV PYTHONUNBUFFERED=1 NUMBA_CACHE_DIR=/var/cache/pyramid
WORKDIR /srv/pyramid

# `manage.py backup` and `restore` call the client of PostgreSQL 17, the server of docker-compose.yml.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client-17 && rm -rf /var/lib/apt/lists/*
COPY requirements.lock .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

COPY . .
# The key is for this step alone: none may stay in the image.
RUN PYRAMID_SECRET_KEY="$(python -c 'import secrets; print(secrets.token_hex(32))')" \
    python manage.py collectstatic --no-input --verbosity 0 \
    && useradd --system --uid 999 --user-group --no-create-home pyramid \
    && python -m games.solver --compile \
    && chown -R pyramid /var/cache/pyramid

USER pyramid
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health/ready', timeout=4)"]
# One process, which listens only once it can answer; more processes are more nodes behind the proxy.
# At the level "info" uvicorn logs the address of each socket, and with it the ticket that opens it.
CMD ["uvicorn", "pyramid_server.asgi:application", "--host=0.0.0.0", "--port=8000", \
     "--http=pyramid_server.uvicorn_protocols:TimeoutProtocol", "--ws=pyramid_server.uvicorn_protocols:CountingSocket", "--ws-max-size=65536", "--ws-per-message-deflate=false", "--no-proxy-headers", \
     "--timeout-graceful-shutdown=20", "--log-level=warning", "--no-access-log", "--no-server-header"]
