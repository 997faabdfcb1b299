-- People see their own sessions: from where each was opened, and about when it was last used. The latter has a table of
-- its own, because every change of a session makes each process read its person again.
alter table sessions
  add column ip text,
  add column user_agent text;

create table session_sightings (
  tenant_id  bigint not null,
  session_id bigint not null,
  seen_at    timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, session_id),
  foreign key (tenant_id, session_id) references sessions (tenant_id, id) on delete cascade
);
select protect('session_sightings');
