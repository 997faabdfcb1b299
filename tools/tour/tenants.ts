import type { Approval, Atrium, AtriumError, addressOf, Project, Task } from '../../client/index.ts'
import { hold } from './guide.ts'
import type { Trip } from './trip.ts'

/** What is next door, and is not there for who does not live there. */
export interface NextDoor {
  project: Project
  task: Task
  errand: Task
  request: Approval
  address: ReturnType<typeof addressOf>
}

/** A tenant, and what its administrator sees of the other one: nothing. */
export async function twoTenants(trip: Trip, admin: Atrium, { project, task, errand, request, address }: NextDoor) {
  const { chapter, tell, refused, run, password } = trip
  chapter('Two tenants')
  const code = `tour-${run}`
  await tell(
    'The system administrator makes a tenant: organization, roles and administrator in one transaction.',
    () =>
      admin.createTenant({
        body: {
          name: 'Across the river',
          code,
          plan: 'tour',
          adminUsername: 'admin',
          adminPassword: password,
          adminEmail: 'admin@example.com',
        },
      }),
    201,
    (tenant) => `tenant ${tenant.id}, ${tenant.status}`,
  )
  const neighbour = await trip.signIn('Its administrator signs in.', { username: 'admin', password }, { tenant: code })
  const knock = (sentence: string, call: () => Promise<unknown>) => refused(sentence, call, [404, 'NOT_FOUND'])
  await knock('… and knocks at the project next door,', () => neighbour.getProject({ id: project.id }))
  const foreign = await knock('at its task,', () => neighbour.getTask({ id: task.id }))
  await knock('at its request,', () => neighbour.getApproval({ id: request.id }))
  await knock('at its file,', () => neighbour.downloadFile(address))
  await knock('with a change,', () => neighbour.updateTask({ id: errand.id, body: { version: 1, title: 'Ours' } }))
  await knock('with the name of the other tenant,', () =>
    neighbour.getTask({ id: task.id }, { headers: { 'X-Tenant-Code': 'default' } }),
  )
  await refused(
    '… and at a task that never was. The answers are the same, word for word.',
    () => neighbour.getTask({ id: 999_999_999_999 }),
    [404, 'NOT_FOUND'],
    (error) => {
      hold(wordsOf(error) === wordsOf(foreign), 'the very answer that the foreign task got')
      return `${error.type}: ${error.message}`
    },
  )
  return { code, neighbour }
}

/** All that an answer says but its own number. */
function wordsOf({ status, type, message, details, retryAfter }: AtriumError): string {
  return JSON.stringify({ status, type, message, details, retryAfter })
}

/** What a refusal says, and who remembers it. */
export async function refusals(trip: Trip, admin: Atrium, guest: Atrium, guestId: number, project: Project) {
  const { chapter, tell, refused } = trip
  chapter('Refusals that help')
  await refused('Nobody in particular asks.', () => trip.visitor().listProjects(), [401, 'UNAUTHENTICATED'])
  await refused(
    'A form with four mistakes gets four answers, not the first one.',
    () =>
      admin.createTask({
        id: project.id,
        // @ts-expect-error there is no such priority
        body: { title: ' ', priority: 'SOON', dueDate: '2027-02-30', assigneeId: -1 },
      }),
    [400, 'VALIDATION_FAILED'],
    ({ details }) => {
      hold(details.length === 4, `4 violations, not ${details.length}`)
      return details.map((detail) => `${detail.path.padEnd(16)}${detail.message}`).join('\n')
    },
  )
  await refused('A right that one does not have.', () => guest.listTenants(), [403, 'PERMISSION_DENIED'])
  await tell(
    'The audit trail knows what the second person did, refusals included.',
    () => admin.listAuditOperations({ userId: guestId }),
    200,
    (operations) => {
      hold(
        operations.some((one) => one.status === 403),
        'the refusal in the trail',
      )
      return operations.map((one) => `${one.status}  ${one.method.padEnd(5)} ${one.path}`).join('\n')
    },
  )
}
