-- Somebody decides for a person who is away, from one day to another: days of the tenant's time zone, with the instants
-- at which they begin and end there. `begun` says that the substitute has been told of what waits.
create table substitutes (
  tenant_id     bigint not null,
  user_id       bigint not null,
  substitute_id bigint not null,
  from_day      date not null,
  until_day     date not null,
  time_zone     text not null,
  starts_at     timestamptz(3) not null,
  ends_at       timestamptz(3) not null,
  begun         boolean not null default false,
  created_at    timestamptz(3) not null,
  primary key (tenant_id, user_id),
  constraint substitutes_substitute_lives foreign key (tenant_id, substitute_id) references users (tenant_id, living_id),
  constraint substitutes_user_lives foreign key (tenant_id, user_id) references users (tenant_id, living_id),
  check (user_id <> substitute_id),
  check (from_day <= until_day)
);
create index substitutes_by_end on substitutes (tenant_id, ends_at);
create index substitutes_by_substitute on substitutes (tenant_id, substitute_id);
select protect('substitutes');
