-- A payment provider names an order by its number alone, so the tenant of each number is known to the whole installation.
-- What the provider has reported is kept with its time: an order that was paid can be refunded.
create table order_tenants (
  order_no text primary key,
  tenant   bigint not null references tenants (id)
);
do $$
declare
  each bigint;
begin
  execute format('grant select, insert, delete on order_tenants to %I', current_setting('atrium.service_role'));
  for each in select id from tenants loop
    perform set_config('app.tenant_id', each::text, true);
    insert into order_tenants (order_no, tenant) select order_no, tenant_id from payment_orders where tenant_id = each;
  end loop;
end $$;

alter table payment_orders
  add column expired_at timestamptz(3),
  add column refunded_at timestamptz(3);
