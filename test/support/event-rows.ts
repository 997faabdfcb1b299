/** The events of all tenants as a table of SQL, with those that nobody has read and so numbered yet. */
export const EVENTS = '(select * from events union all select * from unnumbered_events) events'
