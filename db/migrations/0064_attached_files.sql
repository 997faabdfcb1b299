-- atrium: no transaction
-- People who registered themselves see their own files and those of things: two indexes in the order of the list.
drop index concurrently if exists files_attached;
create index concurrently files_attached on files (tenant_id, id) where resource_id is not null;
