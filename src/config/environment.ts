import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { BY_KEY, VARIABLES, type Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type Problem = readonly [name: string, what: string]

/** The value or default of every variable, under its key. */
export type Readings = { [Key in keyof typeof BY_KEY]: z.output<(typeof BY_KEY)[Key]['type']> }

/** Where a value came from: its variable, the file named by NAME_FILE, or nowhere. */
export type Source = 'environment' | 'file' | 'default'

export interface Reading {
  readings: Readings
  /** values that could not be read are missing in the readings while there is a problem */
  problems: Problem[]
  sourceOf(name: string): Source
}

/**
 * Reads every variable, or the file that NAME_FILE names, through its type. A blank variable counts as absent, because
 * container tools pass blank ones.
 */
export function readVariables(environment: Environment): Reading {
  const problems: Problem[] = []
  const sources = new Map<string, Source>()
  const readings = Object.entries<Variable>(BY_KEY).map(([key, variable]) => [key, read(variable)])
  return {
    readings: Object.fromEntries(readings) as Readings,
    problems,
    sourceOf: (name) => sources.get(name) ?? 'default',
  }

  function read({ name, type }: Variable): unknown {
    const parsed = type.safeParse(textOf(name))
    if (parsed.success) return parsed.data
    for (const { message } of parsed.error.issues) problems.push([name, message])
    return undefined
  }

  function textOf(name: string): string | undefined {
    const value = environment[name] || undefined
    const file = environment[`${name}_FILE`] || undefined
    if (value || file) sources.set(name, file ? 'file' : 'environment')
    if (value && file) problems.push([name, `is set, and so is ${name}_FILE; set only one of them`])
    if (!file) return value
    try {
      return readFileSync(file, 'utf8').trim() || undefined
    } catch (error) {
      problems.push([`${name}_FILE`, (error as Error).message])
      return undefined
    }
  }
}

const PLUGINS = fileURLToPath(new URL('../plugins/', import.meta.url))

/** The variables that plug-ins name in their `variables.json`, each with its plug-in. All others are of the core. */
export function variablesOfPlugins(): { name: string; plugin: string }[] {
  return globSync('*/variables.json', { cwd: PLUGINS })
    .sort()
    .flatMap((path) => {
      const names: string[] = JSON.parse(readFileSync(join(PLUGINS, path), 'utf8'))
      return names.map((name) => ({ name, plugin: dirname(path) }))
    })
}

/** The plug-in that a problem belongs to; undefined if it is of the core. */
export function ownerOf([name]: Problem): string | undefined {
  const variable = name.replace(/_FILE$/, '')
  return variablesOfPlugins().find(({ name }) => name === variable)?.plugin
}

const NAMES = new Set(VARIABLES.flatMap(({ name }) => [name, `${name}_FILE`]))
/** The first words of our names, except those that other programs use too. */
const OUR_WORDS = new Set(
  VARIABLES.flatMap(({ name }) => (/^(NODE|LOG|OTEL)_|^[A-Z]+$/.test(name) ? [] : [wordOf(name)])),
)
/** What Docker and Kubernetes set for a neighbour called `redis`. */
const OF_A_NEIGHBOUR = /_SERVICE_(HOST|PORT)|_PORT$|_PORT_\d+_/

/** Names that look like ours and are not read: misspelt ones, and unknown ones with one of our first words. */
export function strayNames(environment: Environment): { name: string; meant: string | undefined }[] {
  return Object.keys(environment)
    .filter((name) => environment[name] && /^[A-Z][A-Z0-9_]+$/.test(name) && !NAMES.has(name))
    .map((name) => ({ name, meant: nearestTo(name) }))
    .filter(({ name, meant }) => meant || (beginsAsOurs(name) && !OF_A_NEIGHBOUR.test(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** One word alone belongs to somebody else: login shells set MAIL. */
function beginsAsOurs(name: string): boolean {
  return name.includes('_') && OUR_WORDS.has(wordOf(name))
}

/** Short names are too similar to many others. */
function nearestTo(name: string): string | undefined {
  if (name.length < 8) return undefined
  const edits = (ours: string) => (Math.min(name.length, ours.length) >= 12 ? 2 : 1)
  return [...NAMES].find((ours) => ours.length >= 8 && isWithin(edits(ours), name, ours))
}

/** An edit is one letter missing, added or wrong, or two adjacent letters swapped. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > edits) return false
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [x, y] = [a.slice(same), b.slice(same)]
  if (x === '' || y === '' || edits === 0) return x.length + y.length <= edits
  const swapped = x[0] === y[1] && x[1] === y[0] ? [[x.slice(2), y.slice(2)] as const] : []
  const ways = [[x.slice(1), y.slice(1)], [x.slice(1), y], [x, y.slice(1)], ...swapped] as const
  return ways.some(([one, other]) => isWithin(edits - 1, one, other))
}

/** `S3` of S3_BUCKET. */
function wordOf(name: string): string {
  return name.split('_', 1)[0]!
}
