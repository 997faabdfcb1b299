import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SEED_MENUS } from '../../src/domains/menus/menus.seed.ts'
import { allPermissions } from '../../src/kernel/access.ts'
import { Count } from '../../src/kernel/zod.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import {
  findCommandsForReaders,
  findIdlePermissions,
  findNumbersInQueries,
  findSecretsInViews,
  findTextsWithoutEnd,
  findWrongSuccess,
} from '../support/mistakes/routes.ts'
import { listRoutes, type Route } from '../support/routes.ts'

/** What a route may not say; what its handler may not do is among the mistakes. */
const routes = await listRoutes()
const opened = SEED_MENUS.flatMap(function permissionsOf({ type, permission, children }): string[] {
  return [...(type !== 'button' && permission ? [permission] : []), ...(children ?? []).flatMap(permissionsOf)]
})
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
    expectOnlyExceptions('a permission that no route demands', findIdlePermissions(routes, allPermissions(), opened)))

  test('is named', () => {
    const wanted = [route('PUT', '/hats/:id', { access: 'system:task:update' })]
    expect(saysOf(findIdlePermissions(wanted, ['task:update', 'hat:wear']))).toEqual([
      'hat:wear is a permission that no route demands: demand it in the config.access of a route, or remove it from the declaration of its domain',
    ])
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

describe('a text without a maximum', () => {
  test('is nowhere', () => expectOnlyExceptions('a text without a maximum', findTextsWithoutEnd(routes)))

  test('is named, however deep it is', () => {
    const body = z.object({ hats: z.array(z.object({ size: z.string().min(1) }).meta({ id: 'Size' })) })
    const found = findTextsWithoutEnd([route('POST', '/hats', { schema: { body, response: {} } })])
    expect(saysOf(found)).toEqual([
      'POST /hats size may be a text of any length: give it a maximum, as text(255) and longText(8000) do',
    ])
    const bounded = z.object({ size: z.string().max(2), colour: z.enum(['red']), code: z.string().regex(/^[A-Z]{3}$/) })
    expect(findTextsWithoutEnd([route('POST', '/hats', { schema: { body: bounded, response: {} } })])).toEqual([])
  })
})

describe('a number in a query', () => {
  test('is nowhere', () => expectOnlyExceptions('a number in a query', findNumbersInQueries(routes)))

  test('is named', () => {
    const schema = (querystring: z.ZodObject) => ({ schema: { querystring, response: {} } })
    const found = findNumbersInQueries([route('GET', '/hats', schema(z.object({ size: z.number().optional() })))])
    expect(saysOf(found)).toEqual([
      'GET /hats size is no text, as everything in a query is: declare it by Count, bounded(…), Flag or idInPathOf(…)',
    ])
    expect(findNumbersInQueries([route('GET', '/hats', schema(z.object({ size: Count })))])).toEqual([])
  })
})
