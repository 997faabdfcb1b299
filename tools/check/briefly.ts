import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

const MOST_FAILURES = 6
/** Sentences of one failure, each printed in full. */
const MOST_SENTENCES = 6
/** Lines of differences, for all failures together. */
const MOST_DIFFERENCES = 8

/** Prints nothing for a passing test. For a failing one: its place, then what is wrong, then the difference. */
export default class Briefly implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const outside = unhandled.map((error) => ({ where: 'Outside of any test', errors: [error] }))
    const failures = [...modules.flatMap(failuresOf), ...outside]
    const shown = failures.slice(0, MOST_FAILURES)
    for (const failure of shown) console.log(describe(failure, Math.floor(MOST_DIFFERENCES / shown.length)))
    if (failures.length > shown.length) console.log(`… and ${failures.length - shown.length} more tests`)
  }
}

interface Failure {
  where: string
  errors: readonly SerializedError[]
}

function failuresOf(module: TestModule): Failure[] {
  const path = relative(process.cwd(), module.moduleId)
  const broken = [module, ...module.children.allSuites()].filter(
    (suite: TestModule | TestSuite) => suite.errors().length,
  )
  return [
    ...broken.map((suite) => ({ where: path, errors: suite.errors() })),
    ...[...module.children.allTests('failed')].map((test: TestCase) => ({
      where: `${path} > ${test.fullName}`,
      errors: test.result().errors ?? [],
    })),
  ]
}

/** The sentences come first, so that no difference displaces them. */
function describe({ where, errors }: Failure, mostDifferences: number): string {
  const sentences = errors.flatMap(({ message }) => linesOf(message))
  const differences = errors.flatMap(({ diff }) => linesOf(diff)).filter(isChange)
  const more = sentences.length - MOST_SENTENCES
  return [
    where,
    ...sentences.slice(0, MOST_SENTENCES),
    ...(more > 0 ? [`    … and ${more} more`] : []),
    ...differences.slice(0, mostDifferences),
  ].join('\n')
}

function linesOf(text: unknown): string[] {
  return String(text ?? '')
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => `    ${line}`)
}

/** Whether a line of a difference is one that was or is there, and neither its title nor one around it. */
function isChange(line: string): boolean {
  return /^ *[+-](?! (Expected|Received)$)/.test(stripVTControlCharacters(line))
}
