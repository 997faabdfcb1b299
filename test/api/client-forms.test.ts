import { expect, test } from 'vitest'
import { type Atrium, AtriumError, createClient, type Event, inMemory, type Options } from '../../client/index.ts'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { codeOf } from '../support/second-factor.ts'
import { openWorld, type Tenant } from '../support/world.ts'

/** What a front end does with the typed client on its forms and lists. */
let tenant: Tenant
const world = await openWorld()
const baseUrl = await world.app.listen({ port: 0, host: '127.0.0.1' })

const password = 'a bench by the river'
const open = (options: Partial<Options> = {}) => createClient({ baseUrl, ...options })
/** The administrator of a new tenant. */
async function givenAdministrator(): Promise<Atrium> {
  tenant = await world.givenTenant()
  await world.look.rows('update users set password_hash = $1 where tenant_id = $2', [
    await hashPassword(password),
    tenant.id,
  ])
  const client = open({ tenant: tenant.code })
  await client.signIn({ username: 'boss', password })
  return client
}
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as AtriumError,
  )

test('a sign-in form asks for the code when the service asks for it', async () => {
  const boss = await givenAdministrator()
  const { secret } = await boss.beginSecondFactor({ body: { password } })
  const { recoveryCodes } = await boss.confirmSecondFactor({ body: { code: codeOf(secret) } })

  /** As a form does: first without a code, and then with what the person types. */
  async function submit(client: Atrium, ask: () => string) {
    const credentials = { username: 'boss', password }
    try {
      return await client.signIn(credentials)
    } catch (error) {
      if (!(error instanceof AtriumError && error.is('SECOND_FACTOR_REQUIRED'))) throw error
      return client.signIn({ ...credentials, code: ask() })
    }
  }
  const form = open({ tenant: tenant.code })
  expect(await refusal(submit(form, () => '000000'))).toMatchObject({ status: 401, type: 'INVALID_CREDENTIALS' })
  expect(await submit(form, () => codeOf(secret, 1))).toMatchObject({ username: 'boss' })
  expect(await submit(open({ tenant: tenant.code }), () => recoveryCodes[0]!)).toMatchObject({ username: 'boss' })
  expect(await form.getProfile()).toMatchObject({ secondFactor: true })
})

test('the page of an invitation shows what it is about, and opens a session', async () => {
  const boss = await givenAdministrator()
  const { acceptUrl } = await boss.createInvitation({ body: { email: 'grace@example.com' } })
  const session = inMemory()
  const page = open({ session })
  const token = new URL(acceptUrl).hash.replace('#token=', '')
  expect(await page.previewInvitation({ body: { token } })).toMatchObject({ tenantCode: tenant.code })

  session.save(await page.acceptInvitation({ body: { token, username: 'grace', password } }))

  expect(await page.getMe()).toMatchObject({ username: 'grace', tenantId: tenant.id })
  expect((await page.listSessions()).map(({ current }) => current)).toEqual([true])
})

test('a stale form overwrites nothing, and is saved again over what it then shows', async () => {
  const boss = await givenAdministrator()
  const [mine, theirs] = await Promise.all([boss.getTenantSettings(), boss.getTenantSettings()])
  await boss.updateTenantSettings({ body: { sessionDays: 3, version: theirs.version } })

  const late = await refusal(boss.updateTenantSettings({ body: { invitationDays: 2, version: mine.version } }))
  expect(late).toMatchObject({ status: 409, type: 'VERSION_CONFLICT' })
  const header = { headers: { 'if-match': `"${mine.version}"` } }
  expect(await refusal(boss.updateTenantSettings({ body: { invitationDays: 2 } }, header))).toMatchObject({
    status: 412,
  })

  const { version } = await boss.getTenantSettings()
  const saved = await boss.updateTenantSettings({ body: { invitationDays: 2, version } })
  expect(saved).toMatchObject({ sessionDays: 3, invitationDays: 2 })
})

test('lists are walked to their end, and events are followed from where a program stopped', async () => {
  const boss = await givenAdministrator()
  const { id: me } = await boss.getMe()
  const { id } = await boss.createProject({ body: { name: 'Apollo', code: 'APOLLO' } })
  const titles = ['one', 'two', 'three', 'four', 'five']
  for (const [day, title] of titles.entries())
    await boss.createTask({ id, body: { title, assigneeId: me, dueDate: `2027-01-0${day + 1}` } })

  const walked = await Array.fromAsync(boss.each.listAllTasks({ assigneeId: 'me', sort: 'dueDate', pageSize: 2 }))
  expect(walked.map(({ title }) => title)).toEqual(titles)

  const seen: Event[] = []
  for (let page: Event[] = []; ; ) {
    page = await boss.listEvents({ after: seen.at(-1)?.id ?? 0, types: 'task.created', limit: 2 })
    if (page.length === 0) break
    seen.push(...page)
  }
  expect(seen.map(({ data }) => data.title)).toEqual(titles)
})

test('a program calls with a key in place of a session, until the key is revoked', async () => {
  const boss = await givenAdministrator()
  const { items } = await boss.listRoles()
  const roleIds = items.filter(({ code }) => code === 'user').map(({ id }) => id)
  const account = await boss.createServiceAccount({ body: { name: 'Payroll', roleIds } })
  const { id: keyId, key } = await boss.createKey({ id: account.id, body: { name: 'Nightly' } })
  const program = open({ session: { load: () => ({ accessToken: key, refreshToken: '' }), save() {} } })
  expect(await program.listProjects()).toEqual([])
  expect(await refusal(program.listUsers())).toMatchObject({ status: 403, type: 'PERMISSION_DENIED' })

  await boss.revokeKey({ id: account.id, keyId })
  await expect.poll(() => refusal(program.listProjects())).toMatchObject({ status: 401, type: 'UNAUTHENTICATED' })
})

test('an export arrives as a stream', async () => {
  const boss = await givenAdministrator()
  const answer = await boss.exportTenant()
  let bytes = 0
  for await (const chunk of answer.body!) bytes += chunk.length
  expect(answer.headers.get('content-type')).toBe('application/x-tar')
  expect(bytes % 512).toBe(0)
  expect(bytes).toBeGreaterThan(10_000)
})
