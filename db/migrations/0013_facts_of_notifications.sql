-- A notification is told in the language of whoever reads it: its type and its facts are kept. The title stays, in
-- English, for rows that are older than their facts and for types that no domain declares any more.
alter table outbox add column facts jsonb;
alter table notifications add column facts jsonb;

-- Four menus named views that the admin client does not have. Menus that somebody has changed stay as they are.
update menus set component = path
 where path in ('/enterprise/organization', '/enterprise/files', '/enterprise/audit', '/enterprise/tenants')
   and component = path || '/index';
