import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { compile } from '../../src/http/request/envelope.ts'
import { isOfTheSystem } from '../../src/kernel/access.ts'
import { expectGolden } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { buildOffline, listRoutes, listWalked, type Route } from '../support/routes.ts'

const routes = await listRoutes()
const walked = await listWalked()
const app = await buildOffline()
afterAll(() => app.close())

test('the table of routes is the one that was reviewed', async () => {
  await expectGolden(
    { file: 'routes.txt', means: 'A route, its access, its exceptions from the gate or its key has changed' },
    (domain) => {
      const shown = routes.filter((route) => route.domain === domain)
      const width = Math.max(...shown.map(({ path }) => path.length))
      return shown.map((route) => `${lineOf(route, width)}\n`).join('')
    },
  )
})

function lineOf({ method, path, access, beside, idempotent }: Route, width = 0): string {
  const demands = idempotent ? `${access} + Idempotency-Key` : access
  return [method.padEnd(6), path.padEnd(width), demands, ...beside].join('  ')
}

test.each(walked.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  expect(route.access, 'config.access says who may enter').toEqual(expect.any(String))
  expect(route.operationId, 'operationId is a verb and a noun, as in listTasks').toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
  expect(route.summary, 'summary begins with a capital and ends without a full stop').toMatch(/^[A-Z].*[^.]$/)
  expect(Object.keys(route.schema.params?.shape ?? {}).sort(), 'schema.params names what the path names').toEqual(
    [...route.params].sort(),
  )
  expect(Object.keys(route.schema.response), 'schema.response declares one 200 or 201, or 302').toEqual([
    expect.stringMatching(/^(20[01]|302)$/),
  ])
  for (const view of Object.values(route.schema.response))
    if (view instanceof z.ZodType) expect(compile(view), 'the serialiser can write it').toEqual(expect.any(Function))
  // A password in the address would be logged on its way.
  const provesThePassword = `${route.method} ${route.path}` === 'DELETE /auth/second-factor'
  if (route.method === 'GET' || (route.method === 'DELETE' && !provesThePassword))
    expect(route.schema.body, `a ${route.method} reads no body: move it into the query`).toBeUndefined()
})

test('what no role of another tenant is made with opens nothing but to system administrators', () => {
  expectNone(
    routes
      .filter(({ access }) => isOfTheSystem(access))
      .map(
        ({ method, path, access }) =>
          `${method} ${path} demands ${access}, which only system administrators hold: declare the access system:${access}`,
      ),
  )
})
