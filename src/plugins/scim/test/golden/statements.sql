-- scim.findPerson(id)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."created_at", "users"."updated_at", "scim_users"."external_id", "scim_users"."given_name", "scim_users"."family_name", "scim_users"."email_type", "scim_users"."phone_type", array((select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "user_roles"."role_id")) as "role_ids", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $2 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "role_codes"
  from "users"
  left join "scim_users" on "scim_users"."tenant_id" = "users"."tenant_id" and "scim_users"."user_id" = "users"."id"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $4;

-- scim.listPeople(limit, offset)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."created_at", "users"."updated_at", "scim_users"."external_id", "scim_users"."given_name", "scim_users"."family_name", "scim_users"."email_type", "scim_users"."phone_type", array((select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "user_roles"."role_id")) as "role_ids", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $2 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "role_codes"
  from "users"
  left join "scim_users" on "scim_users"."tenant_id" = "users"."tenant_id" and "scim_users"."user_id" = "users"."id"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false
  order by "users"."id"
  limit $4 offset $5;

-- scim.listPeople(limit, offset, id, externalId, status)
select "users"."id", "users"."username", "users"."nickname", "users"."email", "users"."phone", "users"."real_name", "users"."status", "users"."created_at", "users"."updated_at", "scim_users"."external_id", "scim_users"."given_name", "scim_users"."family_name", "scim_users"."email_type", "scim_users"."phone_type", array((select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "user_roles"."role_id")) as "role_ids", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $2 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "role_codes"
  from "users"
  left join "scim_users" on "scim_users"."tenant_id" = "users"."tenant_id" and "scim_users"."user_id" = "users"."id"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $4 and "scim_users"."external_id" = $5 and "users"."status" = $6
  order by "users"."id"
  limit $7 offset $8;

-- scim.countPeople()
select (select count(*)
  from ((select 1 as "one"
  from "users"
  left join "scim_users" on "scim_users"."tenant_id" = "users"."tenant_id" and "scim_users"."user_id" = "users"."id"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false
  limit 1000000)) as counted) as "total";

-- scim.countPeople(id, externalId, status)
select (select count(*)
  from ((select 1 as "one"
  from "users"
  left join "scim_users" on "scim_users"."tenant_id" = "users"."tenant_id" and "scim_users"."user_id" = "users"."id"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $2 and "scim_users"."external_id" = $3 and "users"."status" = $4
  limit 1000000)) as counted) as "total";

-- scim.saveScimUser(userId, emailType, externalId, familyName, givenName, phoneType)
insert into "scim_users" ("user_id", "email_type", "external_id", "family_name", "given_name", "phone_type", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("tenant_id", "user_id") do update
  set "email_type" = $8, "external_id" = $9, "family_name" = $10, "given_name" = $11, "phone_type" = $12;

-- scim.removeScimUser(userId)
delete
  from "scim_users"
  where "scim_users"."tenant_id" = $1 and "scim_users"."user_id" = $2;

-- scim.findGroup(id)
select "roles"."id", "roles"."code", "roles"."name", "roles"."created_at", "roles"."updated_at", "scim_groups"."external_id"
  from "roles"
  left join "scim_groups" on "scim_groups"."tenant_id" = "roles"."tenant_id" and "scim_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1 and "roles"."id" = $2;

-- scim.findNamesake(name, otherThan)
select "roles"."id"
  from "roles"
  left join "scim_groups" on "scim_groups"."tenant_id" = "roles"."tenant_id" and "scim_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1 and lower(roles.name) = lower($2) and "scim_groups"."role_id" is not null and "roles"."id" != $3
  limit 1;

-- scim.listGroups(limit, offset)
select "roles"."id", "roles"."code", "roles"."name", "roles"."created_at", "roles"."updated_at", "scim_groups"."external_id"
  from "roles"
  left join "scim_groups" on "scim_groups"."tenant_id" = "roles"."tenant_id" and "scim_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1
  order by "roles"."id"
  limit $2 offset $3;

-- scim.listGroups(limit, offset, id, externalId, name, memberId)
select "roles"."id", "roles"."code", "roles"."name", "roles"."created_at", "roles"."updated_at", "scim_groups"."external_id"
  from "roles"
  left join "scim_groups" on "scim_groups"."tenant_id" = "roles"."tenant_id" and "scim_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1 and "roles"."id" = $2 and "scim_groups"."external_id" = $3 and lower(roles.name) = lower($4) and "roles"."id" in (select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."user_id" = $6)
  order by "roles"."id"
  limit $7 offset $8;

-- scim.countGroups()
select (select count(*)
  from ((select 1 as "one"
  from "roles"
  left join "scim_groups" on "scim_groups"."tenant_id" = "roles"."tenant_id" and "scim_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1
  limit 1000000)) as counted) as "total";

-- scim.countGroups(id, externalId, name, memberId)
select (select count(*)
  from ((select 1 as "one"
  from "roles"
  left join "scim_groups" on "scim_groups"."tenant_id" = "roles"."tenant_id" and "scim_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1 and "roles"."id" = $2 and "scim_groups"."external_id" = $3 and lower(roles.name) = lower($4) and "roles"."id" in (select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $5 and "user_roles"."user_id" = $6)
  limit 1000000)) as counted) as "total";

-- scim.listMembers(roleIds)
select "user_roles"."role_id", "users"."id", coalesce(nullif(users.nickname, ''), users.username) as "name"
  from "user_roles"
  inner join "users" on "users"."tenant_id" = "user_roles"."tenant_id" and "users"."id" = "user_roles"."user_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."role_id" = any($2::bigint[]) and "users"."deleted_at" is null and "users"."is_service" is false
  order by "user_roles"."role_id", "users"."id"
  limit 10001;

-- scim.saveScimGroup(roleId, externalId)
insert into "scim_groups" ("role_id", "external_id", "tenant_id")
  values ($1, $2, $3)
  on conflict ("tenant_id", "role_id") do update
  set "external_id" = $4;
