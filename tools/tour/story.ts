import { inMemory } from '../../client/index.ts'
import { openTour, type Tour } from './cast.ts'
import { tellApprovals } from './chapters/approvals.ts'
import { tellEnd, tellLeaving, tellRefusals } from './chapters/end.ts'
import { tellFiles } from './chapters/files.ts'
import { tellOrders } from './chapters/orders.ts'
import { tellPages } from './chapters/pages.ts'
import { tellPeople } from './chapters/people.ts'
import { tellTenants } from './chapters/tenants.ts'
import { tellTogether } from './chapters/together.ts'
import { tellWork } from './chapters/work.ts'
import type { openGuide } from './guide.ts'
import { type Cast, parts } from './parts.ts'
import type { Wire } from './wire.ts'

/** The story of the tour: a bench by a river, call by call. A call states its answer, or how it is refused. */
export async function tellStory(baseUrl: string, wire: Wire, guide: ReturnType<typeof openGuide>): Promise<void> {
  const tour = openTour(baseUrl, wire, guide)
  const { admin, session } = await tellArrival(tour)
  const { project, task, errand, guest, guestId } = await tellWork(tour, admin)
  const second = { client: guest, id: guestId }
  await tellTogether(tour, admin, project.id, second)
  const third = await tellPeople(tour, admin)
  const request = await tellApprovals(tour, admin, second, third)
  const place = { projectId: project.id, taskId: errand.id }
  const file = await tellFiles(tour, { admin, clerk: third.client, clerkId: third.id, guest }, place)
  const things = { projectId: project.id, taskId: task.id, requestId: request.id, errandId: errand.id, file }
  const { tenant, neighbour, session: theirs } = await tellTenants(tour, admin, things)
  await tellPages(tour, neighbour, tenant)
  const orderNo = await tellOrders(tour, neighbour, tenant, guest)
  const { accessToken: token } = theirs.load()!
  const cast: Cast = { admin, projectId: project.id, neighbour, token, tenant, orderNo }
  for (const part of parts) await part.tell(tour, cast)
  await tellRefusals(tour, admin, second, project.id)
  await tellLeaving(tour, admin, second, third, errand.id)
  await tellEnd(tour, admin, session, project)
}

async function tellArrival({ chapter, tell, signIn }: Tour) {
  chapter('Who is there?')
  const session = inMemory()
  const secret = process.env.ADMIN_PASSWORD || 'admin123'
  const who = 'The administrator signs in. The token says who; what they may do is looked up for each request.'
  const admin = await signIn(who, 'admin', secret, { session })
  session.save({ ...session.load()!, accessToken: 'run out' })
  const exchanged = 'A token that has run out is exchanged, and nobody notices.'
  await tell(exchanged, () => admin.getMe(), 200, { username: 'admin', tenantId: 1 })
  return { admin, session }
}
