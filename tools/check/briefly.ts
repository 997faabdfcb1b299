import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite } from 'vitest/node'

const MOST_FAILURES = 6
const MOST_LINES = 8

/** Says nothing of what passes; of what fails, where it stands, what it is and the first lines of why. */
export default class Briefly implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]) {
    const failures = [...modules.flatMap(failuresOf), ...unhandled.map((error) => tell('Outside of any test', [error]))]
    for (const failure of failures.slice(0, MOST_FAILURES)) console.log(failure)
    if (failures.length > MOST_FAILURES) console.log(`… and ${failures.length - MOST_FAILURES} tests more`)
  }
}

function failuresOf(module: TestModule): string[] {
  const path = relative(process.cwd(), module.moduleId)
  const broken = [module, ...module.children.allSuites()].filter(
    (suite: TestModule | TestSuite) => suite.errors().length,
  )
  return [
    ...broken.map((suite) => tell(path, suite.errors())),
    ...[...module.children.allTests('failed')].map((test: TestCase) =>
      tell(`${path} > ${test.fullName}`, test.result().errors ?? []),
    ),
  ]
}

function tell(where: string, errors: readonly SerializedError[]): string {
  const lines = errors.flatMap(({ message, diff }) => [
    ...String(message).split('\n'),
    ...String(diff ?? '').split('\n'),
  ])
  const told = lines.filter((line) => line.trim()).map((line) => `    ${line}`)
  return [where, ...told.slice(0, MOST_LINES), ...(told.length > MOST_LINES ? ['    …'] : [])].join('\n')
}
