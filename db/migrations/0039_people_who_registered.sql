-- Whether a person registered without being invited. They see only their own files until an administrator trusts them.
-- This release writes the column itself. A release that does not know it writes the audit row of the registration in the
-- same transaction, so the database sets the column from that row.
alter table users add column self_registered boolean not null default false;

create function mark_registered() returns trigger language plpgsql as $$
begin
  update users set self_registered = true
   where tenant_id = new.tenant_id and id = new.user_id and not self_registered;
  return null;
end $$;
create trigger audit_operations_mark_registered after insert on audit_operations
  for each row when (new.route = '/api/v1/auth/register' and new.status = 201)
  execute function mark_registered();
