-- plans.lockQuota(quota, tenantId)
select pg_advisory_xact_lock(hashtextextended('quota ' || $1::text, $2::bigint)) as "held";
