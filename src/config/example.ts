import type { Variable } from './variable.ts'
import { SECTIONS } from './variables.ts'

const HEAD = `# Development needs none of these. Each may also be given as NAME_FILE: the path of a file that holds the value.
# Each line shows the default; a line without a value has none. Written by: npm run env:example
`
const WIDTH = 35

/** The text of `.env.example`: every variable with its default and its description. */
export function envExample(): string {
  const blocks = SECTIONS.map((section) => Object.values<Variable>(section).map(lineOf).join('\n'))
  return `${[HEAD, ...blocks.map((block) => `${block}\n`)].join('\n')}`
}

function lineOf(variable: Variable): string {
  const shown = `# ${variable.name}=${defaultOf(variable)}`.padEnd(WIDTH)
  return `${shown}# ${variable.about}${variable.needed ? '; required in production' : ''}`
}

/** The default as it would be written; empty if there is none. */
export function defaultOf({ type }: Variable): string {
  const { data } = type.safeParse(undefined)
  return data === undefined ? '' : String(data)
}
