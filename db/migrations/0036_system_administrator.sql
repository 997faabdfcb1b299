-- The person of the first tenant who holds the office of the system administrator. Without a row it is user 1, the
-- administrator that the first start makes; so there is always exactly one.
create table system_administrator (
  tenant_id bigint not null references tenants,
  id        bigint not null default 1,
  user_id   bigint not null,
  primary key (tenant_id, id),
  constraint system_administrator_is_one check (tenant_id = 1 and id = 1),
  constraint system_administrator_user foreign key (tenant_id, user_id) references users (tenant_id, id)
);
select protect('system_administrator', 'select, insert, update');

-- Both people have other rights from then on.
create trigger system_administrator_invalidate_insert after insert on system_administrator referencing new table as changed
  for each statement execute function invalidate('user', 'user_id');
create trigger system_administrator_invalidate_update after update on system_administrator referencing new table as changed
  for each statement execute function invalidate('user', 'user_id');
create trigger system_administrator_invalidate_moved after update on system_administrator referencing old table as changed
  for each statement execute function invalidate('user', 'user_id');
-- Where there was no row, it was user 1 until now.
create trigger system_administrator_invalidate_first after insert on system_administrator referencing new table as changed
  for each statement execute function invalidate('user', '1');
