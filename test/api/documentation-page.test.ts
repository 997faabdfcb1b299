import { gunzipSync } from 'node:zlib'
import { afterAll, expect, test, vi } from 'vitest'
import { PRODUCTION, testConfig } from '../support/config.ts'
import { buildOffline } from '../support/routes.ts'

const app = await buildOffline()
afterAll(() => app.close())

test('the page has a policy of its own, and needs nothing from elsewhere', async () => {
  expect((await app.inject('/docs?a=b')).headers.location).toBe('docs/')
  const page = await app.inject('/docs/')
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("script-src 'self';"),
  })
  // Over plain HTTP, the page's own files would not load if the browser were made to request them over HTTPS.
  expect(page.headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
  // The policy lets no script run that stands in the page itself.
  expect(page.body.match(/<script(?![^>]* src=)/)).toBeNull()

  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!)
  expect(files).toEqual(['data:,', 'page.css', 'scalar.js', 'page.js'])
  for (const file of files.slice(1)) {
    const answer = await app.inject(`/docs/${file}`)
    expect(answer.statusCode, file).toBe(200)
    const known = { 'if-none-match': answer.headers.etag as string }
    const again = await app.inject({ url: `/docs/${file}`, headers: known })
    expect(again, file).toMatchObject({ statusCode: 304, body: '' })
  }
  for (const other of ['index.html', 'page-html.ts', '..%2fdocs.ts', 'nothing.js'])
    expect((await app.inject(`/docs/${other}`)).statusCode, other).toBe(404)
})

test('the library is sent compressed, and is all there', async () => {
  const { headers, rawPayload } = await app.inject('/docs/scalar.js')
  expect(headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8', 'content-encoding': 'gzip' })
  expect(gunzipSync(rawPayload).toString()).toContain('createApiReference')
})

test('`node --watch`, whose workers send messages of their own, sends the library too', async () => {
  vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')
  const watched = await buildOffline()
  const { rawPayload } = await watched.inject('/docs/scalar.js')
  vi.unstubAllEnvs()
  expect(gunzipSync(rawPayload).toString()).toContain('createApiReference')
  await watched.close()
})

test('without the console a browser that asks for / is led to it, and a program gets a 404', async () => {
  const alone = await buildOffline(testConfig({ CONSOLE: 'false' }))
  const browser = await alone.inject({ url: '/', headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
  expect(browser).toMatchObject({ statusCode: 302, headers: expect.objectContaining({ location: 'docs/' }) })
  const program = await alone.inject({ url: '/', headers: { accept: '*/*' } })
  expect(program.json().error.type).toBe('ROUTE_NOT_FOUND')
  await alone.close()
})

test('the page signs in with one click where the account is that of development, and never in production', async () => {
  expect((await app.inject('/docs/')).body).toContain('data-username="admin" data-password="admin123"')

  for (const settings of [{ ...PRODUCTION, DOCUMENTATION_PAGE: 'true' }, { ADMIN_PASSWORD: 'one of my own' }]) {
    const elsewhere = await buildOffline(testConfig(settings))
    expect((await elsewhere.inject('/docs/')).body).toContain('<form id="session">')
    await elsewhere.close()
  }
})

test.each<[string, Record<string, string>, number]>([
  ['production serves neither', PRODUCTION, 404],
  ['production is asked to', { ...PRODUCTION, DOCUMENTATION_PAGE: 'true' }, 200],
  ['DOCUMENTATION_PAGE=false takes both away', { DOCUMENTATION_PAGE: 'false', CONSOLE: 'false' }, 404],
])('the page and the document: %s', async (_, settings, status) => {
  const app = await buildOffline(testConfig(settings))
  for (const url of ['/docs', '/docs/', '/docs/scalar.js', '/openapi.json']) {
    const answer = await app.inject({ url, headers: { accept: 'text/html' } })
    expect(answer.statusCode, url).toBe(status === 200 && url === '/docs' ? 302 : status)
  }
  await app.close()
})
