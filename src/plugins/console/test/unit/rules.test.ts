import { describe, expect, test } from 'vitest'
import { t } from '../../browser/lib/language.ts'
import {
  childrenOf,
  type Flat,
  flat,
  liesIn,
  movesFor,
  placeOf,
  stepFrom,
} from '../../browser/pages/departments/tree.ts'
import { merge } from '../../browser/pages/portal/merge.ts'

/** Decisions that pages of the console take without the service. */
const one = (id: number, parentId: number | null, sort: number, children: any[] = []): any => ({
  ...{ id, parentId, sort, name: `D${id}`, code: `D${id}`, status: 'active', leaderId: null, leaderName: null },
  ...{ memberCount: 0, version: 0, children },
})
/** 1 with 2 and 3 below it, then 4. */
const all = flat([one(1, null, 1, [one(2, 1, 1), one(3, 1, 2)]), one(4, null, 2)])
const find = (id: number) => all.find((department) => department.id === id) as Flat

/** The tree after some departments were saved. */
function outlineOf(moves: readonly Flat[]): string {
  const now = all.map((department) => moves.find(({ id }) => id === department.id) ?? department)
  const outline = (parentId: number | null): string =>
    childrenOf(now, parentId)
      .sort((a, b) => a.sort - b.sort || a.id - b.id)
      .map(({ id }) => `${id}(${outline(id)})`)
      .join('')
  return outline(null)
}

describe('a tree of departments', () => {
  test('is a list from top to bottom', () => {
    expect(all.map(({ id, level }) => `${id}:${level}`)).toEqual(['1:0', '2:1', '3:1', '4:0'])
    expect([3, 1, 4, null].map((id) => liesIn(all, id, 1))).toEqual([true, true, false, false])
  })

  test.each([
    [1, 'ArrowUp', undefined],
    [1, 'ArrowDown', '4()1(2()3())'],
    [1, 'ArrowLeft', undefined],
    [2, 'ArrowUp', undefined],
    [2, 'ArrowDown', '1(3()2())4()'],
    [2, 'ArrowLeft', '1(3())2()4()'],
    [2, 'ArrowRight', undefined],
    [3, 'ArrowUp', '1(3()2())4()'],
    [3, 'ArrowDown', undefined],
    [3, 'ArrowLeft', '1(2())3()4()'],
    [3, 'ArrowRight', '1(2(3()))4()'],
    [4, 'ArrowRight', '1(2()3()4())'],
  ])('%i and %s', (id, key, outline) => {
    const to = stepFrom(all, find(id), key)
    expect(to && outlineOf(movesFor(all, id, to))).toBe(outline)
  })

  test('a move to where it lies saves nothing, and every other place is reached', () => {
    for (const { id } of all) expect(movesFor(all, id, placeOf(all, find(id)))).toEqual([])
    expect(outlineOf(movesFor(all, 4, { parentId: 1, at: 1 }))).toBe('1(2()4()3())')
    expect(outlineOf(movesFor(all, 2, { parentId: null, at: 0 }))).toBe('2()1(3())4()')
  })
})

describe('two changes of one section', () => {
  const base = { name: 'A', list: [{ t: '1' }, { t: '2' }] }
  const named = (name: string) => ({ ...base, name })
  const listed = (...texts: string[]) => ({ ...base, list: texts.map((t) => ({ t })) })
  test.each([
    ['mine alone', named('B'), base, named('B')],
    ['theirs alone', base, named('C'), named('C')],
    ['different fields', named('B'), listed(), { name: 'B', list: [] }],
    ['the same field: mine stays', named('B'), named('C'), named('B')],
    ['different entries', listed('x', '2'), listed('1', 'y'), listed('x', 'y')],
    ['lists of other lengths: mine stays', listed(), listed('y'), listed()],
  ])('%s', (_, mine, theirs, merged) => {
    expect(merge(base, mine, theirs)).toEqual(merged)
  })
})

test('a name that reads from right to left does not turn the sentence around it', () => {
  const said = (name: string) => t('{name} was deleted.', { name })
  expect(said('Ada (1)')).toBe('Ada (1) was deleted.')
  for (const name of ['שלום (1)', 'Ada مرحبا']) expect(said(name)).toBe(`\u2068${name}\u2069 was deleted.`)
})
