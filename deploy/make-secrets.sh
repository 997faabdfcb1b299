#!/bin/sh
# Creates the secrets of compose.yaml that do not exist yet, and says where the first password is.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets && chmod 700 secrets && cd secrets

random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }
# Whole or not at all: on a full disk it would be empty.
keep() { [ -s "$1" ] || { printf '%s' "$2" > "$1.new" && mv -f "$1.new" "$1"; }; }

keep postgres_password "$(random 24)"
keep database_password "$(random 24)"
keep database_url "postgres://atrium:$(cat database_password)@postgres:5432/atrium"
keep redis_password "$(random 24)"
keep redis_url "redis://:$(cat redis_password)@redis:6379"
keep jwt_secret "$(random 32)"
keep admin_password "$(random 12)"
# The users of the containers can read them. Other users of this machine cannot enter the folder.
chmod 444 ./*

echo "Sign in as admin with the password in deploy/secrets/admin_password"
