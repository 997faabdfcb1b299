-- An activity need not belong to a project: what a domain of its own records is about a subject of its own.

alter table activities
  alter column project_id drop not null,
  add column subject_type text,
  add column subject_id bigint,
  add constraint activities_are_about_something check (project_id is not null or subject_id is not null),
  add constraint activities_subject_is_whole check ((subject_type is null) = (subject_id is null));
create index activities_by_subject on activities (tenant_id, subject_type, subject_id, id) where subject_id is not null;
