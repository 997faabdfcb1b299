import { expect, test } from 'vitest'
import about from '../../src/config/about.json' with { type: 'json' }
import { excusedFrom } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import { readSources } from '../support/source.ts'

/**
 * What a process has a limited number of, by the file that counts it, and what keeps one tenant from taking all: a `room`,
 * of which a tenant has at most half; a `queue`, in which groups take turns; or why it needs neither.
 */
const SCARCE = excusedFrom('a limited number, with what shares it')
/** What a file says that counts something, and refuses or queues what is too much. */
const COUNTS =
  /\bopenRoom\(|\bfairQueue\(|\bmaxSockets\b|\bmaxConnections\b|too many [^'`]*(?:wait|run)|max: most|\b(?:free|running|waiting|open)(?:\.size|\.length)? >=/
const SHARES: Record<string, RegExp> = { room: /\bopenRoom\(/, queue: /\bperGroup:/ }
const OWN = /^src\/util\/shares\//

test('everything that a process has a limited number of has a share for each tenant', () => {
  const sources = readSources().filter(({ path }) => path.startsWith('src/') && !OWN.test(path))
  const counting = sources.filter(({ code }) => COUNTS.test(code))
  const unlisted = counting.filter(({ path }) => !(path in SCARCE))
  const withoutShare = counting.filter(({ path, code }) => SHARES[SCARCE[path] ?? '']?.test(code) === false)
  expectNone([
    ...unlisted.map(
      ({ path }) => `${path} counts something: give each tenant a share with openRoom, and list it in exceptions.json`,
    ),
    ...withoutShare.map(({ path }) => `${path} no longer has the ${SCARCE[path]} that exceptions.json names`),
  ])
  expect(counting.map(({ path }) => path).sort(), 'exceptions.json names no file that is gone').toEqual(
    Object.keys(SCARCE).sort(),
  )
})

test('a variable that says how many there are at the same time says what one tenant has', () => {
  const counted = Object.entries(about).filter(([, what]) =>
    /at the same time|concurrent live streams of each process/.test(what),
  )
  expect(counted.map(([name]) => name)).toEqual(['MAIL_CONNECTIONS', 'WEBHOOK_CONNECTIONS', 'STREAMS'])
  for (const [, what] of counted) expect(what).toContain('half of these for one tenant')
})
