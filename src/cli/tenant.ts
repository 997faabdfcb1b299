import { sharedScope } from '../data/tx/open-scope.ts'
import { hashPassword } from '../domains/people/passwords.ts'
import { createTenant, FIRST_TENANT, updateTenant } from '../domains/tenants/tenants.actions.ts'
import { TenantDraft } from '../domains/tenants/tenants.schemas.ts'
import { listTenants } from '../domains/tenants/tenants.store.ts'
import { command, type Group, Misunderstood, table } from './command.ts'
import { actAs, assertBegun, tenantOf } from './system.ts'
import { passwordOptions, readPassword, say, sayJson } from './terminal.ts'
import { configOf, withDatabase } from './workplace.ts'

const create = command({
  about: 'Make a tenant with its organization, roles, administrator and portal',
  detail: 'The password of its administrator is asked for, piped in, or read from a file; it has 10 to 128 characters.',
  operands: ['CODE'],
  options: {
    name: { type: 'string', value: 'NAME', about: 'by default the code' },
    plan: { type: 'string', value: 'PLAN', about: 'by default standard' },
    expires: { type: 'string', value: 'INSTANT', about: 'such as 2027-12-31T23:59:59Z; by default never' },
    'admin-username': { type: 'string', value: 'NAME', about: 'by default admin' },
    'admin-email': { type: 'string', value: 'EMAIL', about: 'needed' },
    ...passwordOptions,
  },
  run: async (options, code = '') => {
    const config = configOf(process.env)
    const username = options['admin-username'] ?? 'admin'
    const draft = TenantDraft.omit({ adminPassword: true }).safeParse({
      code,
      name: options.name ?? code,
      plan: options.plan ?? 'standard',
      expiredAt: options.expires ?? null,
      adminUsername: username,
      adminEmail: options['admin-email'] ?? '',
    })
    if (!draft.success) throw new Misunderstood(sentencesOf(draft.error.issues))
    const password = await readPassword(options['password-file'], username)
    const checked = TenantDraft.shape.adminPassword.safeParse(password)
    if (!checked.success) throw new Misunderstood('The password must have 10 to 128 characters.')
    const passwordHash = await hashPassword(password)
    const tenant = await withDatabase(config, async (database) => {
      await assertBegun(database)
      return actAs(database, FIRST_TENANT, 'tenant create', (tx) => createTenant(tx, draft.data, passwordHash))
    })
    say(`Tenant ${tenant.code} was made. ${username} is its administrator.`)
  },
})

const list = command({
  about: 'List the tenants',
  options: { json: { type: 'boolean', about: 'as JSON' } },
  run: async ({ json }) => {
    const tenants = await withDatabase(configOf(process.env), async (database) => {
      const found: Awaited<ReturnType<typeof listTenants>>['rows'] = []
      for (let before: number | undefined, more = true; more; before = found.at(-1)?.id) {
        const page = await listTenants(sharedScope(database), {}, { limit: 1000, offset: 0, before, counted: false })
        found.push(...page.rows)
        more = page.next !== undefined
      }
      return found.sort((a, b) => a.id - b.id)
    })
    if (json) return sayJson(tenants)
    say(table(tenants.map((tenant) => [tenant.code, describe(tenant)])))
  },
})

const disable = command({
  about: 'Close a tenant: within a second nobody of it gets in',
  operands: ['CODE'],
  run: (_, code = '') => setStatus(code, 'disabled'),
})

const enable = command({
  about: 'Open a tenant again',
  operands: ['CODE'],
  run: (_, code = '') => setStatus(code, 'active'),
})

export const tenants: Group = { about: 'Tenants', commands: { create, list, disable, enable } }

async function setStatus(code: string, status: 'active' | 'disabled') {
  await withDatabase(configOf(process.env), async (database) => {
    const { id } = await tenantOf(database, code)
    const name = status === 'active' ? 'tenant enable' : 'tenant disable'
    await actAs(database, FIRST_TENANT, name, (tx) => updateTenant(tx, id, { status }))
  })
  say(`Tenant ${code} is ${status}.`)
}

function describe(tenant: { name: string; status: string; plan: string; expiredAt: string | null }): string {
  const until = tenant.expiredAt ? `, until ${tenant.expiredAt}` : ''
  return `${tenant.status}, ${tenant.plan}${until}: ${tenant.name}`
}

const OPTION_OF: Record<string, string> = {
  code: 'CODE',
  name: '--name',
  plan: '--plan',
  expiredAt: '--expires',
  adminUsername: '--admin-username',
  adminEmail: '--admin-email',
}

function sentencesOf(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  return issues.map(({ path, message }) => `${OPTION_OF[String(path[0])]}: ${message}`).join('\n')
}
