import { globSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { extensions } from '../../console/extensions.ts'
import { subjects } from '../../console/subjects.ts'
import { testConfig } from '../support/config.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '../support/console.ts'
import { buildOffline } from '../support/routes.ts'
import { openWorld, type World } from '../support/world.ts'

/** The console of an installation without plug-ins: it serves, names and asks for nothing of them. */
const NONE = { PLUGINS: 'none' }
/** Pages of plug-ins, as the console names them. */
const PAGES = globSync('src/plugins/*/console/!(extension).ts').map((path) =>
  path.replace(/^src\/plugins\/([^/]+)\/console/, 'extensions/$1'),
)
const ofPlugins = extensions.flatMap((extension) => extension.subjects ?? [])
const ofCore = subjects.filter((subject) => !ofPlugins.includes(subject))

async function served(url: string, env: Record<string, string>) {
  const app = await buildOffline(testConfig(env))
  const answer = await app.inject(`/console/assets/${url}`)
  await app.close()
  return answer
}

test('no file of a plug-in that is off is served, and no module names one', async () => {
  for (const path of PAGES.slice(0, 1)) {
    expect((await served(path, {})).statusCode).toBe(200)
    expect((await served(path, NONE)).statusCode).toBe(404)
  }
  const list = await served('console/extensions.ts', NONE)
  expect(gunzipSync(list.rawPayload).toString().trim()).toBe('export const extensions = []')
  const words = JSON.parse(gunzipSync((await served('console/texts/zh-CN.json', NONE)).rawPayload).toString())
  const own = globSync('console/texts/zh-CN/*.json').map((path) => JSON.parse(readFileSync(path, 'utf8')))
  expect(words).toEqual(Object.assign({}, ...own))
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let world: World
  let browser: ConsoleBrowser
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0', ...NONE } })
    browser = await openBrowser(world)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  test('the core has all its pages, those of plug-ins are not there, and nothing that is missing is asked for', async () => {
    const missing: string[] = []
    const page = await browser.open('', { as: world.admin })
    page.on('response', (answer) => answer.status() === 404 && missing.push(answer.url()))
    await settled(page)
    const links = await page.$$eval('nav a[href^="/console/"]', (all) => all.map((link) => link.getAttribute('href')))
    expect(links.sort()).toEqual(ofCore.map(({ path }) => `/console/${path}`).sort())
    for (const { path } of ofCore) {
      await page.goto(`${browser.address}/console/${path}`)
      await settled(page)
    }
    for (const path of [`people/${world.admin.id}`, 'people/new', 'tenants/1', 'tenants/1/inside']) {
      await page.goto(`${browser.address}/console/${path}`)
      await settled(page)
    }
    for (const { path } of ofPlugins) {
      await page.goto(`${browser.address}/console/${path}`)
      await page.getByText('There is no page at this address.').waitFor()
    }
    await page.evaluate('localStorage.clear()')
    await page.goto(`${browser.address}/console/`)
    await page.getByLabel('User name').waitFor()
    await settled(page)
    expect(missing).toEqual([])
    expect(browser.complaints).toEqual([])
    await browser.leave(page)
  })
})
