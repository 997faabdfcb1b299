-- tasks/task-comments.listComments(taskId), in place of line 2 to 7
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", coalesce(((select json_agg(json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end)
  order by users.id) as "mentions"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = any(((select "comment_mentions"."user_ids"
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $2 and "comment_mentions"."comment_id" = "task_comments"."id"))::bigint[]))), '[]') as "mentions"
  from "task_comments"
  left join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "task_comments"."tenant_id" = $3 and "task_comments"."task_id" = $4 and "task_comments"."id" < $5
  order by "task_comments"."id" desc
  limit $6;

-- tasks/task-comments.listComments(taskId), in place of line 2 to 7
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", coalesce(((select json_agg(json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end)
  order by users.id) as "mentions"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = any(((select "comment_mentions"."user_ids"
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $2 and "comment_mentions"."comment_id" = "task_comments"."id"))::bigint[]))), '[]') as "mentions"
  from "task_comments"
  left join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "task_comments"."tenant_id" = $3 and "task_comments"."task_id" = $4
  order by "task_comments"."id" asc
  limit $5 offset $6;

-- tasks/task-comments.listComments(taskId), in place of line 3 to 8
  from (select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", coalesce(((select json_agg(json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end)
  order by users.id) as "mentions"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = any(((select "comment_mentions"."user_ids"
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $2 and "comment_mentions"."comment_id" = "task_comments"."id"))::bigint[]))), '[]') as "mentions"
  from "task_comments"
  left join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "task_comments"."tenant_id" = $3 and "task_comments"."task_id" = $4
  order by "task_comments"."id" asc
  limit $5) as "window";

-- tasks/task-comments.getComment(taskId, id), in place of line 2 to 7
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", coalesce(((select json_agg(json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end)
  order by users.id) as "mentions"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = any(((select "comment_mentions"."user_ids"
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $2 and "comment_mentions"."comment_id" = "task_comments"."id"))::bigint[]))), '[]') as "mentions", "tasks"."project_id", "tasks"."title", "tasks"."version", "projects"."owner_id"
  from "tasks"
  inner join "task_comments" on "task_comments"."tenant_id" = "tasks"."tenant_id" and "task_comments"."task_id" = "tasks"."id"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  inner join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "tasks"."tenant_id" = $3 and "tasks"."is_open" is not null and "tasks"."id" = $4 and "task_comments"."id" = $5;

-- tasks/task-comments.getComment(taskId, id, memberId), in place of line 2 to 9
select "task_comments"."id", "task_comments"."task_id", "task_comments"."author_id", "task_comments"."content", "task_comments"."created_at", "task_comments"."edited_at", "task_comments"."deleted_at", coalesce(nullif(users.nickname, ''), users.username) as "author_name", '/api/v1/public/files/' || "users"."tenant_id" || '/' || "users"."avatar" as "author_avatar_url", coalesce(((select json_agg(json_build_object('id', users.id, 'name', case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end)
  order by users.id) as "mentions"
  from "users"
  where "users"."tenant_id" = $1 and "users"."id" = any(((select "comment_mentions"."user_ids"
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $2 and "comment_mentions"."comment_id" = "task_comments"."id"))::bigint[]))), '[]') as "mentions", "tasks"."project_id", "tasks"."title", "tasks"."version", "projects"."owner_id"
  from "tasks"
  inner join "task_comments" on "task_comments"."tenant_id" = "tasks"."tenant_id" and "task_comments"."task_id" = "tasks"."id"
  inner join "projects" on "projects"."tenant_id" = "tasks"."tenant_id" and "projects"."id" = "tasks"."project_id"
  inner join "users" on "users"."tenant_id" = "task_comments"."tenant_id" and "users"."id" = "task_comments"."author_id"
  where "tasks"."tenant_id" = $3 and exists (select 1 as "one"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."project_id" = "tasks"."project_id" and "project_members"."user_id" = $5) and "tasks"."is_open" is not null and "tasks"."id" = $6 and "task_comments"."id" = $7;

-- watching.listWatches(taskIds)
select "tasks"."id" as "task_id", "watches"."user_id"
  from "tasks"
  inner join "watches" on "watches"."tenant_id" = "tasks"."tenant_id" and "watches"."project_id" = "tasks"."project_id"
  inner join "users" on "users"."tenant_id" = "watches"."tenant_id" and "users"."id" = "watches"."user_id"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = any($2::bigint[]) and (watches.task_id is null or watches.task_id = tasks.id) and users.status = 'active' and users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5)))))
    and (users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $6 and "roles"."code" in ($7, $8))) or users.id in ((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $9 and project_members.project_id = "watches"."project_id")));

-- watching.listPeople(taskId, ids)
select "users"."id", case when "users"."deleted_at" is null
    then coalesce(nullif("users"."nickname", ''), "users"."username") else '' end as "name", users.status = 'active' and users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $2 and "permissions"."code" = $3)))))
    and (users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $4 and "roles"."code" in ($5, $6))) or users.id in ((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $7 and project_members.project_id = ((select "tasks"."project_id"
  from "tasks"
  where "tasks"."tenant_id" = $8 and "tasks"."id" = $9))))) as "sees"
  from "users"
  where "users"."tenant_id" = $10 and "users"."id" = any($11::bigint[])
  order by "users"."id";

-- watching.listWatchers(taskId)
select "watches"."id", "watches"."user_id", coalesce(nullif(users.nickname, ''), users.username) as "name"
  from "watches"
  inner join "users" on "users"."tenant_id" = "watches"."tenant_id" and "users"."id" = "watches"."user_id"
  where "watches"."tenant_id" = $1 and "watches"."task_id" = $2 and users.status = 'active' and users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5)))))
    and (users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $6 and "roles"."code" in ($7, $8))) or users.id in ((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $9 and project_members.project_id = "watches"."project_id"))) and "watches"."id" < $10
  order by "watches"."id" desc
  limit $11;

-- watching.listWatchers(taskId)
select "watches"."id", "watches"."user_id", coalesce(nullif(users.nickname, ''), users.username) as "name"
  from "watches"
  inner join "users" on "users"."tenant_id" = "watches"."tenant_id" and "users"."id" = "watches"."user_id"
  where "watches"."tenant_id" = $1 and "watches"."task_id" = $2 and users.status = 'active' and users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5)))))
    and (users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $6 and "roles"."code" in ($7, $8))) or users.id in ((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $9 and project_members.project_id = "watches"."project_id")))
  order by "watches"."id" asc
  limit $10 offset $11;

-- watching.listWatchers(taskId)
select "row".*
  from (select "watches"."id" as "id", row_number() over () as "place"
  from (select "watches"."id"
  from "watches"
  inner join "users" on "users"."tenant_id" = "watches"."tenant_id" and "users"."id" = "watches"."user_id"
  where "watches"."tenant_id" = $1 and "watches"."task_id" = $2 and users.status = 'active' and users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $3 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $4 and "permissions"."code" = $5)))))
    and (users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $6 and "roles"."code" in ($7, $8))) or users.id in ((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $9 and project_members.project_id = "watches"."project_id")))
  order by "watches"."id" asc
  limit $10 offset $11) as "watches") as "places"
  inner join lateral (select "watches"."id", "watches"."user_id", coalesce(nullif(users.nickname, ''), users.username) as "name"
  from "watches"
  inner join "users" on "users"."tenant_id" = "watches"."tenant_id" and "users"."id" = "watches"."user_id"
  where "watches"."tenant_id" = $12 and "watches"."task_id" = $13 and users.status = 'active' and users.id in ((select "user_roles"."user_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $14 and "user_roles"."role_id" = any(array((select "role_permissions"."role_id"
  from "role_permissions"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "role_permissions"."tenant_id" = $15 and "permissions"."code" = $16)))))
    and (users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $17 and "roles"."code" in ($18, $19))) or users.id in ((select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $20 and project_members.project_id = "watches"."project_id"))) and "watches"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- watching.listWatched(userId)
select "watches"."id", case when watches.task_id is null then 'project' else 'task' end as "resource_type", coalesce(watches.task_id, watches.project_id) as "resource_id", coalesce(((select "tasks"."title"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")), projects.name) as "title"
  from "watches"
  inner join "projects" on "projects"."tenant_id" = "watches"."tenant_id" and "projects"."id" = "watches"."project_id"
  where "watches"."tenant_id" = $2 and "watches"."user_id" = $3 and "watches"."project_id" in (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $4) and (watches.task_id is null or exists ((select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $5 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id"))) and "watches"."id" < $6
  order by "watches"."id" desc
  limit $7;

-- watching.listWatched(userId)
select "watches"."id", case when watches.task_id is null then 'project' else 'task' end as "resource_type", coalesce(watches.task_id, watches.project_id) as "resource_id", coalesce(((select "tasks"."title"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")), projects.name) as "title"
  from "watches"
  inner join "projects" on "projects"."tenant_id" = "watches"."tenant_id" and "projects"."id" = "watches"."project_id"
  where "watches"."tenant_id" = $2 and "watches"."user_id" = $3 and "watches"."project_id" in (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $4) and (watches.task_id is null or exists ((select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $5 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")))
  order by "watches"."id" desc
  limit $6 offset $7;

-- watching.listWatched(userId)
select "row".*
  from (select "watches"."id" as "id", row_number() over () as "place"
  from (select "watches"."id"
  from "watches"
  inner join "projects" on "projects"."tenant_id" = "watches"."tenant_id" and "projects"."id" = "watches"."project_id"
  where "watches"."tenant_id" = $1 and "watches"."user_id" = $2 and "watches"."project_id" in (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $3) and (watches.task_id is null or exists ((select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $4 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")))
  order by "watches"."id" desc
  limit $5 offset $6) as "watches") as "places"
  inner join lateral (select "watches"."id", case when watches.task_id is null then 'project' else 'task' end as "resource_type", coalesce(watches.task_id, watches.project_id) as "resource_id", coalesce(((select "tasks"."title"
  from "tasks"
  where "tasks"."tenant_id" = $7 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")), projects.name) as "title"
  from "watches"
  inner join "projects" on "projects"."tenant_id" = "watches"."tenant_id" and "projects"."id" = "watches"."project_id"
  where "watches"."tenant_id" = $8 and "watches"."user_id" = $9 and "watches"."project_id" in (select "projects"."id"
  from "projects"
  where "projects"."tenant_id" = $10) and (watches.task_id is null or exists ((select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $11 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id"))) and "watches"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- watching.listWatched(userId, memberId)
select "watches"."id", case when watches.task_id is null then 'project' else 'task' end as "resource_type", coalesce(watches.task_id, watches.project_id) as "resource_id", coalesce(((select "tasks"."title"
  from "tasks"
  where "tasks"."tenant_id" = $1 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")), projects.name) as "title", (select count(*) as "total"
  from (select 1 as "one"
  from "watches"
  inner join "projects" on "projects"."tenant_id" = "watches"."tenant_id" and "projects"."id" = "watches"."project_id"
  where "watches"."tenant_id" = $2 and "watches"."user_id" = $3 and "watches"."project_id" in (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $4 and "project_members"."user_id" = $5) and (watches.task_id is null or exists ((select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $6 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")))
  order by "watches"."id" desc
  limit $7) as "counted") as "total"
  from "watches"
  inner join "projects" on "projects"."tenant_id" = "watches"."tenant_id" and "projects"."id" = "watches"."project_id"
  where "watches"."tenant_id" = $8 and "watches"."user_id" = $9 and "watches"."project_id" in (select "project_members"."project_id" as "id"
  from "project_members"
  where "project_members"."tenant_id" = $10 and "project_members"."user_id" = $11) and (watches.task_id is null or exists ((select 1 as "one"
  from "tasks"
  where "tasks"."tenant_id" = $12 and "tasks"."is_open" is not null and "tasks"."id" = "watches"."task_id")))
  order by "watches"."id" desc
  limit $13;

-- watching.findMemberOfTask(taskId, userId)
select "project_members"."user_id"
  from "project_members"
  where "project_members"."tenant_id" = $1 and "project_members"."project_id" = (select "tasks"."project_id"
  from "tasks"
  where "tasks"."tenant_id" = $2 and "tasks"."is_open" is not null and "tasks"."id" = $3) and "project_members"."user_id" = $4;

-- watching.insertWatch(userId, projectId, taskId, memberId, createdAt)
insert into "watches" ("user_id", "project_id", "task_id", "member_id", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing;

-- watching.removeTaskWatch(userId, taskId)
delete
  from "watches"
  where "watches"."tenant_id" = $1 and "watches"."user_id" = $2 and "watches"."task_id" = $3;

-- watching.removeProjectWatch(userId, projectId)
delete
  from "watches"
  where "watches"."tenant_id" = $1 and "watches"."user_id" = $2 and "watches"."project_id" = $3 and "watches"."task_id" is null;

-- watching.findMentions(commentId)
select "comment_mentions"."user_ids", "comment_mentions"."told_ids"
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $1 and "comment_mentions"."comment_id" = $2;

-- watching.saveMentions(commentId, userIds, toldIds)
insert into "comment_mentions" ("comment_id", "user_ids", "told_ids", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict ("tenant_id", "comment_id") do update
  set "user_ids" = $5, "told_ids" = $6;

-- watching.removeMentions(commentId)
delete
  from "comment_mentions"
  where "comment_mentions"."tenant_id" = $1 and "comment_mentions"."comment_id" = $2;
