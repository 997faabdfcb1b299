import { parseArgs, styleText } from 'node:util'
import { AtriumError } from '../../client/index.ts'
import { openGuide, Surprise } from './guide.ts'
import { tellStory } from './story.ts'
import { openWire } from './wire.ts'

/**
 * `npm run tour [-- --url http://localhost:8080]`: walks through a running service with the client of `client/`, and
 * prints requests and answers. It can be repeated; each run leaves a project, some people, a department and a tenant.
 */
const { values } = parseArgs({
  options: { url: { type: 'string', default: `http://localhost:${process.env.PORT || 8080}` } },
})
const base = values.url.replace(/\/+$/, '')
const wire = openWire(base)
const guide = openGuide(wire)

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
  await tellStory(base, wire, guide)
  console.log(`\n\n${styleText('green', guide.summary())}\n`)
} catch (error) {
  console.error(`\n${styleText('red', explain(error), { stream: process.stderr })}\n`)
  process.exitCode = 1
}
