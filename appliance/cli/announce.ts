import { command } from '../../src/atrium/command-line.ts'
import { announceEverything } from '../../src/data/tx/announced.ts'
import { FIRST_TENANT } from '../../src/kernel/actor.ts'
import { actAs, assertBegun } from './system.ts'
import { say } from './terminal.ts'
import { configOf, withDatabase } from './workplace.ts'

export const announce = command({
  about: 'Tell running services that something was changed by hand, in SQL',
  detail: `Services remember people, roles, tenants and public pages until a change is announced, which every command of theirs
does. After this they load everything again, within a second.`,
  run: async () => {
    await withDatabase(configOf(process.env), async (database) => {
      await assertBegun(database)
      await actAs(database, FIRST_TENANT, 'announce', async (tx) => announceEverything(tx))
      say('Running services load everything again.')
    })
  },
})
