import { expect, test } from 'vitest'
import { setStage } from '../../demo/cast.ts'
import { northwindLabs, velora } from '../../demo/companies.ts'
import { isKnown } from '../../demo/deeds.ts'
import { openSeed, story } from '../support/seed.ts'

/** The office and the pages of the demo, and of the thousands of steps of its projects a few tasks of one. */
const PROJECT = 'CAL'
const BESIDE = ['change comment', 'watch task', 'delete task']
const tasks = new Set(story.flatMap((step) => (BESIDE.includes(step.does) && 'task' in step ? step.task : [])))
const steps = story.filter((step) => {
  if (!('project' in step)) return step.does !== 'read the inbox'
  return step.project === PROJECT && step.does !== 'upload file' && (!('task' in step) || tasks.has(step.task))
})
const { world, means, numbered, recallNow, go, signIn } = await openSeed(steps)

test('a seed that is interrupted repeatedly continues where it stopped, and does nothing twice', async () => {
  let performed = 0
  for (let run = 0; run < 12; run++) {
    const { memory, done } = await recallNow()
    expect(done.size).toBe(performed)
    means.memory = memory
    means.stages = await setStage(world.database, 'no password')
    const left = numbered.filter(({ number }) => !done.has(number))
    performed += await go(left, run < 11 ? 31 : undefined)
  }

  expect(performed).toBe(steps.length)
  expect((await recallNow()).done.size).toBe(steps.length)
})

test('the departments are a tree, and requests stand in every state, with who has decided what', async () => {
  const administrator = world.as(await signIn(velora.code, velora.administrator))
  const tree = await administrator.read('/departments')
  expect(tree.map(({ code }: any) => code)).toEqual(['ENG', 'PROD', 'OPS', 'SALES', 'OFFICE'])
  const all = (nodes: any[]): any[] => nodes.flatMap((node) => [node, ...all(node.children)])
  expect(all(tree).every(({ leaderId }) => leaderId)).toBe(true)
  const invited = steps.filter(({ does }) => does === 'accept invitation')
  expect(all(tree).reduce((sum, { memberCount }) => sum + memberCount, 0)).toBe(velora.people.length + invited.length)

  const requests = await administrator.read('/approvals?scope=all')
  const stands = new Set(requests.map(({ status, currentStep }: any) => `${status} ${currentStep}`))
  const cancelled = ['CANCELLED 0', 'CANCELLED 1', 'CANCELLED 2']
  const others = ['DRAFT 0', 'PENDING 1', 'PENDING 2', 'APPROVED 2', 'REJECTED 1', 'REJECTED 2']
  expect(stands).toEqual(new Set([...others, ...cancelled]))
  const leave = requests.find(({ businessKey }: any) => businessKey === 'LEAVE-26-07')
  expect(leave.steps.map(({ comment }: any) => comment)).toEqual([
    'Safe travels, Sina.',
    'Booked. You have four days left for this year.',
  ])
  expect(leave.createdAt.slice(0, 7)).toBe('2026-06')
})

test('files can be downloaded as what they are, and belong to requests and articles', async () => {
  const reader = world.as(await signIn(velora.code, velora.administrator))
  const files = await reader.read('/files?pageSize=100')
  expect(new Set(files.map(({ resourceType }: any) => resourceType))).toEqual(new Set(['approval', 'article', null]))
  for (const { url, key, size, contentType, resourceType } of files) {
    const { headers, status } = await reader.get(url)
    expect([status, Number(headers['content-length']), headers['content-type']]).toEqual([200, size, contentType])
    if (resourceType === 'article') await world.anyone.read(`/public/files/${key}`)
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

test('what was entered twice is in the bin, comments are edited and deleted, and viewers only look on', async () => {
  const owner = world.as(await signIn(northwindLabs.code, 'thandiwe.dlamini'))
  const [project] = await owner.read(`/projects?keyword=${PROJECT}`)
  const bin = await owner.read(`/projects/${project.id}/tasks?deleted=true`)
  expect(bin).toMatchObject([{ deletedByName: 'Thandiwe Dlamini' }])
  const there = await owner.read(`/projects/${project.id}/tasks?pageSize=100`)

  const answers = await Promise.all(there.map(({ id }: any) => owner.get(`/tasks/${id}/comments?pageSize=100`)))
  const comments = answers.flatMap((answer) => answer.expect(200))
  const changes = steps.flatMap((step) => (step.does === 'change comment' ? { instead: step.instead } : []))
  const texts = (changed: any[]) => changed.map(({ content }) => content).sort()
  expect(texts(comments.filter(({ editedAt }) => editedAt))).toEqual(
    changes.flatMap(({ instead }) => instead ?? []).sort(),
  )
  expect(texts(comments.filter(({ deletedAt }) => deletedAt))).toEqual(
    changes.flatMap(({ instead }) => (instead === null ? '' : [])),
  )

  const viewer = world.as(await signIn(northwindLabs.code, 'diego.fuentes'))
  ;(await viewer.post(`/projects/${project.id}/tasks`, { title: 'Mine' })).expect(403, 'PROJECT_READ_ONLY')
  if (!isKnown({ does: 'watch task' } as never)) return
  expect(await viewer.read('/users/me/watching')).toMatchObject([{ resourceId: project.id }])
  const mentions = steps.flatMap((step) => (step.does === 'comment' && step.mentions ? step.mentions : []))
  expect(comments.flatMap((comment) => comment.mentions)).toHaveLength(mentions.length)
})

test('orders have expired or wait, and messages wait to be read', async () => {
  // An open order waits for fifteen minutes only.
  const later = `expires_at = now() + interval '1 hour' where expires_at > now() - interval '1 day'`
  await world.look.rows(`update payment_orders set ${later}`)
  const read = async (company: string, username: string, path: string) =>
    await world.as(await signIn(company, username)).read(path)
  const orders = await read(northwindLabs.code, 'felix.braun', '/payments/orders')
  expect(orders.map(({ status }: any) => status)).toEqual(['pending', 'expired'])
  const messages = await read(northwindLabs.code, northwindLabs.editor, '/content/contact-messages')
  expect(messages).toHaveLength(northwindLabs.messages.length)
})
