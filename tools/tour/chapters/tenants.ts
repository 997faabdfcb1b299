import { type Atrium, inMemory } from '../../../client/index.ts'
import type { Tour } from '../cast.ts'
import { expect } from '../guide.ts'

/** What another tenant must not see: something of each kind in the first one. */
interface Things {
  projectId: number
  taskId: number
  requestId: number
  errandId: number
  file: { tenantId: number; filename: string }
}

/** A second tenant, whose administrator finds nothing of the first one. */
export async function tellTenants(tour: Tour, admin: Atrium, things: Things) {
  const { chapter, tell, refused, signIn, run, password } = tour

  chapter('Two tenants')
  const tenant = `tour-${run}`
  const across = { name: 'Across the river', code: tenant, plan: 'tour' }
  const theirs = { adminUsername: 'admin', adminPassword: password, adminEmail: 'admin@example.com' }
  const create = () => admin.createTenant({ body: { ...across, ...theirs } })
  const found = 'The system administrator makes a tenant: organization, roles and administrator in one transaction.'
  await tell(found, create, 201, { status: 'active' })
  const session = inMemory()
  const neighbour = await signIn('Its administrator signs in.', 'admin', password, { tenant, session })
  const knock = (sentence: string, call: () => Promise<unknown>) => refused(sentence, call, [404, 'NOT_FOUND'])
  await knock('… and knocks at the project next door,', () => neighbour.getProject({ id: things.projectId }))
  const foreign = await knock('at its task,', () => neighbour.getTask({ id: things.taskId }))
  await knock('at its request,', () => neighbour.getApproval({ id: things.requestId }))
  await knock('at its file,', () => neighbour.downloadFile(things.file))
  const take = { version: 1, title: 'Ours' }
  await knock('with a change,', () => neighbour.updateTask({ id: things.errandId, body: take }))
  const named = { headers: { 'X-Tenant-Code': 'default' } }
  await knock('with the name of the other tenant,', () => neighbour.getTask({ id: things.taskId }, named))
  const never = await knock('… and at a task that never was.', () => neighbour.getTask({ id: 999_999_999_999 }))
  const words = ({ status, type, message, details }: typeof never) => JSON.stringify({ status, type, message, details })
  expect(words(never) === words(foreign), 'the same answer, word for word')
  return { tenant, neighbour, session }
}
