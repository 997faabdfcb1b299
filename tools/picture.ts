import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createClient, inMemory } from '../client/index.ts'

/**
 * `npm run picture`: the picture of the console in the README, taken from a running service with the demo data of
 * `npm run seed:demo`: what waits for whom in a company at work. CHROMIUM names another browser, PORT another service.
 */
const PICTURE = fileURLToPath(new URL('../docs/images/console.png', import.meta.url))
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const SEES_ALL = { username: 'greta.vandenberg', password: 'atrium-demo' }

if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there; CHROMIUM names another browser`)
const baseUrl = `http://localhost:${process.env.PORT || 8080}`
const session = inMemory()
await createClient({ baseUrl, session }).signIn(SEES_ALL)
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({
    locale: 'en',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
  })
  const stored = JSON.stringify(JSON.stringify(session.load()))
  await page.addInitScript(`localStorage.setItem('atrium.session', ${stored})`)
  await page.goto(`${baseUrl}/console/approvals`)
  await page.locator('main tbody tr').nth(5).waitFor()
  await page.screenshot({ path: PICTURE })
} finally {
  await browser.close()
}
