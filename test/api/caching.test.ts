import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CachingProxy, cachingProxy } from '../support/caching-proxy.ts'
import { listWalked } from '../support/routes.ts'
import { addressOf, type Furniture, pathIdsOf, seedTenant } from '../support/samples.ts'
import { openWorld } from '../support/world.ts'

/** The portal behind a shared cache, such as a CDN: everyone gets what is theirs. */
let proxy: CachingProxy
let ours: Furniture
let theirs: Furniture
const routes = (await listWalked()).filter(({ method }) => method === 'GET')
const PAGES = ['home', 'features', 'product', 'pricing', 'faq', 'docs', 'about', 'blog', 'blog?page=1&pageSize=3']
const pages = PAGES.map((page) => `/api/v1/public/${page}`)

const world = await openWorld({ env: { PUBLIC_MAX_AGE: '7' } })
beforeAll(async () => {
  ours = await seedTenant(world, await world.givenTenant(), 'canary-of-ours')
  theirs = await seedTenant(world, await world.givenTenant(), 'canary-of-theirs')
  for (const { tenant } of [ours, theirs]) {
    const product = { name: `Product of ${tenant.code}`, slogan: tenant.code, highlights: [] }
    ;(await world.as(tenant.administrator).put('/content/portal/product', product)).expect(200)
  }
})
beforeEach(() => {
  proxy = cachingProxy(world.app)
})

const of = ({ tenant }: Furniture) => ({ 'x-tenant-code': tenant.code })
const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
const direct = async (path: string, headers: Record<string, string>) =>
  (await world.app.inject({ method: 'GET', url: path, headers })).body

describe('a cache that many share', () => {
  test('answers each visitor as the service would, whoever was there before', async () => {
    const visitors: Record<string, string>[] = [
      {},
      of(ours),
      of(theirs),
      { ...of(ours), ...bearer(theirs.member) },
      bearer(ours.member),
      { ...of(theirs), ...bearer(ours.tenant.administrator) },
      { ...of(ours), origin: 'http://localhost:5173' },
      { ...of(theirs), origin: 'http://localhost:5174' },
      { ...of(theirs), authorization: 'Bearer stale' },
      { 'x-tenant-code': 'default' },
      { 'x-tenant-code': 'nobody' },
    ]
    let hits = 0
    for (const round of [1, 2, 3])
      for (const page of pages)
        for (const visitor of round === 2 ? visitors.toReversed() : visitors) {
          const answer = await proxy.get(page, visitor)
          const wanted = await direct(page, visitor)
          const withoutId = (body: string) => body.replace(/"requestId":"[^"]*"/, '')
          expect(withoutId(answer.body), `${page} ${JSON.stringify(visitor)}`).toBe(withoutId(wanted))
          expect(answer.headers['access-control-allow-origin']).toBe(visitor.origin)
          if (answer.hit) hits++
        }
    // All but the first time, for the six whom it may answer: without a token, and with a tenant that there is.
    expect(hits).toBe(pages.length * 2 * 6)
  })

  test('never stores what was asked with a token, nor anything that needs one', async () => {
    // The stream never ends, so there is nothing to wait for.
    for (const route of routes.filter(({ path }) => !path.endsWith('/stream'))) {
      for (const { tenant, member, ids } of [ours, theirs]) {
        const address = `/api/v1${addressOf(route, pathIdsOf(route, ids), '', ids)}`
        for (const person of [tenant.administrator, member]) await proxy.get(address, bearer(person))
        if (route.access !== 'anyone') await proxy.get(address)
      }
    }
    expect(proxy.stored()).toBe('[]')
  })

  test('asks again when its time is over, by the tag, and shows what has changed', async () => {
    const page = `/api/v1/public/blog`
    const first = await proxy.get(page, of(ours))
    proxy.wait(8)
    const again = await proxy.get(page, of(ours))
    expect([again.hit, again.body, again.headers.etag]).toEqual([false, first.body, first.headers.etag])
    const draft = { title: 'Newly published', status: 'published' }
    await world.as(ours.tenant.administrator).create('/content/articles', draft)
    expect((await proxy.get(page, of(ours))).hit).toBe(true)
    proxy.wait(8)
    expect((await proxy.get(page, of(ours))).body).toContain('Newly published')
    expect((await proxy.get(page, of(theirs))).body).not.toContain('Newly published')
  })
})
