-- A directory changes an address or a number of a person by the type that it gave it, such as work or mobile.
alter table scim_users add column email_type text, add column phone_type text;
