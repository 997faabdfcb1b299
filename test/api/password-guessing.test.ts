import { describe, expect, test } from 'vitest'
import { HOLDS_FIGURES } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

/** ADDRESSES=1000 GUESS_PAIRS=300 for the full run: ten thousand guesses that are looked at. */
const ADDRESSES = Number(process.env.ADDRESSES ?? 3)
const PAIRS = Number(process.env.GUESS_PAIRS ?? 9)
/** How far medians may differ: five in a hundred, if there are enough for a median. */
const APART = PAIRS >= 100 ? 0.05 : 0.5
const LIMIT = 10

const owner = { username: 'owner', password: 'correct horse', email: 'owner@company.example' }
const world = await openWorld({ env: { SIGN_IN_LIMIT: String(LIMIT) } })
;(await world.anyone.post('/auth/register', owner)).expect(201)

const signIn = (username: string, password: string, remoteAddress: string) =>
  world.anyone.send({ method: 'POST', url: '/api/v1/auth/login', payload: { username, password }, remoteAddress })
const addressOf = (at: number) => `10.1.${at >> 8}.${at & 255}`

describe('somebody who guesses a password', () => {
  test(`from ${ADDRESSES} addresses is stopped at each, and stops the owner nowhere else`, async () => {
    const session = (await signIn(owner.username, owner.password, '10.0.0.1')).expect(200)
    const counts: Record<string, number> = {}

    for (let at = 0; at < ADDRESSES; at++)
      for (let guess = 0; guess < LIMIT + 3; guess++) {
        const { status, headers } = await signIn(owner.username, `guess ${at} ${guess}`, addressOf(at))
        counts[status] = (counts[status] ?? 0) + 1
        if (status === 429) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      }

    expect(counts).toEqual({ 401: ADDRESSES * LIMIT, 429: ADDRESSES * 3 })
    ;(await signIn(owner.username, owner.password, addressOf(ADDRESSES - 1))).expect(429, 'RATE_LIMITED')
    ;(await signIn(owner.username, owner.password, '10.0.0.1')).expect(200)
    const bearer = { authorization: `Bearer ${session.accessToken}` }
    ;(await world.anyone.get('/auth/me', bearer)).expect(200)
    ;(await world.anyone.post('/auth/refresh', { refreshToken: session.refreshToken })).expect(200)
  })

  test('cannot tell by the time it takes whether there is such a user', async () => {
    const times: Record<string, number[]> = { owner: [], nobody: [] }
    for (let pair = 0; pair < PAIRS; pair++)
      for (const username of pair % 2 ? ['owner', 'nobody'] : ['nobody', 'owner']) {
        const start = spent()
        ;(await signIn(username, 'wrong', `10.2.${pair >> 8}.${pair & 255}`)).expect(401, 'INVALID_CREDENTIALS')
        times[username]!.push(spent() - start)
      }

    const [known, unknown] = [medianOf(times.owner!), medianOf(times.nobody!)]
    const said = `sign-in of a known user ${known.toFixed(1)} ms, of an unknown one ${unknown.toFixed(1)} ms`
    expect(Math.abs(known / unknown - 1), said).toBeLessThan(APART)
  })
})

/** Of a machine that does other things as well, the time of its processor is what a sign-in takes. */
function spent(): number {
  if (HOLDS_FIGURES) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function medianOf(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
}
