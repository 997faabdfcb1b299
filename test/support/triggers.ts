/** SQL that turns all triggers of a database off or on. They only serve the release before. */
export const turnTriggers = (to: 'off' | 'on') => `do $$ declare relation regclass; begin
  for relation in
    select oid from pg_class where relnamespace = 'public'::regnamespace and relhastriggers and relkind in ('r', 'p')
  loop
    execute format('alter table %s ${to === 'off' ? 'disable' : 'enable'} trigger user', relation);
  end loop;
end $$`
