-- account.insertResetRequest(username, email)
insert into "password_reset_requests" ("username", "email", "tenant_id")
  values ($1, $2, $3);

-- account.lockResetRequest()
select "password_reset_requests"."id", "password_reset_requests"."username", "password_reset_requests"."email"
  from "password_reset_requests"
  where "password_reset_requests"."tenant_id" = $1
  order by "password_reset_requests"."id"
  limit $2
  for update skip locked;

-- account.findResetRequest()
select "password_reset_requests"."id"
  from "password_reset_requests"
  where "password_reset_requests"."tenant_id" = $1
  limit $2;

-- account.removeResetRequest(id)
delete
  from "password_reset_requests"
  where "password_reset_requests"."tenant_id" = $1 and "password_reset_requests"."id" = $2;

-- account.saveReset(userId, tokenHash, mark, seconds, most)
insert into "password_resets" ("user_id", "token_hash", "mark", "expires_at", "tenant_id")
  values ($1, $2, $3, clock_timestamp() + make_interval(secs => $4), $5)
  on conflict ("tenant_id", "user_id") do update
  set "token_hash" = excluded.token_hash, "mark" = excluded.mark, "expires_at" = excluded.expires_at, "window_started_at" = case when excluded.window_started_at - password_resets.window_started_at >= interval '1 hour' then excluded.window_started_at else password_resets.window_started_at end, "sent" = case when excluded.window_started_at - password_resets.window_started_at >= interval '1 hour' then 1 else password_resets.sent + 1 end
  where excluded.window_started_at - password_resets.window_started_at >= interval '1 hour' or password_resets.sent < $6;

-- account.findReset(tokenHash)
select "password_resets"."id", "users"."id" as "user_id", "users"."username", "users"."email"
  from "password_resets"
  inner join "users" on "users"."tenant_id" = "password_resets"."tenant_id" and "users"."id" = "password_resets"."user_id"
  where "password_resets"."tenant_id" = $1 and "password_resets"."token_hash" = $2 and "password_resets"."expires_at" > clock_timestamp() and "password_resets"."mark" = encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex') and "users"."status" = $3;

-- account.lockReset(tokenHash)
select "password_resets"."id", "users"."id" as "user_id", "users"."username", "users"."email"
  from "password_resets"
  inner join "users" on "users"."tenant_id" = "password_resets"."tenant_id" and "users"."id" = "password_resets"."user_id"
  where "password_resets"."tenant_id" = $1 and "password_resets"."token_hash" = $2 and "password_resets"."expires_at" > clock_timestamp() and "password_resets"."mark" = encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex') and "users"."status" = $3 for no key update;

-- account.useReset(id)
update "password_resets"
  set "token_hash" = $1
  where "password_resets"."tenant_id" = $2 and "password_resets"."id" = $3;

-- account.removeOldResets(most)
delete
  from "password_resets"
  where "password_resets"."tenant_id" = $1 and "password_resets"."ctid" = any(array((select "password_resets"."ctid" as "place"
  from "password_resets"
  where "password_resets"."tenant_id" = $2 and "password_resets"."expires_at" < now() - interval '1 hour'
  order by "password_resets"."expires_at"
  limit $3
  for update skip locked)));

-- account.saveConfirmation(userId, email, tokenHash, mark, seconds)
insert into "email_confirmations" ("user_id", "email", "token_hash", "mark", "expires_at", "tenant_id")
  values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5), $6)
  on conflict ("tenant_id", "user_id") do update
  set "email" = excluded.email, "token_hash" = excluded.token_hash, "mark" = excluded.mark, "expires_at" = excluded.expires_at;

-- account.findPendingEmail(userId)
select "email_confirmations"."email"
  from "email_confirmations"
  inner join "users" on "users"."tenant_id" = "email_confirmations"."tenant_id" and "users"."id" = "email_confirmations"."user_id"
  where "email_confirmations"."tenant_id" = $1 and "email_confirmations"."user_id" = $2 and "email_confirmations"."expires_at" > clock_timestamp() and "email_confirmations"."mark" = encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex');

-- account.findConfirmation(tokenHash)
select "email_confirmations"."id", "email_confirmations"."email", "users"."id" as "user_id", "users"."username", "users"."email" as "former_email", users.locale as "locale"
  from "email_confirmations"
  inner join "users" on "users"."tenant_id" = "email_confirmations"."tenant_id" and "users"."id" = "email_confirmations"."user_id"
  where "email_confirmations"."tenant_id" = $1 and "email_confirmations"."token_hash" = $2 and "email_confirmations"."expires_at" > clock_timestamp() and "email_confirmations"."mark" = encode(sha256(convert_to(users.password_hash || chr(10) || coalesce(users.email, ''), 'UTF8')), 'hex') and "users"."status" = $3;

-- account.removeConfirmation(id)
delete
  from "email_confirmations"
  where "email_confirmations"."tenant_id" = $1 and "email_confirmations"."id" = $2;

-- account.removeOldConfirmations(most)
delete
  from "email_confirmations"
  where "email_confirmations"."tenant_id" = $1 and "email_confirmations"."ctid" = any(array((select "email_confirmations"."ctid" as "place"
  from "email_confirmations"
  where "email_confirmations"."tenant_id" = $2 and "email_confirmations"."expires_at" < now()
  order by "email_confirmations"."expires_at"
  limit $3
  for update skip locked)));
