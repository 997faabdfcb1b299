import { expect, test } from 'vitest'
import { deedOf, subjectsOf } from '../../browser/lib/deeds.ts'
import { SUMMARIES } from '../../browser/lib/summaries.ts'

test.each([
  ['DELETE', '/roles/:id', '/roles/7', 200, 'deleted a role'],
  ['DELETE', '/roles/:id', '/roles/7', 403, 'tried to delete a role'],
  ['POST', '/tasks/:id/comments', '/tasks/3/comments', 201, 'commented on a task'],
  ['PUT', '/auth/password', '/auth/password', 200, 'changed their password'],
  ['POST', '/approvals/:id/cancel', '/approvals/3/cancel', 200, 'took an approval back'],
  ['POST', '/auth/login', '/auth/login', 401, 'tried to sign in'],
  ['GET', '/roles/:id', '/roles/7', 404, 'GET /api/v1/roles/7'],
  ['POST', '', '/unknown', 404, 'POST /api/v1/unknown'],
])('%s %s at %s that ends with %i is told as a deed', (method, route, path, status, deed) => {
  expect(deedOf({ method, route: `/api/v1${route}`, path: `/api/v1${path}`, status })).toBe(deed)
})

test('every operation that writes is told in the past', () => {
  for (const [operation, summary] of Object.entries(SUMMARIES)) {
    const [method = '', route = ''] = operation.split(' ')
    const told = deedOf({ method, route, path: route, status: 200 })
    expect(told, summary).toMatch(/^\w*(ed|an|ought|ot|ave|id|ade|ead|ent|et|ook|ew|rote) ?/)
    expect(told).not.toMatch(/\b(my|me|eed)\b/)
  }
})

test('what it was done to are the ids in its path', () => {
  const operation = {
    method: 'PUT',
    status: 200,
    route: '/projects/:id/members/:userId',
    path: '/projects/4/members/9',
  }
  const project = { of: 'projects', id: 4 }
  expect(subjectsOf(operation)).toEqual([project, { of: 'users', id: 9 }])
  for (const id of ['0', '0x10', '9007199254740991', 'abc'])
    expect(subjectsOf({ ...operation, route: '/users/:id', path: `/users/${id}` })).toEqual([])
})
