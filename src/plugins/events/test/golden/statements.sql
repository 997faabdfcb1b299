-- events.listEvents()
select "events"."id", "events"."type", "events"."subject_type", "events"."subject_id", "events"."actor_kind", "events"."actor_id", "events"."occurred_at", events.data::text as "data"
  from "events"
  where "events"."tenant_id" = $1 and "events"."id" < $2
  order by "events"."id" desc
  limit $3;

-- events.listEvents()
select "events"."id", "events"."type", "events"."subject_type", "events"."subject_id", "events"."actor_kind", "events"."actor_id", "events"."occurred_at", events.data::text as "data"
  from "events"
  where "events"."tenant_id" = $1
  order by "events"."id" asc
  limit $2 offset $3;

-- events.listEvents()
select array_agg(coalesce(octet_length("window"."data"), 0)) as "weights"
  from (select "events"."id", "events"."type", "events"."subject_type", "events"."subject_id", "events"."actor_kind", "events"."actor_id", "events"."occurred_at", events.data::text as "data"
  from "events"
  where "events"."tenant_id" = $1
  order by "events"."id" asc
  limit $2) as "window";

-- events.listEvents(types, most, before, after, ascending)
select "events"."id", "events"."type", "events"."subject_type", "events"."subject_id", "events"."actor_kind", "events"."actor_id", "events"."occurred_at", events.data::text as "data", (select count(*) as "total"
  from (select 1 as "one"
  from "events"
  where "events"."tenant_id" = $1 and events.id = any(array((select "found"."id"
  from unnest($2::text[]) as wanted (type)
  inner join lateral (select "events"."id"
  from "events"
  where "events"."tenant_id" = $3 and events.type = wanted.type
  order by "events"."id"
  limit $4::integer) as "found" on true
  order by "found"."id"
  limit $5::integer)))
  order by "events"."id" asc
  limit $6) as "counted") as "total"
  from "events"
  where "events"."tenant_id" = $7 and events.id = any(array((select "found"."id"
  from unnest($8::text[]) as wanted (type)
  inner join lateral (select "events"."id"
  from "events"
  where "events"."tenant_id" = $9 and events.type = wanted.type and "events"."id" > $10
  order by "events"."id"
  limit $11::integer) as "found" on true
  order by "found"."id"
  limit $12::integer))) and "events"."id" < $13 and "events"."id" > $14
  order by "events"."id" desc
  limit $15;

-- events.listEventsById(ids)
select "events"."id", "events"."type", "events"."subject_type", "events"."subject_id", "events"."actor_kind", "events"."actor_id", "events"."occurred_at", events.data::text as "data"
  from "events"
  where "events"."tenant_id" = $1 and "events"."id" = any($2::bigint[]);

-- events.removeOldEvents(days, most)
delete
  from "events"
  where "events"."tenant_id" = $1 and events.id = any(array((select "first"."id"
  from (select "events"."id", "events"."occurred_at"
  from "events"
  where "events"."tenant_id" = $2
  order by "events"."id"
  limit $3) as "first"
  where "first"."occurred_at" < now() - make_interval(days => $4::integer))));
