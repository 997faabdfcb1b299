-- atrium: no transaction
drop index concurrently if exists articles_by_place;
create index concurrently articles_by_place on articles (tenant_id, placed_at, id);
drop index concurrently if exists articles_shown;
create index concurrently articles_shown on articles (tenant_id, status, placed_at, id);
drop index concurrently if exists articles_of_category;
create index concurrently articles_of_category on articles (tenant_id, category_id, placed_at, id);
-- What the public may read of the files.
drop index concurrently if exists articles_covers;
create index concurrently articles_covers on articles (tenant_id, cover) where status = 'published' and cover is not null;
drop index concurrently if exists articles_by_date;
drop index concurrently if exists articles_by_status;
drop index concurrently if exists articles_by_category;
