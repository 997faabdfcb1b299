import { expect, test } from 'vitest'
import type { Changes } from '../../src/data/changes/changes.ts'
import { EXECUTOR, type Scope } from '../../src/data/tx/scope.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { rememberNames } from '../../src/domains/people/names/name-cache.ts'

test('the names of an answer that are not at hand are read by one statement', async () => {
  const { namesOf, asked } = givenPeople({ 1: 'Ada', 2: 'Ben', 3: 'Cleo' })
  expect(Object.fromEntries(await namesOf(1, [1, 2, 1, 3, 2]))).toEqual({ 1: 'Ada', 2: 'Ben', 3: 'Cleo' })
  expect(asked).toEqual([[1, 2, 3]])
})

test('answers that come together read each name once, and who has gone has a blank one', async () => {
  const { namesOf, asked } = givenPeople({ 1: 'Ada' })
  const [one, other] = await Promise.all([namesOf(1, [1, 9]), namesOf(1, [9, 1])])
  expect(asked).toEqual([[1, 9]])
  for (const names of [one, other]) expect(Object.fromEntries(names)).toEqual({ 1: 'Ada', 9: '' })
})

test('of a change in between, the name alone is read that was changed', async () => {
  const { namesOf, asked, change } = givenPeople({ 1: 'Ada', 2: 'Ben' })
  await namesOf(1, [1, 2])
  change(2)
  await namesOf(1, [1, 2])
  expect(asked).toEqual([[1, 2], [2]])
})

/** A database that knows these people, and everyone who has been changed since. */
function givenPeople(people: Record<number, string>) {
  const asked: number[][] = []
  const changed = new Map<number, number>()
  let now = 0
  const changes = {
    now: () => now,
    isChanged: (_kind: string, id: number, since: number) => (changed.get(id) ?? -1) > since,
    everyMinute() {},
  } as unknown as Changes
  const executor = {
    async run(_tenantId: number, { values }: Call) {
      const ids = values.find(Array.isArray) as number[]
      asked.push([...ids])
      return { rows: ids.flatMap((id) => (people[id] ? [{ id, name: people[id] }] : [])) }
    },
  }
  const scopeOf = (tenantId: number) => ({ tenantId, [EXECUTOR]: executor }) as unknown as Scope
  return {
    asked,
    namesOf: rememberNames(changes, scopeOf as never),
    change: (id: number) => void changed.set(id, ++now),
  }
}
