-- What people search for. The operators that compare texts with patterns are not leakproof, so behind row security
-- PostgreSQL uses no index for them. Equality and order are, so here each word of a thing is a row of its own.

-- How far the index of a tenant is. `last_event_id` is how far it has read the event log. `built` names the kinds of things
-- that it holds from before that event; of the kind `building` it has everything up to the id `built_up_to`.
create table search_cursors (
  tenant_id     bigint not null primary key references tenants (id),
  last_event_id bigint not null,
  built         text[] not null default '{}',
  building      text,
  built_up_to   bigint not null default 0
);
select protect('search_cursors', facts => '{"withheld": true}');

-- A thing, with each of its words once: those of its title, and those that are only in its text. Neither this table nor the
-- next one refers to the tenant: PostgreSQL would lock the tenant's row for each of a thousand words, and requests would
-- pay for that. Whoever writes them holds the cursor, which refers to the tenant.
create table search_entries (
  tenant_id   bigint not null,
  type        text collate "C" not null,
  resource_id bigint not null,
  title       text[] collate "C" not null,
  texts       text[] collate "C" not null,
  updated_at  timestamptz(3) not null,
  primary key (tenant_id, type, resource_id)
);
create index search_entries_by_change on search_entries (tenant_id, type, updated_at, resource_id);
select protect('search_entries', facts => '{"withheld": true}');

-- The same words as rows. `place` is 1 for a word of the title, and 0 for one of the text. The order of bytes makes the
-- beginning of a word an interval.
create table search_words (
  tenant_id   bigint not null,
  type        text collate "C" not null,
  word        text collate "C" not null,
  place       integer not null,
  resource_id bigint not null,
  primary key (tenant_id, type, word, place, resource_id)
);
select protect('search_words', 'select, insert, delete', facts => '{"withheld": true}');
