-- Contact messages can be marked as handled, and deleted.
alter table contact_messages add column handled boolean not null default false;
do $$
begin
  execute format('grant update, delete on contact_messages to %I', current_setting('atrium.service_role'));
end $$;
