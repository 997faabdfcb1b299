-- webhooks/reading.listActive()
select "webhooks"."id", "webhooks"."types", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."last_event_id", (select count(*)
  from ((select 1 as "one"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."webhook_id" = "webhooks"."id" and "webhook_deliveries"."due_at" is not null
  limit 2000)) as counted) as "ahead"
  from "webhooks"
  where "webhooks"."tenant_id" = $2 and "webhooks"."deleted_at" is null and "webhooks"."is_paused" = $3 and "webhooks"."sealed" is not null
  order by "webhooks"."id";

-- webhooks/reading.findActive()
select "webhooks"."id"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null and "webhooks"."is_paused" = $2 and "webhooks"."sealed" is not null
  order by "webhooks"."id"
  limit $3;

-- webhooks/reading.lockCursors(ids)
select "webhooks"."id", "webhooks"."types", "webhooks"."last_event_id"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."id" = any($2::bigint[]) and "webhooks"."deleted_at" is null and "webhooks"."is_paused" = $3 and "webhooks"."sealed" is not null
  order by "webhooks"."id" for no key update;

-- webhooks/reading.moveCursors(ids, lastEventId)
update "webhooks"
  set "last_event_id" = $1
  where "webhooks"."tenant_id" = $2 and "webhooks"."id" = any($3::bigint[]);

-- webhooks/reading.listPutOff(webhookIds, subjectTypes, subjectIds, most)
select "wanted"."webhook_id", "wanted"."subject_type", "wanted"."subject_id", max(webhook_deliveries.due_at) as "due_at"
  from "webhook_deliveries"
  inner join unnest(
          $1::bigint[], $2::text[], $3::bigint[]) as wanted (webhook_id, subject_type, subject_id) on webhook_deliveries.due_at is not null and webhook_deliveries.webhook_id = "wanted".webhook_id
    and webhook_deliveries.subject_type = "wanted".subject_type and webhook_deliveries.subject_id = "wanted".subject_id
  where "webhook_deliveries"."tenant_id" = $4 group by "wanted"."webhook_id", "wanted"."subject_type", "wanted"."subject_id"
  order by "wanted"."webhook_id", "wanted"."subject_type", "wanted"."subject_id"
  limit $5;

-- webhooks/reading.insertDelivery(webhookId, eventId, type, subjectType, subjectId, dueAt)
insert into "webhook_deliveries" ("webhook_id", "event_id", "type", "subject_type", "subject_id", "due_at", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("tenant_id", "webhook_id", "event_id") do update
  set "status" = $8, "attempts" = $9, "due_at" = "excluded"."due_at", "taken" = webhook_deliveries.taken + 1, "leased_until" = $10, "ended_at" = $11;

-- webhooks/sending.takeDeliveries(webhookIds, rooms, most)
update "webhook_deliveries"
  set "taken" = "webhook_deliveries"."taken" + $1, "leased_until" = statement_timestamp() + interval '15 seconds'
  from "webhooks" as "receiver"
  where "webhook_deliveries"."tenant_id" = $2 and "receiver"."tenant_id" = "webhook_deliveries"."tenant_id" and "receiver"."id" = "webhook_deliveries"."webhook_id" and webhook_deliveries.ctid = any(array((select "next"."place"
  from "webhooks"
  inner join unnest($3::bigint[], $4::bigint[]) as wanted (webhook_id, room) on "wanted"."webhook_id" = "webhooks"."id"
  inner join lateral (select webhook_deliveries.ctid as "place", "webhook_deliveries"."due_at", "webhook_deliveries"."event_id"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $5 and "webhook_deliveries"."webhook_id" = "webhooks"."id" and webhook_deliveries.due_at <= statement_timestamp()
  and (webhook_deliveries.leased_until is null or webhook_deliveries.leased_until <= statement_timestamp()) and not exists (select 1 as "one"
  from (select "webhook_deliveries"."webhook_id", "webhook_deliveries"."subject_type", "webhook_deliveries"."subject_id", "webhook_deliveries"."event_id"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $6 and "webhook_deliveries"."due_at" is not null) as "earlier"
  where earlier.webhook_id = webhook_deliveries.webhook_id
        and earlier.subject_type = webhook_deliveries.subject_type
        and earlier.subject_id = webhook_deliveries.subject_id and earlier.event_id < webhook_deliveries.event_id)
  order by "webhook_deliveries"."due_at", "webhook_deliveries"."event_id"
  limit wanted.room
  for update skip locked) as "next" on true
  where "webhooks"."tenant_id" = $7 and "webhooks"."deleted_at" is null and "webhooks"."is_paused" = $8
  order by "next"."due_at", "next"."event_id"
  limit $9)))
  returning "webhook_deliveries"."webhook_id", "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."attempts", "webhook_deliveries"."taken", "webhook_deliveries"."subject_type", "webhook_deliveries"."subject_id", "receiver"."url", "receiver"."sealed" as "sealed_secrets";

-- webhooks/sending.holdDeliveries(ids, takens)
update "webhook_deliveries"
  set "leased_until" = statement_timestamp() + interval '15 seconds'
  from unnest($1::bigint[], $2::bigint[]) as held (id, taken)
  where "webhook_deliveries"."tenant_id" = $3 and webhook_deliveries.id = held.id and webhook_deliveries.taken = held.taken
  and webhook_deliveries.leased_until is not null;

-- webhooks/sending.releaseDeliveries(ids, takens)
update "webhook_deliveries"
  set "leased_until" = $1
  from unnest($2::bigint[], $3::bigint[]) as held (id, taken)
  where "webhook_deliveries"."tenant_id" = $4 and webhook_deliveries.id = held.id and webhook_deliveries.taken = held.taken
  and webhook_deliveries.leased_until is not null;

-- webhooks/sending.dropDeliveries(ids, takens)
delete
  from "webhook_deliveries" using unnest($1::bigint[], $2::bigint[]) as held (id, taken)
  where "webhook_deliveries"."tenant_id" = $3 and webhook_deliveries.id = held.id and webhook_deliveries.taken = held.taken
  and webhook_deliveries.leased_until is not null;

-- webhooks/sending.settleDelivery(id, taken, status, responseStatus, responseBody, durationMs, lastError, pauseMs)
update "webhook_deliveries"
  set "status" = $1, "response_status" = $2, "response_body" = $3, "duration_ms" = $4, "last_error" = $5, "attempts" = webhook_deliveries.attempts + 1, "due_at" = statement_timestamp() + make_interval(secs => $6 / 1000.0), "ended_at" = $7, "leased_until" = $8
  where "webhook_deliveries"."tenant_id" = $9 and "webhook_deliveries"."id" = $10 and "webhook_deliveries"."taken" = $11 and "webhook_deliveries"."leased_until" is not null
  returning "webhook_deliveries"."webhook_id", "webhook_deliveries"."id", "webhook_deliveries"."status", exists (select 1 as "one"
  from (select "webhook_deliveries"."webhook_id", "webhook_deliveries"."id"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $12 and "webhook_deliveries"."due_at" is not null and "webhook_deliveries"."leased_until" is null) as "waiting"
  where waiting.webhook_id = webhook_deliveries.webhook_id and waiting.id <> webhook_deliveries.id) as "has_next";

-- webhooks/sending.putOffLater(ids)
update "webhook_deliveries"
  set "due_at" = settled.due_at
  from "webhook_deliveries" as "settled"
  where "webhook_deliveries"."tenant_id" = $1 and "settled"."tenant_id" = "webhook_deliveries"."tenant_id" and "settled"."id" = any($2::bigint[]) and webhook_deliveries.due_at is not null and webhook_deliveries.webhook_id = "settled".webhook_id
    and webhook_deliveries.subject_type = "settled".subject_type and webhook_deliveries.subject_id = "settled".subject_id and webhook_deliveries.event_id > settled.event_id and webhook_deliveries.due_at <> settled.due_at;

-- webhooks/sending.bringForwardLater(ids)
update "webhook_deliveries"
  set "due_at" = statement_timestamp()
  from "webhook_deliveries" as "settled"
  where "webhook_deliveries"."tenant_id" = $1 and "settled"."tenant_id" = "webhook_deliveries"."tenant_id" and "settled"."id" = any($2::bigint[]) and webhook_deliveries.due_at is not null and webhook_deliveries.webhook_id = "settled".webhook_id
    and webhook_deliveries.subject_type = "settled".subject_type and webhook_deliveries.subject_id = "settled".subject_id and webhook_deliveries.event_id > settled.event_id and "settled"."due_at" is null and webhook_deliveries.due_at > statement_timestamp();

-- webhooks/sending.saveHealth(webhookIds, delivered, failed)
update "webhooks"
  set "failures" = case when health.delivered then 0 else webhooks.failures end + health.failed, "is_reported" = webhooks.is_reported and not health.delivered
  from unnest($1::bigint[], $2::boolean[], $3::bigint[]) as health (webhook_id, delivered, failed)
  where "webhooks"."tenant_id" = $4 and webhooks.id = health.webhook_id and (health.failed > 0 or webhooks.failures > 0 or webhooks.is_reported);

-- webhooks/sending.report(ids)
update "webhooks"
  set "is_reported" = $1
  where "webhooks"."tenant_id" = $2 and "webhooks"."id" = any($3::bigint[]) and "webhooks"."is_reported" = $4 and "webhooks"."deleted_at" is null
  returning "webhooks"."id", "webhooks"."url", (select "users"."id"
  from "users"
  where "users"."tenant_id" = $5 and "users"."status" = $6 and "users"."id" = "webhooks"."made_by") as "maker";

-- webhooks.listWebhooks()
select "webhooks"."id", "webhooks"."url", "webhooks"."types", "webhooks"."description", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."created_at", "webhooks"."version", "webhooks"."sealed" as "sealed_secrets"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null and "webhooks"."id" < $2
  order by "webhooks"."id" desc
  limit $3;

-- webhooks.listWebhooks()
select "webhooks"."id", "webhooks"."url", "webhooks"."types", "webhooks"."description", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."created_at", "webhooks"."version", "webhooks"."sealed" as "sealed_secrets"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null
  order by "webhooks"."id" desc
  limit $2 offset $3;

-- webhooks.listWebhooks()
select "row".*
  from (select "webhooks"."id" as "id", row_number() over () as "place"
  from (select "webhooks"."id"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null
  order by "webhooks"."id" desc
  limit $2 offset $3) as "webhooks") as "places"
  inner join lateral (select "webhooks"."id", "webhooks"."url", "webhooks"."types", "webhooks"."description", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."created_at", "webhooks"."version", "webhooks"."sealed" as "sealed_secrets"
  from "webhooks"
  where "webhooks"."tenant_id" = $4 and "webhooks"."deleted_at" is null and "webhooks"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- webhooks.getWebhook(id)
select "webhooks"."id", "webhooks"."url", "webhooks"."types", "webhooks"."description", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."created_at", "webhooks"."version", "webhooks"."sealed" as "sealed_secrets"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null and "webhooks"."id" = $2;

-- webhooks.lockWebhook(id)
select "webhooks"."id", "webhooks"."url", "webhooks"."types", "webhooks"."description", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."created_at", "webhooks"."version", "webhooks"."sealed" as "sealed_secrets", "webhooks"."last_event_id"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null and "webhooks"."id" = $2 for update;

-- webhooks.insertWebhook(id, url, types, description, isPaused, sealed, madeBy, lastEventId)
insert into "webhooks" ("id", "url", "types", "description", "is_paused", "sealed", "made_by", "last_event_id", "tenant_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  returning "webhooks"."id", "webhooks"."url", "webhooks"."types", "webhooks"."description", "webhooks"."is_paused", "webhooks"."failures", "webhooks"."created_at", "webhooks"."version", "webhooks"."sealed" as "sealed_secrets";

-- webhooks.saveWebhook(id, url, types, description, isPaused, sealed, version)
update "webhooks"
  set "url" = $1, "sealed" = $2, "types" = $3, "description" = $4, "is_paused" = $5, "version" = $6
  where "webhooks"."tenant_id" = $7 and "webhooks"."id" = $8;

-- webhooks.rewind(id, afterEventId)
update "webhooks"
  set "last_event_id" = least(webhooks.last_event_id, $1::bigint)
  where "webhooks"."tenant_id" = $2 and "webhooks"."id" = $3;

-- webhooks.retireWebhook(id)
update "webhooks"
  set "deleted_at" = statement_timestamp(), "is_paused" = $1, "sealed" = $2, "description" = $3
  where "webhooks"."tenant_id" = $4 and "webhooks"."id" = $5;

-- webhooks.listDeliveries(webhookId)
select "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."type", "webhook_deliveries"."status", "webhook_deliveries"."attempts", "webhook_deliveries"."response_status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."created_at", "webhook_deliveries"."due_at" as "next_attempt_at"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."webhook_id" = $2 and "webhook_deliveries"."id" < $3
  order by "webhook_deliveries"."id" desc
  limit $4;

-- webhooks.listDeliveries(webhookId)
select "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."type", "webhook_deliveries"."status", "webhook_deliveries"."attempts", "webhook_deliveries"."response_status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."created_at", "webhook_deliveries"."due_at" as "next_attempt_at"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."webhook_id" = $2
  order by "webhook_deliveries"."id" desc
  limit $3 offset $4;

-- webhooks.listDeliveries(webhookId)
select "row".*
  from (select "webhook_deliveries"."id" as "id", row_number() over () as "place"
  from (select "webhook_deliveries"."id"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."webhook_id" = $2
  order by "webhook_deliveries"."id" desc
  limit $3 offset $4) as "webhook_deliveries") as "places"
  inner join lateral (select "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."type", "webhook_deliveries"."status", "webhook_deliveries"."attempts", "webhook_deliveries"."response_status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."created_at", "webhook_deliveries"."due_at" as "next_attempt_at"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $5 and "webhook_deliveries"."webhook_id" = $6 and "webhook_deliveries"."id" = "places"."id"
  limit 1) as "row" on true
  order by "places"."place";

-- webhooks.listDeliveries(webhookId, status)
select "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."type", "webhook_deliveries"."status", "webhook_deliveries"."attempts", "webhook_deliveries"."response_status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."created_at", "webhook_deliveries"."due_at" as "next_attempt_at", (select count(*) as "total"
  from (select 1 as "one"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."webhook_id" = $2 and "webhook_deliveries"."status" = $3
  order by "webhook_deliveries"."id" desc
  limit $4) as "counted") as "total"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $5 and "webhook_deliveries"."webhook_id" = $6 and "webhook_deliveries"."status" = $7
  order by "webhook_deliveries"."id" desc
  limit $8;

-- webhooks.getDelivery(webhookId, id)
select "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."type", "webhook_deliveries"."status", "webhook_deliveries"."attempts", "webhook_deliveries"."response_status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."created_at", "webhook_deliveries"."due_at" as "next_attempt_at", "webhook_deliveries"."last_error", "webhook_deliveries"."response_body"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."webhook_id" = $2 and "webhook_deliveries"."id" = $3;

-- webhooks.reviveDelivery(webhookId, id)
update "webhook_deliveries"
  set "status" = $1, "attempts" = $2, "due_at" = statement_timestamp(), "taken" = "webhook_deliveries"."taken" + $3, "leased_until" = $4, "ended_at" = $5
  where "webhook_deliveries"."tenant_id" = $6 and "webhook_deliveries"."webhook_id" = $7 and "webhook_deliveries"."id" = $8
  returning "webhook_deliveries"."id", "webhook_deliveries"."event_id", "webhook_deliveries"."type", "webhook_deliveries"."status", "webhook_deliveries"."attempts", "webhook_deliveries"."response_status", "webhook_deliveries"."duration_ms", "webhook_deliveries"."created_at", "webhook_deliveries"."due_at" as "next_attempt_at";

-- webhooks.removeEnded(most)
delete
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and "webhook_deliveries"."ctid" = any(array((select "webhook_deliveries"."ctid" as "place"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $2 and "webhook_deliveries"."ended_at" < now() - interval '30 days'
  order by "webhook_deliveries"."ended_at"
  limit $3
  for update skip locked)));

-- webhooks.removeOrphans(most)
delete
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $1 and webhook_deliveries.ctid = any(array((select webhook_deliveries.ctid as "place"
  from "webhooks"
  inner join "webhook_deliveries" on "webhook_deliveries"."tenant_id" = "webhooks"."tenant_id" and "webhook_deliveries"."webhook_id" = "webhooks"."id"
  where "webhooks"."tenant_id" = $2 and "webhooks"."deleted_at" is not null
  limit $3)));

-- webhooks.removeRetired(most)
delete
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and webhooks.id = any(array((select "webhooks"."id"
  from "webhooks"
  where "webhooks"."tenant_id" = $2 and "webhooks"."deleted_at" is not null and not exists (select 1 as "one"
  from "webhook_deliveries"
  where "webhook_deliveries"."tenant_id" = $3 and webhook_deliveries.webhook_id = webhooks.id)
  order by "webhooks"."id"
  limit $4)));

-- webhooks.countDeliveries()
select count(*) filter (where webhook_deliveries.due_at is not null) as "waiting", count(*) filter (where webhook_deliveries.status = 'failed') as "failed", count(*) filter (where webhook_deliveries.status = 'dead') as "dead", greatest(coalesce(max(extract(epoch
  from (clock_timestamp() - webhook_deliveries.due_at)))
        filter (where not webhooks.is_paused), 0), 0)::float8 as "oldest"
  from "webhook_deliveries"
  inner join "webhooks" on "webhooks"."tenant_id" = "webhook_deliveries"."tenant_id" and "webhooks"."id" = "webhook_deliveries"."webhook_id"
  where "webhook_deliveries"."tenant_id" = $1 and "webhooks"."deleted_at" is null and "webhook_deliveries"."status" in ($2, $3, $4);

-- webhooks.countWebhooks()
select count(*) as "count"
  from "webhooks"
  where "webhooks"."tenant_id" = $1 and "webhooks"."deleted_at" is null;
