import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Call, Result } from '../../src/data/wire/flight.ts'
import { openGroups } from '../../src/data/wire/groups.ts'
import { ConnectionLost, Unavailable } from '../../src/data/wire/unavailable.ts'

const flightOf = (name: string): Call[] => [{ prepared: { name, text: name, intent: 'write' }, values: [] }]
const rowOf = (name: string): Result => ({ rows: [{ name }], affected: 1 })

/** One flight is under way at a time; each is answered, or fails, on command. */
function givenGroups() {
  const sent: string[] = []
  const onTheWay: { resolve(): void; reject(error: Error): void }[] = []
  const groups = openGroups(
    (calls) => {
      const names = calls.map(({ prepared }) => prepared.name)
      sent.push(names.join(' '))
      return new Promise((resolve, reject) =>
        onTheWay.push({ resolve: () => resolve(names.map(rowOf)), reject: (error) => reject(error) }),
      )
    },
    { underWay: 1, together: 8 },
  )
  const send = (name: string) =>
    groups.send(flightOf(name)).then(
      ([result]) => result!.rows[0]!.name,
      (error) => error,
    )
  async function next(error?: Error) {
    await turn()
    const [flight] = onTheWay.splice(0, 1)
    if (error) flight!.reject(error)
    else flight!.resolve()
    await turn()
  }
  return { groups, sent, send, next }
}

test('flights that come while another is under way leave together, and each has an answer', async () => {
  const { sent, send, next } = givenGroups()
  const answers = Promise.all(['a', 'b', 'c', 'd'].map(send))
  expect(sent).toEqual(['a'])
  await next()
  expect(sent).toEqual(['a', 'b c d'])
  await next()
  expect(await answers).toEqual(['a', 'b', 'c', 'd'])
})

test('no more leave together than may', async () => {
  const { sent, send, next } = givenGroups()
  const answers = Promise.all([...'0123456789'].map(send))
  for (let flights = 0; flights < 3; flights++) await next()
  await answers
  expect(sent).toEqual(['0', '1 2 3 4 5 6 7 8', '9'])
})

test('if one fails, each is sent by itself and answered for itself', async () => {
  const { sent, send, next } = givenGroups()
  const failure = Object.assign(new Error('it is taken'), { code: '23505' })
  const answers = Promise.all(['a', 'b', 'c'].map(send))
  await next()
  await next(failure)
  expect(sent).toEqual(['a', 'b c', 'b', 'c'])
  await next(failure)
  await next()
  expect(await answers).toEqual(['a', failure, 'c'])
})

test('if the connection breaks, none is sent again: each may have been saved', async () => {
  const { sent, send, next } = givenGroups()
  const lost = new ConnectionLost('it broke')
  const answers = Promise.all(['a', 'b', 'c'].map(send))
  await next()
  await next(lost)
  expect(await answers).toEqual(['a', lost, lost])
  expect(sent).toEqual(['a', 'b c'])
})

test('a flight that has waited too long is refused, and nothing of it was sent', async () => {
  const { groups, sent, send, next } = givenGroups()
  const answers = Promise.all(['a', 'b'].map(send))
  expect(groups.waiting).toBe(1)
  expect(groups.oldestWait(performance.now() + 5000)).toBeGreaterThanOrEqual(5000)
  groups.destroy(new Error('no answer in time'))
  await next()
  const [first, second] = await answers
  expect(first).toBe('a')
  expect(second).toBeInstanceOf(Unavailable)
  expect(second).not.toBeInstanceOf(ConnectionLost)
  expect(sent).toEqual(['a'])
  expect(groups.oldestWait(performance.now())).toBe(0)
})
