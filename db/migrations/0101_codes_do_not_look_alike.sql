-- atrium: no transaction
-- Two codes of a tenant never look alike. Rows without a skeleton are found by an index where a table grows.
drop index concurrently if exists projects_code_skeleton_taken;
create unique index concurrently projects_code_skeleton_taken on projects (tenant_id, code_skeleton);
drop index concurrently if exists projects_unsettled;
create index concurrently projects_unsettled on projects (tenant_id, id) where code_skeleton is null;
drop index concurrently if exists departments_code_skeleton_taken;
create unique index concurrently departments_code_skeleton_taken on departments (tenant_id, code_skeleton);
drop index concurrently if exists categories_name_skeleton_taken;
create unique index concurrently categories_name_skeleton_taken on categories (tenant_id, name_skeleton);
drop index concurrently if exists categories_slug_skeleton_taken;
create unique index concurrently categories_slug_skeleton_taken on categories (tenant_id, slug_skeleton);
