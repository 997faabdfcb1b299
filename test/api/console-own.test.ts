import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, hasBrowser, openBrowser } from '../support/console.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** The pages for everybody signed in, and those for other systems and the installation: the main story of each. */
describe.skipIf(!hasBrowser)('pages of the console', () => {
  let world: World
  let browser: ConsoleBrowser
  let tenant: Tenant
  let person: Person
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0' } })
    tenant = await world.givenTenant()
    person = await world.givenUser(tenant)
    browser = await openBrowser(world)
  })
  afterAll(async () => {
    expect(browser?.complaints).toEqual([])
    expect(browser?.strangers).toEqual([])
    await browser?.close()
    await world?.close()
  })

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  /** The question of a button that cannot be undone, answered with yes. */
  const confirm = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  test('a profile is changed, and so is its picture', async () => {
    const page = await browser.open('profile', { as: person })
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('Language of mail').selectOption('zh-CN')
    await button(page, 'Save').click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    expect(await world.as(person).get('/users/me')).toMatchObject({
      body: { data: { nickname: 'Ada Lovelace', locale: 'zh-CN' } },
    })
    await page.setInputFiles('input[type=file]', { name: 'me.png', mimeType: 'image/png', buffer: PIXEL })
    await page.getByRole('img', { name: 'Your picture' }).waitFor()
    await button(page, 'Remove the picture').click()
    await page.getByText('Add a picture').waitFor()
    await browser.leave(page)
  })

  test('a profile that an administrator has changed meanwhile is not overwritten', async () => {
    const [mine, second] = [
      await world.givenUser(tenant, 'tenant-admin'),
      await world.givenUser(tenant, 'tenant-admin'),
    ]
    // Somebody else's own profile has the same address in the audit.
    ;(await world.as(second).put('/users/me', { realName: 'Grace' })).expect(200)
    const page = await browser.open('profile', { as: mine })
    await page.getByLabel('Name', { exact: true }).fill('Ada')
    const { administrator } = tenant
    ;(await world.as(administrator).put(`/users/${mine.id}`, { phone: '+49 30 1' })).expect(200)
    await button(page, 'Save').click()
    const alert = page.getByRole('alert')
    await alert.getByText(`${administrator.username} changed this`).waitFor()
    await alert.getByText('Phone').waitFor()
    expect((await world.as(mine).get('/users/me')).expect(200).nickname).not.toBe('Ada')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ada')
    await button(page, 'Save').click()
    await page.getByText('Saved').waitFor()
    expect((await world.as(mine).get('/users/me')).expect(200)).toMatchObject({ nickname: 'Ada', phone: '+49 30 1' })
    await browser.leave(page)
  })

  test('other sessions are listed and ended', async () => {
    const account = { username: 'linus', password: 'a password of many' }
    ;(await world.as(tenant.administrator).post('/users', account)).expect(201)
    const signIn = async (): Promise<Person> => {
      const { accessToken: token, user } = (
        await world.anyone.post('/auth/login', { ...account, tenantCode: tenant.code })
      ).expect(200)
      return { ...account, id: user?.id ?? 0, tenantId: tenant.id, token }
    }
    const [here, phone, tablet] = [await signIn(), await signIn(), await signIn()]
    const page = await browser.open('sessions', { as: here })
    await page.getByText('this one').waitFor()
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(3)
    await page
      .getByRole('button', { name: /^End: / })
      .first()
      .click()
    await confirm(page, 'End')
    await page.getByText('The session has ended.').waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    await button(page, 'End all others').click()
    await confirm(page, 'End all others')
    await expect.poll(() => rows.count()).toBe(1)
    for (const other of [phone, tablet]) expect((await world.as(other).get('/auth/me')).status).toBe(401)
    expect((await world.as(here).get('/auth/me')).status).toBe(200)
    await browser.leave(page)
  })

  test('a notification appears while the page is open, and is read', async () => {
    const page = await browser.open('notifications', { as: person })
    await page.getByText('Nothing has happened yet.').waitFor()
    const project = await world.givenProject(tenant.administrator)
    await world.givenMember(tenant.administrator, project, person)
    await world.givenTask(tenant.administrator, project, { title: 'Buy bread', assigneeId: person.id })
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()
    await button(page, 'Mark all as read').click()
    await page.getByText('new', { exact: true }).first().waitFor({ state: 'detached' })
    await button(page, 'Unread').click()
    await page.getByText('You have read everything.').waitFor()
    expect(page.url()).toContain('unread=true')
    await browser.leave(page)
  })

  test('the audit is narrowed by address, and tells the story of a request by its id', async () => {
    const bob = await world.givenUser(tenant)
    // An address that names nobody does not hide the names of others.
    ;(await world.as(bob).delete('/users/0/sessions')).expect(403)
    const id = 'a-request-of-the-test'
    const refused = await world.as(tenant.administrator).get('/tenants', { 'x-request-id': id })
    expect(refused.status).toBe(403)
    const page = await browser.open('audit', { as: tenant.administrator })
    await page.getByLabel('Status').selectOption('403')
    await page.getByRole('cell', { name: 'GET /api/v1/tenants' }).first().waitFor()
    expect(page.url()).toContain('status=403')
    ;(await world.as(tenant.administrator).delete(`/users/${bob.id}/sessions`)).expect(200)
    await page.getByLabel('Status').selectOption('')
    await page.getByRole('row', { name: "boss ended a user's sessions Person" }).waitFor()
    await page.getByLabel('Id of a request').fill(id)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Request ${id}` }).waitFor()
    await page.getByText('The same person, a minute before and after').first().waitFor()
    await page.goBack()
    await page.getByText('A picture of the last 24 hours').click()
    await page.getByRole('img', { name: /Requests by the hour/ }).waitFor()
    await browser.leave(page)
  })

  test('a tenant is made, disabled, looked into, closed and reopened by the system administrator', async () => {
    const page = await browser.open('tenants/new', { as: world.admin })
    const fields = {
      'Name of the tenant': 'Velora',
      'Tenant code': 'velora',
      Plan: 'team',
      'User name': 'ada',
      'E-mail': 'ada@velora.example',
      Password: 'correct horse battery',
    }
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
    await button(page, 'Add').click()
    await page.getByRole('heading', { name: 'Velora' }).waitFor()
    await page.getByLabel('Status').selectOption('disabled')
    await button(page, 'Save').click()
    await page.locator('.facts').getByText('disabled').waitFor()
    await page.getByRole('link', { name: 'Look inside' }).click()
    await page.getByRole('heading', { name: 'Inside Velora' }).waitFor()
    await page.getByRole('cell', { name: 'ada', exact: true }).first().waitFor()
    await page.goBack()
    await button(page, 'Close the tenant').click()
    await confirm(page, 'Close the tenant')
    await page.locator('.facts').getByText('closing').waitFor()
    await button(page, 'Reopen').click()
    await confirm(page, 'Reopen')
    await button(page, 'Close the tenant').waitFor()
    await browser.leave(page)
  })

  test('two administrators change the same tenant: the second reads what the first did, and nothing is overwritten', async () => {
    const page = await browser.open(`tenants/${tenant.id}`, { as: world.admin })
    await page.getByLabel('Name of the tenant').fill('Second')
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan: 'large' })).expect(200)
    await button(page, 'Save').click()
    await page.getByText('Nothing was overwritten.').waitFor()
    await page.getByText('large').first().waitFor()
    expect((await world.as(world.admin).get(`/tenants/${tenant.id}`)).expect(200).name).not.toBe('Second')
    await button(page, 'Save').click()
    await page.getByRole('heading', { name: 'Second' }).waitFor()
    await browser.leave(page)
  })
})

/** Red, one by one. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
