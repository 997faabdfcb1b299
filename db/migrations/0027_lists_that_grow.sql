-- atrium: no transaction
-- Lists that read rows of others to find a person's own, or what is rare among what is not. See `npm run bench -- growth`.
drop index concurrently if exists approval_steps_waiting;
create index concurrently approval_steps_waiting on approval_steps (tenant_id, approver_id, approval_id) where status = 'PENDING';
drop index concurrently if exists files_by_uploader;
create index concurrently files_by_uploader on files (tenant_id, uploader_id, id);
drop index concurrently if exists comments_by_status;
create index concurrently comments_by_status on comments (tenant_id, status, id);
drop index concurrently if exists comments_of_article_by_status;
create index concurrently comments_of_article_by_status on comments (tenant_id, article_id, status, id);
-- Only what was refused is in it: a command that succeeds pays nothing for it.
drop index concurrently if exists audit_operations_refused_to_user;
create index concurrently audit_operations_refused_to_user on audit_operations (tenant_id, user_id, status, id) where status >= 400;
-- With what the articles of a category are counted by, so that the rows need not be looked at.
drop index concurrently if exists articles_counted;
create index concurrently articles_counted on articles (tenant_id, category_id, placed_at, id) include (status, writer_id);
drop index concurrently if exists articles_of_category;
