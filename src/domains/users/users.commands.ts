import {
  type CommandLine,
  type Commands,
  command,
  FIRST_TENANT,
  Misunderstood,
  passwordOptions,
  Refusal,
  ROLE,
  sharedScope,
  type TenantFound,
  text,
  z,
} from '#atrium'
import { resetPassword } from '#atrium/auth'
import { hashPassword, readNewPassword, Username } from '#atrium/people'
import { appointSystemAdministrator, createUserWithRole, restoreAdministrator } from '#atrium/roles'
import { bootstrap, findTenant } from '#atrium/tenants'

const who = {
  tenant: { type: 'string', value: 'CODE', about: 'by default default' },
  username: { type: 'string', value: 'NAME', about: 'by default admin' },
  ...passwordOptions,
} as const

const Person = z.object({ username: Username, email: text(128).pipe(z.email()).optional() })

/** What operators do about administrators. */
export function commands(cli: CommandLine): Commands {
  const { config, say, remark, withDatabase, actAs, tenantOf, assertBegun } = cli
  const create = command({
    about: 'Make an administrator',
    detail: `In a new database this makes the first tenant and the system administrator, as the first start of the
service does; ADMIN_PASSWORD is used if it is set. Later it makes another administrator of the tenant.
For an existing user use: atrium admin restore
The password is prompted for, piped in, or read from a file; it has 10 to 128 characters.`,
    options: { ...who, email: { type: 'string', value: 'EMAIL', about: 'of an administrator other than the first' } },
    run: async ({ tenant: code = 'default', username = 'admin', email, 'password-file': file }) => {
      await withDatabase(async (database) => {
        const isFirst = !(await findTenant(sharedScope(database), { id: FIRST_TENANT }))
        if (isFirst) {
          if (code !== 'default' || username !== 'admin')
            throw new Refusal('The first administrator is admin of the tenant default; make that one first.')
          const password = config().adminPassword ?? (await readNewPassword(cli, file, username))
          await bootstrap(database, password, config().firstRegistration)
          return say('The first tenant was made. admin is its administrator, and the one of the whole system.')
        }
        const person = Person.safeParse({ username, email })
        if (!person.success)
          throw new Misunderstood(
            person.error.issues.map(({ path, message }) => `--${String(path[0])}: ${message}`).join('\n'),
          )
        const tenant = await tenantOf(database, code)
        const passwordHash = await hashPassword(await readNewPassword(cli, file, username))
        await actAs(database, tenant.id, 'admin create', (tx) =>
          createUserWithRole(tx, { ...person.data, passwordHash }, roleOf(tenant)),
        )
        say(`${username} is now an administrator of ${code}.`)
        tellBlock(cli, tenant)
      })
    },
  })

  const passwd = command({
    about: 'Set a new password for a user; this ends their sessions, and a lockout after wrong passwords',
    detail: 'The password is prompted for, piped in, or read from a file; it has 10 to 128 characters.',
    options: who,
    run: async ({ tenant: code = 'default', username = 'admin', 'password-file': file }) => {
      await withDatabase(async (database) => {
        const tenant = await tenantOf(database, code)
        const passwordHash = await hashPassword(await readNewPassword(cli, file, username))
        const { status } = await actAs(database, tenant.id, 'admin passwd', (tx) =>
          resetPassword(tx, username, passwordHash),
        )
        say(`${username} of ${code} has a new password. Their sessions have ended.`)
        if (status === 'disabled')
          remark(
            `The user is disabled and cannot sign in: atrium admin restore --tenant ${code} --username ${username}`,
          )
        tellBlock(cli, tenant)
      })
    },
  })

  const restore = command({
    about: 'Make an existing user an active administrator',
    detail: 'Enables the user and grants the role, if either is missing. The password is kept: atrium admin passwd',
    options: { tenant: who.tenant, username: who.username },
    run: async ({ tenant: code = 'default', username = 'admin' }) => {
      await withDatabase(async (database) => {
        const tenant = await tenantOf(database, code)
        await actAs(database, tenant.id, 'admin restore', (tx) => restoreAdministrator(tx, username, roleOf(tenant)))
        say(`${username} is an active administrator of ${code}.`)
        tellBlock(cli, tenant)
      })
    },
  })

  const appoint = command({
    about: 'Make another user of the first tenant the system administrator',
    detail: `There is always exactly one system administrator, the only one who works across tenants. USER is enabled and becomes an
administrator of the first tenant, if either is missing. The previous one remains an administrator of that tenant.
Running services apply the change within a second.`,
    operands: ['USER'],
    run: async (_, username = '') => {
      await withDatabase(async (database) => {
        await assertBegun(database)
        await actAs(database, FIRST_TENANT, 'admin appoint', (tx) => appointSystemAdministrator(tx, username))
        say(`${username} is now the system administrator.`)
      })
    },
  })

  return { admin: { about: 'Administrators', commands: { create, passwd, restore, appoint } } }
}

function roleOf({ id }: { id: number }) {
  return id === FIRST_TENANT ? ROLE.admin : ROLE.tenantAdmin
}

/** Reports what keeps everyone of the tenant out, including this person. After expiry, administrators can still pay. */
function tellBlock({ remark, whyClosed }: CommandLine, tenant: TenantFound) {
  const reason = whyClosed(tenant)
  const who = tenant.status === 'active' ? 'only administrators can sign in, and only to pay' : 'nobody gets in'
  if (reason) remark(`${reason}, so ${who}: atrium tenant enable ${tenant.code}`)
}
