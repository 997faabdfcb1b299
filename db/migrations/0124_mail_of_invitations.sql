-- An invitation names the mail that took it, so that its maker sees what became of that. The mail is forgotten sooner, and
-- one that waits is not exported, so there is no key. Invitations from before do not say.
alter table invitations add column mail_id bigint;
