import { beforeAll, expect, test } from 'vitest'
import { hold, settled } from '#test/console.ts'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'
import type { Person } from '#test/world.ts'

/** More than any page needs, however many rows there are. */
const MOST_NODES = 2000
const [PEOPLE, FILES, ROLES] = [2000, 5000, 300]
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

/** The pages for everybody signed in, and those of the installation: the main story of each; then much, and slowly. */
describeConsole('pages of the console', (desk) => {
  let person: Person
  let boss: Person
  beforeAll(async () => {
    boss = desk.tenant.administrator
    person = await desk.world.givenUser(desk.tenant)
    for (const insert of [
      `users (tenant_id, username, password_hash) select $1, 'somebody-' || n, '-' from generate_series(1, ${PEOPLE}) n`,
      `files (tenant_id, filename, original_name, content_type, size, sha256, uploader_id, created_at)
           select $1, md5(n::text) || '.txt', 'File ' || n, 'text/plain', 1, '-', ${boss.id}, now() from generate_series(1, ${FILES}) n`,
      `roles (tenant_id, code, name) select $1, 'team-' || n, 'Team ' || n from generate_series(1, ${ROLES}) n`,
    ])
      await desk.world.look.rows(`insert into ${insert}`, [desk.tenant.id])
  })

  test('a profile is changed, and so is its picture', async () => {
    const page = await desk.open('profile', person)
    await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace')
    await page.getByLabel('Language of mail').selectOption('zh-CN')
    await desk.press('Save')
    await desk.says('Saved')
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    const saved = { nickname: 'Ada Lovelace', locale: 'zh-CN' }
    expect((await desk.world.as(person).get('/users/me')).expect(200)).toMatchObject(saved)
    await page.setInputFiles('input[type=file]', { name: 'me.png', mimeType: 'image/png', buffer: PIXEL })
    await page.getByRole('img', { name: 'Your picture' }).waitFor()
    await desk.press('Remove the picture')
    await page.getByText('Add a picture').waitFor()
  })

  test('other sessions are listed and ended', async () => {
    const account = { username: 'linus', password: 'a password of many' }
    ;(await desk.world.as(boss).post('/users', account)).expect(201)
    const signIn = async (): Promise<Person> => {
      const login = { ...account, tenantCode: desk.tenant.code }
      const { accessToken: token } = (await desk.world.anyone.post('/auth/login', login)).expect(200)
      return { ...account, id: 0, tenantId: desk.tenant.id, token }
    }
    const [here, phone, tablet] = [await signIn(), await signIn(), await signIn()]
    const page = await desk.open('sessions', here)
    await page.getByText('this one').waitFor()
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(3)
    await page
      .getByRole('button', { name: /^End: / })
      .first()
      .click()
    await desk.confirm('End')
    await page.getByText('The session has ended.').waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    await desk.press('End all others')
    await desk.confirm('End all others')
    await expect.poll(() => rows.count()).toBe(1)
    for (const other of [phone, tablet]) expect((await desk.world.as(other).get('/auth/me')).status).toBe(401)
    expect((await desk.world.as(here).get('/auth/me')).status).toBe(200)
  })

  test('notifications are listed and read', async () => {
    const page = await desk.open('notifications', person)
    await page.getByText('Nothing has happened yet.').waitFor()
    const project = await desk.world.givenProject(boss)
    await desk.world.givenMember(boss, project, person)
    await desk.world.givenTask(boss, project, { title: 'Buy bread', assigneeId: person.id })
    await page.reload()
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()
    await desk.press('Mark all as read')
    await page.getByText('new', { exact: true }).first().waitFor({ state: 'detached' })
    await desk.press('Unread')
    await page.getByText('You have read everything.').waitFor()
    expect(page.url()).toContain('unread=true')
  })

  test('the audit is narrowed by address, and tells the story of a request by its id', async () => {
    const bob = await desk.world.givenUser(desk.tenant)
    // An address that names nobody does not hide the names of others.
    ;(await desk.world.as(bob).delete('/users/0/sessions')).expect(403)
    const id = 'a-request-of-the-test'
    const refused = await desk.world.as(boss).get('/tenants', { 'x-request-id': id })
    expect(refused.status).toBe(403)
    // The audit follows what it is about, and the page reads it once.
    await until(async () => {
      const refusals: any[] = (await desk.world.as(boss).get('/audit/operations?status=403')).expect(200)
      return refusals.some(({ requestId }) => requestId === id)
    })
    const page = await desk.open('audit')
    await page.getByLabel('Status').selectOption('403')
    await page.getByRole('cell', { name: 'GET /api/v1/tenants' }).first().waitFor()
    expect(page.url()).toContain('status=403')
    ;(await desk.world.as(boss).delete(`/users/${bob.id}/sessions`)).expect(200)
    await page.getByLabel('Status').selectOption('')
    await page.getByRole('row', { name: "boss ended a user's sessions Person" }).waitFor()
    await page.getByLabel('Id of a request').fill(id)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Request ${id}` }).waitFor()
    await page.getByText('The same person, a minute before and after').first().waitFor()
    await page.goBack()
    await page.getByText('A picture of the last 24 hours').click()
    await page.getByRole('img', { name: /Requests by the hour/ }).waitFor()
  })

  test('a tenant is made, disabled, looked into, closed and reopened by the system administrator', async () => {
    const page = await desk.open('tenants/new', desk.world.admin)
    const fields = {
      ...{ 'Name of the tenant': 'Velora', 'Tenant code': 'velora', Plan: 'team' },
      ...{ 'User name': 'ada', 'E-mail': 'ada@velora.example', Password: 'correct horse battery' },
    }
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value)
    await desk.press('Add')
    await page.getByRole('heading', { name: 'Velora' }).waitFor()
    await page.getByLabel('Status').selectOption('disabled')
    await desk.press('Save')
    await page.locator('.facts').getByText('disabled').waitFor()
    await page.getByRole('link', { name: 'Look inside' }).click()
    await page.getByRole('heading', { name: 'Inside Velora' }).waitFor()
    await page.getByRole('cell', { name: 'ada', exact: true }).first().waitFor()
    await page.goBack()
    await desk.press('Close the tenant')
    await desk.confirm('Close the tenant')
    await page.locator('.facts').getByText('closing').waitFor()
    await desk.press('Reopen')
    await desk.confirm('Reopen')
    await page.getByRole('button', { name: 'Close the tenant', exact: true }).waitFor()
  })

  test('every page shows a part of very many rows, and as many more as are asked for', async () => {
    const nodes: Record<string, number> = {}
    for (const path of ['people', 'people/new', 'files', 'roles', `people/${boss.id}`, 'audit']) {
      const page = await desk.open(path)
      nodes[path] = await page.evaluate<number>(`document.querySelectorAll('*').length`)
      if (path !== 'people' && path !== 'files') continue
      expect(await page.locator('tbody tr').count()).toBe(50)
      await desk.press('Show more')
      await page.getByText('The first 100').waitFor()
      expect(await page.locator('tbody tr').count()).toBe(100)
    }
    expect(Object.entries(nodes).filter(([, count]) => count > MOST_NODES)).toEqual([])
  })

  test('a list goes on in its order, however fast somebody asks for more', async () => {
    const page = await desk.open('files')
    await page.evaluate(`{
      const more = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Show more')
      more.click()
      more.click()
    }`)
    await page.getByText(/^The first 1\d\d/).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(100)
    const shown = await page.getByRole('button', { name: /^File \d+$/ }).allTextContents()
    expect(shown).toEqual(shown.toSorted((one, other) => Number(other.slice(5)) - Number(one.slice(5))))
  })

  test('a list whose filter changes has the rows of the new one, and goes on, whatever is answered late', async () => {
    await desk.world.look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent)
       select $1, 'r-' || n, 'GET', '/' || n, '', case when n > 300 then 400 when n % 2 = 0 then 409 else 412 end, 1, '', ''
       from generate_series(1, 301) n`,
      [desk.tenant.id],
    )
    const page = await desk.open('audit')
    // The second page is asked for soon.
    await page.route(/operations\?status=\d+$/, (route) =>
      route.continue({ url: `${route.request().url()}&pageSize=60` }),
    )
    const choose = async (status: string) => {
      const answered = page.waitForResponse((answer) => answer.url().includes(`status=${status}`))
      await desk.label('Status').selectOption(status)
      await (await answered).finished()
      await settled(page)
    }
    const statuses = () => page.locator('tbody tr td:last-child').allInnerTexts()
    await choose('409')
    const answerMore = await hold(page, /status=409/)
    await desk.press('Show more')
    await choose('412')
    await answerMore()
    expect(await statuses()).toEqual(Array(50).fill('412'))

    const answerFew = await hold(page, /status=400/)
    await desk.label('Status').selectOption('400')
    await choose('412')
    await answerFew()
    await desk.press('Show more')
    await page.getByText('The first 100').waitFor()
    expect(await statuses()).toEqual(Array(100).fill('412'))
  })

  test('the page says what it waits for, sends a form once, and keeps what was typed', async () => {
    const page = await desk.open('people/new')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.emulateNetworkConditions', SLOW_3G)
    await page.reload({ waitUntil: 'commit' })
    await desk.label('User name').fill('grace')
    await desk.label('Password').fill('a password of many')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Working…' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'grace' }).waitFor()
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('row', { name: 'grace' }).waitFor()
    const { total } = (await desk.world.as(boss).get('/users?keyword=grace')).expect(200)
    expect(total).toBe(1)
    const fast = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    await devtools.send('Network.emulateNetworkConditions', fast)
    await devtools.detach()
  })

  test('a deed whose answer hangs can be left, and its late answer leads nobody away', async () => {
    const page = await desk.open('people/new')
    const answer = await hold(page, /\/users$/)
    await desk.label('User name').fill('ada')
    await desk.label('Password').fill('a password of many')
    await desk.press('Add')
    await page.getByRole('button', { name: 'Working…' }).waitFor()

    desk.browser.answer(page, false)
    await page.getByRole('link', { name: 'Departments' }).click()
    expect(desk.browser.questions).toHaveLength(1)
    expect(await desk.label('User name').inputValue()).toBe('ada')
    desk.browser.answer(page, true)
    await page.getByRole('link', { name: 'Departments' }).click()
    await page.getByRole('heading', { name: 'Departments' }).waitFor()

    expect((await answer()).status()).toBe(201)
    expect(new URL(page.url()).pathname).toBe('/console/departments')
  })
})

/** Red, one by one. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
