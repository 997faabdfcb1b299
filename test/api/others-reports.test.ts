import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { until } from '../support/patience.ts'
import { openWorld } from '../support/world.ts'

/** What users of other products have reported, tried here. */
const world = await openWorld()
const boss = (await world.givenTenant()).administrator

describe('a method of HTTP', () => {
  test('is found in the audit that has recorded it, in any case', async () => {
    for (const method of ['PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH'] as string[]) {
      const headers = { authorization: `Bearer ${boss.token}`, 'x-request-id': `by-${method}` }
      await world.app.inject({ method: method as 'GET', url: '/scim/v2/Users/1', headers })
      await until(async () => {
        const rows = await world.as(boss).read(`/audit/operations?method=${method}`)
        expect(rows.map((row: any) => row.requestId)).toEqual([`by-${method}`])
      })
    }
    const inAnyCase = await world.as(boss).read('/audit/operations?method=patch')
    expect(inAnyCase.map((row: any) => row.method)).toEqual(['PATCH'])
  })

  test('may be used by pages of other origins if any route has it', async () => {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'PATCH' }
    const preflight = await world.app.inject({ method: 'OPTIONS', url: '/scim/v2/Users/1', headers })
    const allowed = String(preflight.headers['access-control-allow-methods']).split(', ')
    expect(allowed.sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
  })
})

test('a line of NDJSON of the audit has no character that some programs take for the end of a line', async () => {
  const TEXT = 'a\u2028b\u2029c\u0085d'
  const user = world.as((await world.givenTenant()).administrator)
  ;(await user.put('/notifications/read-all', undefined, { 'user-agent': TEXT })).expect(200)
  const text = await user.read('/audit/operations', { accept: 'application/x-ndjson' })
  expect(text).not.toMatch(/[\u0085\u2028\u2029]/)
  expect(JSON.parse(text.split('\n')[0])).toMatchObject({ userAgent: TEXT })
})

test('a refusal says what is wrong of a value that may be of two kinds and is neither, and of a body that is missing', async () => {
  const says = async (answer: Promise<Answer>) => (await answer).body.message
  const invalid = 'Some of the values are not valid: '
  for (const value of ['abc', '0'])
    expect(await says(world.as(boss).get(`/tasks?assigneeId=${value}`))).toBe(
      `${invalid}assigneeId must be a positive integer`,
    )
  const empty = world.as(boss).post('/departments', undefined, { 'idempotency-key': 'no-body' })
  expect(await says(empty)).toBe(`${invalid}body is required`)
})
