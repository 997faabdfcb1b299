-- An order can renew its tenant, for so many days, once it is paid; it then belongs to no plan of the tenant's own.
alter table payment_orders
  alter column plan_id drop not null,
  add column renewal_days bigint,
  add column paid_at timestamptz(3);
do $$
begin
  execute format('grant update on payment_orders to %I', current_setting('atrium.service_role'));
end $$;
