-- When the chain of a tenant got its last link: rows without one that have waited long are no trouble while it moves.
alter table audit_chains add column moved_at timestamptz(3) not null default now();
do $$ begin
  execute format('grant update (moved_at) on audit_chains to %I', current_setting('atrium.service_role'));
end $$;
