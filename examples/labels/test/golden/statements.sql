-- labels.getLabel(id)
select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  where "labels"."tenant_id" = $1 and "labels"."id" = $2;

-- labels.listLabels()
select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  where "labels"."tenant_id" = $1 and "labels"."id" < $2
  order by "labels"."id" desc
  limit $3;

-- labels.listLabels()
select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  where "labels"."tenant_id" = $1
  order by "labels"."id" desc
  limit $2 offset $3;

-- labels.listLabels()
select "row".*
  from (select "labels"."id" as "id", row_number() over () as "place"
  from (select "labels"."id"
  from "labels"
  where "labels"."tenant_id" = $1
  order by "labels"."id" desc
  limit $2 offset $3) as "labels") as "places"
  inner join lateral (select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  where "labels"."tenant_id" = $4 and "labels"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- labels.listLabels(pattern)
select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at", (select count(*) as "total"
  from (select 1 as "one"
  from "labels"
  where "labels"."tenant_id" = $1 and "labels"."name" ilike $2
  order by "labels"."id" desc
  limit $3) as "counted") as "total"
  from "labels"
  where "labels"."tenant_id" = $4 and "labels"."name" ilike $5
  order by "labels"."id" desc
  limit $6;

-- labels.insertLabel(id, name, colour, version, createdAt, updatedAt)
insert into "labels" ("id", "name", "colour", "version", "created_at", "updated_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7);

-- labels.saveLabel(id, name, colour, version, updatedAt, was)
with "kept" as (update "labels"
  set "name" = $1, "colour" = $2, "version" = $3, "updated_at" = $4
  where "labels"."tenant_id" = $5 and "labels"."id" = $6 and "labels"."version" = $7
  returning 1 as "one") select 1 / count(*) as "so"
  from "kept";

-- labels.removeLabel(id)
delete
  from "labels"
  where "labels"."tenant_id" = $1 and "labels"."id" = $2
  returning "labels"."name", "labels"."version";

-- labels.getLabelledTask(id)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", "projects"."status" as "project_status", null::text as "role"
  from "tasks"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = $2;

-- labels.getLabelledTask(id, memberId)
select "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", "projects"."status" as "project_status", ((select "project_members"."role"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $2)) as "role"
  from "tasks"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = $6;

-- labels.attach(taskId, labelId, createdAt)
insert into "task_labels" ("task_id", "label_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- labels.detach(taskId, labelId)
delete
  from "task_labels"
  where "task_labels"."tenant_id" = $1 and "task_labels"."task_id" = $2 and "task_labels"."label_id" = $3;

-- labels.listLabelsOfTask(taskId)
select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  inner join "task_labels" on "task_labels"."tenant_id" = "labels"."tenant_id" and "task_labels"."label_id" = "labels"."id"
  where "labels"."tenant_id" = $1 and "task_labels"."task_id" = $2 and "labels"."id" < $3
  order by "labels"."id" desc
  limit $4;

-- labels.listLabelsOfTask(taskId)
select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  inner join "task_labels" on "task_labels"."tenant_id" = "labels"."tenant_id" and "task_labels"."label_id" = "labels"."id"
  where "labels"."tenant_id" = $1 and "task_labels"."task_id" = $2
  order by "labels"."id" desc
  limit $3 offset $4;

-- labels.listLabelsOfTask(taskId)
select "row".*
  from (select "labels"."id" as "id", row_number() over () as "place"
  from (select "labels"."id"
  from "labels"
  inner join "task_labels" on "task_labels"."tenant_id" = "labels"."tenant_id" and "task_labels"."label_id" = "labels"."id"
  where "labels"."tenant_id" = $1 and "task_labels"."task_id" = $2
  order by "labels"."id" desc
  limit $3 offset $4) as "labels") as "places"
  inner join lateral (select "labels"."id", "labels"."name", "labels"."colour", "labels"."version", "labels"."created_at", "labels"."updated_at"
  from "labels"
  inner join "task_labels" on "task_labels"."tenant_id" = "labels"."tenant_id" and "task_labels"."label_id" = "labels"."id"
  where "labels"."tenant_id" = $5 and "task_labels"."task_id" = $6 and "labels"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- labels.listTasksByLabel(labelId)
select case when "assignee"."deleted_at" is null
    then coalesce(nullif("assignee"."nickname", ''), "assignee"."username") else '' end as "assignee_name", case when "reporter"."deleted_at" is null
    then coalesce(nullif("reporter"."nickname", ''), "reporter"."username") else '' end as "reporter_name", "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  left join "users" as "assignee" on "assignee"."tenant_id" = "tasks"."tenant_id" and "assignee"."id" = "tasks"."assignee_id"
  left join "users" as "reporter" on "reporter"."tenant_id" = "tasks"."tenant_id" and "reporter"."id" = "tasks"."reporter_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and exists (select "task_labels"."task_id"
  from "task_labels"
  where "task_labels"."tenant_id" = $2 and "task_labels"."task_id" = "tasks"."id" and "task_labels"."label_id" = $3) and "tasks"."id" < $4
  order by "tasks"."id" desc
  limit $5;

-- labels.listTasksByLabel(labelId)
select case when "assignee"."deleted_at" is null
    then coalesce(nullif("assignee"."nickname", ''), "assignee"."username") else '' end as "assignee_name", case when "reporter"."deleted_at" is null
    then coalesce(nullif("reporter"."nickname", ''), "reporter"."username") else '' end as "reporter_name", "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  left join "users" as "assignee" on "assignee"."tenant_id" = "tasks"."tenant_id" and "assignee"."id" = "tasks"."assignee_id"
  left join "users" as "reporter" on "reporter"."tenant_id" = "tasks"."tenant_id" and "reporter"."id" = "tasks"."reporter_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and exists (select "task_labels"."task_id"
  from "task_labels"
  where "task_labels"."tenant_id" = $2 and "task_labels"."task_id" = "tasks"."id" and "task_labels"."label_id" = $3)
  order by "tasks"."id" desc
  limit $4 offset $5;

-- labels.listTasksByLabel(labelId)
select "row".*
  from (select "tasks"."id" as "id", row_number() over () as "place"
  from (select "tasks"."id"
  from "tasks"
  left join "users" as "assignee" on "assignee"."tenant_id" = "tasks"."tenant_id" and "assignee"."id" = "tasks"."assignee_id"
  left join "users" as "reporter" on "reporter"."tenant_id" = "tasks"."tenant_id" and "reporter"."id" = "tasks"."reporter_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and exists (select "task_labels"."task_id"
  from "task_labels"
  where "task_labels"."tenant_id" = $2 and "task_labels"."task_id" = "tasks"."id" and "task_labels"."label_id" = $3)
  order by "tasks"."id" desc
  limit $4 offset $5) as "tasks") as "places"
  inner join lateral (select case when "assignee"."deleted_at" is null
    then coalesce(nullif("assignee"."nickname", ''), "assignee"."username") else '' end as "assignee_name", case when "reporter"."deleted_at" is null
    then coalesce(nullif("reporter"."nickname", ''), "reporter"."username") else '' end as "reporter_name", "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  left join "users" as "assignee" on "assignee"."tenant_id" = "tasks"."tenant_id" and "assignee"."id" = "tasks"."assignee_id"
  left join "users" as "reporter" on "reporter"."tenant_id" = "tasks"."tenant_id" and "reporter"."id" = "tasks"."reporter_id"
  where "tasks"."tenant_id" = $6 and "tasks"."is_open" is not null and exists (select "task_labels"."task_id"
  from "task_labels"
  where "task_labels"."tenant_id" = $7 and "task_labels"."task_id" = "tasks"."id" and "task_labels"."label_id" = $8) and "tasks"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- labels.listTasksByLabel(labelId, memberId)
select case when "assignee"."deleted_at" is null
    then coalesce(nullif("assignee"."nickname", ''), "assignee"."username") else '' end as "assignee_name", case when "reporter"."deleted_at" is null
    then coalesce(nullif("reporter"."nickname", ''), "reporter"."username") else '' end as "reporter_name", "tasks"."id", "tasks"."project_id", "tasks"."title", "tasks"."description", "tasks"."assignee_id", "tasks"."reporter_id", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at", (select count(*) as "total"
  from (select 1 as "one"
  from "tasks"
  left join "users" as "assignee" on "assignee"."tenant_id" = "tasks"."tenant_id" and "assignee"."id" = "tasks"."assignee_id"
  left join "users" as "reporter" on "reporter"."tenant_id" = "tasks"."tenant_id" and "reporter"."id" = "tasks"."reporter_id"
  where "tasks"."tenant_id" = $1 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $3) and "tasks"."is_open" is not null and exists (select "task_labels"."task_id"
  from "task_labels"
  where "task_labels"."tenant_id" = $4 and "task_labels"."task_id" = "tasks"."id" and "task_labels"."label_id" = $5)
  order by "tasks"."id" desc
  limit $6) as "counted") as "total"
  from "tasks"
  left join "users" as "assignee" on "assignee"."tenant_id" = "tasks"."tenant_id" and "assignee"."id" = "tasks"."assignee_id"
  left join "users" as "reporter" on "reporter"."tenant_id" = "tasks"."tenant_id" and "reporter"."id" = "tasks"."reporter_id"
  where "tasks"."tenant_id" = $7 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $8 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $9) and "tasks"."is_open" is not null and exists (select "task_labels"."task_id"
  from "task_labels"
  where "task_labels"."tenant_id" = $10 and "task_labels"."task_id" = "tasks"."id" and "task_labels"."label_id" = $11)
  order by "tasks"."id" desc
  limit $12;

-- labels.listLabelActivities(labelId)
select "activities"."id", "activities"."actor_id", "activities"."action", "activities"."old_value", "activities"."new_value", "activities"."created_at"
  from "activities"
  where "activities"."tenant_id" = $1 and "activities"."subject_type" = $2 and "activities"."subject_id" = $3 and "activities"."id" < $4
  order by "activities"."id" desc
  limit $5;

-- labels.listLabelActivities(labelId)
select "activities"."id", "activities"."actor_id", "activities"."action", "activities"."old_value", "activities"."new_value", "activities"."created_at"
  from "activities"
  where "activities"."tenant_id" = $1 and "activities"."subject_type" = $2 and "activities"."subject_id" = $3
  order by "activities"."id" desc
  limit $4 offset $5;

-- labels.listLabelActivities(labelId)
select "row".*
  from (select "activities"."id" as "id", row_number() over () as "place"
  from (select "activities"."id"
  from "activities"
  where "activities"."tenant_id" = $1 and "activities"."subject_type" = $2 and "activities"."subject_id" = $3
  order by "activities"."id" desc
  limit $4 offset $5) as "activities") as "places"
  inner join lateral (select "activities"."id", "activities"."actor_id", "activities"."action", "activities"."old_value", "activities"."new_value", "activities"."created_at"
  from "activities"
  where "activities"."tenant_id" = $6 and "activities"."subject_type" = $7 and "activities"."subject_id" = $8 and "activities"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";
