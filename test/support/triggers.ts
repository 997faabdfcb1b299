/** Makes or drops a trigger. Citus takes those of distributed tables only if this setting is on; else it means nothing. */
export const allowed = (statement: string) =>
  `do $$ begin perform set_config('citus.enable_unsafe_triggers', 'on', true); ${statement}; end $$`
