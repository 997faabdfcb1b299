import { beforeAll, expect, test } from 'vitest'
import { codeNow } from '../../demo/code.ts'
import { velora } from '../../demo/companies.ts'
import { givenPassword } from '../support/quick-hash.ts'
import { openSeed, story } from '../support/seed.ts'

/** What plug-ins add to the office of the demo. */
const steps = story.filter(
  (step) => step.company === velora.code && !('project' in step) && step.does !== 'read the inbox',
)
const { world, means, shown, recallNow, go, signIn } = await openSeed(steps)
beforeAll(() => go())

const signedIn = async (username: string) => world.as(await signIn(velora.code, username))

test('invitations have expired, wait, or were accepted, and those of long ago are not mailed again', async () => {
  const administrator = await signedIn(velora.administrator)
  const invitations = await administrator.read('/invitations')
  expect(invitations.map(({ status }: any) => status)).toEqual(['pending', 'accepted', 'expired'])
  const mails = await administrator.read('/mails')
  expect(mails.map(({ recipient }: any) => recipient)).toEqual(invitations.slice(0, 2).map(({ email }: any) => email))
})

test('somebody is away, and a substitute decides what waits for them', async () => {
  const away = await signedIn('daniel.kim')
  expect((await away.read('/users/me')).substitute).toMatchObject({ name: 'Oluwaseun Adeyemi' })
  const substitute = await signedIn(velora.away['daniel.kim']!)
  const waiting = (await substitute.read('/approvals?scope=todo')).find(
    ({ businessKey }: any) => businessKey === 'LEAVE-26-25',
  )
  const decided = (await substitute.post(`/approvals/${waiting.id}/approve`)).expect(200)
  expect(decided.steps[0]).toMatchObject({ actedByName: 'Oluwaseun Adeyemi', decidedForName: 'Daniel Kim' })
})

test('the second factor takes the code that the seed prints, and its key and calendar work', async () => {
  await givenPassword(world, means.stages.get(velora.code)!.users.get(velora.secondFactor!)!, 'atrium-demo')
  const credentials = { username: velora.secondFactor, password: 'atrium-demo' }
  ;(await world.anyone.post('/auth/login', credentials)).expect(401, 'SECOND_FACTOR_REQUIRED')
  ;(await world.anyone.post('/auth/login', { ...credentials, code: codeNow() })).expect(200)

  const key = { authorization: `Bearer ${shown.get(`The key of ${velora.system.name}`)}` }
  expect((await world.anyone.read('/users?pageSize=1', key)).total).toBe(velora.people.length + 2)
  ;(await world.anyone.get('/projects', key)).expect(403, 'PERMISSION_DENIED')
  const calendar = await world.anyone.get(shown.get(`The calendar of ${velora.calendar}`)!.replace('/api/v1', ''))
  expect(calendar.status).toBe(200)
  const administrator = await signedIn(velora.administrator)
  expect(await administrator.read('/webhooks')).toMatchObject([{ status: 'paused', ...velora.webhook }])
})

test('whoever was invited is not invited again when the invitation has been removed in time', async () => {
  await world.look.rows(`delete from invitations where status = 'accepted'`)
  expect((await recallNow()).done.size).toBe(steps.length)
})
