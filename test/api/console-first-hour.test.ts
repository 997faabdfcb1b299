import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signWebhook } from '../../src/util/secrets/standard-webhooks.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser } from '../support/console.ts'
import { type } from '../support/keyboard.ts'
import { openWorld, type World } from '../support/world.ts'

/** The first hour of an administrator: from sign-in to a key that works and a webhook that was delivered. */
describe.skipIf(!hasBrowser)('the first hour of an administrator', () => {
  let world: World
  let browser: ConsoleBrowser
  const received: { headers: Record<string, unknown>; body: string }[] = []
  let answer = 200
  const receiver = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    received.push({ headers: req.headers, body })
    res.writeHead(answer, { 'content-type': 'text/plain' }).end('thank you')
  })
  beforeAll(async () => {
    world = await openWorld({ env: { WEBHOOK_PRIVATE_ADDRESSES: 'true', RATE_LIMIT: '0' } })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    browser = await openBrowser(world)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
    receiver.close()
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** Goes to a link or button by the keyboard alone. */
  async function tabTo(page: Page, name: string) {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent.trim()')) === name) return
    }
    throw new Error(`The keyboard does not lead to ${name}`)
  }

  test('from sign-in to a key that works and a webhook that was delivered', async () => {
    const page = await browser.open('')
    await page.getByLabel('User name').waitFor()
    await type(page, 'admin', 'admin123')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()

    // A service account and its key, by the keys of the keyboard alone.
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.evaluate('document.activeElement.blur()')
    await tabTo(page, 'Keys')
    await page.keyboard.press('Enter')
    await page.getByText('Other systems call the API as a service account').waitFor()
    await tabTo(page, 'Add a service account')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the system').waitFor()
    await type(page, 'Invoices')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await page.getByText('The account has no key yet').waitFor()
    await tabTo(page, 'Make a key')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the key').waitFor()
    await type(page, 'Production')
    await page.keyboard.press('Enter')
    const key = await page.getByRole('dialog').locator('output').innerText()
    expect(key).toMatch(/^atr_/)
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: /^Production/ }).waitFor()

    const call = () => world.app.inject({ url: '/api/v1/users', headers: { authorization: `Bearer ${key}` } })
    expect((await call()).statusCode).toBe(200)
    await page.reload()
    await page.getByRole('cell', { name: /^Production/ }).waitFor()
    const kept = await page.evaluate(
      'document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
    )
    expect(kept).not.toContain(key)

    // A webhook, by clicks.
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: 'Add a webhook' }).first().click()
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/atrium`
    await page.getByLabel('Webhook address').fill(url)
    await page.getByLabel('Description').fill('Invoices')
    await button(page, 'Add').click()
    const secret = await page.getByRole('dialog').locator('output').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: url }).waitFor()
    await page.getByText('Nothing was delivered yet.').waitFor()
    await button(page, 'Send a test').click()
    await page.getByRole('cell', { name: 'delivered', exact: true }).waitFor()
    expect(received).toHaveLength(1)
    const [{ headers, body }] = received as [(typeof received)[0]]
    const signed = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body }
    expect(headers['webhook-signature']).toBe(signWebhook([secret], signed))
    expect(JSON.parse(body)).toMatchObject({ type: 'webhook.tested' })

    await page.getByRole('button', { name: /^Details: webhook.tested/ }).click()
    await page.getByRole('dialog').getByText('thank you').waitFor()
    await button(page, 'Deliver again').click()
    await expect.poll(() => received.length).toBe(2)

    // The key is revoked, and no longer works.
    await page.getByRole('link', { name: 'Keys' }).click()
    await page.getByRole('link', { name: 'Invoices' }).click()
    await button(page, 'Revoke: Production').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('The key Production is revoked.').waitFor()
    await expect.poll(async () => (await call()).statusCode).toBe(401)
    expect(browser.complaints).toEqual([])
    expect(browser.strangers).toEqual([])
    await browser.leave(page)
  })

  test('a webhook is paused, gets chosen events only, a new secret, and is deleted', async () => {
    const page = await browser.open('webhooks', { as: world.admin })
    await page.getByRole('row').getByRole('link').first().click()
    await button(page, 'New secret').click()
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').locator('output').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('All events, also those of later versions').uncheck()
    await page.getByLabel('role.created', { exact: true }).check()
    await page.getByLabel('Status').last().selectOption('paused')
    await button(page, 'Save').click()
    await page.getByText('It is paused.').waitFor()
    await page.locator('.facts').getByText('role.created').waitFor()

    answer = 500
    ;(await world.as(world.admin).post('/roles', { name: 'Guests' })).expect(201)
    await page.getByLabel('Status').last().selectOption('active')
    await button(page, 'Save').click()
    await page.getByRole('cell', { name: 'failed, is tried again' }).waitFor()
    await page.getByRole('button', { name: /^Details: role.created/ }).click()
    await page.getByRole('dialog').getByText('"role.created"').waitFor()
    await page.keyboard.press('Escape')

    await button(page, 'Send events again').click()
    await page.getByLabel('Id of the event').press('Enter')
    await page.getByText('The events are sent again.').waitFor()
    await button(page, 'Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('What happens in the tenant is sent').waitFor()
    expect(browser.complaints).toEqual([])
    await browser.leave(page)
  })
})
