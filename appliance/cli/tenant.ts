import { settleOrder } from '#atrium/checkout'
import { hashPassword } from '#atrium/people'
import {
  createTenant,
  getSettings,
  listTenants,
  renewalOf,
  renewTenant,
  TenantDraft,
  TenantPatch,
  updateTenant,
} from '#atrium/tenants'
import { command, type Group, Misunderstood, Refusal } from '../../src/atrium/command-line.ts'
import type { Config } from '../../src/config/config.ts'
import { sharedScope } from '../../src/data/tx/open-scope.ts'
import type { Tx } from '../../src/data/tx/scope.ts'
import { blockOf } from '../../src/http/request/tenancy.ts'
import { FIRST_TENANT, type System } from '../../src/kernel/actor.ts'
import { table } from './command.ts'
import { actAs, assertBegun, tenantOf } from './system.ts'
import { passwordOptions, readNewPassword, remark, say, sayJson } from './terminal.ts'
import { configOf, withDatabase } from './workplace.ts'

const create = command({
  about: 'Make a tenant with its organization, roles, administrator and portal',
  detail:
    'The password of its administrator is prompted for, piped in, or read from a file; it has 10 to 128 characters.',
  operands: ['CODE'],
  options: {
    name: { type: 'string', value: 'NAME', about: 'by default the code' },
    plan: { type: 'string', value: 'PLAN', about: 'by default standard' },
    expires: { type: 'string', value: 'INSTANT', about: 'such as 2027-12-31T23:59:59Z; by default never' },
    registration: { type: 'string', value: 'open|closed', about: 'whether anyone may register; by default closed' },
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
      registration: options.registration,
      adminUsername: username,
      adminEmail: options['admin-email'] ?? '',
    })
    if (!draft.success) throw new Misunderstood(sentencesOf(draft.error.issues))
    const password = await readNewPassword(options['password-file'], username)
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
        const page = await listTenants(sharedScope(database), {}, { limit: 1000, before, counted: false })
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
  about: 'Close a tenant: within a second none of its users can sign in',
  operands: ['CODE'],
  run: (_, code = '') => setStatus(code, 'disabled'),
})

const enable = command({
  about: 'Reopen a tenant that was disabled or has expired',
  detail: `A tenant that has expired also needs a new expiry, and stays closed without; the first tenant, default, never expires.
Exit code 1 if it is still closed.`,
  operands: ['CODE'],
  options: { expires: { type: 'string', value: 'INSTANT', about: 'its new expiry, or never' } },
  run: ({ expires }, code = '') => setStatus(code, 'active', expires),
})

const renew = command({
  about: 'Extend a tenant: by the period that RENEWALS has for its plan, or by an order that was paid',
  detail: 'Days that are left are kept. An order counts once, however often it is named.',
  operands: ['CODE'],
  options: { order: { type: 'string', value: 'NO', about: 'mark this order as paid, and extend by its days' } },
  run: async ({ order }, code = '') => {
    const config = configOf(process.env)
    const { isNew, expiredAt } = await withDatabase(config, async (database) => {
      const tenant = await tenantOf(database, code)
      return actAs(database, tenant.id, 'tenant renew', async (tx) => {
        const isNew = order === undefined ? await renewByPlan(tx, config, tenant) : await settleOrder(tx, order, 'paid')
        return { isNew, ...(await getSettings(tx, { id: tenant.id })) }
      })
    })
    if (!isNew) remark(`Order ${order} was paid before; nothing has changed.`)
    say(`Tenant ${code} ${expiredAt ? `runs until ${expiredAt}` : 'does not expire'}.`)
  },
})

async function renewByPlan(tx: Tx<System>, { renewals }: Config, tenant: { plan: string; expiredAt: string | null }) {
  if (tenant.expiredAt === null) throw new Refusal('The tenant does not expire, so there is nothing to renew.')
  const offer = renewalOf(renewals, tenant)
  if (!offer)
    throw new Refusal(
      `RENEWALS offers nothing for the plan ${tenant.plan}. Name a date instead: atrium tenant enable CODE --expires INSTANT`,
    )
  await renewTenant(tx, offer.days)
  return true
}

export const tenants: Group = { about: 'Tenants', commands: { create, list, disable, enable, renew } }

/** @returns the exit code: 0 if the tenant is now as requested */
async function setStatus(code: string, status: 'active' | 'disabled', expires?: string): Promise<number> {
  const given = expires === undefined ? {} : { expiredAt: expires === 'never' ? null : expires }
  const patch = TenantPatch.safeParse({ status, ...given })
  if (!patch.success) throw new Misunderstood(sentencesOf(patch.error.issues))
  const tenant = await withDatabase(configOf(process.env), async (database) => {
    const { id } = await tenantOf(database, code)
    const name = status === 'active' ? 'tenant enable' : 'tenant disable'
    const whole = id === FIRST_TENANT && expires === undefined ? { expiredAt: null, ...patch.data } : patch.data
    return actAs(database, FIRST_TENANT, name, (tx) => updateTenant(tx, id, whole))
  })
  const hasExpired = tenant.status === 'active' && blockOf(tenant) !== undefined
  const until = tenant.expiredAt ? ` ${hasExpired ? 'but expired' : 'until'} ${tenant.expiredAt}` : ''
  say(`Tenant ${code} is ${tenant.status}${status === 'active' ? until : ''}.`)
  if (!hasExpired) return 0
  remark(
    `Only its administrators can sign in, to pay. Extend it: atrium tenant enable ${code} --expires INSTANT, or never`,
  )
  return 1
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
  registration: '--registration',
  adminUsername: '--admin-username',
  adminEmail: '--admin-email',
}

function sentencesOf(issues: readonly { path: PropertyKey[]; message: string }[]): string {
  return issues.map(({ path, message }) => `${OPTION_OF[String(path[0])]}: ${message}`).join('\n')
}
