-- second-factor.findFactor(userId)
select "second_factors"."secret", "second_factors"."used_steps", clock_timestamp() as "now"
  from "second_factors"
  where "second_factors"."tenant_id" = $1 and "second_factors"."user_id" = $2;

-- second-factor.lockFactor(userId)
select "second_factors"."secret", "second_factors"."used_steps", clock_timestamp() as "now"
  from "second_factors"
  where "second_factors"."tenant_id" = $1 and "second_factors"."user_id" = $2 for update;

-- second-factor.saveUnconfirmed(userId, secret)
insert into "second_factors" ("user_id", "secret", "tenant_id")
  values ($1, $2, $3)
  on conflict ("tenant_id", "user_id") do update
  set "secret" = $4, "used_steps" = '{}', "created_at" = excluded.created_at;

-- second-factor.useStep(userId, step, secret)
update "second_factors"
  set "secret" = $1, "used_steps" = array(select step
  from unnest(used_steps) step
  where step > $2::bigint - 3) || $3::bigint
  where "second_factors"."tenant_id" = $4 and "second_factors"."user_id" = $5 and not $6::bigint = any(second_factors.used_steps)
  returning "second_factors"."id";

-- second-factor.removeFactor(userId)
delete
  from "second_factors"
  where "second_factors"."tenant_id" = $1 and "second_factors"."user_id" = $2;

-- second-factor.insertRecoveryCode(userId, codeHash)
insert into "recovery_codes" ("user_id", "code_hash", "tenant_id")
  values ($1, $2, $3);

-- second-factor.findRecoveryCode(userId, codeHash)
select "recovery_codes"."id"
  from "recovery_codes"
  where "recovery_codes"."tenant_id" = $1 and "recovery_codes"."user_id" = $2 and "recovery_codes"."code_hash" = $3;

-- second-factor.useRecoveryCode(userId, codeHash)
delete
  from "recovery_codes"
  where "recovery_codes"."tenant_id" = $1 and "recovery_codes"."user_id" = $2 and "recovery_codes"."code_hash" = $3
  returning "recovery_codes"."id";

-- second-factor.removeRecoveryCodes(userId)
delete
  from "recovery_codes"
  where "recovery_codes"."tenant_id" = $1 and "recovery_codes"."user_id" = $2;
