-- What people want to be told by mail, in which language, and by which clock. Without a language or a time zone of their
-- own, those of the tenant count.
alter table users
  add column locale text,
  add column time_zone text,
  add column mail text not null default 'at_once';
alter table users
  add constraint users_mail check (mail in ('at_once', 'daily', 'never') and locale in ('en', 'zh-CN')) not valid;

-- A mail with news names the first and the last notification that it may tell of, and holds none of their text.
alter table mails
  add column news_from bigint,
  add column news_to bigint;

-- How far the notifications of a tenant have been looked at for their receivers' mail.
create table mail_cursors (
  tenant_id bigint not null references tenants (id),
  id        bigint not null default 1 check (id = 1),
  seen      bigint not null,
  primary key (tenant_id, id)
);
select protect('mail_cursors');

-- News that wait for the hour at which their receiver gets them.
create table mail_digests (
  tenant_id bigint not null,
  user_id   bigint not null,
  news_from bigint not null,
  news_to   bigint not null,
  due_at    timestamptz(3) not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index mail_digests_due on mail_digests (tenant_id, due_at);
select protect('mail_digests');
