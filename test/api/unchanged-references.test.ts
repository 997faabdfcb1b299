import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

/** The clients of the specification send a form back as they got it, with what they have changed. */
const world = await openWorld()
const tenant = await world.givenTenant()

test('a department whose leader was disabled is changed as any other, and takes no disabled person as a new leader', async () => {
  const boss = world.as(tenant.administrator)
  const [leader, other] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const form = { name: 'Sales', code: 'SALES', leaderId: leader.id }
  const made = (await boss.post('/departments', form)).expect(201)
  for (const { id } of [leader, other]) (await boss.put(`/users/${id}`, { status: 'disabled' })).expect(200)

  const read = (await boss.get('/departments')).expect(200).find(({ id }: any) => id === made.id)
  const renamed = (await boss.put(`/departments/${made.id}`, { ...read, name: 'Sales and service' })).expect(200)
  expect(renamed).toMatchObject({ name: 'Sales and service', leaderId: leader.id })
  ;(await boss.put(`/departments/${made.id}`, { ...renamed, leaderId: other.id })).expect(404, 'NOT_FOUND')
  ;(await boss.post('/departments', { ...form, code: 'MORE' })).expect(404, 'NOT_FOUND')
  ;(await boss.put(`/departments/${made.id}`, { ...renamed, leaderId: null })).expect(200)
})
