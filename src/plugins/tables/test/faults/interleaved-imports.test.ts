import { test } from 'vitest'
import { meet } from '#test/interleave.ts'
import { openWorld } from '#test/world.ts'

/** An import and another command at the same moment, met on purpose, as in test/faults/interleavings.test.ts. */
const world = await openWorld()

async function givenImport() {
  const tenant = await world.givenTenant()
  const [owner, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const { id } = await world.givenProject(owner)
  await world.givenMember(owner, { id }, ben)
  const send = () =>
    world.as(owner).send({
      method: 'POST',
      url: `/api/v1/projects/${id}/tasks/import`,
      headers: { 'content-type': 'text/csv', 'idempotency-key': 'once' },
      payload: `title,assignee\nPaint,${ben.username}`,
    })
  const leave = () => world.as(owner).delete(`/projects/${id}/members/${ben.id}`)
  return { send, leave }
}

test('a member for whom tasks are being imported stays, and who takes them out learns that', async () => {
  const { send, leave } = await givenImport()
  await meet(world, [send, 201], [leave, 409, 'MEMBER_HAS_OPEN_TASKS'])
})

test('no task is imported for a member who is being taken out', async () => {
  const { send, leave } = await givenImport()
  await meet(world, [leave, 200], [send, 400, 'IMPORT_REFUSED'])
})
