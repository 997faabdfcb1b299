/** SQL that turns all triggers of a database off or on. They only serve the release before. */
export const turnTriggers = (to: 'off' | 'on') => `do $$ declare relation regclass; begin
  for relation in
    select oid from pg_class where relnamespace = 'public'::regnamespace and relhastriggers and relkind in ('r', 'p')
  loop
    execute format('alter table %s ${to === 'off' ? 'disable' : 'enable'} trigger user', relation);
  end loop;
end $$`

/** Makes or drops a trigger. Citus takes those of distributed tables only if this setting is on; else it means nothing. */
export const allowed = (statement: string) =>
  `do $$ begin perform set_config('citus.enable_unsafe_triggers', 'on', true); ${statement}; end $$`
