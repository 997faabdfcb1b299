-- What a user name looks like, in two ways: as it is written (`look`), and without regard to case (`skeleton`). They are
-- written by the service, which knows what looks alike; where there is none yet, it is written soon after a start. Of
-- names that were alike already the first keeps what it looks like, and the others get what no name can look like: they
-- go on as they are, and nobody else becomes a twin. A nickname need not be unique, but who registers may not look like one.
alter table users
  add column look text,
  add column skeleton text,
  add column nickname_skeleton text;
