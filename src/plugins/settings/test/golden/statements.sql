-- settings.noteNotice(expiredAt, days, createdAt)
insert into "expiry_notices" ("expired_at", "days", "created_at", "tenant_id")
  values ($1, $2, $3, $4)
  on conflict ("tenant_id", "expired_at", "days") do nothing;
