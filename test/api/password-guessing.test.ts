import { expect, test } from 'vitest'
import { HOLDS_FIGURES } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

/** GUESS_PAIRS=300 for the full run. That guesses are limited, and nobody else by them, is in `limits.test.ts`. */
const PAIRS = Number(process.env.GUESS_PAIRS ?? 9)
/** How far medians may differ: five in a hundred, if there are enough for a median. */
const APART = PAIRS >= 100 ? 0.05 : 0.5
/** With few, what else a process does may fall on one of the two, but not each time on the same. */
const TIMES = PAIRS >= 100 ? 1 : 5

const owner = { username: 'owner', password: 'correct horse', email: 'owner@company.example' }
const world = await openWorld()
await world.anyone.create('/auth/register', owner)

const signIn = (username: string, password: string, remoteAddress: string) =>
  world.anyone.send({ method: 'POST', url: '/api/v1/auth/login', payload: { username, password }, remoteAddress })

test('somebody who guesses a password cannot tell by the time it takes whether there is such a user', async () => {
  const tried: string[] = []
  for (let time = 0; time < TIMES; time++) {
    const { known, unknown } = await measure()
    if (Math.abs(known / unknown - 1) < APART) return
    tried.push(`sign-in of a known user ${known.toFixed(1)} ms, of an unknown one ${unknown.toFixed(1)} ms`)
  }
  expect.fail(tried.join('; '))
})

async function measure() {
  const times: Record<string, number[]> = { owner: [], nobody: [] }
  for (let pair = 0; pair < PAIRS; pair++)
    for (const username of pair % 2 ? ['owner', 'nobody'] : ['nobody', 'owner']) {
      const start = spent()
      ;(await signIn(username, 'wrong', `10.2.${pair >> 8}.${pair & 255}`)).expect(401, 'INVALID_CREDENTIALS')
      times[username]!.push(spent() - start)
    }
  return { known: medianOf(times.owner!), unknown: medianOf(times.nobody!) }
}

/** Of a machine that does other things as well, the time of its processor is what a sign-in takes. */
function spent(): number {
  if (HOLDS_FIGURES) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function medianOf(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
}
