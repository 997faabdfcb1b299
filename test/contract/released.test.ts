import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deprecated } from '../../src/http/request/deprecated.ts'
import { addLink } from '../../src/http/request/envelope.ts'
import { breakingChanges } from '../../tools/openapi/breaking.ts'
import { readLastRelease, sumsOfMigrations } from '../../tools/openapi/last-release.ts'
import { operationOf } from '../../tools/openapi/operation.ts'
import { openSchemas } from '../../tools/openapi/schemas.ts'
import { servedDocument } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { findHastyDeprecations } from '../support/mistakes/deprecations.ts'
import { listRoutes } from '../support/routes.ts'

/** What `docs/releases.md` promises, as far as files can show it. */
const last = readLastRelease()
const document = JSON.parse(servedDocument)

describe('the newest release', () => {
  test('is broken by nothing in the document', () => {
    expectNone(
      breakingChanges(last.document, document).map(
        (change) => `${change}, which ${last.version} promised: add what is new beside it, and mark it as deprecated`,
      ),
    )
  })

  test('keeps its migrations as they were', () => {
    const now = sumsOfMigrations()
    const changed = Object.entries(last.migrations).filter(([path, sum]) => path in now && now[path] !== sum)
    expect(Object.keys(last.migrations).length).toBeGreaterThan(10)
    expectNone(changed.map(([path]) => `${path} is in ${last.version} and cannot change: npm run db:new makes another`))
  })
})

const { schemas } = document.components
const path = '/api/v1/projects/{id}/tasks'
test.each<[string, (changed: any) => void, string]>([
  ['an operation is gone', ({ paths }) => delete paths[path].post, `POST ${path} is gone`],
  [
    'a client calls it otherwise',
    ({ paths }) => (paths[path].post.operationId = 'addTask'),
    `POST ${path} no longer is called createTask`,
  ],
  [
    'more is demanded of the caller',
    ({ paths }) => (paths[path].get['x-access'] = 'task:create'),
    `GET ${path} demands more: access task:create`,
  ],
  [
    'a field of an answer is gone',
    ({ components }) => delete components.schemas.ListedTask.properties.title,
    `GET ${path} no longer answers 200.data[].title as string`,
  ],
  [
    'a field of an answer may be null',
    ({ components }) => (components.schemas.ListedTask.properties.title.type = ['string', 'null']),
    `GET ${path} no longer answers 200.data[].title, which is never null`,
  ],
  [
    'a field of a request is gone',
    ({ components }) => delete components.schemas.TaskDraft.properties.title,
    `POST ${path} no longer takes body.title as string`,
  ],
  [
    'a field has to be sent',
    ({ components }) => components.schemas.TaskDraft.required.push('description'),
    `POST ${path} demands more: body.description`,
  ],
  [
    'a text has to be shorter',
    ({ components }) => (components.schemas.TaskDraft.properties.title.maxLength = 5),
    `POST ${path} demands more: body.title maxLength 5`,
  ],
  [
    'a value is no longer taken',
    ({ components }) => components.schemas.TaskPriority.enum.shift(),
    `POST ${path} no longer takes body.priority ${JSON.stringify(schemas.TaskPriority.enum[0])}`,
  ],
  [
    'a parameter has to be sent',
    ({ paths }) => (paths[path].get.parameters.find(({ in: where }: any) => where === 'query').required = true),
    `GET ${path} demands more: query`,
  ],
  [
    'success has another status',
    ({ paths }) => (paths[path].post.responses = { 200: paths[path].post.responses[201] }),
    `POST ${path} no longer answers 201`,
  ],
  [
    'a number has to be greater',
    ({ components }) => (components.schemas.TaskPatch.properties.assigneeId.exclusiveMinimum = 9),
    'PUT /api/v1/tasks/{id} demands more: body.assigneeId exclusiveMinimum 9',
  ],
])('a change that breaks clients is told: %s', (_, change, told) => {
  const changed = structuredClone(document)
  change(changed)
  expect(breakingChanges(document, changed).some((sentence) => sentence.startsWith(told))).toBe(true)
})

test('what only adds breaks nobody', () => {
  const added = structuredClone(document)
  added.paths['/api/v1/hats'] = added.paths[path]
  added.components.schemas.Task.properties.colour = { type: 'string' }
  added.components.schemas.TaskDraft.properties.colour = { type: 'string', enum: ['red'], maxLength: 9 }
  added.components.schemas.TaskDraft.properties.title.maxLength = 10_000
  expect(breakingChanges(document, added)).toEqual([])
})

describe('what is to go', () => {
  const terms = { since: '2027-01-31', until: '2027-08-01', instead: '/api/v1/caps' }
  const response = { 200: z.object({ size: z.number() }) }

  test('says so in each answer, beside what is in Link already', async () => {
    const app = Fastify()
    await app.register(deprecated)
    app.get('/hats', { config: { deprecated: terms } }, async (_, reply) => {
      addLink(reply, '</hats?page=2>; rel="next"')
      return {}
    })
    app.get('/caps', async () => ({}))

    expect((await app.inject('/hats')).headers).toMatchObject({
      deprecation: '@1801353600',
      sunset: 'Sun, 01 Aug 2027 00:00:00 GMT',
      link: '</api/v1/caps>; rel="successor-version", </hats?page=2>; rel="next"',
    })
    expect((await app.inject('/caps')).headers).not.toHaveProperty('deprecation')
  })

  test('is marked in the document, an operation or a field of it', () => {
    const documented = (fields?: string[]) => {
      const route: any = {
        ...{ method: 'GET', url: '/api/v1/hats', access: 'anyone', schema: { summary: 'List hats', response } },
        deprecated: { ...terms, ...(fields && { fields }) },
      }
      return operationOf(route, 'Hats', openSchemas([route]))
    }
    expect(documented()).toMatchObject({
      deprecated: true,
      description: expect.stringContaining(
        'Deprecated since 2027-01-31: This operation may be gone from 2027-08-01. Use /api/v1/caps instead.',
      ),
      responses: { 200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } } },
    })
    expect(documented(['size'])).not.toHaveProperty('deprecated')
    expect(documented(['size']).description).toContain('`size` may be gone')
  })

  test('stays for half a year, and CHANGELOG names it', async () => {
    expectNone(findHastyDeprecations(await listRoutes(), readFileSync('CHANGELOG.md', 'utf8')))
    const hats = {
      operationId: 'listHats',
      schema: { response },
      deprecated: { ...terms, until: '2027-02-28', fields: ['brim'] },
    }
    expect(findHastyDeprecations([hats] as any, '')).toEqual([
      'listHats is deprecated for less than half a year: let it stay until 2027-08-01 at least',
      'listHats is deprecated, and CHANGELOG.md does not name it',
      'listHats has no field brim that its schema marks with .meta({ deprecated: true })',
    ])
  })
})
