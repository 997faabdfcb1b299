import pg from 'pg'
import type { Member } from './fill.ts'
import { benchInTurns, type Kind } from './in-turns.ts'
import { openOutside } from './outside.ts'
import { assigning } from './works.ts'

const USAGE = `npm run bench -- mail [options]

Whether commands that cause mail are slower than those that do not: tasks for somebody who gets a mail for each, and tasks
for somebody who gets none, in turns, at the same pace, with a mail server on loopback. Ends with 1 if the p99 is more
than 1.1 times as long.

  --rounds 6  --seconds 10  --every-second 100
`
/** Two people of each tenant: one gets a mail for each notification, the other none. */
async function chooseAssignees(url: string, members: Member[]): Promise<Record<Kind, Map<number, number>>> {
  const chosen = { with: new Map<number, number>(), without: new Map<number, number>() }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const { tenant, user, busyProjects } of members) {
    const { rows } = await client.query<{ id: number }>(
      `select user_id::float8 as id from project_members where tenant_id = $1 and project_id = any ($2) and user_id <> $3
        group by 1 having count(*) = cardinality($2::bigint[]) order by 1 limit 2`,
      [tenant, busyProjects, user],
    )
    for (const [at, kind] of (['with', 'without'] as const).entries()) {
      const { id } = rows[at]!
      chosen[kind].set(tenant, id)
      await client.query(
        `update users set email = 'user-' || id || '@example.com', email_verified_at = now(), mail = $3
          where tenant_id = $1 and id = $2`,
        [tenant, id, kind === 'with' ? 'at_once' : 'never'],
      )
    }
  }
  await client.end()
  return chosen
}

const host = await openOutside('smtp')
await benchInTurns({
  usage: USAGE,
  name: 'mail',
  most: 1.1,
  everySecond: '100',
  settings: { MAIL_URL: `smtp://127.0.0.1:${host.port}`, MAIL_FROM: 'atrium@example.com' },
  async prepare(url, { members }) {
    const assignees = await chooseAssignees(url, members)
    return {
      sendersOf: (kind, connections) => assigning(members, connections, (tenant) => assignees[kind].get(tenant)!),
    }
  },
  arrived: () => `the mail server took ${host.taken()} mails`,
  close: host.close,
})
