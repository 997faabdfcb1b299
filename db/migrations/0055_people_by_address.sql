-- atrium: no transaction
-- A forgotten password is asked for by the address, in any case.
drop index concurrently if exists users_by_address;
create index concurrently users_by_address on users (tenant_id, lower(email)) where email is not null;
