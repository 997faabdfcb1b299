-- atrium: no transaction
drop index concurrently if exists files_by_resource;
create index concurrently files_by_resource on files (tenant_id, resource_type, resource_id, id) where resource_id is not null;
drop index concurrently if exists users_by_avatar;
create index concurrently users_by_avatar on users (tenant_id, avatar) where avatar is not null;
alter table files validate constraint files_resource_is_whole;
alter table users validate constraint users_avatar_is_kept;
