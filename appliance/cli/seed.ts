import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { command } from './command.ts'
import { Refusal } from './refusal.ts'

const DEMO = fileURLToPath(new URL('../../demo/demo.ts', import.meta.url))

/** The demo is not part of the service, so it runs as its own program. */
export const seed = command({
  about: 'Fill the database with a demo: two companies, forty people, half a year of their work',
  detail: 'Every run makes the same story; an interrupted run continues. Not for production.',
  run: async () => {
    if (!existsSync(DEMO)) throw new Refusal('The demo is not part of this installation; it comes with the repository.')
    const child = spawn(process.execPath, [DEMO], { stdio: 'inherit' })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    return new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
  },
})
