import { openScope } from '../src/data/tx/open-scope.ts'
import type { Database } from '../src/data/wire/database.ts'
import { countUnread } from '../src/domains/notifications/notifications.store.ts'
import { companies } from './companies.ts'
import type { Stage } from './perform.ts'
import { grouped } from './progress.ts'
import type { Step } from './steps.ts'

/** The password of everybody in the demo. */
export const PASSWORD = 'atrium-demo'

/** People to sign in as first. */
const TRY = [
  ['default', 'mei.tanaka', 'owns the rider app at Velora'],
  ['default', 'greta.vandenberg', 'has the last word on requests at Velora'],
  ['default', 'bjorn.haugen', 'draws frames, and waits for steel'],
  ['northwind-labs', 'astrid.solheim', 'runs Northwind Labs, sees all of it'],
] as const

/** What was made and how to look at it. */
export async function summarize(
  database: Database,
  stages: Map<string, Stage>,
  steps: Step[],
  { seconds, port }: { seconds: number; port: number },
): Promise<string> {
  const count = (does: Step['does']) => steps.filter((step) => step.does === does).length
  const people = companies.reduce((sum, company) => sum + company.people.length, 0)
  const guests = TRY.map(async ([tenant, username, does]) => {
    const { tenantId, users } = stages.get(tenant)!
    const unread = await countUnread(openScope(database, tenantId), { receiverId: users.get(username)!.id })
    return `    ${username.padEnd(16)} ${tenant.padEnd(15)} ${does}; ${unread!.count} unread`
  })
  return `
  ${people} people, ${count('create project')} projects (${count('archive project')} archived), ${grouped(count('create task'))} tasks, ${grouped(count('update task'))} changes, ${grouped(count('comment'))} comments,
  ${count('create department')} departments, ${count('draft approval')} requests for approval, ${count('upload file')} files, ${count('write article')} articles, ${count('check out')} orders
  in ${seconds.toFixed(1)} s

  Sign in as       in the tenant   password ${PASSWORD}
${(await Promise.all(guests)).join('\n')}

  curl -s http://localhost:${port}/api/v1/auth/login -H 'content-type: application/json' \\
    -d '{"username":"astrid.solheim","tenantCode":"northwind-labs","password":"${PASSWORD}"}'
`
}
