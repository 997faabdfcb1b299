-- calendar.saveKey(userId, keyHash)
insert into "calendar_keys" ("user_id", "key_hash", "tenant_id")
  values ($1, $2, $3)
  on conflict ("tenant_id", "user_id") do update
  set "key_hash" = excluded.key_hash, "created_at" = excluded.created_at;

-- calendar.removeKey(userId)
delete
  from "calendar_keys"
  where "calendar_keys"."tenant_id" = $1 and "calendar_keys"."user_id" = $2;

-- calendar.findReader(keyHash)
select "users"."id", "users"."locale", "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "roles"."code" in ($2, $3)) as "is_administrator"
  from "calendar_keys"
  inner join "users" on "users"."tenant_id" = "calendar_keys"."tenant_id" and "users"."id" = "calendar_keys"."user_id"
  where "calendar_keys"."tenant_id" = $4 and "calendar_keys"."key_hash" = $5 and "users"."status" = $6 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $7 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $8 and "permissions"."code" = $9))));

-- calendar.listDatedTasks(assigneeId, isOpen, since, most)
select "tasks"."id", "tasks"."title", "tasks"."description", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."assignee_id" = $2 and "tasks"."is_open" = $3 and "tasks"."due_date" >= $4
  order by "tasks"."due_date" desc, "tasks"."id" desc
  limit $5;

-- calendar.listDatedTasks(assigneeId, isOpen, since, most, memberId)
select "tasks"."id", "tasks"."title", "tasks"."description", "tasks"."priority", "tasks"."status", "tasks"."due_date", "tasks"."version", "tasks"."created_at", "tasks"."updated_at"
  from "tasks"
  where "tasks"."tenant_id" = $1 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $2 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $3) and "tasks"."is_open" is not null and "tasks"."assignee_id" = $4 and "tasks"."is_open" = $5 and "tasks"."due_date" >= $6
  order by "tasks"."due_date" desc, "tasks"."id" desc
  limit $7;

-- calendar/reminders.beginRound(day)
insert into "reminder_rounds" ("day", "tenant_id")
  values ($1, $2)
  on conflict ("tenant_id", "day") do nothing;

-- calendar/reminders.lockRound(day)
select "reminder_rounds"."id", "reminder_rounds"."last_user", "reminder_rounds"."last_task", "reminder_rounds"."ended"
  from "reminder_rounds"
  where "reminder_rounds"."tenant_id" = $1 and "reminder_rounds"."day" = $2
  for update skip locked;

-- calendar/reminders.saveRound(id, lastUser, lastTask, ended)
update "reminder_rounds"
  set "ended" = $1, "last_user" = $2, "last_task" = $3
  where "reminder_rounds"."tenant_id" = $4 and "reminder_rounds"."id" = $5;

-- calendar/reminders.listDue(days, lastUser, lastTask, most)
select "due"."id", "due"."title", "due"."due_date", "users"."id" as "assignee_id", ("users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $2 and "permissions"."code" = $3)))) and (exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "due"."project_id" and "project_members"."user_id" = "users"."id") or "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $5 and "roles"."code" in ($6, $7)))) as "may_read"
  from "users"
  inner join lateral (select "tasks"."id", "tasks"."title", "tasks"."due_date", "tasks"."project_id"
  from "tasks"
  where "tasks"."tenant_id" = $8 and "tasks"."is_open" is not null and "tasks"."assignee_id" = "users"."id" and "tasks"."is_open" = $9 and "tasks"."due_date" = any($10::date[]) and ("users"."id" > $11 or "tasks"."id" > $12)) as "due" on true
  where "users"."tenant_id" = $13 and "users"."status" = $14 and "users"."id" >= $15
  order by "users"."id", "due"."id"
  limit $16;

-- calendar/reminders.removeOldRounds(most)
delete
  from "reminder_rounds"
  where "reminder_rounds"."tenant_id" = $1 and "reminder_rounds"."ctid" = any(array((select "reminder_rounds"."ctid" as "place"
  from "reminder_rounds"
  where "reminder_rounds"."tenant_id" = $2 and "reminder_rounds"."day" < current_date - 7
  order by "reminder_rounds"."day"
  limit $3
  for update skip locked)));
