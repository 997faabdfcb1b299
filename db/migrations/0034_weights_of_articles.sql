-- How many bytes the content of an article has, so that a list finds where a page begins without reading the contents of
-- the articles before it. The database fills it, also for releases that do not know the column; 0035 does for older rows.
alter table articles add column content_bytes integer;

create function weigh_article() returns trigger language plpgsql as $$
begin
  new.content_bytes := octet_length(array_to_string(new.content, ''));
  return new;
end $$;
create trigger articles_weigh before insert or update of content on articles
  for each row execute function weigh_article();

-- Filling the column changes nothing that a person reads, so the version stays.
create or replace trigger articles_version_rises before update on articles
  for each row when (
    new.version = old.version
    and (new.content_bytes is not distinct from old.content_bytes or new.content is distinct from old.content))
  execute function raise_version();
