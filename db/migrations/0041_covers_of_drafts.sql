-- atrium: no transaction
-- A file is not deleted while an article has it as its cover, drafts included: the index of covers holds theirs as well.
drop index concurrently if exists articles_by_cover;
create index concurrently articles_by_cover on articles (tenant_id, cover) where cover is not null;
drop index concurrently if exists articles_covers;
