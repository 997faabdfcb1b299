-- atrium: no transaction
-- The list of a tenant's service accounts, which are few among many people.
drop index concurrently if exists users_services;
create index concurrently users_services on users (tenant_id, id) where is_service is true and deleted_at is null;
