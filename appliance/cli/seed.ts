import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { command, Refusal } from '../../src/atrium/command-line.ts'

const DEMO = fileURLToPath(new URL('../../demo/demo.ts', import.meta.url))

/** The demo is not part of the service: a program of its own, which runs here so that signals and kills reach it. */
export const seed = command({
  about: 'Fill the database with a demo: two companies, forty people, half a year of their work',
  detail: 'Every run makes the same story; an interrupted run continues. Not for production.',
  run: async () => {
    if (!existsSync(DEMO)) throw new Refusal('The demo is not part of this installation; it comes with the repository.')
    // It reads the command line itself, as if it had been started with npm run seed:demo.
    process.argv.splice(2)
    await import(DEMO)
    return Number(process.exitCode ?? 0)
  },
})
