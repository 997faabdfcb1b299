-- Counts the changes of an article, so that a client can say which one it has read.
alter table articles add column version integer not null default 0;
