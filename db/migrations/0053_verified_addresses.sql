-- When a person showed that they read what is sent to their e-mail address; null if they have not. Another address starts
-- unverified, whoever changes it: a release that does not know the column, too.
alter table users add column email_verified_at timestamptz(3);

create function forget_verified_address() returns trigger language plpgsql as $$
begin
  new.email_verified_at := null;
  return new;
end $$;
create trigger users_forget_verified_address before update of email on users
  for each row when (new.email is distinct from old.email and new.email_verified_at is not distinct from old.email_verified_at)
  execute function forget_verified_address();
