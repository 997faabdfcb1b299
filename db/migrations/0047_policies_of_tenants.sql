-- What a tenant has set for its people: language, time zone, sign-in, passwords, sessions and invitations. Without
-- session_days, a session lasts as long as REFRESH_TOKEN_TTL says.
alter table tenants
  add column locale text not null default 'en' check (locale in ('en', 'zh-CN')),
  add column time_zone text not null default 'UTC',
  add column second_factor text not null default 'optional' check (second_factor in ('optional', 'required')),
  add column first_password text not null default 'keep' check (first_password in ('keep', 'change')),
  add column password_min_length integer not null default 6 check (password_min_length between 6 and 64),
  add column session_days integer check (session_days between 1 and 90),
  add column invitation_days integer not null default 7 check (invitation_days between 1 and 30);

-- What a person has to do before anything else, and since when a second factor protects their account.
alter table users
  add column must_change_password boolean not null default false,
  add column second_factor_at timestamptz(3);
