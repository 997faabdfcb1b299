-- identity-provider.findProvider()
select "identity_providers"."id", "identity_providers"."issuer", "identity_providers"."client_id", "identity_providers"."groups_claim", "identity_providers"."create_users", "identity_providers"."password_sign_in", "identity_providers"."own_redirect", "identity_providers"."named_by_administrator", "identity_providers"."version"
  from "identity_providers"
  where "identity_providers"."tenant_id" = $1;

-- identity-provider.getProvider()
select "identity_providers"."id", "identity_providers"."issuer", "identity_providers"."client_id", "identity_providers"."groups_claim", "identity_providers"."create_users", "identity_providers"."password_sign_in", "identity_providers"."own_redirect", "identity_providers"."named_by_administrator", "identity_providers"."version"
  from "identity_providers"
  where "identity_providers"."tenant_id" = $1;

-- identity-provider.findClient()
select "identity_providers"."issuer", "identity_providers"."client_id", "identity_providers"."client_secret"
  from "identity_providers"
  where "identity_providers"."tenant_id" = $1;

-- identity-provider.listGroups()
select "identity_provider_groups"."id", "identity_provider_groups"."name", "roles"."id" as "role_id", "roles"."code"
  from "roles"
  inner join "identity_provider_groups" on "identity_provider_groups"."tenant_id" = "roles"."tenant_id" and "identity_provider_groups"."role_id" = "roles"."id"
  where "roles"."tenant_id" = $1
  order by "identity_provider_groups"."id"
  limit 200;

-- identity-provider.saveProvider(issuer, clientId, clientSecret, groupsClaim, createUsers, passwordSignIn, namedByAdministrator, ownRedirect, version, updatedAt)
insert into "identity_providers" ("issuer", "client_id", "client_secret", "groups_claim", "create_users", "password_sign_in", "named_by_administrator", "own_redirect", "version", "updated_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("tenant_id") do update
  set "issuer" = $12, "client_id" = $13, "client_secret" = $14, "groups_claim" = $15, "create_users" = $16, "password_sign_in" = $17, "named_by_administrator" = $18, "own_redirect" = $19, "version" = $20, "updated_at" = $21;

-- identity-provider.removeProvider(id)
delete
  from "identity_providers"
  where "identity_providers"."tenant_id" = $1 and "identity_providers"."id" = $2;

-- identity-provider.insertGroup(name, roleId)
insert into "identity_provider_groups" ("name", "role_id", "tenant_id")
  values ($1, $2, $3);

-- identity-provider.removeGroup(id)
delete
  from "identity_provider_groups"
  where "identity_provider_groups"."tenant_id" = $1 and "identity_provider_groups"."id" = $2;

-- identity-provider.listRoleIdsOf(codes)
select "roles"."id", "roles"."code"
  from "roles"
  where "roles"."tenant_id" = $1 and "roles"."code" = any($2::text[])
  limit 201;

-- identity-provider.findPasswordRule(userId)
select "identity_providers"."password_sign_in", exists((select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $1 and "roles"."code" in ($2, $3) and "user_roles"."user_id" = $4)) as "is_administrator", exists((select "users"."id"
  from "users"
  where "users"."tenant_id" = $5 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."id" = $6 and users.id = coalesce(((select "system_administrator"."user_id"
  from "system_administrator"
  where "system_administrator"."tenant_id" = $7)), 1))) as "is_first", exists((select "users"."id"
  from "provider_identities"
  inner join "users" on "users"."tenant_id" = "provider_identities"."tenant_id" and "users"."id" = "provider_identities"."user_id"
  where "provider_identities"."tenant_id" = $8 and provider_identities.issuer = identity_providers.issuer and "users"."status" = $9 and "users"."id" in (select "user_roles"."user_id"
  from "user_roles"
  inner join "roles" on "roles"."tenant_id" = "user_roles"."tenant_id" and "roles"."id" = "user_roles"."role_id"
  where "user_roles"."tenant_id" = $10 and "roles"."code" in ($11, $12)))) as "is_proven"
  from "identity_providers"
  where "identity_providers"."tenant_id" = $13;

-- identity-provider.findIdentity(issuer, subject)
select "users"."id", "users"."username", "users"."status", "users"."deleted_at"
  from "provider_identities"
  inner join "users" on "users"."tenant_id" = "provider_identities"."tenant_id" and "users"."id" = "provider_identities"."user_id"
  where "provider_identities"."tenant_id" = $1 and "provider_identities"."issuer" = $2 and "provider_identities"."subject" = $3;

-- identity-provider.insertIdentity(userId, issuer, subject)
insert into "provider_identities" ("user_id", "issuer", "subject", "tenant_id")
  values ($1, $2, $3, $4);

-- identity-provider.listVerifiedAt(email, issuer)
select "users"."id", "users"."username", "users"."status", exists((select "provider_identities"."id"
  from "provider_identities"
  where "provider_identities"."tenant_id" = $1 and provider_identities.user_id = users.id and "provider_identities"."issuer" = $2)) as "is_known"
  from "users"
  where "users"."tenant_id" = $3 and "users"."deleted_at" is null and "users"."is_service" is false and "users"."email_key" = lower($4) and "users"."email_verified_at" is not null
  order by "users"."id"
  limit $5;

-- identity-provider.useSignIn(tokenHash, seconds)
insert into "used_provider_sign_ins" ("token_hash", "expires_at", "tenant_id")
  values ($1, statement_timestamp() + make_interval(secs => $2), $3);

-- identity-provider.removeOldSignIns(most)
delete
  from "used_provider_sign_ins"
  where "used_provider_sign_ins"."tenant_id" = $1 and "used_provider_sign_ins"."ctid" = any(array((select "used_provider_sign_ins"."ctid" as "place"
  from "used_provider_sign_ins"
  where "used_provider_sign_ins"."tenant_id" = $2 and "used_provider_sign_ins"."expires_at" < statement_timestamp()
  order by "used_provider_sign_ins"."expires_at"
  limit $3
  for update skip locked)));
