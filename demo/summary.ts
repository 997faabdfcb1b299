import { openScope } from '../src/data/tx/open-scope.ts'
import type { Database } from '../src/data/wire/database.ts'
import { countUnread } from '../src/domains/notifications/notifications.store.ts'
import { PLAN } from './cast.ts'
import { companies, northwindLabs } from './companies.ts'
import type { Stage } from './perform.ts'
import { grouped } from './progress.ts'
import type { Step } from './steps.ts'

/** The password of everybody in the demo. */
export const PASSWORD = 'atrium-demo'

/** People to sign in as first. */
const TRY = [
  ['default', 'mei.tanaka', 'owns the rider app at Velora'],
  ['default', 'greta.vandenberg', 'has the last word on requests at Velora'],
  ['default', 'oluwaseun.adeyemi', 'decides for Daniel Kim, who is away'],
  ['default', 'arjun.mehta', 'has a second factor: npm run seed:demo -- --code'],
  ['default', 'bjorn.haugen', 'draws frames, and waits for steel'],
  ['northwind-labs', 'astrid.solheim', 'runs Northwind Labs, sees all of it'],
] as const

/** What nobody can read again, such as keys, each with what it opens. */
export type Secrets = [what: string, secret: string][]

/** What was made and how to look at it. */
export async function summarize(
  database: Database,
  stages: Map<string, Stage>,
  steps: Step[],
  { seconds, port, secrets }: { seconds: number; port: number; secrets: Secrets },
): Promise<string> {
  const count = (does: Step['does']) => steps.filter((step) => step.does === does).length
  const people = companies.reduce((sum, company) => sum + company.people.length, 0)
  const guests = TRY.map(async ([tenant, username, does]) => {
    const { tenantId, users } = stages.get(tenant)!
    const unread = await countUnread(openScope(database, tenantId), { receiverId: users.get(username)!.id })
    return `    ${username.padEnd(18)} ${tenant.padEnd(15)} ${does}; ${unread!.count} unread`
  })
  return `
  ${people} people, ${count('create project')} projects (${count('archive project')} archived), ${grouped(count('create task'))} tasks, ${grouped(count('update task'))} changes, ${grouped(count('comment'))} comments,
  ${count('create department')} departments, ${count('draft approval')} requests for approval, ${count('upload file')} files, ${count('write article')} articles, ${count('check out')} orders
  in ${seconds.toFixed(1)} s

  Sign in as         in the tenant   password ${PASSWORD}
${(await Promise.all(guests)).join('\n')}

  Shown only now
${secrets.map(([what, secret]) => `    ${what.padEnd(30)} ${secret}`).join('\n')}

  Northwind Labs is near the limits of its plan if you start the service with
    PLANS='${JSON.stringify({ [PLAN]: limitsNear(steps) })}'

  curl -s http://localhost:${port}/api/v1/auth/login -H 'content-type: application/json' \\
    -d '{"username":"astrid.solheim","tenantCode":"northwind-labs","password":"${PASSWORD}"}'
`
}

/** A plan that is almost used up: one more person and no more project fit. */
function limitsNear(steps: Step[]) {
  const here = steps.filter(({ company }) => company === northwindLabs.code)
  const count = (does: Step['does']) => here.filter((step) => step.does === does).length
  const people = northwindLabs.people.length + 1
  return { people: people + 1, projects: count('create project') - count('archive project'), webhooks: 2 }
}
