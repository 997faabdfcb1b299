import { afterAll, beforeAll, expect, test } from 'vitest'
import { setStage } from '../../demo/cast.ts'
import { codeNow } from '../../demo/code.ts'
import { northwindLabs, velora } from '../../demo/companies.ts'
import { isKnown } from '../../demo/deeds.ts'
import { type Means, perform } from '../../demo/perform.ts'
import { recall, requestIdOf } from '../../demo/recall.ts'
import { tellStory } from '../../demo/story.ts'
import { openScope } from '../../src/data/tx/open-scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import { openSession } from '../../src/domains/auth/auth.actions.ts'
import { openStorage } from '../../src/domains/files/storage/open-storage.ts'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { system } from '../../src/kernel/actor.ts'
import { testConfig } from '../support/config.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/** The office and the pages of the demo, without the thousands of steps of its projects. */
const EDITION = 'test'
const steps = tellStory()
  .filter(isKnown)
  .filter((step) => !('project' in step) && step.does !== 'read the inbox')

let world: World
let means: Means
const shown = new Map<string, string>()
beforeAll(async () => {
  const root = testConfig().dataDir
  world = await openWorld({ env: { DATA_DIR: root } })
  const { database } = world
  means = {
    database,
    storage: await openStorage(testConfig({ DATA_DIR: root }).files),
    stages: await setStage(database, 'no password'),
    memory: (await recall(database, new Map(), steps, EDITION)).memory,
    office: {
      config: testConfig({ MAIL_URL: 'smtp://localhost:9', MAIL_FROM: 'a@example.org' }),
      passwordHash: 'no password',
      show: (what, secret) => void shown.set(what, secret),
    },
  }
})
afterAll(async () => {
  means?.storage.close()
  await world?.close()
})

const numbered = steps.map((step, number) => ({ step, number, requestId: requestIdOf(EDITION, number) }))
const recallNow = () =>
  recall(
    world.database,
    new Map(
      [...means.stages].map(([company, { tenantId }]) => [company, openScope(world.database, tenantId)] as const),
    ),
    steps,
    EDITION,
  )
async function go(ahead: typeof numbered, until = Number.POSITIVE_INFINITY) {
  const stop = new AbortController()
  let count = 0
  const onDone = () => void (++count >= until && stop.abort())
  await perform(means, ahead, { width: 4, signal: stop.signal, onDone })
  return count
}
async function signIn(company: string, username: string): Promise<Person> {
  const { tenantId, users } = means.stages.get(company)!
  const { id } = users.get(username)!
  const session = await transact(world.database, { tenantId, actor: system, requestId: 'test' }, (tx) =>
    openSession(tx as never, { id, username }, 600),
  )
  return { id, tenantId, username, token: world.app.tokens.sign(session) }
}

test('a seed that is interrupted repeatedly continues where it stopped, and does nothing twice', async () => {
  let performed = 0
  for (let run = 0; run < 8; run++) {
    const { memory, done } = await recallNow()
    expect(done.size).toBe(performed)
    means.memory = memory
    means.stages = await setStage(world.database, 'no password')
    performed += await go(
      numbered.filter(({ number }) => !done.has(number)),
      run < 7 ? 31 : undefined,
    )
  }

  expect(performed).toBe(steps.length)
  expect((await recallNow()).done.size).toBe(steps.length)
})

test('the departments are a tree with a leader for each and everybody in it', async () => {
  const mei = world.as(await signIn(velora.code, 'mei.tanaka'))
  const tree = (await mei.get('/departments')).expect(200)
  // The tenant and its organization are called alike.
  const { tenant } = (await mei.get('/auth/me')).expect(200)
  expect((await mei.get('/organizations/current')).expect(200).name).toBe(velora.name)
  expect(tenant.name).toBe(velora.name)
  const all = (nodes: any[]): any[] => nodes.flatMap((node) => [node, ...all(node.children)])
  expect(tree.map(({ code }: any) => code)).toEqual(['ENG', 'PROD', 'OPS', 'SALES', 'OFFICE'])
  expect(all(tree)).toHaveLength(velora.departments.length)
  expect(all(tree).every(({ leaderId }) => leaderId)).toBe(true)
  // One person more has accepted an invitation.
  expect(all(tree).reduce((sum, { memberCount }) => sum + memberCount, 0)).toBe(velora.people.length + 1)
})

test('requests stand in every state, with who has decided what', async () => {
  const requests = (await world.as(await signIn(velora.code, velora.administrator)).get('/approvals?scope=all')).expect(
    200,
  )
  const stands = new Set(requests.map(({ status, currentStep }: any) => `${status} ${currentStep}`))
  expect(stands).toEqual(
    new Set([
      'DRAFT 0',
      'PENDING 1',
      'PENDING 2',
      'APPROVED 2',
      'REJECTED 1',
      'REJECTED 2',
      'CANCELLED 0',
      'CANCELLED 1',
      'CANCELLED 2',
    ]),
  )
  const leave = requests.find(({ businessKey }: any) => businessKey === 'LEAVE-26-07')
  expect(leave.steps.map(({ status, comment }: any) => [status, comment])).toEqual([
    ['APPROVED', 'Safe travels, Sina.'],
    ['APPROVED', 'Booked. You have four days left for this year.'],
  ])
  expect(JSON.parse(leave.payload)).toMatchObject({ days: 15, standIn: 'Daniel Kim' })
  expect(leave.createdAt.slice(0, 7)).toBe('2026-06')
})

test('files can be downloaded as what they are', async () => {
  const reader = world.as(await signIn(northwindLabs.code, 'hana.kobayashi'))
  const files = (await reader.get('/files')).expect(200)
  expect(files.map(({ originalName }: any) => originalName)).toContain('Station list.csv')
  for (const { url, size, contentType } of files) {
    const answer = await reader.get(url.replace('/api/v1', ''))
    answer.expect(200)
    expect([Number(answer.headers['content-length']), answer.headers['content-type']]).toEqual([size, contentType])
  }
})

test('the public of the one reads what the public of the other does not', async () => {
  const asked = (code: string, path: string) => world.anyone.get(`/public/${path}`, { 'x-tenant-code': code })
  const [ours, theirs] = [await asked(velora.code, 'home'), await asked(northwindLabs.code, 'home')]
  expect(theirs.expect(200)).toEqual(northwindLabs.portal.home)
  expect(ours.expect(200)).not.toEqual(theirs.data)

  const blog = (await asked(northwindLabs.code, 'blog?pageSize=50')).expect(200)
  const published = northwindLabs.articles.filter(({ week }) => week !== 'draft')
  expect(blog.items.map(({ title }: any) => title).sort()).toEqual(published.map(({ title }) => title).sort())
  const first = blog.items.find(({ title }: any) => title === 'Fourteen buoys before the ice')
  const comments = (await asked(northwindLabs.code, `blog/${first.id}/comments`)).expect(200)
  expect(comments.map(({ username }: any) => username)).toEqual(['thandiwe.dlamini', 'pavel.novotny'])
})

test('orders have expired or wait to be paid, and messages wait to be read', async () => {
  const felix = world.as(await signIn(northwindLabs.code, 'felix.braun'))
  const orders = (await felix.get('/payments/orders')).expect(200)
  expect(orders.map(({ status, amountCents }: any) => [status, amountCents])).toEqual([
    ['pending', 1_900_000],
    ['expired', 48_000],
  ])
  const editor = world.as(await signIn(northwindLabs.code, northwindLabs.editor))
  expect((await editor.get('/content/contact-messages')).expect(200)).toHaveLength(northwindLabs.messages.length)
})

test('an invitation is open, one has expired, one was accepted', async () => {
  const administrator = world.as(await signIn(velora.code, velora.administrator))
  const invitations = (await administrator.get('/invitations')).expect(200)
  expect(invitations.map(({ email, status }: any) => [email, status])).toEqual([
    ['tilde.berg@velora.example', 'pending'],
    ['ravi.anand@velora.example', 'accepted'],
    ['j.marchetti@mail.example', 'expired'],
  ])
  const { items } = (await administrator.get('/users?keyword=ravi.anand')).expect(200)
  expect(items).toMatchObject([{ nickname: 'Ravi Anand', roles: ['user'] }])
  const mails = (await administrator.get('/mails')).expect(200)
  expect(mails.map(({ recipient }: any) => recipient)).toEqual([
    'tilde.berg@velora.example',
    'ravi.anand@velora.example',
  ])
})

test('somebody is away, and a substitute decides what waits for them', async () => {
  const away = world.as(await signIn(velora.code, 'daniel.kim'))
  expect((await away.get('/users/me')).expect(200).substitute).toMatchObject({ name: 'Oluwaseun Adeyemi' })
  const substitute = world.as(await signIn(velora.code, velora.away['daniel.kim']!))
  const waiting = (await substitute.get('/approvals?scope=todo'))
    .expect(200)
    .find(({ businessKey }: any) => businessKey === 'LEAVE-26-25')
  const decided = (await substitute.post(`/approvals/${waiting.id}/approve`)).expect(200)
  expect(decided.steps[0]).toMatchObject({ actedByName: 'Oluwaseun Adeyemi', decidedForName: 'Daniel Kim' })
})

test('the second factor takes the code that the seed prints', async () => {
  const { tenantId, users } = means.stages.get(velora.code)!
  const { id } = users.get(velora.secondFactor!)!
  await world.look.rows('update users set password_hash = $1 where tenant_id = $2 and id = $3', [
    await hashPassword('atrium-demo'),
    tenantId,
    id,
  ])
  const credentials = { username: velora.secondFactor, password: 'atrium-demo' }
  ;(await world.anyone.post('/auth/login', credentials)).expect(401, 'SECOND_FACTOR_REQUIRED')
  ;(await world.anyone.post('/auth/login', { ...credentials, code: codeNow() })).expect(200)
})

test('the key and the calendar that the seed shows work, and the webhook is paused', async () => {
  const key = { authorization: `Bearer ${shown.get(`The key of ${velora.system.name}`)}` }
  expect((await world.anyone.get('/users?pageSize=1', key)).expect(200).total).toBe(velora.people.length + 2)
  ;(await world.anyone.get('/projects', key)).expect(403, 'PERMISSION_DENIED')
  const calendar = await world.anyone.get(shown.get(`The calendar of ${velora.calendar}`)!.replace('/api/v1', ''))
  expect(calendar.status).toBe(200)
  const administrator = world.as(await signIn(velora.code, velora.administrator))
  expect((await administrator.get('/webhooks')).expect(200)).toMatchObject([{ status: 'paused', ...velora.webhook }])
})

test('files belong to a request and to an article, and those of a published article are public', async () => {
  const administrator = world.as(await signIn(velora.code, velora.administrator))
  const files = (await administrator.get('/files?pageSize=100')).expect(200)
  expect(new Set(files.map(({ resourceType }: any) => resourceType))).toEqual(new Set(['approval', 'article', null]))
  const { key } = files.find(({ resourceType }: any) => resourceType === 'article')
  ;(await world.anyone.get(`/public/files/${key}`)).expect(200)
})
