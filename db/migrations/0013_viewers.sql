-- A viewer of a project reads it and comments; a member changes it. Everyone who was a member stays one. The release of
-- before adds members and knows no viewers.
alter table project_members add column role text not null default 'member';
alter table project_members add constraint project_members_role_known check (role in ('member', 'viewer')) not valid;
