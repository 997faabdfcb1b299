import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Day, IdParams, idInPathOf, idOf } from '../../src/kernel/zod.ts'
import { expectNone } from '../support/expect-none.ts'
import { addressOf, gapsIn, kindsIn, searchOf } from '../support/requests.ts'
import { listRoutes, type Route } from '../support/routes.ts'

/** What the walking suites send to a route, without a word about it in any of them. */
const routeOf = (method: string, path: string, schema: Partial<Route['schema']>) =>
  ({ method, path, access: 'signed-in', schema: { response: {}, ...schema } }) as Route

describe('the address of a good request', () => {
  const onDays = (fields: z.core.$ZodLooseShape) =>
    routeOf('GET', '/hats', { querystring: z.object({ ...fields, colour: z.enum(['red']).optional() }) })

  test('has what its query requires: a day, an example, an id of its kind', () => {
    const required = { day: Day, size: z.string().meta({ examples: ['XL & more'] }), headId: idInPathOf('heads') }
    const query = 'day=2026-12-01&size=XL%20%26%20more&headId=7'
    expect(searchOf(onDays(required), '', { heads: 7 })).toBe(query)
    expect(addressOf(onDays({ day: Day }), [], 'colour=red')).toBe('/hats?day=2026-12-01&colour=red')
  })

  test('keeps what is sent in its place', () => {
    expect(addressOf(onDays({ day: Day }), [], 'day=today')).toBe('/hats?day=today')
    expect(addressOf(routeOf('GET', '/hats/:id', {}), [7])).toBe('/hats/7')
  })
})

test('a parameter of a path is of the kind that it declares, or else of what stands before it', () => {
  const params = z.object({ id: idInPathOf('hats') })
  expect(kindsIn(routeOf('DELETE', '/worn-hats/:id', { params }))).toEqual(['hats'])
  expect(kindsIn(routeOf('DELETE', '/heads/:id/hats/:hatId', { params: IdParams }))).toEqual(['heads', 'hatId'])
})

describe('what is not said of a request', () => {
  test('is nothing', async () => expectNone(gapsIn(await listRoutes())))

  test('is named all together, each with its cure', () => {
    const body = z.object({ size: z.number(), width: z.number(), shelfId: idOf('shelves') })
    const querystring = z.object({ colour: z.string(), day: Day.meta({ examples: ['tomorrow'] }) })
    const found = gapsIn([
      routeOf('POST', '/hats', { body: body.meta({ id: 'HatDraft' }) }),
      routeOf('GET', '/hats', { querystring }),
      routeOf('DELETE', '/worn-hats/:id', { params: IdParams }),
    ])
    expect(found).toEqual([
      "What does HatDraft.size look like? Say it beside its schema: .meta({ id: 'HatDraft', examples: [{ size: … }] })",
      "What does HatDraft.width look like? Say it beside its schema: .meta({ id: 'HatDraft', examples: [{ width: … }] })",
      "What does GET /hats.colour look like? Say it beside its schema: .meta({ examples: ['…'] })",
      'POST /hats takes the id of one of shelves, and nothing is known that makes one: add POST …/shelves, or declare what it is the id of: idInPathOf(…) in schema.params',
      'GET /hats refuses the example of its query.day: correct it in its .meta()',
      'DELETE /worn-hats/:id takes the id of one of worn-hats, and nothing is known that makes one: add POST …/worn-hats, or declare what it is the id of: idInPathOf(…) in schema.params',
    ])
  })
})
