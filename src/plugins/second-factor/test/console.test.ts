import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { codeOf } from '#test/second-factor.ts'

describeConsole('the second factor of a person', (desk) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  async function enterCode(page: Page) {
    const secret = (await page.locator('output.secret').innerText()).replaceAll(/\s/g, '')
    await page.getByLabel('The six digits that the app shows').fill(codeOf(secret))
    await page.keyboard.press('Enter')
  }

  test('a second factor is added with a code of the app, and turned off with the password', async () => {
    const password = 'a password of many'
    ;(await desk.world.as(desk.tenant.administrator).post('/users', { username: 'grace', password })).expect(201)
    const page = await desk.browser.open(`?tenant=${desk.tenant.code}`)
    await page.getByLabel('User name').fill('grace')
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Second factor' }).click()
    await page.getByLabel('Your password').fill(password)
    await button(page, 'Add a second factor').click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    await enterCode(page)
    await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    expect(await page.locator('.codes span').count()).toBe(10)
    const codes = await page.locator('.codes').innerText()
    await button(page, 'I have kept them').click()
    await page.getByText('Signing in takes your password and a code.').waitFor()
    const kept = await page.evaluate('document.body.innerHTML + JSON.stringify(localStorage)')
    expect(kept).not.toContain(codes.split('\n')[0])
    await page.getByLabel('Your password').fill(password)
    await button(page, 'Turn it off').click()
    await button(page, 'Add a second factor').waitFor()
    await desk.browser.leave(page)
  })

  test('who lacks the second factor that the tenant requires is led to it, and then goes on', async () => {
    const strict = await desk.world.givenTenant()
    await desk.world.look.rows(`update tenants set second_factor = 'required' where id = $1`, [strict.id])
    const page = await desk.browser.open('people', { as: strict.administrator })
    await page.getByText('Your tenant requires a second factor.').waitFor()
    expect(await page.getByRole('navigation').getByRole('link', { name: 'People' }).count()).toBe(0)
    await button(page, 'Add a second factor').click()
    await enterCode(page)
    await button(page, 'I have kept them').click()
    await page.getByRole('navigation').getByRole('link', { name: 'People' }).click()
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await desk.browser.leave(page)
  })
})
