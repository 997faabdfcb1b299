-- atrium: no transaction
-- A first step can wait for administrators too, so what waits is found whatever step it stands at.
drop index concurrently if exists approvals_waiting;
create index concurrently approvals_waiting on approvals (tenant_id, id) where status = 'PENDING';
drop index concurrently if exists approvals_waiting_for_administrators;
