import { setStage } from '../../demo/cast.ts'
import { isKnown } from '../../demo/deeds.ts'
import { type Means, perform } from '../../demo/perform.ts'
import { recall, requestIdOf } from '../../demo/recall.ts'
import type { Step } from '../../demo/steps.ts'
import { tellStory } from '../../demo/story.ts'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { openSession } from '../../src/domains/auth/auth.actions.ts'
import { openStorage } from '../../src/domains/files/storage/open-storage.ts'
import { system } from '../../src/kernel/actor.ts'
import { endsWithFile } from './clean-up.ts'
import { testConfig } from './config.ts'
import { openWorld, type Person } from './world.ts'

const EDITION = 'test'

/** The steps of the demo that something here knows how to do. */
export const story: Step[] = tellStory().filter(isKnown)

/** A world in which the people of the demo are, and nothing has been done yet. @param steps those that can be done */
export async function openSeed(steps: Step[]) {
  const root = testConfig().dataDir
  const world = await openWorld({ env: { DATA_DIR: root } })
  const { database } = world
  /** what the seed prints, by what it says of it */
  const shown = new Map<string, string>()
  const means: Means = {
    database,
    storage: await openStorage(testConfig({ DATA_DIR: root }).files),
    stages: await setStage(database, 'no password'),
    memory: (await recall(database, new Map(), steps, EDITION)).memory,
    office: {
      config: testConfig({ MAIL_URL: 'smtp://localhost:9', MAIL_FROM: 'a@example.org' }),
      passwordHash: 'no password',
      show: (what, secret) => void shown.set(what, secret),
    },
  }
  endsWithFile(() => means.storage.close())
  const numbered = steps.map((step, number) => ({ step, number, requestId: requestIdOf(EDITION, number) }))

  return {
    world,
    means,
    shown,
    numbered,
    recallNow() {
      const scopes = [...means.stages].map(
        ([company, { tenantId }]) => [company, openScope(database, tenantId)] as const,
      )
      return recall(database, new Map(scopes), steps, EDITION)
    },
    /** @returns how many steps were done, about `until` at most */
    async go(ahead = numbered, until = Number.POSITIVE_INFINITY): Promise<number> {
      const stop = new AbortController()
      let count = 0
      const onDone = () => void (++count >= until && stop.abort())
      await perform(means, ahead, { width: 4, signal: stop.signal, onDone })
      return count
    },
    async signIn(company: string, username: string): Promise<Person> {
      const { tenantId, users } = means.stages.get(company)!
      const { id } = users.get(username)!
      const session = await transact(database, { tenantId, actor: system, requestId: 'test' }, (tx) =>
        openSession(tx as never, { id, username }, 600),
      )
      return { id, tenantId, username, token: world.app.tokens.sign(session) }
    },
  }
}
