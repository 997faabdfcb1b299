import { z } from 'zod'
import { resetPassword } from '#atrium/auth'
import { hashPassword, Username } from '#atrium/people'
import { appointSystemAdministrator, createUserWithRole, restoreAdministrator } from '#atrium/roles'
import { bootstrap, findTenant } from '#atrium/tenants'
import { sharedScope } from '../../src/data/tx/open-scope.ts'
import { blockOf } from '../../src/http/request/tenancy.ts'
import { ROLE } from '../../src/kernel/access.ts'
import { FIRST_TENANT } from '../../src/kernel/actor.ts'
import { text } from '../../src/kernel/zod.ts'
import { command, type Group, Misunderstood } from './command.ts'
import { Refusal } from './refusal.ts'
import { actAs, assertBegun, tenantOf } from './system.ts'
import { passwordOptions, readNewPassword, remark, say } from './terminal.ts'
import { configOf, withDatabase } from './workplace.ts'

const who = {
  tenant: { type: 'string', value: 'CODE', about: 'by default default' },
  username: { type: 'string', value: 'NAME', about: 'by default admin' },
  ...passwordOptions,
} as const

const Person = z.object({ username: Username, email: text(128).pipe(z.email()).optional() })

const create = command({
  about: 'Make an administrator',
  detail: `In a database that has nobody yet this makes the first tenant and the system administrator, as the first start of the
service does; ADMIN_PASSWORD is used where it is set. Later it makes one more administrator of the tenant.
Somebody who is there already becomes one by: atrium admin restore
The password is asked for, piped in, or read from a file; it has 10 to 128 characters.`,
  options: { ...who, email: { type: 'string', value: 'EMAIL', about: 'of an administrator who is not the first' } },
  run: async ({ tenant: code = 'default', username = 'admin', email, 'password-file': file }) => {
    const config = configOf(process.env)
    await withDatabase(config, async (database) => {
      const isFirst = !(await findTenant(sharedScope(database), { id: FIRST_TENANT }))
      if (isFirst) {
        if (code !== 'default' || username !== 'admin')
          throw new Refusal('The first administrator is admin of the tenant default; make that one first.')
        const password = config.adminPassword ?? (await readNewPassword(file, username))
        await bootstrap(database, password, config.firstRegistration)
        return say('The first tenant was made. admin is its administrator, and the one of the whole system.')
      }
      const person = Person.safeParse({ username, email })
      if (!person.success)
        throw new Misunderstood(
          person.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`).join('\n'),
        )
      const tenant = await tenantOf(database, code)
      const passwordHash = await hashPassword(await readNewPassword(file, username))
      await actAs(database, tenant.id, 'admin create', (tx) =>
        createUserWithRole(tx, { ...person.data, passwordHash }, roleOf(tenant)),
      )
      say(`${username} is an administrator of ${code} now.`)
      tellBlock(tenant)
    })
  },
})

const passwd = command({
  about: 'Give somebody a new password; it ends their sessions, and a lock-out after wrong passwords',
  detail: 'The password is asked for, piped in, or read from a file; it has 10 to 128 characters.',
  options: who,
  run: async ({ tenant: code = 'default', username = 'admin', 'password-file': file }) => {
    await withDatabase(configOf(process.env), async (database) => {
      const tenant = await tenantOf(database, code)
      const passwordHash = await hashPassword(await readNewPassword(file, username))
      const { status } = await actAs(database, tenant.id, 'admin passwd', (tx) =>
        resetPassword(tx, username, passwordHash),
      )
      say(`${username} of ${code} has a new password. Their sessions have ended.`)
      if (status === 'disabled')
        remark(`They are disabled, and do not get in: atrium admin restore --tenant ${code} --username ${username}`)
      tellBlock(tenant)
    })
  },
})

const restore = command({
  about: 'Make somebody who is there an administrator who gets in',
  detail: 'Enables them and gives them the role, where either is missing. Their password stays: atrium admin passwd',
  options: { tenant: who.tenant, username: who.username },
  run: async ({ tenant: code = 'default', username = 'admin' }) => {
    await withDatabase(configOf(process.env), async (database) => {
      const tenant = await tenantOf(database, code)
      await actAs(database, tenant.id, 'admin restore', (tx) => restoreAdministrator(tx, username, roleOf(tenant)))
      say(`${username} is an active administrator of ${code}.`)
      tellBlock(tenant)
    })
  },
})

const appoint = command({
  about: 'Hand the office of the system administrator to somebody else of the first tenant',
  detail: `There is always exactly one system administrator, who alone works across tenants. USER is enabled and becomes an
administrator of the first tenant, where either is missing. The person before stays an administrator of that tenant.
Running services know within a second.`,
  operands: ['USER'],
  run: async (_, username = '') => {
    await withDatabase(configOf(process.env), async (database) => {
      await assertBegun(database)
      await actAs(database, FIRST_TENANT, 'admin appoint', (tx) => appointSystemAdministrator(tx, username))
      say(`${username} is the system administrator now.`)
    })
  },
})

export const administrators: Group = { about: 'Administrators', commands: { create, passwd, restore, appoint } }

function roleOf({ id }: { id: number }) {
  return id === FIRST_TENANT ? ROLE.admin : ROLE.tenantAdmin
}

/** Says what keeps everybody of the tenant out, this person as well; one that has expired lets them pay, and no more. */
function tellBlock(tenant: Awaited<ReturnType<typeof tenantOf>>) {
  const block = blockOf(tenant)
  const who = tenant.status === 'active' ? 'administrators get in to pay, and nobody else' : 'nobody gets in'
  if (block) remark(`${block.message}, so ${who}: atrium tenant enable ${tenant.code}`)
}
