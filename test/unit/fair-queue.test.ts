import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fairQueue, QueueRefusal } from '../../src/util/shares/fair-queue.ts'

const usual = { width: 2, perGroup: 2, perMember: 1, waitingPerMember: 8, timeout: 60_000 }

/** Work that ends on demand, and the order in which it began. */
function givenQueue(options = {}) {
  const queue = fairQueue({ ...usual, ...options })
  const began: string[] = []
  const endings = new Map<string, () => void>()
  const ask = (group: string, member: string, name = `${group}${member}`) =>
    queue.run({ group, member }, async () => {
      began.push(name)
      await new Promise<void>((resolve) => endings.set(name, resolve))
      return name
    })
  async function end(name: string) {
    endings.get(name)!()
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  return { queue, ask, end, began }
}

test('no more run concurrently than the width, nor for one member than their share', async () => {
  const { queue, ask, end, began } = givenQueue()
  const all = [ask('a', '1', 'first'), ask('a', '1', 'second'), ask('a', '2', 'third'), ask('a', '3', 'fourth')]
  await turn()
  expect(began).toEqual(['first', 'third'])
  expect(queue).toMatchObject({ running: 2, waiting: 2 })
  await end('first')
  await end('third')
  await end('second')
  await end('fourth')
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third', 'fourth'])
})

test('a group that asks late is served before the tenth of a group that asks for much', async () => {
  const { ask, end, began } = givenQueue({ width: 1, perMember: 10, waitingPerMember: 100 })
  const flood = Array.from({ length: 10 }, (_, at) => ask('flood', '1', `flood ${at}`))
  const other = ask('quiet', '1', 'quiet')
  await turn()
  await end('flood 0')
  expect(began).toEqual(['flood 0', 'quiet'])
  await end('quiet')
  for (let at = 1; at < 10; at++) await end(`flood ${at}`)
  await Promise.all([...flood, other])
})

test('who is preferred goes before many groups that wait already', async () => {
  const { queue, ask, end, began } = givenQueue({ width: 1 })
  const all = ['a', 'b', 'c'].map((group) => ask(group, '1'))
  const known = queue.run({ group: 'd', member: '1', isPreferred: true }, async () => void began.push('known'))
  await turn()
  await end('a1')
  expect(began.slice(0, 2)).toEqual(['a1', 'known'])
  await known
  await end('b1')
  await end('c1')
  await Promise.all(all)
})

test('who is preferred gets three of four turns, and never all of them', async () => {
  const { queue, ask, end, began } = givenQueue({ width: 1, waitingPerMember: 100 })
  const flood = Array.from({ length: 12 }, (_, at) =>
    queue.run({ group: 'known', member: at, isPreferred: true }, async () => void began.push('known')),
  )
  const newcomers = ['a', 'b'].map((group) => ask(group, '1'))
  await turn()
  while (began.length < 14) {
    await turn()
    if (began.at(-1) !== 'known') await end(began.at(-1)!)
  }
  await Promise.all([...flood, ...newcomers])
  expect(began.indexOf('a1')).toBe(4)
  expect(began.indexOf('b1')).toBe(8)
})

test('the members of a group take turns, and one who asks for much does not keep another waiting', async () => {
  const { ask, end, began } = givenQueue({ width: 1 })
  const all = [ask('a', '1', 'first'), ask('a', '1', 'second'), ask('a', '1', 'third'), ask('a', '2', 'other')]
  await turn()
  for (const name of ['first', 'other', 'second', 'third']) await end(name)
  expect(began).toEqual(['first', 'other', 'second', 'third'])
  await Promise.all(all)
})

test('a member who is not preferred leaves a place free if that is requested', async () => {
  const { queue, ask, end, began } = givenQueue({ ofOthers: 1 })
  const all = [ask('a', '1'), ask('b', '1')]
  await turn()
  expect(began).toEqual(['a1'])
  await queue.run({ group: 'c', member: '1', isPreferred: true }, async () => void began.push('preferred'))
  expect(began).toEqual(['a1', 'preferred'])
  await end('a1')
  await end('b1')
  await Promise.all(all)
})

test('what was stopped before its time was no turn', async () => {
  const { queue, ask, end, began } = givenQueue({ width: 1 })
  const stopped = ask('a', '1', 'stopped')
  const all = [ask('b', '1', 'other'), ask('b', '2', 'another')]
  await turn()
  await end('stopped')
  queue.giveTurnBack({ group: 'a', member: '1' })
  const again = ask('a', '1', 'again')
  await end('other')
  expect(began).toEqual(['stopped', 'other', 'again'])
  await end('again')
  await end('another')
  await Promise.all([stopped, again, ...all])
})

test('a group never takes the whole width if it may not', async () => {
  const { ask, end, began } = givenQueue({ perGroup: 1 })
  const all = [ask('a', '1'), ask('a', '2'), ask('b', '1')]
  await turn()
  expect(began).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'a2', 'b1']) await end(name)
  await Promise.all(all)
})

test('what fails gives its place back', async () => {
  const { queue } = givenQueue({ width: 1 })
  const failed = queue.run({ group: 'a', member: '1' }, () => Promise.reject(new Error('no')))
  await expect(failed).rejects.toThrow('no')
  expect(await queue.run({ group: 'a', member: '1' }, async () => 'next')).toBe('next')
})

test('a member with too much waiting is refused, and what waits too long is given up', async () => {
  const { queue, ask, end } = givenQueue({ width: 1, waitingPerMember: 1, timeout: 20 })
  const first = ask('a', '1', 'first')
  const second = ask('a', '1', 'second').catch((error) => error)
  await expect(ask('a', '1', 'third')).rejects.toMatchObject(new QueueRefusal('too many'))
  expect(await second).toMatchObject({ reason: 'too late' })
  expect(queue.waiting).toBe(0)
  await end('first')
  await first
})
