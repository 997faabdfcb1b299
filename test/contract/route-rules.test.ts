import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allPermissions } from '../../src/kernel/access.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import {
  findBytesRemovedBeforeCommit,
  findCommandsForReaders,
  findHeldForever,
  findIdlePermissions,
  findOpenCommandsWithoutLimit,
  findSecretsInViews,
  findWrongSuccess,
} from '../support/mistakes/routes.ts'
import { listRoutes, type Route } from '../support/routes.ts'
import { readDomains } from '../support/source.ts'

/** What a route may not say, and what its handler may not do. */
const routes = await listRoutes()
const sources = readDomains()
const route = (method: string, path: string, parts: Partial<Route> = {}) =>
  ({ method, path, access: 'signed-in', schema: { response: { 200: z.object({}) } }, ...parts }) as Route
const saysOf = (breaches: { says: string }[]) => breaches.map(({ says }) => says)

describe('a command for those who may only read', () => {
  test('is nowhere', () => expectOnlyExceptions('a command for readers', findCommandsForReaders(routes)))

  test('is named', () => {
    const found = findCommandsForReaders([route('PUT', '/hats/:id', { access: 'project:list' })])
    expect(saysOf(found)[0]).toMatch(/^PUT \/hats\/:id changes something and demands project:list/)
    expect(findCommandsForReaders([route('GET', '/hats', { access: 'project:list' })])).toEqual([])
  })
})

describe('a permission that no route demands', () => {
  test('is none, but for those that an action asks for', () =>
    expectOnlyExceptions('a permission that no route demands', findIdlePermissions(routes, allPermissions())))

  test('is named', () => {
    const wanted = [route('PUT', '/hats/:id', { access: 'system:task:update' })]
    expect(saysOf(findIdlePermissions(wanted, ['task:update', 'hat:wear']))).toEqual([
      'hat:wear is a permission that no route demands: demand it in the config.access of a route, or remove it from the declaration of its domain',
    ])
  })
})

describe('a request that is held for ever', () => {
  const hats = (...lines: string[]) => findHeldForever([{ path: 'hats.routes.ts', text: lines.join('\n') }])

  test('is nowhere', () => expectOnlyExceptions('a request that is held for ever', findHeldForever(sources)))

  test('is named', () => {
    const holding = 'const held = app.streams.hold(req, reply)'
    expect(saysOf(hats('', holding, 'await worn(held.onEnd)'))).toEqual([
      "hats.routes.ts:2 holds a request and never ends it, so its place is taken until the client leaves: const held = app.streams.hold(req, reply), and held.end('…') in finally",
    ])
    expect(hats('await worn(app.streams.hold(req, reply))')).toHaveLength(1)
    expect(hats(holding, "try {} finally { held.end('it was answered') }")).toEqual([])
  })
})

describe('a status that does not say what was done', () => {
  test('is nowhere', () => expectOnlyExceptions('an unusual success', findWrongSuccess(routes)))

  test('is named', () => {
    const found = findWrongSuccess([route('GET', '/hats'), route('POST', '/hats')])
    expect(saysOf(found)).toEqual(['POST /hats makes something and declares 200: declare response: { 201: … }'])
    expect(findWrongSuccess([route('POST', '/hats/:id/wear'), route('PUT', '/hats/:id')])).toEqual([])
  })
})

describe('a secret in an answer', () => {
  test('is nowhere, but for the tokens that one signs in for', () =>
    expectOnlyExceptions('a secret in an answer', findSecretsInViews(routes)))

  test('is named, however deep it is', () => {
    const response = { 200: z.array(z.object({ owner: z.object({ passwordHash: z.string() }).meta({ id: 'Owner' }) })) }
    const found = findSecretsInViews([route('GET', '/hats', { schema: { response } })])
    expect(saysOf(found)).toEqual([
      'GET /hats answers with passwordHash, which reads like a secret: leave it out of the view',
    ])
  })
})

describe('a command of anyone without a limit', () => {
  const hats = (...lines: string[]) => [{ path: 'hats.routes.ts', text: lines.join('\n') }]

  test('is nowhere', () =>
    expectOnlyExceptions('a command of anyone without a limit', findOpenCommandsWithoutLimit(sources)))

  test('is named', () => {
    const found = findOpenCommandsWithoutLimit(hats("app.post('/hats', { config: { access: 'anyone' } })"))
    expect(saysOf(found)[0]).toBe(
      'hats.routes.ts:1 lets anyone send /hats as often as they like: give its config a limit',
    )
    expect(findOpenCommandsWithoutLimit(hats("app.get('/hats', { config: { access: 'anyone' } })"))).toEqual([])
  })
})

describe('bytes that are removed before the commit', () => {
  const action = (line: string) => [
    { path: 'hats.actions.ts', text: ['export async function burn(tx: Tx) {', line, '}'].join('\n') },
  ]

  test('are nowhere, but for those that no row has named yet', () =>
    expectOnlyExceptions('bytes that are removed before the commit', findBytesRemovedBeforeCommit(sources)))

  test('are named', () => {
    expect(saysOf(findBytesRemovedBeforeCommit(action('  await storage.remove(tx.tenantId, name)')))[0]).toBe(
      'hats.actions.ts:2 removes bytes before the commit, which may still fail: do it in tx.afterCommit()',
    )
    const right = "  tx.afterCommit('bytes', () => storage.remove(tx.tenantId, name))"
    expect(findBytesRemovedBeforeCommit(action(right))).toEqual([])
  })
})
