-- atrium: no transaction
-- What a plan limits is counted whenever something is added to a tenant with a limit.
drop index concurrently if exists users_signing_in;
create index concurrently users_signing_in on users (tenant_id) where status = 'active' and is_service is false;
drop index concurrently if exists projects_active;
create index concurrently projects_active on projects (tenant_id) where status = 'ACTIVE';
drop index concurrently if exists files_sizes;
create index concurrently files_sizes on files (tenant_id) include (size);
