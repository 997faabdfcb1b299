import { expect, test } from 'vitest'
import { EVENTS } from '#test/event-rows.ts'
import { ENTERPRISE, GROUP, openDirectory, patch, USER } from './directory.ts'

/**
 * A run of provisioning as Microsoft Entra ID and Okta make it, from the first test of the connection to the deletion. A
 * directory sends again what was not answered in time, and several of its workers send the same.
 * @see https://learn.microsoft.com/entra/identity/app-provisioning/scim-validator-tutorial
 * @see https://developer.okta.com/docs/guides/scim-provisioning-integration-test/main
 */
const { world, scim, find: search } = await openDirectory()
const AT_THE_SAME_TIME = 6

/** The same request by all workers. @returns what they got, the lowest status first */
async function byAll(...request: Parameters<typeof scim>) {
  const answers = await Promise.all(Array.from({ length: AT_THE_SAME_TIME }, () => scim(...request)))
  return answers.toSorted((one, other) => one.status - other.status)
}
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status)
const oneThen = (first: number, others: number) => [first, ...Array(AT_THE_SAME_TIME - 1).fill(others)].toSorted()
const all = (status: number) => Array(AT_THE_SAME_TIME).fill(status)
const find = async (...of: Parameters<typeof search>) => (await search(...of)).body.Resources
const groupsOf = async (id: string) =>
  (await scim('GET', `/Users/${id}`)).body.groups.map(({ display }: any) => display)
async function eventsOf(id: string): Promise<string[]> {
  const events = await world.look.rows<{ type: string }>(
    `select type from ${EVENTS} where subject_type = 'user' and subject_id = $1`,
    [id],
  )
  return events.map(({ type }) => type)
}

test('a person comes, is disabled and enabled, renamed, joins and leaves a group, and goes; all of it is sent several times', async () => {
  const userName = 'Ada.Lovelace@example.org'
  const externalId = '58342554-38d6-4ec8-948c-50044d0a33fd'
  const person = {
    schemas: [USER, ENTERPRISE],
    ...{ externalId, userName, active: true, displayName: 'Ada Lovelace' },
    emails: [{ primary: true, type: 'work', value: userName }],
    name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
    [ENTERPRISE]: { department: 'Research', manager: { value: '1' } },
  }

  // The connection is tested with a name of nobody, and each run begins with the question whether the person is there.
  expect(await find('Users', 'userName eq "7f0c9f0e-no-such-user"')).toEqual([])
  expect(await find('Users', `externalId eq "${externalId}"`)).toEqual([])
  const created = await byAll('POST', '/Users', person)
  expect(statuses(created)).toEqual(oneThen(201, 409))
  for (const { body } of created.slice(1)) expect(body).toMatchObject({ status: '409', scimType: 'uniqueness' })
  const { id } = created[0]!.body
  // Whose answer was lost finds the person by what they sent.
  for (const filter of [`userName eq "${userName.toLowerCase()}"`, `externalId eq "${externalId}"`])
    expect((await find('Users', filter)).map((one: any) => one.id)).toEqual([id])

  const groups = await byAll('POST', '/Groups', { schemas: [GROUP], displayName: 'Research', externalId: 'g-1' })
  expect(statuses(groups)).toEqual(oneThen(201, 409))
  const group = groups[0]!.body.id
  expect((await find('Groups', 'displayName eq "Research"')).map((one: any) => one.id)).toEqual([group])
  const join = patch({ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] })
  expect(statuses(await byAll('PATCH', `/Groups/${group}`, join))).toEqual(all(200))
  expect(await groupsOf(id)).toHaveLength(2)

  const disable = patch({ op: 'Replace', path: 'active', value: 'False' })
  expect(statuses(await byAll('PATCH', `/Users/${id}`, disable))).toEqual(all(200))
  expect(await find('Users', `userName eq "${userName}"`)).toEqual([expect.objectContaining({ id, active: false })])
  expect(statuses(await byAll('PATCH', `/Users/${id}`, patch({ op: 'Replace', path: 'active', value: true })))).toEqual(
    all(200),
  )
  expect(await groupsOf(id), 'a person who was away has their groups again').toHaveLength(2)

  const renamed = 'Ada.Byron@example.org'
  const rename = patch(
    { op: 'Replace', path: 'userName', value: renamed },
    { op: 'Replace', path: 'name.familyName', value: 'Byron' },
    { op: 'Replace', path: 'displayName', value: 'Ada Byron' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: renamed },
  )
  expect(statuses(await byAll('PATCH', `/Users/${id}`, rename))).toEqual(all(200))
  expect(await find('Users', `userName eq "${userName}"`)).toEqual([])
  expect(await find('Users', `userName eq "${renamed}"`)).toEqual([
    expect.objectContaining({
      id,
      externalId,
      displayName: 'Ada Byron',
      name: expect.objectContaining({ familyName: 'Byron' }),
    }),
  ])
  const put = { schemas: [USER], id, externalId, userName: renamed, displayName: 'Ada Byron', active: true }
  expect(statuses(await byAll('PUT', `/Users/${id}`, put))).toEqual(all(200))

  const leave = patch({ op: 'Remove', path: 'members', value: [{ value: id }] })
  expect(statuses(await byAll('PATCH', `/Groups/${group}`, leave))).toEqual(all(200))
  expect(await groupsOf(id)).toHaveLength(1)
  const title = patch({ op: 'Replace', value: { id: group, displayName: 'Laboratory' } })
  expect(statuses(await byAll('PATCH', `/Groups/${group}`, title))).toEqual(all(200))
  expect(statuses(await byAll('DELETE', `/Groups/${group}`))).toEqual(oneThen(204, 404))

  expect((await scim('PATCH', `/Users/${id}`, disable)).status).toBe(200)
  expect(statuses(await byAll('DELETE', `/Users/${id}`))).toEqual(oneThen(204, 404))
  expect(await find('Users', `externalId eq "${externalId}"`)).toEqual([])
  const types = await eventsOf(id)
  const changes = ['user.created', 'user.disabled', 'user.enabled', 'user.deleted']
  expect(changes.map((type) => types.filter((one) => one === type).length)).toEqual([1, 2, 1, 1])

  const again = await byAll('POST', '/Users', { ...person, userName: renamed })
  expect(statuses(again)).toEqual(oneThen(201, 409))
  expect(again[0]!.body.id).not.toBe(id)
})
