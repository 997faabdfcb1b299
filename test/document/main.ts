import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { readWhole } from '../../tools/generate.ts'

/**
 * `npm run check:document`: writes the document with all plug-ins, and checks it in three ways at the same time, each of
 * which keeps one core busy. Each is a program of its own, which can be run again alone.
 */
const LONGEST = 'hostile.ts'
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

await writeFile(here('openapi.json'), await readWhole())
const codes = await Promise.all(
  [LONGEST, 'tools.ts', 'flows.ts'].map(async (name) => {
    const child = spawn(process.execPath, [here(name)], { stdio: 'inherit' })
    // The longest gets a core to itself.
    if (child.pid && name !== LONGEST) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    const [code] = await once(child, 'exit')
    return code
  }),
)
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
