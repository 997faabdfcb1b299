-- What a directory (Entra ID, Okta) says of people and roles beyond what Atrium itself keeps: its own ids for them, the two
-- halves of a name, and the types that it gave an address and a number, such as work or mobile, by which it changes them.
create table scim_users (
  tenant_id   bigint not null,
  user_id     bigint not null,
  external_id text,
  given_name  text,
  family_name text,
  email_type  text,
  phone_type  text,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index scim_users_by_external_id on scim_users (tenant_id, external_id);
select protect('scim_users');

create table scim_groups (
  tenant_id   bigint not null,
  role_id     bigint not null,
  external_id text,
  primary key (tenant_id, role_id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade
);
create index scim_groups_by_external_id on scim_groups (tenant_id, external_id);
select protect('scim_groups');
