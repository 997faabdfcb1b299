import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { hold, settled } from '#test/console.ts'
import { describeConsole } from '#test/console-story.ts'
import { type } from '#test/keyboard.ts'
import { until } from '#test/patience.ts'
import type { Person, Tenant, World } from '#test/world.ts'

/** What an administrator does on the pages of a tenant, by clicks and keys; what the service then knows is the proof. */
describeConsole('the pages of a tenant', (desk) => {
  const { press, confirm, says, label } = desk
  let world: World
  let tenant: Tenant
  let boss: Person
  let ada: Person
  let page: Page
  beforeEach(async () => {
    world = desk.world
    desk.tenant = tenant = await world.givenTenant()
    boss = tenant.administrator
    ada = await world.givenUser(tenant)
    await api('put', `/users/${ada.id}`, { nickname: 'Ada' })
  })

  const api = async (method: 'post' | 'put', path: string, body?: object, who = boss) =>
    (await world.as(who)[method](path, body)).expect(method === 'post' ? 201 : 200)
  const read = async (path: string, who = boss) => (await world.as(who).get(path)).expect(200)
  const givenTeams = (count: number) =>
    world.look.rows(
      `insert into roles (tenant_id, code, name) select $1, 'team-' || n, 'Team ' || n from generate_series(1, ${count}) n`,
      [tenant.id],
    )
  const open = async (path: string, as = boss) => (page = await desk.open(path, as))
  async function choosePerson(field: string, name: string) {
    await page.getByRole('combobox', { name: field }).pressSequentially(name)
    await page.getByRole('option', { name }).first().waitFor()
    await page.keyboard.press('Enter')
  }

  test('the first view of somebody who is signed in is small', async () => {
    const { sent } = desk.browser
    const before = { ...sent }
    await open('')
    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.getByRole('link', { name: 'Ada' }).waitFor()
    expect(sent.requests - before.requests).toBeLessThanOrEqual(51)
    expect(sent.bytes - before.bytes).toBeLessThanOrEqual(58_000)
  })

  test('people are found by an address that can be sent on', async () => {
    await open('people')
    await page.getByRole('searchbox').fill('ada')
    await page.keyboard.press('Enter')
    await page.waitForURL(/keyword=ada/)
    await page.getByRole('link', { name: 'Ada' }).waitFor()
    await page.getByRole('link', { name: 'boss' }).waitFor({ state: 'hidden' })
    await label('Status').selectOption('disabled')
    await page.getByText('Nobody was found.').waitFor()
    await open(new URL(page.url()).pathname.replace('/console/', '') + new URL(page.url()).search)
    await page.getByText('Nobody was found.').waitFor()
  })

  test('people are listed with their roles and their last sign-in, which is one line, in the language of the page', async () => {
    const role = await api('post', '/roles', { name: 'Reader' })
    await api('post', '/users', { username: 'newcomer', password: 'a good password', roleIds: [role.id] })
    await api('put', `/users/${ada.id}`, { email: `${'a'.repeat(60)}@${'b'.repeat(50)}.example`, realName: 'Ada' })
    await world.look.rows(`update last_sign_ins set signed_in_at = '2026-01-02 12:00' where user_id = $1`, [ada.id])
    const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
    const cells = async (...names: string[]) => {
      for (const name of names) await page.getByRole('cell', { name, exact: true }).first().waitFor()
    }
    await open('people')
    await cells('Tenant administrator')
    await rowOf('newcomer').getByText('Never signed in').waitFor()
    await rowOf('Ada')
      .getByText(/Jan\s\d,\s2026/)
      .waitFor()
    await label('Language').selectOption('zh-CN')
    await rowOf('newcomer').getByText('从未登录').waitFor()
    await cells('租户管理员', '普通用户', 'Reader')
    const said = rowOf('Ada').getByText(/2026年1月\d日/)
    expect(await said.evaluate((one) => one.getClientRects().length)).toBe(1)
    await rowOf('newcomer').getByRole('link').click()
    await page.locator('.facts').getByText('从未登录').waitFor()

    await open('people', await world.givenUser(tenant, await world.givenRole(tenant, ['user:list'])))
    await cells('Tenant administrator', 'User', 'reader')
    await open(`tenants/${tenant.id}/inside`, world.admin)
    await cells('Tenant administrator', 'User', 'Reader')
  })

  test('a form that is stale says who changed what, overwrites nothing and keeps what was typed', async () => {
    const second = await world.givenUser(tenant, 'tenant-admin')
    const role = await api('post', '/roles', { name: 'Reader' })
    const department = await api('post', '/departments', { name: 'Sales', code: 'SALES' })
    // Somebody else's own profile has the same address in the audit.
    ;(await world.as(ada).put('/users/me', { realName: 'Ada' })).expect(200)
    for (const [path, field, at, change] of [
      [`people/${ada.id}`, 'E-mail', `/users/${ada.id}`, { phone: '+49 30 1' }],
      ['profile', 'Name', `/users/${boss.id}`, { phone: '+49 30 1' }],
      [`roles/${role.id}`, 'Role name', `/roles/${role.id}`, { description: 'of the second' }],
      [
        `departments/${department.id}`,
        'Department name',
        `/departments/${department.id}`,
        { ...department, code: 'S' },
      ],
    ] as const) {
      await open(path)
      await label(field).fill('mine@example.org')
      await api('put', at, change, second)
      const theirs = await read(at)
      await press('Save')
      const alert = page.getByRole('alert')
      await alert.getByText(`${second.username} changed this`).waitFor()
      await alert.locator('ins').first().waitFor()
      expect(await read(at)).toEqual(theirs)
      expect(await label(field).inputValue()).toBe('mine@example.org')
      await press('Save')
      await says('Saved')
      expect(JSON.stringify(await read(at))).toContain('mine@example.org')
    }
    expect(await read(`/users/${ada.id}`)).toMatchObject({ email: 'mine@example.org', phone: '+49 30 1' })
  })

  test('a person is disabled and enabled after a plain question, and gets roles', async () => {
    await open(`people/${ada.id}`)
    await press('Disable')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press('Disable')
    await confirm('Disable')
    await page.getByRole('button', { name: 'Enable', exact: true }).waitFor()
    expect(await read(`/users/${ada.id}`)).toMatchObject({ status: 'disabled' })
    await label('Tenant administrator').focus()
    await page.keyboard.press('Space')
    await press('Save')
    await says('Saved')
    expect((await read(`/users/${ada.id}`)).roles.sort()).toEqual(['tenant-admin', 'user'])
  })

  test('a person hands over, and is deleted', async () => {
    const bob = await world.givenUser(tenant)
    await api('put', `/users/${bob.id}`, { nickname: 'Bob' })
    const project = await world.givenProject(ada, { name: 'Relaunch' })
    await open(`people/${ada.id}`)
    await page.getByText('Relaunch').waitFor()
    await press('Delete')
    await confirm('Delete')
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await confirm('Cancel')

    await press('Hand over')
    await choosePerson('To whom', 'Bob')
    await confirm('Hand over')
    await says('Everything was handed over.')
    expect(await read(`/projects/${project.id}`)).toMatchObject({ ownerId: bob.id })
    await press('Delete')
    await confirm('Delete')
    await says('Ada was deleted.')
  })

  test("one's own address and password are changed in the profile alone, which asks for the present one", async () => {
    await open(`people/${boss.id}`)
    await label('Real name').fill('Grace')
    await press('Save')
    await says('Saved')
    expect(await label('E-mail').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Set a new password' }).count()).toBe(0)
  })

  test('sessions are ended after a plain question, and by a new password', async () => {
    await open(`people/${ada.id}`)
    await press('End sessions')
    await page.getByRole('dialog').getByText('can sign in again with the same password').waitFor()
    ;(await world.as(ada).get('/users/me')).expect(200)
    await confirm('End sessions')
    await says('All sessions of Ada have ended.')
    await expect.poll(async () => (await world.as(ada).get('/users/me')).status).toBe(401)
    expect(await read(`/users/${ada.id}`)).toMatchObject({ status: 'active' })
    await press('Set a new password')
    await label('New password').fill('another long pass phrase')
    await confirm('Set the password')
    await says('The password was changed, and the sessions have ended.')
  })

  test('a role is made; the matrix changes what roles may do, and overwrites nothing that somebody else has changed', async () => {
    await open('roles/new')
    await label('Role name').fill('Reader')
    await press('Add')
    await page.getByRole('heading', { name: 'Reader' }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const permissionsNow = async () => (await read(`/roles/${id}`)).permissions.sort()
    await page.getByRole('navigation').getByRole('link', { name: 'Roles' }).click()
    await label('Reader: Read the audit').focus()
    const content = (await read('/permissions')).find(({ code }: any) => code === 'content:list')
    await api('put', `/roles/${id}`, { permissionIds: [content.id] })
    await page.keyboard.press('Space')
    const readAgain = await hold(page, /\/roles\?/)
    const save = page.getByRole('button', { name: 'Save one change' })
    await save.click()
    await page.getByRole('alert').getByText('boss changed this').waitFor()
    expect(await permissionsNow()).toEqual(['content:list'])
    // Until the roles are read again.
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await readAgain()
    const answer = await hold(page, /\/roles\/\d+$/, 'PUT')
    await save.click()
    await label('Reader: See people').check()
    await label('Reader: Read the audit').uncheck()
    await answer()
    await says('Saved')
    expect(await permissionsNow()).toEqual(['audit:view', 'content:list'])
    await press('Save 2 changes')
    await until(async () => (await permissionsNow()).join() === 'content:list,user:list')
    expect(await label('Tenant administrator: Read the audit').isDisabled()).toBe(true)
  })

  test('of 300 roles a page shows those that are looked for', async () => {
    await givenTeams(300)
    await open('roles')
    expect(await page.locator('.matrix thead th').count()).toBe(9)
    await page.getByText('8 of 302 roles stand beside each other').click()
    await page.getByLabel('Find a role').fill('team 217')
    await label('Team 217').check()
    await label('Team 217: Read the audit').waitFor()
    const shared = page.url()
    await open(shared.slice(shared.indexOf('roles')))
    await label('Team 217: Read the audit').check()
    await press('Save one change')
    await says('Saved')

    await open(`people/${ada.id}`)
    expect(await page.locator('.boxes input').count()).toBeLessThan(20)
    await page.getByLabel('Find a role').fill('team 217')
    await label('Team 217').check()
    await page.getByLabel('Find a role').fill('team 3')
    await press('Save')
    await says('Saved')
    expect((await read(`/users/${ada.id}`)).roles.sort()).toEqual(['team-217', 'user'])
  })

  describe('the matrix saves changes of several roles', () => {
    const held = async (code: string) => (await read(`/roles/${await world.roleId(tenant, code)}`)).permissions

    test('also of one whose column is hidden again', async () => {
      await givenTeams(8)
      await open('roles')
      await label('Team 1: Read the audit').check()
      await page.getByText('8 of 10 roles stand beside each other').click()
      await label('Team 1').uncheck()
      await label('Team 1: Read the audit').waitFor({ state: 'detached' })
      await label('Team 2: Read the audit').check()
      await press('Save 2 changes')
      await says('Saved')
      for (const code of ['team-1', 'team-2']) expect(await held(code)).toEqual(['audit:view'])
    })

    test('and after a refusal of the second one, the rest of them', async () => {
      await givenTeams(2)
      await open('roles')
      for (const name of ['Team 1', 'Team 2']) await label(`${name}: Read the audit`).check()
      await page.route(`**/api/v1/roles/${await world.roleId(tenant, 'team-2')}`, (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status: 403, json: {} }) : route.continue(),
      )
      await press('Save 2 changes')
      await page.getByRole('alert').waitFor()
      await page.unrouteAll()
      await press('Save one change')
      await says('Saved')
      for (const code of ['team-1', 'team-2']) expect(await held(code)).toEqual(['audit:view'])
    })
  })

  test('a list has a count and an order, and several of its rows are changed at once', async () => {
    const grace = await world.givenUser(tenant)
    await api('put', `/users/${grace.id}`, { nickname: 'Grace' })
    await open('people')
    await page.getByText('3 in all').waitFor()
    await press('User name')
    await until(() => page.url().endsWith('?sort=username'))
    await press('User name ↑')
    await page.getByRole('columnheader', { name: 'User name ↓' }).waitFor()
    const namesOf = () => page.locator('tbody tr td:nth-child(3)').allInnerTexts()
    await until(async () => (await namesOf()).join() === [...(await namesOf())].sort().reverse().join())
    for (const name of ['Ada', 'Grace', 'boss']) await label(`Choose row ${name}`).check()
    // Nobody disables themselves.
    await press('Disable (2)')
    await confirm('Disable (2)')
    await says('Done: 2.')
    const people = (await read('/users')).items.map(({ id, status }: any) => [id, status])
    expect(Object.fromEntries(people)).toEqual({ [ada.id]: 'disabled', [grace.id]: 'disabled', [boss.id]: 'active' })
  })

  test('keys alone lead to any page, person or request', async () => {
    await open('audit')
    await page.keyboard.press('Control+k')
    await type(page, 'depa')
    await page.getByRole('option', { name: 'Departments' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Departments' }).waitFor()
    await page.keyboard.press('/')
    await type(page, ada.username)
    await page.getByRole('option', { name: 'Ada' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('what an older keyword has found is not offered, and Enter then does nothing', async () => {
    await open('departments/new')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    const field = page.getByRole('combobox', { name: 'Leader' })
    const option = (name: string) => page.getByRole('listbox').getByRole('option', { name })
    await field.pressSequentially('o')
    await option('boss').waitFor()
    const answer = await hold(page, /directory.*keyword=on/)
    await page.keyboard.type('n')
    await page.keyboard.press('Enter')
    expect(await option('').count()).toBe(0)
    expect(await field.inputValue()).toBe('on')
    await answer()
    await option('Ada').waitFor()
    await page.keyboard.press('Enter')
    expect(await field.inputValue()).toBe('Ada')
    const answerAll = await hold(page, /directory\?(?!.*keyword)/)
    await field.fill('')
    await page.keyboard.press('Enter')
    await answerAll()
    await option('boss').waitFor()
    expect(sent).toEqual([])

    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await type(page, 'o')
    await option('boss').waitFor()
    await page.keyboard.type('n')
    expect(await option('boss').count()).toBe(0)
    await option('Ada').waitFor()
  })

  test('an address that leads nowhere says so, and brings nobody back who was never there', async () => {
    for (const [path, words] of [
      ['people/abc', 'There is no page at this address.'],
      ['people/999999', 'User not found'],
    ] as const) {
      await open(path)
      await page.getByText(words).waitFor()
      expect(await page.getByRole('button', { name: /Try again|Bring back/ }).count()).toBe(0)
    }
  })

  test('departments are moved by keys and by the mouse, and back', async () => {
    for (const [sort, name] of ['One', 'Two', 'Three'].entries())
      await api('post', '/departments', { name, code: name, sort })
    const outline = async () => {
      const tree: any[] = await read('/departments')
      const lines = (all: any[]): string => all.map(({ name, children }) => `${name}(${lines(children)})`).join(' ')
      return lines(tree)
    }
    await open('departments')
    await page.getByRole('link', { name: 'Three' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await says('Three was moved.')
    expect(await outline()).toBe('One() Three() Two()')
    await settled(page)
    const focused = () => page.evaluate('document.activeElement.textContent')
    expect(await focused()).toBe('Three')
    await page.keyboard.press('Alt+ArrowRight')
    await page.locator('.tree .tree, .tree ul').getByRole('link', { name: 'Three' }).waitFor()
    expect(await focused()).toBe('Three')
    expect(await outline()).toBe('One(Three()) Two()')
    await press('Undo')
    await says('Undone')
    expect(await outline()).toBe('One() Three() Two()')

    await settled(page)
    const box = (name: string) => page.locator('.branch', { hasText: name })
    await box('Two').dragTo(box('One'))
    await says('Two was moved.')
    expect(await outline()).toBe('One(Two()) Three()')
  })

  test('a department has a form, a leader and members', async () => {
    await open('departments/new')
    await label('Department name').fill('Sales')
    await label('Short code').fill('SALES')
    await choosePerson('Leader', 'Ada')
    await press('Add')
    await page.getByRole('link', { name: 'Sales' }).click()
    await page.getByRole('heading', { name: 'Sales' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Leader' }).inputValue()).toBe('Ada')
    await choosePerson('Person', 'boss')
    await press('Add to the department')
    await page.getByRole('cell', { name: 'boss' }).waitFor()
    const [{ id, leaderId }] = await read('/departments')
    expect(leaderId).toBe(ada.id)
    expect(await read(`/departments/${id}/members`)).toHaveLength(2)
  })

  test('a department keeps its leader while another one is not chosen, and has none when the field is empty', async () => {
    const bob = await world.givenUser(tenant)
    const { id } = await api('post', '/departments', { name: 'Sales', code: 'SALES', leaderId: ada.id })
    const leaderId = async () => (await read(`/departments/${id}`)).leaderId
    await open(`departments/${id}`)
    const field = page.getByRole('combobox', { name: 'Leader' })
    const save = async () => {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
      await press('Save')
      await saved
    }
    await field.press('End')
    await field.press('x')
    await field.press('Backspace')
    await save()
    expect(await leaderId()).toBe(ada.id)
    await field.fill('nobody of this name')
    await field.press('Enter')
    await label('Short code').focus()
    expect(await field.inputValue()).toBe('Ada')
    await field.fill('')
    await choosePerson('Leader', bob.username)
    await save()
    expect(await leaderId()).toBe(bob.id)
    await field.fill('')
    await save()
    expect(await leaderId()).toBeNull()
  })

  test('who is to be added to a department stays chosen while more of its members are shown', async () => {
    const { id } = await api('post', '/departments', { name: 'Sales', code: 'SALES' })
    await world.look.rows(
      `with people as (
         insert into users (tenant_id, username, password_hash)
         select $1, 'member-' || n, '-' from generate_series(1, 51) n returning id)
       insert into department_members (tenant_id, user_id, department_id, created_at) select $1, id, $2, now() from people`,
      [tenant.id, id],
    )
    await open(`departments/${id}`)
    await choosePerson('Person', 'Ada')
    await press('Show more')
    await page.getByText('51 in all').waitFor()
    const field = page.getByRole('combobox', { name: 'Person' })
    expect(await field.inputValue()).toBe('Ada')
    await press('Add to the department')
    await until(async () => (await field.inputValue()) === '')
    expect(await read('/departments')).toMatchObject([{ memberCount: 52 }])
  })

  test('the organization is renamed, and the tenant is not', async () => {
    await open('settings')
    await label('Organization name').fill('Velora')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await says('Saved')
    await page.getByText(`The tenant itself is called ${tenant.code}.`).waitFor()
    expect((await read('/organizations/current')).name).toBe('Velora')
  })

  test('a request is passed on by an administrator and decided by whom it then waits for', async () => {
    const [leader, bob] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const department = await api('post', '/departments', { name: 'D', code: 'D', leaderId: leader.id })
    const draft = { type: 'leave', title: 'Holidays', departmentId: department.id }
    const request = await api('post', '/approvals', draft, ada)
    const key = { 'idempotency-key': 'holidays' }
    ;(await world.as(ada).post(`/approvals/${request.id}/submit`, undefined, key)).expect(200)

    await open('approvals')
    await page.getByRole('link', { name: 'Holidays' }).click()
    await press('Reassign')
    await choosePerson('To whom', bob.username)
    await confirm('Reassign')
    await says('The request now waits for')
    await open(`approvals/${request.id}`, bob)
    await press('Approve')
    await type(page, 'Enjoy')
    await confirm('Approve')
    await says('Your decision was recorded.')
    const [first] = (await read(`/approvals/${request.id}`)).steps
    expect(first).toMatchObject({ status: 'APPROVED', comment: 'Enjoy', actedBy: bob.id })
  })

  test('a comment is hidden, which can be undone, and a message is handled', async () => {
    const article = await api('post', '/content/articles', { title: 'News', content: ['x'], status: 'published' })
    await api('post', `/blog/${article.id}/comments`, { content: 'Buy this' }, ada)
    const visit = { 'x-tenant-code': tenant.code }
    ;(await world.anyone.post('/public/contact', { email: 'v@example.org', message: 'Hello' }, visit)).expect(201)
    await open('comments')
    await page.getByText('News').waitFor()
    const passTime = await timeOf(page)
    await press('Hide')
    await says('The comment is hidden.')
    await settled(page)
    await passTime()
    expect(await read('/content/comments')).toMatchObject([{ status: 'hidden' }])
    await press('Undo')
    await says('Undone')
    expect(await read('/content/comments')).toMatchObject([{ status: 'published' }])

    await page.getByRole('link', { name: 'Contact messages' }).click()
    await press('Mark as handled')
    await says('The message is handled.')
    expect(await read('/content/contact-messages')).toMatchObject([{ handled: true }])
    await page.locator('.who').click()
    await press('Sign out')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await page.getByText('The message is handled.').count()).toBe(0)
  })

  test('the portal is written beside its preview, and two who write at once lose nothing', async () => {
    await api('put', '/content/portal/product', { name: 'Boards', slogan: 'Old', highlights: [] })
    await open('portal/product')
    await label('Slogan').fill('New and better')
    await page.getByRole('region', { name: 'Preview' }).getByText('New and better').waitFor()
    await press('Add: Highlights')
    await label('Title').last().fill('Fast')
    await press('Save')
    // A description is needed, and the refusal stands beside its field.
    await page.locator('[aria-invalid="true"]').waitFor()
    await type(page, 'Really')
    await api('put', '/content/portal/product', { name: 'Boards and more', slogan: 'Old', highlights: [] })
    const readAgain = await hold(page, /\/public\/product$/)
    await press('Save')
    await page.getByRole('alert').getByText('boss changed this').waitFor()
    // A save would name the version that was read before.
    expect(await page.getByRole('button', { name: 'Working…' }).count()).toBe(1)
    await readAgain()
    await press('Save')
    await says('Saved')
    expect(await read('/public/product')).toEqual({
      ...{ name: 'Boards and more', slogan: 'New and better' },
      highlights: [{ title: 'Fast', description: 'Really' }],
    })
  })

  test('the title of a thing is not shown to somebody who signs in after another person and may not see it', async () => {
    const task = await world.givenTask(boss, await world.givenProject(boss), { title: 'Buy the other firm' })
    await world.look.rows(
      `insert into files (tenant_id, filename, original_name, content_type, size, sha256, uploader_id, created_at, resource_type, resource_id)
       values ($1, 'plan.txt', 'plan.txt', 'text/plain', 1, '-', $2, now(), 'task', $3)`,
      [tenant.id, boss.id, task.id],
    )
    const clerk = await world.givenUser(tenant, await world.givenRole(tenant, ['file:upload', 'file:manage']))
    await open('files')
    await page.getByText('Buy the other firm').waitFor()
    const refused = page.waitForResponse((answer) => answer.url().endsWith(`/tasks/${task.id}`))
    // As another tab does.
    const session = JSON.stringify({ accessToken: clerk.token, refreshToken: 'none' })
    await page.evaluate(`{
      localStorage.setItem('atrium.session', ${JSON.stringify(session)})
      dispatchEvent(new StorageEvent('storage', { key: 'atrium.session' }))
    }`)
    expect((await refused).status()).toBe(403)
    await page.getByRole('button', { name: 'plan.txt' }).waitFor()
    expect(await page.getByText('Buy the other firm').count()).toBe(0)
  })

  test('of several languages the last choice counts, and one that does not come is told', async () => {
    await open('people')
    const answer = await hold(page, /zh-CN\.json/)
    await label('Language').selectOption('zh-CN')
    await label('Language').selectOption('en')
    await answer()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.route('**/zh-CN.json', (route) => route.abort())
    await label('Language').selectOption('zh-CN')
    await page.getByRole('alert').waitFor()
    expect(await label('Language').inputValue()).toBe('en')
  })

  describe('what is typed while a form is saved stays, and is saved next', () => {
    async function typeWhileSaved(first: string, second: string, text: string) {
      const answer = await hold(page, /\/api\/v1\//, 'PUT')
      await label(first).fill('Typed before')
      await press('Save')
      await page.getByRole('button', { name: 'Working…' }).waitFor()
      await label(second).fill(text)
      const again = page.waitForResponse((answer) => answer.request().method() === 'GET')
      await answer()
      await says('Saved')
      await again
    }

    test('of a person', async () => {
      await open(`people/${ada.id}`)
      await typeWhileSaved('Name', 'Real name', 'Ada Lovelace')
      await page.getByRole('heading', { name: 'Typed before' }).waitFor()
      expect(await label('Real name').inputValue()).toBe('Ada Lovelace')
      await press('Save')
      await until(async () => (await read(`/users/${ada.id}`)).realName === 'Ada Lovelace')
    })

    test('of a section of the portal', async () => {
      await api('put', '/content/portal/product', { name: 'Boards', slogan: 'Old', highlights: [] })
      await open('portal/product')
      await typeWhileSaved('Title', 'Slogan', 'New and better')
      await settled(page)
      expect(await label('Slogan').inputValue()).toBe('New and better')
      await press('Save')
      await until(async () => (await read('/public/product')).slogan === 'New and better')
      expect(await read('/public/product')).toMatchObject({ name: 'Typed before' })
    })
  })

  test('whom a field names while what was saved is read again stays, and is saved next', async () => {
    const { id } = await api('post', '/departments', { name: 'Sales', code: 'SALES' })
    await open(`departments/${id}`)
    await choosePerson('Leader', 'Ada')
    const readAgain = await hold(page, new RegExp(`/departments/${id}$`), 'GET')
    await press('Save')
    await says('Saved')
    const field = page.getByRole('combobox', { name: 'Leader' })
    await choosePerson('Leader', 'boss')
    // A save would name the version that was read before the last one.
    await page.getByRole('button', { name: 'Working…' }).waitFor()
    await readAgain()
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
    expect(await field.inputValue()).toBe('boss')
    await press('Save')
    await until(async () => (await read(`/departments/${id}`)).leaderId === boss.id)
  })

  test('a moved entry of the portal takes its tick along, and is not left without a question', async () => {
    await world.givenPrices(tenant)
    await open('portal/pricing')
    await press('Move number 1 down')
    desk.browser.answer(page, false)
    const asked = desk.browser.questions.length
    await page.getByRole('navigation').getByRole('link', { name: 'People' }).click()
    expect(desk.browser.questions).toHaveLength(asked + 1)

    const boxes = page.getByLabel('Recommended', { exact: true })
    const ticks = () => boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked).slice(0, 2))
    await boxes.nth(0).click()
    await boxes.nth(1).click()
    expect(await ticks()).toEqual([false, true])
    await press('Move number 1 down')
    expect(await ticks()).toEqual([true, false])
  })

  test('a file is uploaded, saved and deleted', async () => {
    await open('files')
    await page.getByText('There are no such files.').waitFor()
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press('Upload a file')])
    await chooser.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('all of it') })
    await says('plan.txt was uploaded.')
    const [download] = await Promise.all([page.waitForEvent('download'), press('plan.txt')])
    expect(download.suggestedFilename()).toBe('plan.txt')
    await press('Delete')
    await confirm('Delete')
    await says('plan.txt was deleted.')
    expect(await read('/files')).toEqual([])
  })
})

/** From now on the long times of a page can be let pass. @returns lets those pass that have begun */
async function timeOf(page: Page): Promise<() => Promise<unknown>> {
  await page.evaluate(`{
    const later = setTimeout
    globalThis.begun = []
    globalThis.setTimeout = (act, ms) => {
      if (ms >= 5000) begun.push(act)
      return later(act, ms)
    }
  }`)
  return () => page.evaluate('begun.forEach((act) => act())')
}
