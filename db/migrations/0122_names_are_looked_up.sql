-- atrium: no transaction
-- Rows no longer name people: what shows a name looks it up when it is read, so that it is the present one, and that of a
-- deleted person is nowhere. A byline that is not what its writer is called now may have been typed by hand, and stays.
-- The release before still reads and writes the user name of a comment: until it has gone, a blank is a former member.
alter table comments alter column username set default '';

do $$
declare
  about constant text[] := '{USER_REGISTERED,INVITATION_ACCEPTED,SUBSTITUTE_FOR,SUBSTITUTE_NAMED,SUBSTITUTE_DISMISSED}';
  tenant bigint;
  ids bigint[];
  latest bigint;
begin
  for tenant in select id from tenants loop
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant::text, true);
      select array_agg(id), max(id) into ids, latest from (
        select id from notifications where tenant_id = tenant and id > latest order by id limit 1000) batch;
      exit when ids is null;
      update notifications set facts = facts - 'name' - 'username',
             title = replace(title, coalesce(facts ->> 'name', facts ->> 'username'), 'somebody')
       where tenant_id = tenant and id = any (ids) and type = any (about) and facts ?| '{name,username}';
      commit;
    end loop;
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant::text, true);
      select array_agg(id), max(id) into ids, latest from (
        select id from articles where tenant_id = tenant and id > latest order by id limit 1000) batch;
      exit when ids is null;
      update articles set author = null
        from users
       where articles.tenant_id = tenant and articles.id = any (ids) and users.tenant_id = tenant
         and users.id = articles.writer_id and articles.author = coalesce(nullif(users.nickname, ''), users.username);
      commit;
    end loop;
    latest := 0;
    loop
      perform set_config('app.tenant_id', tenant::text, true);
      select array_agg(id), max(id) into ids, latest from (
        select id from comments where tenant_id = tenant and id > latest order by id limit 1000) batch;
      exit when ids is null;
      update comments set username = '' where tenant_id = tenant and id = any (ids) and username <> '';
      commit;
    end loop;
    perform set_config('app.tenant_id', tenant::text, true);
    update outbox set facts = facts - 'name' - 'username',
           title = replace(title, coalesce(facts ->> 'name', facts ->> 'username'), 'somebody')
     where tenant_id = tenant and type = any (about) and facts ?| '{name,username}';
    commit;
  end loop;
end $$;
