-- Who sends a message without a token may try again too: the claim of a visitor's idempotency key commits with it.

create table visitor_keys (
  tenant_id  bigint not null references tenants (id),
  key        text not null,
  expires_at timestamptz(3) not null,
  primary key (tenant_id, key)
);
create index visitor_keys_by_expiry on visitor_keys (tenant_id, expires_at);
select protect('visitor_keys');
