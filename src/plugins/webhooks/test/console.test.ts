import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { openReceiver } from '#test/receiver.ts'

const receiver = await openReceiver()

describeConsole('the pages of webhooks', (desk) => {
  test('a webhook is added, tried out, and delivers again', async () => {
    const page = await desk.open('webhooks')
    await page.getByRole('link', { name: 'Add a webhook' }).first().click()
    const url = `${receiver.url}/atrium`
    receiver.answer = (_, res) => void res.end('thank you')
    await page.getByLabel('Webhook address').fill(url)
    await page.getByLabel('Description').fill('Invoices')
    await desk.press('Add')
    const secret = await page.getByRole('dialog').locator('output').innerText()
    expect(secret).toMatch(/^whsec_/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: url }).waitFor()
    await page.getByText('Nothing was delivered yet.').waitFor()
    await desk.press('Send a test')
    await page.getByRole('cell', { name: 'delivered', exact: true }).waitFor()
    const [{ headers, text }, ...others] = receiver.arrived as [any]
    expect(others).toEqual([])
    expect(new Webhook(secret).verify(text, headers)).toMatchObject({ type: 'webhook.tested' })

    await page.getByRole('button', { name: /^Details: webhook.tested/ }).click()
    await page.getByRole('dialog').getByText('thank you').waitFor()
    await desk.press('Deliver again')
    await expect.poll(() => receiver.arrived.length).toBe(2)
  })

  test('a webhook from another installation gets its address and a new secret, and is active again', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    const { id, url } = (
      await boss.post('/webhooks', { url: 'https://example.com/hook', types: ['role.created'] })
    ).expect(201)
    await desk.world.look.rows(`update webhooks set sealed = null, url = 'https://example.com/…' where id = $1`, [id])
    const page = await desk.open(`webhooks/${id}`)
    await page.getByText('It is paused.').waitFor()
    await page.getByLabel('Webhook address').fill(url)
    await desk.press('Save')
    await page.getByRole('heading', { name: url }).waitFor()
    await desk.press('New secret')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').locator('output').waitFor()
    expect((await boss.get(`/webhooks/${id}`)).expect(200)).toMatchObject({ url, status: 'active' })
    ;(await boss.delete(`/webhooks/${id}`)).expect(200)
  })

  test('a webhook is paused, gets chosen events only, a new secret, and is deleted', async () => {
    const page = await desk.open('webhooks')
    await page.getByRole('row').getByRole('link').first().click()
    await desk.press('New secret')
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('dialog').locator('output').waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('All events, also those of later versions').uncheck()
    await page.getByLabel('role.created', { exact: true }).check()
    await page.getByLabel('Status').last().selectOption('paused')
    await desk.press('Save')
    await page.getByText('It is paused.').waitFor()
    await page.locator('.facts').getByText('role.created').waitFor()

    receiver.answer = () => 500
    ;(await desk.world.as(desk.tenant.administrator).post('/roles', { name: 'Guests' })).expect(201)
    await page.getByLabel('Status').last().selectOption('active')
    await desk.press('Save')
    await page.getByRole('cell', { name: 'failed, is tried again' }).waitFor()
    await page.getByRole('button', { name: /^Details: role.created/ }).click()
    await page.getByRole('dialog').getByText('"role.created"').waitFor()
    await page.keyboard.press('Escape')

    await desk.press('Send events again')
    await page.getByLabel('Id of the event').press('Enter')
    await page.getByText('The events are sent again.').waitFor()
    await desk.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('What happens in the tenant is sent').waitFor()
  })
})
