-- audit.listOperations(), in place of line 5 to 9
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2 and "audit_operations"."id" < $3
  order by "audit_operations"."id" desc
  limit $4;

-- audit.listOperations(), in place of line 5 to 9
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2
  order by "audit_operations"."id" desc
  limit $3 offset $4;

-- audit.listOperations(), in place of line 12 to 14
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $4 and audit_links.id = audit_operations.id)) as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $5 and "audit_operations"."id" = "places"."id"

-- audit.listOperations(userId, refusal, from, to), in place of line 5 to 34
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain", (select count(*) as "total"
  from (select 1 as "one"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2 and "audit_operations"."user_id" = $3 and "audit_operations"."status" = $4 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $5 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $6 and "audit_operations"."created_at" >= $7
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $8 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $9 and "audit_operations"."created_at" < $10
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit $11) as "counted") as "total"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $12 and "audit_operations"."user_id" = $13 and "audit_operations"."status" = $14 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $15 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $16 and "audit_operations"."created_at" >= $17
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $18 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $19 and "audit_operations"."created_at" < $20
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit $21;

-- audit.searchOperations(method, requestId, success, pattern), in place of line 2 to 13
select *, ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2 and "audit_operations"."id" < $3
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($4::text is null or audit_operations.method = $5) and ($6::text is null or audit_operations.request_id = $7) and ($8::integer is null or audit_operations.status = $9) and ($10::text is null or audit_operations.path like $11)
  order by "audit_operations"."id" desc
  limit $12;

-- audit.searchOperations(method, requestId, success, pattern), in place of line 2 to 13
select *, ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($3::text is null or audit_operations.method = $4) and ($5::text is null or audit_operations.request_id = $6) and ($7::integer is null or audit_operations.status = $8) and ($9::text is null or audit_operations.path like $10)
  order by "audit_operations"."id" desc
  limit $11 offset $12;

-- audit.searchOperations(method, requestId, success, pattern, userId, refusal, from, to), in place of line 2 to 58
select *, ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain", (select count(*) as "total"
  from (select 1 as "one"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2 and "audit_operations"."user_id" = $3 and "audit_operations"."status" = $4 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $5 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $6 and "audit_operations"."created_at" >= $7
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $8 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $9 and "audit_operations"."created_at" < $10
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($11::text is null or audit_operations.method = $12) and ($13::text is null or audit_operations.request_id = $14) and ($15::integer is null or audit_operations.status = $16) and ($17::text is null or audit_operations.path like $18)
  limit $19) as "counted") as "total", exists ((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $20 and "audit_operations"."user_id" = $21 and "audit_operations"."status" = $22 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $23 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $24 and "audit_operations"."created_at" >= $25
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $26 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $27 and "audit_operations"."created_at" < $28
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit 1 offset 100000)) as "beyond"
  from (select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $29 and "audit_operations"."user_id" = $30 and "audit_operations"."status" = $31 and audit_operations.status >= 400 and "audit_operations"."created_at" >= $32 and "audit_operations"."id" >= (select min(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $33 and "audit_operations"."created_at" >= $34
  order by "audit_operations"."created_at"
  limit 1000))) as id) and "audit_operations"."created_at" < $35 and "audit_operations"."id" <= (select max(id)
  from unnest(array((select "audit_operations"."id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $36 and "audit_operations"."created_at" < $37
  order by "audit_operations"."created_at" desc
  limit 1000))) as id)
  order by "audit_operations"."id" desc
  limit 100000) as "audit_operations"
  where ($38::text is null or audit_operations.method = $39) and ($40::text is null or audit_operations.request_id = $41) and ($42::integer is null or audit_operations.status = $43) and ($44::text is null or audit_operations.path like $45)
  order by "audit_operations"."id" desc
  limit $46;

-- audit.listSettled(after, upTo, most), in place of line 5 to 9
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind", ((select "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and audit_links.id = audit_operations.id)) as "chain"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2 and "audit_operations"."id" > $3 and "audit_operations"."id" <= $4
  order by "audit_operations"."id"
  limit $5;

-- audit-chain.findReach()
select coalesce(((select max("audit_operations"."id") as "id"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1)), 0) as "newest", coalesce(((select "audit_chains"."last_id"
  from "audit_chains"
  where "audit_chains"."tenant_id" = $2)), 0) as "linked";

-- audit-chain.countUnlinked()
select count(*) as "rows", coalesce(extract(epoch
  from (clock_timestamp() - min(audit_operations.created_at))), 0)::float8 as "oldest", coalesce(least(extract(epoch
  from (clock_timestamp() - min(audit_operations.created_at))), case when count(*) > 0 then extract(epoch
  from (clock_timestamp() - ((select "audit_chains"."moved_at" as "end"
  from "audit_chains"
  where "audit_chains"."tenant_id" = $1)))) end), 0)::float8 as "stalled"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $2 and "audit_operations"."id" > coalesce(((select "audit_chains"."last_id" as "end"
  from "audit_chains"
  where "audit_chains"."tenant_id" = $3)), 0);

-- audit-chain.lockChain()
select "audit_chains"."last_id" as "id", "audit_chains"."last_chain" as "chain"
  from "audit_chains"
  where "audit_chains"."tenant_id" = $1 for no key update;

-- audit-chain.beginChain()
insert into "audit_chains" ("last_id", "tenant_id")
  values ($1, $2)
  on conflict ("tenant_id") do update
  set "last_id" = audit_chains.last_id
  returning "audit_chains"."last_id" as "id", "audit_chains"."last_chain" as "chain";

-- audit-chain.insertLinks(ids, chains)
insert into "audit_links" ("id", "chain", "tenant_id")
  values (unnest($1::bigint[]), unnest($2::text[]), $3);

-- audit-chain.moveEnd(lastId, lastChain)
update "audit_chains"
  set "last_id" = $1, "last_chain" = $2, "moved_at" = statement_timestamp()
  where "audit_chains"."tenant_id" = $3;

-- audit-chain.findEnds()
select "audit_chains"."removed_id", "audit_chains"."removed_chain", "audit_chains"."last_id", "audit_chains"."last_chain"
  from "audit_chains"
  where "audit_chains"."tenant_id" = $1;

-- audit-chain.listRows(after, upTo, most)
select "audit_operations"."id", "audit_operations"."request_id", "audit_operations"."tenant_id", "audit_operations"."user_id", "audit_operations"."username", "audit_operations"."key_prefix", "audit_operations"."method", "audit_operations"."path", "audit_operations"."route", "audit_operations"."status", "audit_operations"."duration", "audit_operations"."ip", "audit_operations"."user_agent", "audit_operations"."created_at", case
  when audit_operations.key_prefix is not null then 'service'
  when audit_operations.user_id is not null then 'user'
  when audit_operations.method = 'CLI' then 'system' end as "actor_kind"
  from "audit_operations"
  where "audit_operations"."tenant_id" = $1 and "audit_operations"."id" > $2 and "audit_operations"."id" <= $3
  order by "audit_operations"."id"
  limit $4;

-- audit-chain.listLinks(after, upTo, most)
select "audit_links"."id", "audit_links"."chain"
  from "audit_links"
  where "audit_links"."tenant_id" = $1 and "audit_links"."id" > $2 and "audit_links"."id" <= $3
  order by "audit_links"."id"
  limit $4;
