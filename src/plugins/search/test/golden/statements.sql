-- search/indexing.findCursor()
select "search_cursors"."last_event_id", "search_cursors"."built", "search_cursors"."building", "search_cursors"."built_up_to"
  from "search_cursors"
  where "search_cursors"."tenant_id" = $1;

-- search/indexing.lockIndex()
select "search_cursors"."last_event_id", "search_cursors"."built", "search_cursors"."building", "search_cursors"."built_up_to"
  from "search_cursors"
  where "search_cursors"."tenant_id" = $1 for no key update;

-- search/indexing.beginCursor(lastEventId)
insert into "search_cursors" ("last_event_id", "tenant_id")
  values ($1, $2)
  on conflict do nothing;

-- search/indexing.moveCursor(lastEventId, built)
update "search_cursors"
  set "last_event_id" = $1, "built" = $2::text[]
  where "search_cursors"."tenant_id" = $3;

-- search/indexing.moveBuilding(built, building, builtUpTo)
update "search_cursors"
  set "built" = $1::text[], "building" = $2, "built_up_to" = $3
  where "search_cursors"."tenant_id" = $4;

-- search/indexing.listEntries(type, ids, most)
select "search_entries"."resource_id" as "id", "search_entries"."title", "search_entries"."texts"
  from "search_entries"
  where "search_entries"."tenant_id" = $1 and "search_entries"."type" = $2 and "search_entries"."resource_id" = any($3::bigint[])
  order by "search_entries"."resource_id"
  limit $4;

-- search/indexing.listEntryIds(type, after, most)
select "search_entries"."resource_id" as "id"
  from "search_entries"
  where "search_entries"."tenant_id" = $1 and "search_entries"."type" = $2 and "search_entries"."resource_id" > $3
  order by "search_entries"."resource_id"
  limit $4;

-- search/indexing.saveEntries(type, ids, titles, texts, updatedAts)
insert into "search_entries" ("type", "resource_id", "title", "texts", "updated_at", "tenant_id")
  values ($1, unnest($2::bigint[]), string_to_array(unnest($3::text[]), ' '), string_to_array(unnest($4::text[]), ' '), unnest($5::timestamptz[]), $6)
  on conflict ("tenant_id", "type", "resource_id") do update
  set "title" = "excluded"."title", "texts" = "excluded"."texts", "updated_at" = "excluded"."updated_at";

-- search/indexing.removeEntries(type, ids)
delete
  from "search_entries"
  where "search_entries"."tenant_id" = $1 and "search_entries"."type" = $2 and "search_entries"."resource_id" = any($3::bigint[]);

-- search/indexing.insertWords(type, words, places, ids)
insert into "search_words" ("type", "word", "place", "resource_id", "tenant_id")
  values ($1, unnest($2::text[]), unnest($3::integer[]), unnest($4::bigint[]), $5)
  on conflict do nothing;

-- search/indexing.removeWords(type, words, places, ids)
delete
  from "search_words"
  where "search_words"."tenant_id" = $1 and "search_words"."type" = $2 and (search_words.word, search_words.place, search_words.resource_id) in (
        select *
  from unnest($3::text[], $4::integer[], $5::bigint[]));

-- search.countPieces(types, lows, highs, most)
select "kind"."type", "wanted"."low", "wanted"."high", (select count(*)
  from ((select 1 as "one"
  from "search_words"
  where "search_words"."tenant_id" = $1 and search_words.type = kind.type and search_words.word >= wanted.low and search_words.word <= wanted.high
  limit 2001)) as counted) as "count"
  from unnest($2::text[]) as kind (type)
  inner join unnest($3::text[], $4::text[]) as wanted (low, high) on true
  order by "kind"."type", "wanted"."low", "wanted"."high"
  limit $5;

-- search.listCandidates(type, low, high, lows, highs)
select "search_entries"."resource_id" as "id", "search_entries"."updated_at", not exists (
  select
  from unnest($1::text[], $2::text[]) as wanted (low, high)
  where not exists (
    select
  from unnest(search_entries.title) as has (word)
  where has.word >= wanted.low and has.word <= wanted.high)) as "in_title"
  from "search_entries"
  where "search_entries"."tenant_id" = $3 and "search_entries"."type" = $4 and search_entries.resource_id = any(array((select "search_words"."resource_id"
  from "search_words"
  where "search_words"."tenant_id" = $5 and "search_words"."type" = $6 and "search_words"."word" >= $7 and "search_words"."word" <= $8
  order by "search_words"."type" desc, "search_words"."word" desc, "search_words"."place" desc, "search_words"."resource_id" desc
  limit 2000))) and not exists (
  select
  from unnest($9::text[], $10::text[]) as wanted (low, high)
  where not exists (
    select
  from unnest(search_entries.title || search_entries.texts) as has (word)
  where has.word >= wanted.low and has.word <= wanted.high))
  order by "in_title" desc, "search_entries"."updated_at" desc, "search_entries"."resource_id" desc
  limit 3000;

-- search.listCandidates(type, low, high, lows, highs, isCommon)
select "search_entries"."resource_id" as "id", "search_entries"."updated_at", not exists (
  select
  from unnest($1::text[], $2::text[]) as wanted (low, high)
  where not exists (
    select
  from unnest(search_entries.title) as has (word)
  where has.word >= wanted.low and has.word <= wanted.high)) as "in_title"
  from "search_entries"
  where "search_entries"."tenant_id" = $3 and "search_entries"."type" = $4 and search_entries.resource_id = any(array(((select "search_words"."resource_id"
  from "search_words"
  where "search_words"."tenant_id" = $5 and "search_words"."type" = $6 and "search_words"."word" >= $7 and "search_words"."word" <= $8
  order by "search_words"."type" desc, "search_words"."word" desc, "search_words"."place" desc, "search_words"."resource_id" desc
  limit 2000)) union all ((select "search_entries"."resource_id"
  from "search_entries"
  where "search_entries"."tenant_id" = $9 and "search_entries"."type" = $10
  order by "search_entries"."updated_at" desc, "search_entries"."resource_id" desc
  limit 1000)))) and not exists (
  select
  from unnest($11::text[], $12::text[]) as wanted (low, high)
  where not exists (
    select
  from unnest(search_entries.title || search_entries.texts) as has (word)
  where has.word >= wanted.low and has.word <= wanted.high))
  order by "in_title" desc, "search_entries"."updated_at" desc, "search_entries"."resource_id" desc
  limit 3000;
