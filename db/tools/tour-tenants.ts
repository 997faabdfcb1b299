import { type Caller, get, refusal, type Trip } from './tour-callers.ts'
import { type Call, hold } from './tour-guide.ts'

/** What is next door, and is not there for who does not live there. */
export interface NextDoor {
  project: { id: number }
  task: { id: number }
  errand: { id: number }
  request: { id: number }
  address: string
}

/** A tenant, and what its administrator sees of the other one: nothing. */
export async function twoTenants(trip: Trip, admin: Caller, next: NextDoor) {
  const { chapter, tell, run, password } = trip
  chapter('Two tenants')
  const code = `tour-${run}`
  await tell(
    'The system administrator makes a tenant: organization, roles and administrator in one transaction.',
    admin.post('/tenants', {
      name: 'Across the river',
      code,
      plan: 'tour',
      adminUsername: 'admin',
      adminPassword: password,
      adminEmail: 'admin@example.com',
    }),
    201,
    (tenant) => `tenant ${tenant.id}, ${tenant.status}`,
  )
  const neighbour = await trip.signIn('Its administrator signs in.', { tenantCode: code, username: 'admin', password })
  const knocks: [sentence: string, call: Call][] = [
    ['… and knocks at the project next door,', neighbour.get(`/projects/${next.project.id}`)],
    ['at its task,', neighbour.get(`/tasks/${next.task.id}`)],
    ['at its request,', neighbour.get(`/approvals/${next.request.id}`)],
    ['at its file,', neighbour.get(next.address)],
    ['with a change,', neighbour.put(`/tasks/${next.errand.id}`, { version: 1, title: 'Ours' })],
    ['with the name of the other tenant,', neighbour.get(`/tasks/${next.task.id}`, { 'X-Tenant-Code': 'default' })],
  ]
  let foreign = ''
  for (const [sentence, call] of knocks)
    await tell(sentence, call, [404, 'NOT_FOUND'], (error, { body }) => {
      if (call.path.startsWith('/tasks')) foreign = JSON.stringify({ ...body, requestId: '' })
      return refusal(error, { body })
    })
  await tell(
    '… and at a task that never was. The answers are the same, word for word.',
    neighbour.get('/tasks/999999999999'),
    [404, 'NOT_FOUND'],
    (error, { body }) => {
      hold(JSON.stringify({ ...body, requestId: '' }) === foreign, 'the very answer that the foreign task got')
      return refusal(error, { body })
    },
  )
  return { code, neighbour }
}

/** What a refusal says, and who remembers it. */
export async function refusals(trip: Trip, admin: Caller, guest: Caller, guestId: number, project: { id: number }) {
  const { chapter, tell } = trip
  chapter('Refusals that help')
  await tell('Nobody in particular asks.', get('/projects'), [401, 'UNAUTHENTICATED'], refusal)
  await tell(
    'A form with four mistakes gets four answers, not the first one.',
    admin.post(`/projects/${project.id}/tasks`, {
      title: ' ',
      priority: 'SOON',
      dueDate: '2027-02-30',
      assigneeId: -1,
    }),
    [400, 'VALIDATION_FAILED'],
    ({ details }) => {
      hold(details.length === 4, `4 violations, not ${details.length}`)
      return details.map((detail: any) => `${detail.path.padEnd(16)}${detail.message}`).join('\n')
    },
  )
  await tell('A right that one does not have.', guest.get('/tenants'), [403, 'PERMISSION_DENIED'], refusal)
  await tell(
    'The audit trail knows what the second person did, refusals included.',
    admin.get(`/audit/operations?userId=${guestId}`),
    200,
    (operations) => {
      hold(
        operations.some((one: any) => one.status === 403),
        'the refusal in the trail',
      )
      return operations.map((one: any) => `${one.status}  ${one.method.padEnd(5)} ${one.path}`).join('\n')
    },
  )
}
