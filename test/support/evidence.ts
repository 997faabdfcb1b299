/** Invariants of what other systems rely on: the audit and its chain, mail, webhooks, links. Each is a query with a row for each thing that was looked at, and whether it is wrong. */

const text = (sql: string) => `coalesce(to_json(${sql})::text, 'null')`

/** The canonical JSON of a row of the audit, written a second time, so that it does not trust the code that it checks. */
const CANONICAL = [
  [
    'actorKind',
    text(
      `case when o.key_prefix is not null then 'service' when o.user_id is not null then 'user' when o.method = 'CLI' then 'system' end`,
    ),
  ],
  ['createdAt', text(`to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)],
  ['duration', 'o.duration::text'],
  ['id', 'o.id::text'],
  ['ip', text('o.ip')],
  ['keyPrefix', text('o.key_prefix')],
  ['method', text('o.method')],
  ['path', text('o.path')],
  ['requestId', text('o.request_id')],
  ['route', text('o.route')],
  ['status', 'o.status::text'],
  ['tenantId', 'o.tenant_id::text'],
  ['userAgent', text('o.user_agent')],
  ['userId', text('o.user_id')],
  ['username', text('o.username')],
]
  .map(([name, value]) => `'"${name}":' || ${value}`)
  .join(` || ',' || `)

/** Each row up to the end of the chain has its link, each link its row, and the chain ends where it says. */
export const CHAINS = `
  select fits is not true or (id = last_id and chain <> last_chain) as wrong
    from (
      select id, chain, last_id, last_chain,
             chain = encode(sha256(convert_to(lag(chain, 1, removed_chain) over (partition by tenant_id order by id) || json, 'UTF8')), 'hex') as fits
        from (
          select c.tenant_id, coalesce(o.id, l.id) as id, l.chain, c.removed_chain, c.last_id, c.last_chain,
                 '{' || ${CANONICAL} || '}' as json
            from audit_chains c
            join (select * from audit_operations) o on o.tenant_id = c.tenant_id and o.id > c.removed_id and o.id <= c.last_id
            full join audit_links l on l.tenant_id = o.tenant_id and l.id = o.id) linked) checked
  union all
  select not exists (select from audit_links l where l.tenant_id = c.tenant_id and l.id = c.last_id)
    from audit_chains c where c.last_id > c.removed_id`

/** A mail waits, was sent or was given up; what it says is kept, encrypted, only while it may still be sent. */
export const MAILS = `
  select (status = 'waiting') <> (ended_at is null)
      or (status = 'sent' and sealed is not null)
      or (status = 'waiting' and give_up_at < clock_timestamp() - interval '10 minutes') as wrong
    from mails`

/** What a webhook has read is on its way or was delivered; nothing that it was to be sent is missing. */
export const DELIVERIES = `
  select (status in ('delivered', 'dead')) <> (due_at is null) or (due_at is null) <> (ended_at is not null) as wrong
    from webhook_deliveries
  union all
  select d.id is null
    from webhooks w
    join lateral (select min(event_id) as first from webhook_deliveries f
                   where f.tenant_id = w.tenant_id and f.webhook_id = w.id) begun on begun.first is not null
    join events e on e.tenant_id = w.tenant_id and e.id >= begun.first and e.id <= w.last_event_id
     and (e.type = any (w.types) or '*' = any (w.types)) and e.subject_type <> 'webhook'
    left join webhook_deliveries d on d.tenant_id = w.tenant_id and d.webhook_id = w.id and d.event_id = e.id
   where w.deleted_at is null`

/** Tokens are stored as SHA-256. */
const badToken = (column: string, table: string) => `
  select ${column} !~ '^[A-Za-z0-9_-]{43}$' and ${column} !~ '^[0-9a-f]{64}$' as wrong
    from ${table} where ${column} is not null`
export const LINKS = `${badToken('token_hash', 'email_confirmations')} union all ${badToken('token_hash', 'password_resets')}`

/** An invitation makes one person, and a person comes by one invitation. */
export const INVITATIONS = `
  ${badToken('token_hash', 'invitations')} union all ${badToken('mailed_token_hash', 'invitations')}
  union all
  select (status = 'accepted') <> (accepted_by_id is not null)
      or (accepted_by_id is not null and count(*) over (partition by tenant_id, accepted_by_id) > 1)
    from invitations`

/** Commands that leave one event each: as many events as the audit has successes. */
const COMMANDS: [type: string, method: string, route: string][] = [
  ['project.created', 'POST', '/api/v1/projects'],
  ['task.created', 'POST', '/api/v1/projects/:id/tasks'],
  ['task.commented', 'POST', '/api/v1/tasks/:id/comments'],
]
export const EVENTS_AND_AUDIT = `
  select h.n is distinct from a.n as wrong
    from (select tenant_id, type, count(*) as n
            from (select tenant_id, type from events union all select tenant_id, type from unnumbered_events) all_events
           where type in (${COMMANDS.map(([type]) => `'${type}'`)}) group by 1, 2) h
    full join (select o.tenant_id, c.type, count(*) as n
                 from audit_operations o
                 join (values ${COMMANDS.map((command) => `(${command.map((word) => `'${word}'`)})`)}) c (type, method, route)
                   on o.method = c.method and o.route = c.route
                where o.status between 200 and 299 group by 1, 2) a using (tenant_id, type)`
