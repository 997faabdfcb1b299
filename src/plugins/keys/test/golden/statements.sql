-- keys.listAccounts()
select "users"."id", "users"."status", "users"."created_at", coalesce(users.nickname, users.username) as "name", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles"
  from "users"
  where "users"."tenant_id" = $2 and "users"."deleted_at" is null and "users"."is_service" is true and "users"."id" < $3
  order by "users"."id" desc
  limit $4;

-- keys.listAccounts()
select "users"."id", "users"."status", "users"."created_at", coalesce(users.nickname, users.username) as "name", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles"
  from "users"
  where "users"."tenant_id" = $2 and "users"."deleted_at" is null and "users"."is_service" is true
  order by "users"."id" desc
  limit $3 offset $4;

-- keys.listAccounts()
select "row".*
  from (select "users"."id" as "id", row_number() over () as "place"
  from (select "users"."id"
  from "users"
  where "users"."tenant_id" = $1 and "users"."deleted_at" is null and "users"."is_service" is true
  order by "users"."id" desc
  limit $2 offset $3) as "users") as "places"
  inner join lateral (select "users"."id", "users"."status", "users"."created_at", coalesce(users.nickname, users.username) as "name", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $4 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles"
  from "users"
  where "users"."tenant_id" = $5 and "users"."deleted_at" is null and "users"."is_service" is true and "users"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- keys.getAccount(id)
select "users"."id", "users"."status", "users"."created_at", coalesce(users.nickname, users.username) as "name", array((select "roles"."code"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "roles"."id")) as "roles"
  from "users"
  where "users"."tenant_id" = $2 and "users"."deleted_at" is null and "users"."is_service" is true and "users"."id" = $3;

-- keys.listKeys(userId)
select "api_keys"."id", "api_keys"."name", "api_keys"."prefix", "api_keys"."permissions", "api_keys"."expires_at", "api_keys"."last_used_at", "api_keys"."created_at"
  from "api_keys"
  where "api_keys"."tenant_id" = $1 and "api_keys"."user_id" = $2 and "api_keys"."id" < $3
  order by "api_keys"."id" desc
  limit $4;

-- keys.listKeys(userId)
select "api_keys"."id", "api_keys"."name", "api_keys"."prefix", "api_keys"."permissions", "api_keys"."expires_at", "api_keys"."last_used_at", "api_keys"."created_at"
  from "api_keys"
  where "api_keys"."tenant_id" = $1 and "api_keys"."user_id" = $2
  order by "api_keys"."id" desc
  limit $3 offset $4;

-- keys.listKeys(userId)
select "row".*
  from (select "api_keys"."id" as "id", row_number() over () as "place"
  from (select "api_keys"."id"
  from "api_keys"
  where "api_keys"."tenant_id" = $1 and "api_keys"."user_id" = $2
  order by "api_keys"."id" desc
  limit $3 offset $4) as "api_keys") as "places"
  inner join lateral (select "api_keys"."id", "api_keys"."name", "api_keys"."prefix", "api_keys"."permissions", "api_keys"."expires_at", "api_keys"."last_used_at", "api_keys"."created_at"
  from "api_keys"
  where "api_keys"."tenant_id" = $5 and "api_keys"."user_id" = $6 and "api_keys"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- keys.findHolder(prefix)
select "api_keys"."id", "api_keys"."prefix", "api_keys"."key_hash", "api_keys"."permissions", "users"."id" as "user_id", "users"."username", "users"."nickname", array((select "user_roles"."role_id"
  from "user_roles"
  where "user_roles"."tenant_id" = $1 and "user_roles"."user_id" = "users"."id"
  order by "user_roles"."role_id")) as "role_ids", (1000 * extract(epoch
  from api_keys.expires_at - clock_timestamp()))::float8 as "ends_in"
  from "api_keys"
  inner join "users" on "users"."tenant_id" = "api_keys"."tenant_id" and "users"."id" = "api_keys"."user_id"
  where "api_keys"."tenant_id" = $2 and "api_keys"."prefix" = $3 and "users"."status" = $4 and (api_keys.expires_at is null or api_keys.expires_at > clock_timestamp());

-- keys.listLivingKeys(ids)
select "api_keys"."id"
  from "api_keys"
  inner join "users" on "users"."tenant_id" = "api_keys"."tenant_id" and "users"."id" = "api_keys"."user_id"
  where "api_keys"."tenant_id" = $1 and "users"."status" = $2 and (api_keys.expires_at is null or api_keys.expires_at > clock_timestamp()) and "api_keys"."id" = any($3::bigint[]);

-- keys.insertKey(userId, name, prefix, keyHash, permissions, expiresAt)
insert into "api_keys" ("user_id", "name", "prefix", "key_hash", "permissions", "expires_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7)
  returning "api_keys"."id", "api_keys"."name", "api_keys"."prefix", "api_keys"."permissions", "api_keys"."expires_at", "api_keys"."last_used_at", "api_keys"."created_at";

-- keys.removeKey(id, userId)
delete
  from "api_keys"
  where "api_keys"."tenant_id" = $1 and "api_keys"."id" = $2 and "api_keys"."user_id" = $3
  returning "api_keys"."id";

-- keys.noteUses(ids)
update "api_keys"
  set "last_used_at" = statement_timestamp()
  where "api_keys"."tenant_id" = $1 and "api_keys"."id" = any($2::bigint[]) and (api_keys.last_used_at is null or api_keys.last_used_at < statement_timestamp() - interval '4 seconds');
