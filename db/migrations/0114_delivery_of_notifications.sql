-- Turns the oldest events of a tenant into notifications. Only one transaction at a time may do so in a tenant, so that
-- every inbox keeps the order of the events. It is a function because each of its statements is one task on the shard of
-- the tenant on a cluster of Citus. One statement that moves rows to another table would copy them to every node, and wait
-- for a node that hangs.
-- `mine` says whether it was this transaction, `taken` how many events it took, and `receivers` who got some.
create function deliver_notifications(
  tenant bigint, batch bigint, out mine boolean, out taken bigint, out receivers bigint[]
)
language plpgsql as $$
declare
  event  record;
  inbox  bigint;
  events bigint[] := '{}';
begin
  receivers := '{}';
  mine := pg_try_advisory_xact_lock(hashtextextended('outbox', tenant));
  if mine then
    -- This begins after the lock, so it sees no event that another transaction has delivered.
    for event in
      select o.id, o.type, o.title, o.facts, o.content, o.resource_type, o.resource_id, o.created_at,
             -- A receiver who has been deleted has no inbox any more, and must not block the events of the others.
             array(select u.id from users u
                    where u.tenant_id = tenant and u.id = any (o.receivers) and u.deleted_at is null) as inboxes
        from outbox o
       where o.tenant_id = tenant
       order by o.id
       limit batch
         for update of o skip locked
    loop
      foreach inbox in array event.inboxes loop
        insert into notifications (tenant_id, receiver_id, event_id, type, title, facts, content, resource_type,
                                   resource_id, created_at)
          values (tenant, inbox, event.id, event.type, event.title, event.facts, event.content, event.resource_type,
                  event.resource_id, event.created_at)
          on conflict (tenant_id, receiver_id, event_id) do nothing;
      end loop;
      events := events || event.id;
      receivers := receivers || event.inboxes;
    end loop;
    if events <> '{}' then
      delete from outbox where tenant_id = tenant and id = any (events);
    end if;
  end if;
  taken := cardinality(events);
end $$;
