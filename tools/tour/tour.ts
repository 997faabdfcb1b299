import { parseArgs, styleText } from 'node:util'
import { AtriumError } from '../../client/index.ts'
import { Surprise } from './guide.ts'
import { aFile, twoSignatures } from './office.ts'
import { aBlog, anOrder, twoPortals } from './public.ts'
import { refusals, twoTenants } from './tenants.ts'
import { openTrip } from './trip.ts'
import { aProject, aTask, theEnd, twoPeople, whoIsThere } from './work.ts'

/**
 * `npm run tour [-- --url http://localhost:8080]`: walks through a running service with the client of `client/`, and
 * prints what it sends and what comes back. It can be run again and again; each run leaves a project, two people, a
 * department and a tenant of its own.
 */
const { values } = parseArgs({
  options: { url: { type: 'string', default: `http://localhost:${process.env.PORT || 8080}` } },
})
const base = values.url.replace(/\/+$/, '')
const trip = openTrip(base)

async function tour() {
  const { admin, session } = await whoIsThere(trip)
  const project = await aProject(trip, admin)
  const task = await aTask(trip, admin, project)
  const { guest, guestId, errand } = await twoPeople(trip, admin, project)
  const { clerk, request } = await twoSignatures(trip, admin, guest, guestId)
  const { address } = await aFile(trip, clerk, guest)
  const { neighbour, code } = await twoTenants(trip, admin, { project, task, errand, request, address })
  await twoPortals(trip, neighbour, code)
  await aBlog(trip, neighbour, code)
  await anOrder(trip, neighbour, guest, code)
  await refusals(trip, admin, guest, guestId, project)
  await theEnd(trip, admin, session, project)
}

/** What a person can do about it. */
function explain(error: unknown): string {
  if (error instanceof Surprise) return `That was not the plan: ${error.message}`
  if (!(error instanceof AtriumError)) return String((error as Error).stack)
  if (error.status === 0)
    return `Nobody answers at ${base}: start it with  npm start  (or say where it is:  npm run tour -- --url …)`
  if (error.is('INVALID_CREDENTIALS'))
    return 'The administrator has another password: give the one of the first start as ADMIN_PASSWORD.'
  return `That was not the plan: ${error.status} ${error.type}`
}

console.log(`\nA walk through ${base}`)
try {
  await tour()
  console.log(`\n\n${styleText('green', trip.summary())}\n`)
} catch (error) {
  console.error(`\n${styleText('red', explain(error), { stream: process.stderr })}\n`)
  process.exit(1)
}
