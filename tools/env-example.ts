import { writeFileSync } from 'node:fs'
import about from '../src/config/about.json' with { type: 'json' }
import { SECTIONS, type Variable } from '../src/config/variables.ts'

const HEAD = `# Development needs none of these. Each may also be given as NAME_FILE: the path of a file that holds the value.
# Each line shows the default; a line without a value has none. Written by: npm run env:example
`
const WIDTH = 35

/** The text of `.env.example`: every variable with its default and its description. */
export function envExample(): string {
  const blocks = SECTIONS.map((section) => Object.values<Variable>(section).map(lineOf).join('\n'))
  return [HEAD, ...blocks.map((block) => `${block}\n`)].join('\n')
}

function lineOf({ name, type, needed }: Variable): string {
  const shown = `# ${name}=${type.safeParse(undefined).data ?? ''}`.padEnd(WIDTH)
  return `${shown}# ${about[name as keyof typeof about]}${needed ? '; required in production' : ''}`
}

/** `npm run env:example`: writes it. */
if (import.meta.main) writeFileSync(new URL('../.env.example', import.meta.url), envExample())
