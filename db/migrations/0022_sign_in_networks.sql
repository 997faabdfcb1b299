-- Networks from which somebody has signed in: guesses at their password that come from elsewhere keep nobody out there.
create table sign_in_networks (
  tenant_id bigint not null,
  user_id   bigint not null,
  network   text not null,
  seen_at   timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, user_id, network),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sign_in_networks_by_age on sign_in_networks (tenant_id, seen_at);
select protect('sign_in_networks');
