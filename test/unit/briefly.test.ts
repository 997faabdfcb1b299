import { expect, test, vi } from 'vitest'
import Briefly from '../../tools/check/briefly.ts'

/** What `npm run check` prints of errors. */
function printed(...errors: { message: string; diff?: string }[]): string[] {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  new Briefly().onTestRunEnd([], errors)
  const lines = log.mock.calls.flatMap(([text]) => String(text).split('\n'))
  log.mockRestore()
  return lines
}

test('a long difference pushes out neither the sentence nor the sentences of other failures', () => {
  const added = Array.from({ length: 50 }, (_, line) => `+ line ${line}`)
  const diff = ['\u001b[32m- Expected\u001b[39m', '+ Received', '@@ -1 +1 @@', '  as before', ...added].join('\n')
  const lines = printed(...[1, 2, 3, 4].map((at) => ({ message: `What is wrong in ${at}, and the cure`, diff })))
  for (const at of [1, 2, 3, 4]) expect(lines).toContain(`    What is wrong in ${at}, and the cure`)
  expect(lines).toContain('    + line 1')
  expect(lines).not.toContain('    + line 2')
})

test('every sentence is whole, the first six of each failure are printed, and the rest is counted', () => {
  const sentences = Array.from({ length: 9 }, (_, at) => `${'a long sentence '.repeat(20)}${at}`)
  const lines = printed({ message: sentences.join('\n') })
  expect(lines.slice(1)).toEqual([...sentences.slice(0, 6).map((line) => `    ${line}`), '    … and 3 more'])
})
