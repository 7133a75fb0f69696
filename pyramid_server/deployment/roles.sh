#!/bin/sh
# Run by the image of PostgreSQL when its volume is new. Afterwards the superuser has no password, and with it no way in
# but from inside of the container.
set -eu
psql --username=postgres --no-psqlrc \
    --set=owner_password="$POSTGRES_OWNER_PASSWORD" --set=server_password="$POSTGRES_SERVER_PASSWORD" \
    --file=/roles.sql
psql --username=postgres --no-psqlrc --command="ALTER ROLE postgres PASSWORD NULL"
