-- An article keeps when it was first published: that is where it stands in every list, whatever happens to it later.
-- And it keeps who has written it, a person of the tenant, so that writers find their drafts.

alter table articles
  add column published_at timestamptz(3),
  add column writer_id bigint,
  add constraint articles_writer foreign key (tenant_id, writer_id) references users (tenant_id, id);

-- Of what was published before, the day is known; and the moment, where it is the day on which it was made. A draft whose
-- day came after it was made has been published once.
do $$
declare
  tenant bigint;
begin
  for tenant in select id from tenants loop
    perform set_config('app.tenant_id', tenant::text, true);
    update articles
       set published_at = case when date = (created_at at time zone 'UTC')::date then created_at
                               else date::timestamp at time zone 'UTC' end
     where tenant_id = tenant and (status = 'published' or date > (created_at at time zone 'UTC')::date);
  end loop;
  perform set_config('app.tenant_id', '', true);
end $$;

alter table articles
  add column placed_at timestamptz(3) generated always as (coalesce(published_at, created_at)) stored;
