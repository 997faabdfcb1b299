import {
  type CommandLine,
  type Commands,
  command,
  FIRST_TENANT,
  Misunderstood,
  passwordOptions,
  sharedScope,
  table,
} from '#atrium'
import { hashPassword, readNewPassword } from '#atrium/people'
import { closeTenant, createTenant, reopenTenant, updateTenant } from './tenants.actions.ts'
import { TenantDraft, TenantPatch } from './tenants.schemas.ts'
import { listTenants } from './tenants.store.ts'

/** What operators do about whole tenants. */
export function commands(cli: CommandLine): Commands {
  const { say, sayJson, withDatabase, tenantOf, actAs, assertBegun } = cli
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
      const passwordHash = await hashPassword(await readNewPassword(cli, options['password-file'], username))
      const tenant = await withDatabase(async (database) => {
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
      const tenants = await withDatabase(async (database) => {
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
    run: (_, code = '') => setStatus(cli, code, 'disabled'),
  })

  const enable = command({
    about: 'Reopen a tenant that was disabled or has expired',
    detail: `A tenant that has expired also needs a new expiry, and stays closed without; the first tenant, default, never expires.
Exit code 1 if it is still closed.`,
    operands: ['CODE'],
    options: { expires: { type: 'string', value: 'INSTANT', about: 'its new expiry, or never' } },
    run: ({ expires }, code = '') => setStatus(cli, code, 'active', expires),
  })

  const erase = command({
    about: 'Close a tenant, and have everything of it erased in 30 days',
    detail: `Within a second none of its users can sign in. Until then everything can be taken back with --undo. After it a running service
erases rows and files, and keeps a proof of how many there were. Backups that were taken before still hold them.`,
    operands: ['CODE'],
    options: { undo: { type: 'boolean', about: 'take it back' } },
    run: async ({ undo = false }, code = '') => {
      await withDatabase(async (database) => {
        const { id } = await tenantOf(database, code)
        const act = undo ? reopenTenant : closeTenant
        const tenant = await actAs(database, FIRST_TENANT, undo ? 'tenant erase --undo' : 'tenant erase', (tx) =>
          act(tx, id),
        )
        say(undo ? `${code} is ${tenant.status} again.` : `${code} is closed. It will be erased on ${tenant.eraseAt}.`)
      })
    },
  })

  return { tenant: { about: 'Tenants', commands: { create, list, disable, enable, erase } } }
}

/** @returns the exit code: 0 if the tenant is now as requested */
async function setStatus(
  { say, remark, withDatabase, tenantOf, actAs, whyClosed }: CommandLine,
  code: string,
  status: 'active' | 'disabled',
  expires?: string,
): Promise<number> {
  const given = expires === undefined ? {} : { expiredAt: expires === 'never' ? null : expires }
  const patch = TenantPatch.safeParse({ status, ...given })
  if (!patch.success) throw new Misunderstood(sentencesOf(patch.error.issues))
  const tenant = await withDatabase(async (database) => {
    const { id } = await tenantOf(database, code)
    const name = status === 'active' ? 'tenant enable' : 'tenant disable'
    const whole = id === FIRST_TENANT && expires === undefined ? { expiredAt: null, ...patch.data } : patch.data
    return actAs(database, FIRST_TENANT, name, (tx) => updateTenant(tx, id, whole))
  })
  const hasExpired = tenant.status === 'active' && whyClosed(tenant) !== undefined
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
