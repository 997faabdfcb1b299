import { type CommandLine, type Commands, command } from '#atrium'
import { takeOffByOperator } from './second-factor.actions.ts'

/** For the person who has lost the device, and asks those who run the service. */
export function commands({ config, say, withDatabase, actAs, tenantOf }: CommandLine): Commands {
  const removeFactor = command({
    about: 'Take the second factor off a user who has lost it',
    detail: 'Afterwards the password alone is enough. The user gets a mail, if mail is configured.',
    options: {
      tenant: { type: 'string', value: 'CODE', about: 'by default default' },
      username: { type: 'string', value: 'NAME', about: 'by default admin' },
    },
    run: async ({ tenant: code = 'default', username = 'admin' }) => {
      await withDatabase(async (database) => {
        const tenant = await tenantOf(database, code)
        await actAs(database, tenant.id, 'admin remove-factor', (tx) => takeOffByOperator(tx, username, config()))
        say(`${username} of ${code} has no second factor any more.`)
      })
    },
  })
  return { admin: { about: 'Administrators', commands: { 'remove-factor': removeFactor } } }
}
