import { openScope, sharedScope } from '../src/data/tx/open-scope.ts'
import { transact } from '../src/data/tx/transact.ts'
import type { Database } from '../src/data/wire/database.ts'
import { updateOrganization } from '../src/domains/organization/organization.actions.ts'
import { listPermissions } from '../src/domains/roles/permissions.store.ts'
import { createRole, createUserWithRole } from '../src/domains/roles/roles.actions.ts'
import { findRoleByCode } from '../src/domains/roles/roles.store.ts'
import { createTenant, updateTenant } from '../src/domains/tenants/tenants.actions.ts'
import { findTenantByCode } from '../src/domains/tenants/tenants.store.ts'
import { ROLE } from '../src/kernel/access.ts'
import { FIRST_TENANT, isAdministrator, system, type User } from '../src/kernel/actor.ts'
import { type Company, companies, EDITOR, GRANTS, northwindLabs, type Person, velora } from './companies.ts'
import { listUsers } from './found.ts'
import type { Stage } from './perform.ts'

/** Distinguishes the tenant of the demo from one that only has the same code. */
export const PLAN = 'demo'

/** Makes missing tenants and people. */
export async function setStage(database: Database, passwordHash: string): Promise<Map<string, Stage>> {
  await makeTenants(database, passwordHash)
  const stages = new Map<string, Stage>()
  for (const company of companies) {
    const { id } = (await findTenantByCode(sharedScope(database), { code: company.code }))!
    await makeEditors(database, id)
    stages.set(company.code, { tenantId: id, users: await invite(database, company, id, passwordHash) })
  }
  return stages
}

/** The one who may do all this: the very first user. */
function asAdministrator(tenantId: number) {
  const administrator = userOf(1, FIRST_TENANT, { username: 'admin', name: 'Administrator', role: ROLE.admin })
  return { tenantId, actor: { ...administrator, isSystemAdministrator: true }, requestId: 'demo' }
}

async function makeTenants(database: Database, passwordHash: string): Promise<void> {
  const command = asAdministrator(FIRST_TENANT)
  const first = (await findTenantByCode(sharedScope(database), { code: velora.code }))!
  if (first.name === 'Default')
    await transact(database, command, async (tx) => {
      await updateTenant(tx, FIRST_TENANT, { name: velora.name })
      await updateOrganization(tx, 1, { name: velora.name })
    })
  if (await findTenantByCode(sharedScope(database), { code: northwindLabs.code })) return
  const { name, code, mail } = northwindLabs
  const draft = {
    name,
    code,
    plan: PLAN,
    adminUsername: 'admin',
    adminEmail: `admin@${mail}`,
    registration: 'closed' as const,
  }
  await transact(database, command, (tx) => createTenant(tx, draft, passwordHash))
}

/** The role of those who write the pages. */
async function makeEditors(database: Database, tenantId: number): Promise<void> {
  await transact(database, asAdministrator(tenantId), async (tx) => {
    const [there, catalogue] = await Promise.all([findRoleByCode(tx, { code: EDITOR }), listPermissions(tx, {})])
    if (there) return
    const permissionIds = catalogue.flatMap(({ id, code }) => (GRANTS[EDITOR]!.includes(code as never) ? [id] : []))
    const description = 'Writes the pages of the public'
    await createRole(tx, { code: EDITOR, name: 'Editor', description, permissionIds, menuIds: undefined })
  })
}

async function invite(database: Database, company: Company, tenantId: number, passwordHash: string) {
  return transact(database, { tenantId, actor: system, requestId: 'demo' }, async (tx) => {
    const known = new Map((await listUsers(openScope(database, tenantId), {})).map((user) => [user.username, user.id]))
    const users = new Map<string, User>()
    for (const person of company.people) {
      const { username, name: nickname, role } = person
      const newcomer = { username, nickname, email: `${username}@${company.mail}`, passwordHash }
      const id = known.get(username) ?? (await createUserWithRole(tx, newcomer, role)).id
      users.set(username, userOf(id, tenantId, person))
    }
    return users
  })
}

function userOf(id: number, tenantId: number, { username, name, role }: Person): User {
  return {
    kind: 'user',
    id,
    tenantId,
    sessionId: 0,
    key: undefined,
    username,
    nickname: name,
    email: null,
    selfRegistered: false,
    hasSecondFactor: false,
    duty: undefined,
    roles: [role],
    permissions: new Set(GRANTS[role]),
    isAdministrator: isAdministrator([role]),
    isSystemAdministrator: false,
  }
}
