import { parseArgs, styleText } from 'node:util'
import { openTrip } from './tour-callers.ts'
import { NobodyThere, Surprise } from './tour-guide.ts'
import { aFile, twoSignatures } from './tour-office.ts'
import { aBlog, anOrder, twoPortals } from './tour-public.ts'
import { refusals, twoTenants } from './tour-tenants.ts'
import { aProject, aTask, theEnd, twoPeople, whoIsThere } from './tour-work.ts'

/**
 * `npm run tour [-- --url http://localhost:8080]`: walks through a running service as a client would, and prints what is
 * sent and what comes back. It can be run again and again; each run leaves a project, two people, a department and a
 * tenant of its own.
 */
const { values } = parseArgs({
  options: { url: { type: 'string', default: `http://localhost:${process.env.PORT || 8080}` } },
})
const base = values.url.replace(/\/+$/, '')
const trip = openTrip(base)

async function tour() {
  const admin = await whoIsThere(trip)
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
  await theEnd(trip, admin, project)
}

/** What a person can do about it. */
function explain(error: Error): string {
  if (error instanceof NobodyThere)
    return `Nobody answers at ${error.message}: start it with  npm start  (or say where it is:  npm run tour -- --url …)`
  if (error.message.includes('INVALID_CREDENTIALS'))
    return 'The administrator has another password: give the one of the first start as ADMIN_PASSWORD.'
  if (error instanceof Surprise) return `That was not the plan: ${error.message}`
  return String(error.stack)
}

console.log(`\nA walk through ${base}`)
try {
  await tour()
  console.log(`\n\n${styleText('green', trip.summary())}\n`)
} catch (error) {
  console.error(`\n${styleText('red', explain(error as Error), { stream: process.stderr })}\n`)
  process.exit(1)
}
