-- atrium: no transaction
-- An invitation has two links: the one that its maker sees, and the one that is mailed. Only those who use the second have
-- shown that the address is theirs. Invitations from before have the first alone.
alter table invitations add column if not exists mailed_token_hash text;
drop index concurrently if exists invitations_by_mailed_token;
create unique index concurrently invitations_by_mailed_token on invitations (tenant_id, mailed_token_hash)
  where mailed_token_hash is not null;
