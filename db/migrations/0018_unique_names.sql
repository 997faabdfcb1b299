-- atrium: no transaction
-- Two people of a tenant never look alike, and whoever has gone keeps their name.
drop index concurrently if exists users_look_taken;
create unique index concurrently users_look_taken on users (tenant_id, look);
drop index concurrently if exists users_skeleton_taken;
create unique index concurrently users_skeleton_taken on users (tenant_id, skeleton);
drop index concurrently if exists users_by_nickname;
create index concurrently users_by_nickname on users (tenant_id, nickname_skeleton) where nickname_skeleton is not null;
drop index concurrently if exists users_unsettled;
create index concurrently users_unsettled on users (tenant_id, id) where skeleton is null;
