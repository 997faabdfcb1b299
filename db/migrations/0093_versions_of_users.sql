-- Each change of what a form of a person shows counts, so that a stale form is refused.
alter table users add column version integer not null default 0;
