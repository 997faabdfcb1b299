import { relative } from 'node:path'
import { MinimalReporter, type SerializedError, type TestModule, type TestRunEndReason } from 'vitest/node'
import { missingPrograms } from '../../test/support/programs.ts'

const SLOWEST = 10

/**
 * Prints failures, and at the end one short summary: what was skipped and what installs it, the slowest files, and
 * `N passed, N failed, N skipped`. On a terminal it says meanwhile how far it is.
 */
export default class Summary extends MinimalReporter {
  #begun = performance.now()
  #ended = 0
  #failed = 0
  #files = 0

  override onTestRunStart(files: Parameters<MinimalReporter['onTestRunStart']>[0]) {
    super.onTestRunStart(files)
    this.#files = files.length
  }

  override onTestModuleEnd(module: TestModule) {
    this.#say('')
    super.onTestModuleEnd(module)
    this.#ended++
    if (module.state() === 'failed') {
      this.#failed++
      // The whole failures come at the end, which a run that is broken off does not reach.
      for (const test of module.children.allTests('failed'))
        console.log(`${test.name}: ${test.result().errors?.[0]?.message}`)
      for (const group of groupsOf(module))
        for (const { message } of group.errors()) console.log(`${module.relativeModuleId}: ${message}`)
    }
    const failed = this.#failed ? `, ${this.#failed} failed` : ''
    this.#say(`${this.#ended} of ${this.#files} files${failed}, ${lasting(performance.now() - this.#begun)}`)
  }

  override onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[], reason: TestRunEndReason) {
    this.#say('')
    super.onTestRunEnd(modules, errors, reason)
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // What goes wrong before or after their tests is the failure of none of them.
    const broken = modules.flatMap(groupsOf).filter((group) => group.errors().length > 0).length
    const slow = [...modules].sort((a, b) => durationOf(b) - durationOf(a)).slice(0, SLOWEST)
    if (this.#files > SLOWEST)
      console.log(
        [
          'The slowest files:',
          ...slow.map(
            (module) => `${lasting(durationOf(module)).padStart(8)}  ${relative(process.cwd(), module.moduleId)}`,
          ),
        ].join('\n'),
      )
    if (count('skipped')) for (const line of missingPrograms()) console.log(line)
    console.log(lasting(performance.now() - this.#begun))
    const failed = count('failed') + broken + errors.length
    console.log(`${count('passed')} passed, ${failed} failed${count('skipped') ? `, ${count('skipped')} skipped` : ''}`)
  }

  /** The one summary is above. */
  override reportTestSummary() {}

  #say(line: string) {
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`)
  }
}

const groupsOf = (module: TestModule) => [module, ...module.children.allSuites()]
const durationOf = (module: TestModule) => module.diagnostic().duration

function lasting(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
