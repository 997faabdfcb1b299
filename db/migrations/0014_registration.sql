-- Whether strangers may register. Tenants that are there stay as open as they were; a new one is closed until it is opened.
alter table tenants
  add column registration text not null default 'open'
    constraint tenants_registration_known check (registration in ('open', 'closed'));
alter table tenants alter column registration set default 'closed';

-- The first tenant takes no expiry any more, so it keeps none either.
update tenants set expired_at = null, status = 'active' where id = 1 and (expired_at is not null or status <> 'active');
