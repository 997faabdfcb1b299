-- substitutes.listRepresented(substituteId)
select "substitutes"."user_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."substitute_id" = $2 and "substitutes"."substitute_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $3 and "users"."status" = $4 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $5 and "permissions"."code" = $6)) and "substitutes"."user_id" in (select "users"."id"
  from "users"
  where "users"."tenant_id" = $7 and "users"."status" = $8 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $9 and "permissions"."code" = $10))
  order by "substitutes"."user_id"
  limit $11;

-- substitutes.findCandidate(id)
select "users"."id", "users"."status", coalesce(nullif(users.nickname, ''), users.username) as "name", users.id in ((select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $1 and "permissions"."code" = $2)) as "may_decide"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $4;

-- substitutes.findSubstitute(userId)
select "substitutes"."substitute_id", "substitutes"."from_day", "substitutes"."until_day", "substitutes"."time_zone", "substitutes"."starts_at", "substitutes"."ends_at", "substitutes"."begun", case when "stand_in"."deleted_at" is null
    then coalesce(nullif("stand_in"."nickname", ''), "stand_in"."username") else '' end as "name"
  from "substitutes"
  left join "users" as "stand_in" on "stand_in"."tenant_id" = "substitutes"."tenant_id" and "stand_in"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."user_id" = $2 and "substitutes"."ends_at" > clock_timestamp();

-- substitutes.saveSubstitute(userId, substituteId, fromDay, untilDay, timeZone, startsAt, endsAt, begun, createdAt)
insert into "substitutes" ("user_id", "substitute_id", "from_day", "until_day", "time_zone", "starts_at", "ends_at", "begun", "created_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict ("tenant_id", "user_id") do update
  set "substitute_id" = $11, "from_day" = $12, "until_day" = $13, "time_zone" = $14, "starts_at" = $15, "ends_at" = $16, "begun" = $17, "created_at" = $18;

-- substitutes.removeSubstitute(userId)
delete
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."user_id" = $2;

-- substitutes.removeStandIns(userId)
delete
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."substitute_id" = $2;

-- substitutes.listAble()
select "substitutes"."user_id", "users"."id"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ends_at" > clock_timestamp() and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $3 and "permissions"."code" = $4)
  order by "substitutes"."user_id"
  limit $5;

-- substitutes.listAble(substituteId)
select "substitutes"."user_id", "users"."id"
  from "substitutes"
  inner join "users" on "users"."tenant_id" = "substitutes"."tenant_id" and "users"."id" = "substitutes"."substitute_id"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ends_at" > clock_timestamp() and "users"."status" = $2 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "role_permissions" on "role_permissions"."tenant_id" = "user_roles"."tenant_id" and "role_permissions"."role_id" = "user_roles"."role_id"
  inner join "permissions" on "permissions"."id" = "role_permissions"."permission_id"
  where "user_roles"."tenant_id" = $3 and "permissions"."code" = $4) and "substitutes"."substitute_id" = $5
  order by "substitutes"."user_id"
  limit $6;

-- substitutes.listToBegin()
select "substitutes"."user_id", "substitutes"."substitute_id"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."starts_at" <= clock_timestamp() and "substitutes"."ends_at" > clock_timestamp() and "substitutes"."begun" = $2
  order by "substitutes"."user_id"
  limit $3;

-- substitutes.listOfOtherZones(timeZone)
select "substitutes"."user_id", "substitutes"."from_day", "substitutes"."until_day"
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."time_zone" != $2 and "substitutes"."ends_at" > clock_timestamp()
  order by "substitutes"."user_id"
  limit $3;

-- substitutes.savePeriod(userId, timeZone, startsAt, endsAt)
update "substitutes"
  set "time_zone" = $1, "starts_at" = $2, "ends_at" = $3
  where "substitutes"."tenant_id" = $4 and "substitutes"."user_id" = $5;

-- substitutes.markBegun(userId)
update "substitutes"
  set "begun" = $1
  where "substitutes"."tenant_id" = $2 and "substitutes"."user_id" = $3;

-- substitutes.removeEnded(most)
delete
  from "substitutes"
  where "substitutes"."tenant_id" = $1 and "substitutes"."ctid" = any(array((select "substitutes"."ctid" as "place"
  from "substitutes"
  where "substitutes"."tenant_id" = $2 and "substitutes"."ends_at" < now() - interval '1 day'
  order by "substitutes"."ends_at"
  limit $3
  for update skip locked)));
