-- A request keeps which department it was for, and what that was called, when the department is long gone. Only what
-- still waits needs the department itself: `pending_department_id` is the department for as long as somebody has to
-- decide, so that no order of events can take it away from under a request.

alter table approvals
  add column department_name text,
  add column pending_department_id bigint generated always as (case when status = 'PENDING' then department_id end) stored,
  drop constraint approvals_tenant_id_department_id_fkey,
  add constraint approvals_pending_department foreign key (tenant_id, pending_department_id) references departments (tenant_id, id);

do $$
declare
  tenant bigint;
begin
  for tenant in select id from tenants loop
    perform set_config('app.tenant_id', tenant::text, true);
    update approvals a set department_name = d.name from departments d
     where a.tenant_id = tenant and d.tenant_id = tenant and d.id = a.department_id;
  end loop;
  perform set_config('app.tenant_id', '', true);
end $$;
