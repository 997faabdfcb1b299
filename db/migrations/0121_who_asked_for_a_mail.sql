-- atrium: no transaction
-- Mail that people ask for is limited for each mailbox: that of an address without the part after `+`. Nobody asked for
-- mails from before.
alter table mails add column if not exists asked_by bigint;
drop index concurrently if exists mails_asked_for;
create index concurrently mails_asked_for
  on mails (tenant_id, (regexp_replace(lower(recipient), '\+[^@]*@', '@')), created_at) where asked_by is not null;
