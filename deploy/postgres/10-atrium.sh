#!/bin/sh
# Run once by the image of PostgreSQL, when it makes its data directory: a role that owns one database and is nothing
# else, and the role that the service drops to inside each transaction. Row security holds for both.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/database_password)" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role atrium login noinherit password :'password';
create role "atrium_service_atrium" nologin noinherit;
grant "atrium_service_atrium" to atrium;
create database atrium owner atrium;
revoke connect on database atrium from public;
SQL
