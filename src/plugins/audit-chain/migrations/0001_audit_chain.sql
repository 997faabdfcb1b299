-- The audit as evidence: each row of a tenant gets a SHA-256, in hexadecimal digits, of the one before it and itself, so
-- that a row that was changed, removed or inserted is found. A job adds the links after the commit, in the order of ids;
-- they are rows of their own, so the service needs no right to change a row of the audit.
create table audit_links (
  tenant_id bigint not null,
  id        bigint not null,
  chain     text not null,
  primary key (tenant_id, id)
);
-- The chain is over the ids, and an imported row has another id.
select protect('audit_links', 'select, insert', facts => '{"withheld": "not imported"}');

-- Both ends of each chain: its last link, with when it got it, and the last one that retention has removed.
create table audit_chains (
  tenant_id     bigint not null primary key references tenants (id),
  last_id       bigint not null default 0,
  last_chain    text not null default repeat('0', 64),
  removed_id    bigint not null default 0,
  removed_chain text not null default repeat('0', 64),
  moved_at      timestamptz(3) not null default now()
);
select protect('audit_chains', 'select, insert', facts => '{"withheld": "not imported"}');

do $$ begin
  execute format('grant update (last_id, last_chain, moved_at) on audit_chains to %I', current_setting('atrium.service_role'));
end $$;

-- Links go with their rows, and the chain begins behind the last of them. Rows that go without one, while this plug-in is
-- off, were never part of it.
create or replace function forget_audit(tenant bigint, last bigint) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$ begin
  -- Nobody adds links meanwhile.
  insert into public.audit_chains as c (tenant_id) values (tenant)
    on conflict (tenant_id) do update set removed_id = c.removed_id;
  update public.audit_chains c set removed_id = l.id, removed_chain = l.chain
    from public.audit_links l
   where c.tenant_id = tenant and l.tenant_id = tenant
     and l.id = (select max(id) from public.audit_links where tenant_id = tenant and id <= last);
  delete from public.audit_links where tenant_id = tenant and id <= last;
end $$;
