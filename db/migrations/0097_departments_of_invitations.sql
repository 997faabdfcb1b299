-- An invitation keeps naming its department when that is deleted, and what reads it looks whether it is still there: Citus
-- has no keys that set a column to null.

alter table invitations drop constraint invitations_tenant_id_department_id_fkey;
