import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { median } from './rounds.ts'
import { startServer } from './servers.ts'

const USAGE = `npm run bench -- console [options]

The time until the console shows something to work with, in a browser that has kept nothing: the form of sign-in, and the
people of the tenant for somebody who is signed in. The browser's own clock, from the start of the navigation.

  --slower 4   how many times slower the browser's processor is made
  --rounds 7   of each view; the median is printed
`
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

interface View {
  name: string
  /** what is there when the view is */
  shows: string
  token?: string
}

async function main() {
  const { values } = parseArgs({
    options: {
      slower: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '7' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there; CHROMIUM names another browser`)
  const dir = await mkdtemp(join(tmpdir(), 'atrium-console-'))
  const server = await startServer('atrium', { DATA_DIR: dir, LOG_LEVEL: 'warn', ADMIN_PASSWORD: 'of the bench' })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const address = `http://127.0.0.1:${server.port}`
    const views: View[] = [
      { name: 'the form of sign-in', shows: 'main form button' },
      { name: 'the people, signed in', shows: 'main tbody tr', token: await signIn(address) },
    ]
    for (const view of views) {
      // The first request of all takes the types out of the sources.
      await look(browser, address, view, 1)
      const seen = []
      for (let round = 0; round < Number(values.rounds); round++)
        seen.push(await look(browser, address, view, Number(values.slower)))
      const [{ requests, bytes }] = seen as [(typeof seen)[0]]
      const ms = Math.round(median(seen.map((one) => one.ms)))
      console.log(`${view.name}: ${ms} ms, ${requests} requests, ${(bytes / 1000).toFixed(0)} KB`)
    }
  } finally {
    await browser.close()
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'of the bench' }),
  })
  const { data } = (await answer.json()) as { data: { accessToken: string } }
  return data.accessToken
}

/** One view in a fresh browser. @returns ms from the start of the navigation until it is painted */
async function look(browser: Browser, address: string, { shows, token }: View, slower: number) {
  const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower })
  let [requests, bytes] = [0, 0]
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests++
    bytes += encodedDataLength
  })
  if (token) {
    const session = JSON.stringify({ accessToken: token, refreshToken: 'none' })
    await page.addInitScript(`localStorage.setItem('atrium.session', ${JSON.stringify(session)})`)
  }
  const { promise: painted, resolve } = Promise.withResolvers<number>()
  await page.exposeFunction('painted', resolve)
  await page.addInitScript(`new MutationObserver((_, watch) => {
    if (!document.querySelector(${JSON.stringify(shows)})) return
    watch.disconnect()
    requestAnimationFrame(() => setTimeout(() => painted(performance.now())))
  }).observe(document, { childList: true, subtree: true })`)
  await page.goto(`${address}/console/`)
  const ms = await painted
  await context.close()
  return { ms, requests, bytes }
}

await main()
