-- Gives ids to the oldest events of a tenant, in the order in which their commands wrote them. Only one transaction at a
-- time may do so in a tenant. It is a function for the reason that migration 0114 gives: each of its statements is one task
-- on the shard of the tenant.
-- `mine` says whether it was this transaction, and `taken` how many events it numbered.
create function number_events(tenant bigint, batch bigint, out mine boolean, out taken bigint)
language plpgsql as $$
declare
  ids    bigint[] := '{}';
  number bigint;
  event  record;
begin
  mine := pg_try_advisory_xact_lock(hashtextextended('events', tenant));
  if mine then
    -- This begins after the lock, so it sees no event that another transaction has numbered.
    for event in
      select u.id from unnumbered_events u where u.tenant_id = tenant order by u.id limit batch for update skip locked
    loop
      ids := ids || event.id;
    end loop;
    if ids <> '{}' then
      insert into event_counters (tenant_id, last_number) values (tenant, cardinality(ids))
        on conflict (tenant_id) do update set last_number = event_counters.last_number + excluded.last_number
        returning last_number - cardinality(ids) into number;
      for event in select * from unnumbered_events u where u.tenant_id = tenant and u.id = any (ids) order by u.id loop
        number := number + 1;
        insert into events (tenant_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, occurred_at)
          values (tenant, number, event.type, event.subject_type, event.subject_id, event.actor_kind, event.actor_id,
                  event.data, event.occurred_at);
      end loop;
      delete from unnumbered_events where tenant_id = tenant and id = any (ids);
    end if;
  end if;
  taken := cardinality(ids);
end $$;
