import { globSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testConfig } from '#test/config.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '#test/console.ts'
import { buildOffline } from '#test/routes.ts'
import { openWorld, type World } from '#test/world.ts'
import { extensions } from '../browser/extensions.ts'
import { subjects } from '../browser/subjects.ts'

/** The console of an installation without other plug-ins: it serves, names and asks for nothing of them. */
const ALONE = { PLUGINS: 'console' }
const ofPlugins = extensions.flatMap((extension) => extension.subjects ?? [])
const ofCore = subjects.filter((subject) => !ofPlugins.includes(subject))

test('no file of a plug-in that is off is served, and no module names one', async () => {
  const [whole, alone] = [await buildOffline(), await buildOffline(testConfig(ALONE))]
  const ask = (app: typeof alone, path: string) => app.inject(`/console/assets/${path}`)
  for (const path of globSync('src/plugins/*/console/!(extension).ts').slice(0, 1)) {
    const [, plugin, page] = /plugins\/([^/]+)\/console\/(.*)/.exec(path)!
    expect((await ask(whole, `extensions/${plugin}/${page}`)).statusCode).toBe(200)
    expect((await ask(alone, `extensions/${plugin}/${page}`)).statusCode).toBe(404)
  }
  const textOf = async (path: string) => gunzipSync((await ask(alone, path)).rawPayload).toString()
  expect((await textOf('console/extensions.ts')).trim()).toBe('export const extensions = []')
  const own = globSync('src/plugins/console/browser/texts/zh-CN/*.json').map((path) => readFileSync(path, 'utf8'))
  const words = JSON.parse(await textOf('console/texts/zh-CN.json'))
  expect(words).toEqual(Object.assign({}, ...own.map((text) => JSON.parse(text))))
  await Promise.all([whole.close(), alone.close()])
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let world: World
  let browser: ConsoleBrowser
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0', ...ALONE } })
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
    const below = [`people/${world.admin.id}`, 'people/new', 'tenants/1', 'tenants/1/inside']
    for (const path of [...ofCore.map(({ path }) => path), ...below]) {
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
