import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBrowser } from '#test/browser.ts'
import { moveClock } from '#test/move-clock.ts'
import { codeIn, givenReturn, PAGE, startAddress } from '#test/provider-steps.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { openRogueProvider, type RogueProvider } from '#test/rogue-provider.ts'
import { openWorld, type Tenant } from '#test/world.ts'

const PASSWORD = 'a long and winding road'
/** The provider of `theirs` is away or slow; that of `ours` works. */
let rogue: RogueProvider
let theirs: Tenant
const [world, honest] = await Promise.all([openWorld(), openRogueProvider()])
const ours = await world.givenTenant()
await name(ours, honest)
// A provider gets five seconds, which a slow machine may need. No test of this file is about them.
vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
const now = performance.now.bind(performance)
let begun = 0
let ahead = 0
vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
beforeEach(async () => {
  begun = ahead
  rogue = await openRogueProvider()
  theirs = await world.givenTenant()
  await name(theirs, rogue)
})
afterEach(() => rogue.close())

async function name(tenant: Tenant, at: RogueProvider) {
  const draft = { ...at.client, createUsers: true }
  ;(await world.as(tenant.administrator).put('/tenant/identity-provider', draft)).expect(200)
}
const arrive = (tenant: Tenant) => openBrowser(world.app).follow(startAddress(tenant.code))
const asked = (path: string) => rogue.asked.filter((one) => one.path === path).length
const DISCOVERY = '/.well-known/openid-configuration'

/** The clock that the memory of providers goes by; never back, as jobs measure by it. @param minutes since the start of the test */
const pass = (minutes: number) =>
  moveClock([world], () => {
    ahead = begun + minutes * 60_000
  })
const goAway: RogueProvider['intercept'] = (req) => {
  req.socket.destroy()
  return true
}
const comeBack = () => givenReturn(world.app, theirs.code)
/** It takes requests and answers none of them. @returns what it holds */
function hang(): ServerResponse[] {
  const held: ServerResponse[] = []
  rogue.intercept = (_req, res) => held.push(res) > 0
  return held
}

/** Everybody who does not need the provider of `theirs`. */
async function othersWork() {
  codeIn(await arrive(ours))
  const { username } = await givenPassword(world, await world.givenUser(theirs), PASSWORD)
  ;(await world.anyone.post('/auth/login', { username, password: PASSWORD, tenantCode: theirs.code })).expect(200)
  expect((await world.anyone.get(`/auth/sign-in-methods?tenantCode=${theirs.code}`)).expect(200)).toEqual({
    password: true,
    identityProvider: true,
  })
}

test('a provider that is away for an hour keeps out its own people only, and they enter when it is back with other keys', async () => {
  codeIn(await arrive(theirs))
  const { browser, back } = await comeBack()
  rogue.intercept = goAway
  await pass(61)

  expect(await browser.follow(back)).toBe(`${PAGE}#error=PROVIDER_UNAVAILABLE`)
  const { location } = await openBrowser(world.app).visit(startAddress(theirs.code))
  expect(location, 'what it said of itself is still known').toMatch(new RegExp(`^${rogue.issuer}/auth\\?`))
  await othersWork()

  rogue.behave()
  rogue.rotate()
  codeIn(await arrive(theirs))
  await expect.poll(() => asked(DISCOVERY)).toBeGreaterThan(0)
})

test('what a provider says of itself is read again after an hour, beside the sign-in that finds it old', async () => {
  codeIn(await arrive(theirs))
  const before = asked(DISCOVERY)
  await pass(50)
  codeIn(await arrive(theirs))
  expect(asked(DISCOVERY)).toBe(before)

  await pass(61)
  const held = hang()
  const { location } = await openBrowser(world.app).visit(startAddress(theirs.code))
  expect(location).toContain(`${rogue.issuer}/auth?`)
  await expect.poll(() => held.length).toBe(1)
  held[0]!.destroy()

  // While it was away, its addresses have changed too.
  rogue.behave()
  rogue.metadata = (said) => ({ ...said, token_endpoint: `${rogue.issuer}/token?moved` })
  await expect.poll(() => arrive(theirs)).toContain('#code=')
  await expect.poll(() => asked(DISCOVERY)).toBeGreaterThan(0)
})

test('a provider that nobody knows yet and that is away is asked again by the next sign-in', async () => {
  const other = await openRogueProvider()
  await world.look.rows('update identity_providers set issuer = $1 where tenant_id = $2', [other.issuer, theirs.id])
  other.intercept = goAway
  expect(await arrive(theirs)).toBe(`${PAGE}#error=PROVIDER_UNAVAILABLE`)
  await othersWork()
  other.behave()
  codeIn(await arrive(theirs))
})

test('while twenty people wait for a slow provider, nobody else does', async () => {
  const backs = await Promise.all(Array.from({ length: 20 }, comeBack))
  const held = hang()
  let ended = 0
  const waiting = backs.map(async ({ browser, back }) => {
    const end = await browser.follow(back)
    ended++
    return end
  })
  await expect.poll(() => held.length).toBe(20)
  expect(ended).toBe(0)
  await Promise.race([othersWork(), ...waiting.map((one) => one.then(() => expect.fail('it ended before the others')))])

  for (const res of held) res.destroy()
  expect(await Promise.all(waiting)).toEqual(Array(20).fill(`${PAGE}#error=PROVIDER_UNAVAILABLE`))
  rogue.behave()
  codeIn(await arrive(theirs))
})
