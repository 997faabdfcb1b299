import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

const MOST_FAILURES = 6
/** For all of them together: of many failures each is told in a line or two. */
const MOST_LINES = 12

/** Says nothing of what passes; of what fails, where it stands, what it is and the first lines of why. */
export default class Briefly implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const outside = unhandled.map((error) => ({ where: 'Outside of any test', errors: [error] }))
    const failures = [...modules.flatMap(failuresOf), ...outside]
    const most = Math.max(1, Math.floor(MOST_LINES / Math.min(failures.length, MOST_FAILURES)) - 1)
    for (const failure of failures.slice(0, MOST_FAILURES)) console.log(tell(failure, most))
    if (failures.length > MOST_FAILURES) console.log(`… and ${failures.length - MOST_FAILURES} tests more`)
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

function tell({ where, errors }: Failure, most: number): string {
  const lines = errors.flatMap(({ message, diff }) => [
    ...String(message).split('\n'),
    ...String(diff ?? '').split('\n'),
  ])
  const told = lines.filter((line) => line.trim()).map((line) => `    ${line}`)
  return [where, ...told.slice(0, most)].join('\n')
}
