import { relative } from 'node:path'

/** What the JSON reporter of Vitest writes, as far as it is read. */
export interface Report {
  success: boolean
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

interface Failure {
  /** from the root of the project */
  file: string
  /** undefined for what went wrong outside of the tests of a file */
  test?: string
  why: string
  /** whether another test of the file has passed */
  hasPassed: boolean
}

/** What failed, in the order of the report. */
export function failuresIn({ testResults }: Report, root: string): Failure[] {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const hasPassed = assertionResults.some(({ status }) => status === 'passed')
    const of = { file: relative(root, name), hasPassed }
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    return [
      ...(message ? [{ ...of, why: message }] : []),
      ...failed.map(({ fullName, failureMessages }) => ({ ...of, test: fullName, why: failureMessages.join('\n') })),
    ]
  })
}
