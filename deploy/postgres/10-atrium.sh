#!/bin/sh
# The image of PostgreSQL runs this once, when it creates its data directory. It creates a role that owns one database
# and has no other rights, and the role that the service drops to inside each transaction. Row security applies to both.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/database_password)" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role atrium login noinherit password :'password';
create role "atrium_service_atrium" nologin noinherit;
grant "atrium_service_atrium" to atrium;
create database atrium owner atrium;
revoke connect on database atrium from public;
SQL
