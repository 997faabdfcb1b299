-- When each person last signed in, for those who manage people. Sessions and networks are removed, so they do not say it.
-- It is no column of the person, because every change of a person makes each process read them again.
create table last_sign_ins (
  tenant_id    bigint not null,
  user_id      bigint not null,
  signed_in_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select protect('last_sign_ins');
