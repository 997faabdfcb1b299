import { describe, expect, test } from 'vitest'
import { pauseAfter, type SmtpFailure, type Trouble, troubleOf } from '../../mail.rules.ts'

describe('what a failure means', () => {
  test.each<[string, SmtpFailure, Trouble]>([
    ['the server is away', { code: 'ESOCKET', command: 'CONN' }, 'server'],
    ['its certificate is not valid', { code: 'ETLS', command: 'CONN' }, 'server'],
    ['it does not greet us', { code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }, 'server'],
    ['the password is wrong', { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, 'server'],
    ['the sender is refused', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }, 'server'],
    ['it shuts down', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, 'server'],
    ['the receiver is refused for now', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }, 'later'],
    ['the receiver does not exist', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'refused'],
    ['the address is not one', { code: 'EENVELOPE', command: 'API' }, 'refused'],
    ['the database is away', {}, 'server'],
  ])('%s', (_, failure, trouble) => {
    expect(troubleOf(failure)).toBe(trouble)
  })
})

describe('a mail is tried again', () => {
  const DAY = 86_400_000
  const pauses = (trouble: Trouble, chance: number) => {
    const all: number[] = []
    for (let left = DAY, attempts = 1; ; attempts++) {
      const pause = pauseAfter(trouble, attempts, left, chance)
      if (pause === undefined) return all
      all.push(pause)
      left -= pause
    }
  }

  test('after pauses that double, and not at all if it was refused', () => {
    expect(pauses('server', 0.5).slice(0, 9)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300].map((s) => s * 1000))
    expect(pauses('later', 0.5).slice(0, 6)).toEqual([1, 2, 4, 8, 16, 30].map((minutes) => minutes * 60_000))
    expect(pauses('refused', 0.5)).toEqual([])
  })

  test.each(['server', 'later'] as const)('for a day, whatever the chance (%s)', (trouble) => {
    for (const chance of [0, 0.5, 0.999]) {
      const sum = pauses(trouble, chance).reduce((all, pause) => all + pause, 0)
      expect(sum).toBeLessThan(DAY)
      expect(sum).toBeGreaterThan(DAY - 2_700_000)
    }
  })
})
